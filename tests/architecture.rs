//! The invariants of ARCHITECTURE.md that can be read off the source.

use std::fs;
use std::path::{Path, PathBuf};

/// All Rust files at or below `path`, which may lack its extension.
fn sources(path: &str) -> Vec<(PathBuf, String)> {
    fn collect(path: &Path, found: &mut Vec<(PathBuf, String)>) {
        if path.is_dir() {
            for entry in fs::read_dir(path).expect("a folder") {
                collect(&entry.expect("an entry").path(), found);
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push((path.to_owned(), fs::read_to_string(path).expect("a text")));
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let module = root.join(path);
    if module.is_dir() {
        collect(&module, &mut found);
    }
    let file = root.join(format!("{path}.rs"));
    if file.is_file() {
        collect(&file, &mut found);
    }
    assert!(!found.is_empty(), "nothing at {path}");
    found
}

/// The code of a file: no comments, and nothing of its unit tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap_or(text);
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn assert_without(module: &str, words: &[&str]) {
    for (path, text) in sources(module) {
        let code = code(&text);
        for word in words {
            assert!(!code.contains(word), "{} has {word}", path.display());
        }
    }
}

#[test]
fn game_and_notation_have_no_input_output_log_or_clock() {
    for module in ["game", "notation"] {
        assert_without(
            module,
            &["std::io", "std::fs", "print!", "println!", "log::", "Instant", "SystemTime", "std::env"],
        );
    }
}

#[test]
fn arrows_point_one_way() {
    assert_without(
        "game",
        &["crate::notation", "crate::evaluation", "crate::search", "crate::datagen", "crate::protocol", "crate::cli"],
    );
    assert_without("notation", &["crate::search", "crate::protocol", "crate::cli"]);
    assert_without(
        "evaluation",
        &["crate::notation", "crate::search", "crate::datagen", "crate::protocol", "crate::contest", "crate::cli"],
    );
    assert_without("search", &["crate::notation", "crate::datagen", "crate::protocol", "crate::cli"]);
    assert_without("datagen", &["crate::notation", "crate::protocol", "crate::contest", "crate::cli"]);
    assert_without("protocol", &["crate::cli", "crate::contest"]);
    assert_without("contest", &["crate::search", "crate::cli"]);
}

#[test]
fn the_search_never_prints() {
    assert_without("search", &["std::io", "print!", "println!", "stdout", "stderr"]);
}

#[test]
fn the_grammars_and_what_they_read_know_no_game() {
    for module in ["protocol/words", "protocol/parse", "protocol/command", "protocol/reply", "protocol/option_spec"] {
        assert_without(module, &["crate::game", "crate::search"]);
    }
}

#[test]
fn only_the_writer_and_the_binary_touch_standard_output() {
    for (path, text) in sources("protocol").into_iter().chain(sources("datagen")).chain(sources("cli")) {
        if !path.ends_with("protocol/writer.rs") {
            assert!(!code(&text).contains("stdout"), "{}", path.display());
        }
    }
    for module in ["game", "notation", "evaluation", "search", "datagen", "protocol", "contest", "cli"] {
        assert_without(module, &["process::exit", "ExitCode", "env_logger"]);
    }
}

#[test]
fn modules_have_names_that_say_something() {
    for module in ["bin", "game", "notation", "evaluation", "search", "datagen", "protocol", "contest"] {
        for (path, text) in sources(module) {
            let name = path.file_stem().and_then(|s| s.to_str()).expect("a name");
            assert!(!["util", "utils", "helpers", "common", "types"].contains(&name), "{}", path.display());
            assert!(text.starts_with("//! "), "{} has no module documentation", path.display());
        }
    }
}

#[test]
fn the_binary_is_thin() {
    for (path, text) in sources("bin") {
        assert!(text.lines().count() <= 60, "{}", path.display());
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let root = env!("CARGO_MANIFEST_DIR");
    let manifest = fs::read_to_string(format!("{root}/Cargo.toml")).expect("Cargo.toml");
    let reasons = fs::read_to_string(format!("{root}/ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let mut inside = false;
    let mut seen = 0;
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.contains("dependencies");
        } else if inside && let Some((name, _)) = line.split_once(" = ") {
            seen += 1;
            assert!(reasons.contains(&format!("`{name}`")), "{name}");
        }
    }
    assert!(seen >= 10, "{seen} dependencies found");
}

#[test]
fn the_architecture_page_names_files_that_exist() {
    let root = env!("CARGO_MANIFEST_DIR");
    let page = fs::read_to_string(format!("{root}/ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let mut seen = 0;
    for name in page.split('`').skip(1).step_by(2) {
        if name.contains('/') && name != "bin/" && !name.contains('*') && !name.contains(' ') {
            seen += 1;
            assert!(Path::new(root).join(name).exists(), "{name}");
        }
    }
    assert!(seen > 15, "{seen} names found");
}
