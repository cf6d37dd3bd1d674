//! The evaluation: a net is computed in three ways with one result, its file is believed only if all is right, and the
//! worth of a position is that of its side to move.

use crate::nets::{Size, Weights, sealed, unsealed};
use kete::evaluation::{Evaluate, EvaluationKind, Inputs, MAX_SCORE, Net, STAGES, win_probability};
use kete::game::{AnyPosition, Kigogo, Kimasai, Kiswahili, Setup, Variant};
use kete::search::SearchOptions;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Calls `visit` with so many positions of random games that are not over.
fn random_positions<P: Inputs>(count: usize, seed: u64, mut visit: impl FnMut(usize, &P)) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = P::start();
    for index in 0..count {
        visit(index, &position);
        // Repetition is not looked at; a cycle is broken off.
        if position.play_random(&mut rng).is_some() || position.ply() > 1_000 {
            position = P::start();
        }
    }
}

fn active_rows<P: Inputs>(position: &P) -> Vec<usize> {
    let mut rows = Vec::new();
    position.visit_rows(|row| rows.push(row));
    rows
}

/// Nets of all sizes, with what they were made of.
fn nets_of(variant: Variant) -> Vec<(Weights, Net)> {
    let mut nets = Vec::new();
    for size in [Size::Ordinary, Size::Ordinary, Size::Extreme] {
        for hidden in [16, 32, 64] {
            for stages in [1, 4] {
                let weights = Weights::random(variant, hidden, stages, size, nets.len() as u64);
                let net = Net::from_bytes(&weights.file()).expect("a net");
                assert_eq!((net.variant(), net.hidden()), (variant, hidden));
                nets.push((weights, net));
            }
        }
    }
    nets
}

fn three_ways_agree<P: Inputs>(count: usize) {
    let nets = nets_of(P::VARIANT);
    let (mut clamped, mut stages, mut scores) = (0, [0; STAGES], std::collections::HashSet::new());
    random_positions::<P>(count, 77, |index, position| {
        let (weights, net) = &nets[index % nets.len()];
        let expected = weights.score(&active_rows(position), position.stage());
        assert_eq!(net.evaluate(position), expected, "vectors: {:?}", position.to_setup());
        assert_eq!(net.evaluate_scalar(position), expected, "scalars: {:?}", position.to_setup());
        clamped += usize::from(expected.abs() == MAX_SCORE);
        stages[position.stage()] += 1;
        scores.insert(expected);
    });
    // The comparison is one of many different scores, of all stages, and of clamped ones too.
    let name = P::VARIANT;
    assert!(clamped > count / 100 && clamped < count / 2, "{name}: {clamped} of {count} are clamped");
    assert!(scores.len() > 2_000, "{name}: {} different scores", scores.len());
    assert!(stages.iter().all(|&seen| seen > 100), "{name}: {stages:?}");
}

#[test]
fn vectors_scalars_and_plain_sums_agree_in_kiswahili() {
    three_ways_agree::<Kiswahili>(334_000);
}

#[test]
fn vectors_scalars_and_plain_sums_agree_in_kigogo() {
    three_ways_agree::<Kigogo>(333_000);
}

#[test]
fn vectors_scalars_and_plain_sums_agree_in_kimasai() {
    three_ways_agree::<Kimasai>(333_000);
}

// The net file.

fn small() -> Weights {
    Weights::random(Variant::Kigogo, 16, 4, Size::Ordinary, 5)
}

/// Why a file is refused.
#[track_caller]
fn refusal(bytes: &[u8]) -> String {
    match Net::from_bytes(bytes) {
        Ok(net) => panic!("accepted as a net of {}", net.variant()),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn assert_says(error: &str, parts: &[&str]) {
    assert!(parts.iter().all(|part| error.contains(part)), "{error:?} does not say {parts:?}");
}

#[test]
fn a_sound_file_is_read() {
    for variant in Variant::ALL {
        for size in [Size::Ordinary, Size::Extreme] {
            let weights = Weights::random(variant, 32, 1, size, 1);
            let file = weights.file();
            let net = Net::from_bytes(&file).expect("a net");
            let checksum: String = file[file.len() - 32..].iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(net.checksum(), checksum);
            assert_eq!(Value::from(net.training().clone()), weights.header()["training"]);
        }
    }
    // What it says of its training may be missing.
    let mut header = small().header();
    header.as_object_mut().expect("an object").remove("training");
    Net::from_bytes(&sealed(unsealed(&header.to_string(), &small().numbers()))).expect("a net");
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let file = small().file();
    let header_end = 16 + small().header().to_string().len();
    for length in (0..300.min(file.len())).chain((300..file.len()).step_by(97)).chain(file.len() - 70..file.len()) {
        let error = refusal(&file[..length]);
        let expected = match length {
            0..8 => {
                assert_says(&error, &["does not begin with \"KETENET\""]);
                continue;
            }
            8..16 => 16,
            length if length < header_end => header_end,
            _ => file.len(),
        };
        assert_eq!(error, format!("the file has {length} bytes, expected {expected}"));
    }
    let mut longer = file.clone();
    longer.push(0);
    assert_says(&refusal(&longer), &[&longer.len().to_string(), &file.len().to_string()]);
    // As many bytes more as would be a row.
    longer.extend([0; 31]);
    assert_says(&refusal(&sealed(longer[..longer.len() - 32].to_vec())), &["bytes, expected"]);
}

#[test]
fn a_flipped_bit_anywhere_is_seen() {
    let file = small().file();
    let all = (0..500).chain((500..file.len()).step_by(41)).chain(file.len() - 100..file.len());
    for (index, at) in all.enumerate() {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (index % 8);
        assert!(!refusal(&damaged).is_empty());
    }
    let mut damaged = file.clone();
    damaged[file.len() / 2] ^= 1;
    assert_says(&refusal(&damaged), &["damaged", "checksum"]);
}

#[test]
fn another_magic_version_or_length_of_the_header_is_refused() {
    let file = small().file();
    let with = |at: usize, bytes: &[u8]| {
        let mut content = file[..file.len() - 32].to_vec();
        content[at..at + bytes.len()].copy_from_slice(bytes);
        refusal(&sealed(content))
    };
    for magic in [b"KETEDATA", b"KETENET\r", b"ketenet\n"] {
        assert_says(&with(0, magic), &["no net", "KETENET"]);
    }
    for version in [0_u32, 2, u32::MAX] {
        let found = format!("version {version}");
        assert_says(&with(8, &version.to_le_bytes()), &[&found, "expected 1"]);
    }
    assert_says(&with(12, &u32::MAX.to_le_bytes()), &["bytes, expected 4294967311"]);
    assert_says(&with(12, &0_u32.to_le_bytes()), &["header"]);
    // The JSON is cut off, and has something behind it.
    let length = small().header().to_string().len() as u32;
    assert_says(&with(12, &(length - 1).to_le_bytes()), &["header"]);
    assert_says(&with(12, &(length + 1).to_le_bytes()), &["header"]);
}

#[test]
fn a_header_that_does_not_fit_is_refused() {
    for (field, value, parts) in [
        ("game", json!("oware"), &["game", "oware", "kiswahili, kigogo, kimasai"][..]),
        ("game", json!("kimasai"), &["inputs", "kigogo-pits-1", "kimasai-patterns-1"]),
        ("inputs", json!("kigogo-pits-2"), &["inputs", "kigogo-pits-2", "kigogo-pits-1"]),
        ("input_rows", json!(767), &["rows", "767", "768"]),
        ("input_rows", json!(u64::MAX), &["rows", "18446744073709551615", "768"]),
        ("hidden", json!(0), &["hidden", "0", "16, 32 or 64"]),
        ("hidden", json!(48), &["hidden", "48", "16, 32 or 64"]),
        ("hidden", json!(u64::MAX), &["hidden", "18446744073709551615", "16, 32 or 64"]),
        ("stages", json!(2), &["stages", "2", "1 or 4"]),
        ("stages", json!(0), &["stages", "0", "1 or 4"]),
        ("scale", json!(64), &["scale", "64", "128"]),
        ("output_scale", json!(128), &["output scale", "128", "256"]),
        // What cannot even be read.
        ("hidden", json!(-16), &["header", "-16"]),
        ("hidden", json!(16.5), &["header", "16.5"]),
        ("hidden", json!("16"), &["header", "16"]),
        ("training", json!("much"), &["header", "much"]),
        ("colour", json!("red"), &["header", "unknown field `colour`", "output_scale"]),
    ] {
        let mut header = small().header();
        header[field] = value;
        assert_says(&refusal(&sealed(unsealed(&header.to_string(), &small().numbers()))), parts);
    }
    for field in ["game", "inputs", "input_rows", "hidden", "stages", "scale", "output_scale"] {
        let mut header = small().header();
        header.as_object_mut().expect("an object").remove(field);
        let error = refusal(&sealed(unsealed(&header.to_string(), &small().numbers())));
        assert_says(&error, &["header", &format!("missing field `{field}`")]);
    }
    for header in ["", "[]", "null", "{}", "{\"game\":\"kigogo\",\"game\":\"kigogo\"}", "\u{0}"] {
        assert_says(&refusal(&sealed(unsealed(header, &small().numbers()))), &["header"]);
    }
    // The right header of a net with more units than the file has numbers for.
    let mut header = small().header();
    header["hidden"] = json!(32);
    let file = sealed(unsealed(&header.to_string(), &small().numbers()));
    assert_says(&refusal(&file), &[&format!("{} bytes", file.len())]);
}

#[test]
fn weights_that_could_overflow_are_refused_one_beyond_the_bound() {
    for variant in Variant::ALL {
        for (unit, sign) in [(0, 1), (1, -1)] {
            let mut weights = Weights::random(variant, 16, 4, Size::Ordinary, 2);
            weights.bias[unit] += sign;
            assert_says(&refusal(&weights.file()), &[&format!("unit {unit} of the hidden layer could overflow")]);
            weights.bias[unit] -= sign;
            Net::from_bytes(&weights.file()).expect("at the bound");
        }
        let mut weights = Weights::random(variant, 16, 4, Size::Ordinary, 2);
        weights.bias[15] = i16::MIN;
        assert_says(&refusal(&weights.file()), &["unit 15 of the hidden layer could overflow"]);

        for stage in 0..4 {
            let mut weights = Weights::random(variant, 16, 4, Size::Extreme, 2);
            weights.out_bias[stage] += weights.out_bias[stage].signum();
            assert_says(&refusal(&weights.file()), &[&format!("output of stage {stage} could overflow")]);
        }
        let mut weights = Weights::random(variant, 16, 1, Size::Ordinary, 2);
        weights.out_bias[0] = i32::MIN;
        assert_says(&refusal(&weights.file()), &["output of stage 0 could overflow"]);
    }
}

fn temporary(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("evaluation-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// What is said about a path, which must be said soon.
#[track_caller]
fn from_file(path: &Path) -> Result<Net, String> {
    let (sender, answer) = channel();
    let path = path.to_owned();
    std::thread::spawn(move || sender.send(Net::from_file(&path).map_err(|error| error.to_string())));
    answer.recv_timeout(Duration::from_secs(20)).expect("an answer in time")
}

#[test]
fn files_are_read_by_their_path() {
    let path = temporary("good.knet");
    std::fs::write(&path, small().file()).expect("a file");
    assert_eq!(from_file(&path).expect("a net").variant(), Variant::Kigogo);
    // Larger than any net: refused without being read.
    std::fs::File::create(&path).and_then(|file| file.set_len((16 << 20) + 1)).expect("a file");
    assert_says(&from_file(&path).expect_err("a refusal"), &["not an ordinary file of at most 16 MiB"]);
    std::fs::File::create(&path).expect("an empty file");
    assert_says(&from_file(&path).expect_err("a refusal"), &["no net", "KETENET"]);
    std::fs::remove_file(&path).expect("the file is ours");
    assert_says(&from_file(&path).expect_err("a refusal"), &["cannot be read"]);
}

#[test]
fn a_folder_is_no_net() {
    assert_says(&from_file(Path::new(env!("CARGO_TARGET_TMPDIR"))).expect_err("a refusal"), &["not an ordinary file"]);
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_refused_without_being_read() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    for device in ["/dev/zero", "/dev/null"] {
        assert_says(&from_file(Path::new(device)).expect_err("a refusal"), &["not an ordinary file"]);
    }
    let pipe = temporary("fifo");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a FIFO");
    assert_says(&from_file(&pipe).expect_err("a refusal"), &["not an ordinary file"]);
    std::fs::remove_file(&pipe).expect("the FIFO is ours");
}

// Scores.

#[test]
fn the_win_probability_grows_with_the_score_and_is_symmetric() {
    assert_eq!(win_probability(0), 0.5);
    let mut before = 0.0;
    for score in -33_000..=33_000 {
        let value = win_probability(score);
        assert!(value >= before && value <= 1.0, "{score}: {value} after {before}");
        // A float tells neighbours apart where it matters.
        assert!(value > before || score.abs() > 6_000, "{score}: {value}");
        assert!((value + win_probability(-score) - 1.0).abs() < 1e-15, "{score}");
        before = value;
    }
    assert!((win_probability(256) - 1.0 / (1.0 + (-1.0_f64).exp())).abs() < 1e-15);
}

fn turned_positions_are_worth_the_same<P: Inputs>(takasia: bool) {
    let nets = nets_of(P::VARIANT);
    let material = {
        let mut options = SearchOptions::default();
        options.evaluation.kind = EvaluationKind::Material;
        options
    };
    let built_in = SearchOptions::default();
    let any = |setup: &Setup| AnyPosition::from_setup(setup).expect("a position");
    let (mut uneven, mut blocked) = (0, 0);
    random_positions::<P>(20_000, 3, |index, position| {
        let setup = position.to_setup();
        blocked += usize::from(setup.takasia.is_some());
        let turned = P::from_setup(&setup.turned()).expect("a position");
        assert_eq!(turned.side_to_move(), !position.side_to_move());
        let (_, net) = &nets[index % nets.len()];
        assert_eq!(net.evaluate(&turned), net.evaluate(position), "{setup:?}");
        for options in [&material, &built_in] {
            assert_eq!(options.evaluate(&any(&setup.turned())), options.evaluate(&any(&setup)), "{setup:?}");
        }
        // Who holds more is worth more, by the seeds: the viewpoint is the mover's.
        let (own, theirs) = (position.seeds(position.side_to_move()), position.seeds(!position.side_to_move()));
        assert_eq!(material.evaluate(&any(&setup)).signum(), (own as i32 - theirs as i32).signum(), "{setup:?}");
        uneven += usize::from(own != theirs);
    });
    assert!(uneven > 5_000 && (blocked > 0) == takasia, "{uneven} uneven positions, {blocked} with takasia");
}

#[test]
fn a_position_turned_by_180_degrees_is_worth_the_same_to_its_mover() {
    turned_positions_are_worth_the_same::<Kiswahili>(true);
    turned_positions_are_worth_the_same::<Kigogo>(false);
    turned_positions_are_worth_the_same::<Kimasai>(false);
}
