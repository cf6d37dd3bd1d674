//! Where the fake engine is: `examples/fake_engine`, built.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::SystemTime;

/// The program. `cargo test` builds all examples, but `cargo test --test NAME` does not: then it is built here, if it is
/// missing or older than its own sources.
pub fn fake_engine() -> &'static Path {
    static FAKE: LazyLock<PathBuf> = LazyLock::new(|| {
        // A test is target/PROFILE/deps/NAME, an example target/PROFILE/examples/NAME.
        let test = std::env::current_exe().expect("the test knows where it is");
        let profile = test.parent().and_then(Path::parent).expect("a folder of the profile");
        let fake = profile.join("examples").join(format!("fake_engine{}", std::env::consts::EXE_SUFFIX));
        if modified(&fake).is_none_or(|built| built < newest_source()) {
            build(profile);
        }
        assert!(fake.is_file(), "{} is missing: cargo build --example fake_engine", fake.display());
        fake
    });
    &FAKE
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|data| data.modified()).ok()
}

fn newest_source() -> SystemTime {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/fake_engine");
    let sources = std::fs::read_dir(folder).expect("the sources of the fake engine");
    sources.flatten().filter_map(|entry| modified(&entry.path())).max().unwrap_or(SystemTime::UNIX_EPOCH)
}

fn build(profile: &Path) {
    let name = match profile.file_name().and_then(|name| name.to_str()) {
        Some("release") => "bench",
        _ => "test",
    };
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--profile", name, "--example", "fake_engine"])
        .arg("--manifest-path")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", profile.parent().expect("the target folder"))
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the fake engine cannot be built");
}
