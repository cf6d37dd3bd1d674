//! Files that are gone on with, and files that must not be.

use super::{Scratch, settings};
use crate::datagen::file::CHUNK_HEAD;
use crate::datagen::{DataError, DataFile, Settings};
use crate::game::Variant;

/// Bytes before the first chunk.
const HEAD: usize = 512;

/// A finished file, and where its chunks begin; the last number is its length.
fn finished(name: &str, settings: &Settings) -> (Vec<u8>, Vec<usize>) {
    let file = Scratch::new(name);
    file.generate(settings, 2).unwrap();
    let bytes = file.bytes();
    let record = crate::datagen::record_bytes(settings.variant);
    let mut starts = vec![HEAD];
    while let Some(rest) = bytes.get(*starts.last().unwrap()..).filter(|rest| !rest.is_empty()) {
        assert_eq!(&rest[..4], b"CHNK");
        let records = u32::from_le_bytes(rest[16..20].try_into().unwrap()) as usize;
        starts.push(starts.last().unwrap() + CHUNK_HEAD + records * record);
    }
    (bytes, starts)
}

#[test]
fn the_header_is_that_of_the_format() {
    let (bytes, starts) =
        finished("header", &Settings { net: Some("ab12".to_owned()), ..settings(Variant::Kimasai, 65) });
    assert_eq!(&bytes[..12], b"KETEDATA\x01\0\0\0");
    assert_eq!(bytes[12..16], 496_u32.to_le_bytes());
    let engine = format!("kete {}", env!("CARGO_PKG_VERSION"));
    let expected = serde_json::json!({
        "game": "kimasai", "record_bytes": 13, "seed": 7, "games": 65, "nodes": 4, "random_moves": 0.25,
        "opening_plies": [8, 30], "max_plies": 400, "evaluation": "material", "net": "ab12", "engine": engine,
    });
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&bytes[16..HEAD]).unwrap(), expected);
    // Two chunks: the first number and the count of their games.
    let head = |start: usize| bytes[start + 4..start + 16].to_vec();
    assert_eq!(starts.len(), 3);
    assert_eq!(head(starts[0]), [0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0]);
    assert_eq!(head(starts[1]), [64, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    for variant in Variant::ALL {
        let settings = settings(variant, 150);
        let one = Scratch::new(&format!("one-thread-{variant}"));
        one.generate(&settings, 1).unwrap();
        for threads in [2, 5] {
            let more = Scratch::new(&format!("{threads}-threads-{variant}"));
            more.generate(&settings, threads).unwrap();
            assert!(more.bytes() == one.bytes(), "{variant}, {threads} threads");
        }
    }
}

#[test]
fn interrupted_anywhere_it_goes_on_to_the_same_bytes() {
    let settings = settings(Variant::Kimasai, 140);
    let (whole, starts) = finished("uninterrupted", &settings);
    let mut lengths = vec![0, 1, 8, 15, 16, 17, 300, HEAD - 1];
    for pair in starts.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        lengths.extend([start, start + 1, start + 10, start + CHUNK_HEAD, start + CHUNK_HEAD + 5]);
        lengths.extend([(start + end) / 2, end - 1]);
    }
    lengths.push(whole.len());
    for length in lengths {
        let file = Scratch::new("interrupted");
        file.write(&whole[..length]);
        let summary = file.generate(&settings, 2).unwrap();
        assert!(file.bytes() == whole, "cut to {length} bytes");
        let kept = starts.iter().rposition(|&start| start <= length).unwrap_or(0);
        let (first, cut) = if kept == 3 { (140, 0) } else { (64 * kept as u32, length.saturating_sub(starts[kept])) };
        assert_eq!((summary.first_game, summary.cut), (first, cut as u64), "cut to {length} bytes");
        assert_eq!(summary.tally.games, 140);
    }
}

#[test]
fn rubbish_at_the_end_is_cut_off() {
    let settings = settings(Variant::Kimasai, 70);
    let (whole, starts) = finished("rubbish", &settings);
    for length in [starts[1], whole.len()] {
        let file = Scratch::new("with-rubbish");
        file.write(&[&whole[..length], &[0; 1000]].concat());
        assert_eq!(file.generate(&settings, 2).unwrap().cut, 1000);
        assert!(file.bytes() == whole);
    }
}

#[test]
fn more_games_give_the_file_that_they_would_have_given_at_once() {
    for (before, after) in [(64, 128), (70, 150), (9, 10), (128, 129)] {
        let (at_once, _) = finished("at-once", &settings(Variant::Kimasai, after));
        let file = Scratch::new("grown");
        file.generate(&settings(Variant::Kimasai, before), 2).unwrap();
        file.generate(&settings(Variant::Kimasai, after), 2).unwrap();
        assert!(file.bytes() == at_once, "{before} games, then {after}");
    }
}

#[test]
fn other_settings_are_refused_by_name_and_nothing_is_touched() {
    let file = Scratch::new("settings");
    let made = settings(Variant::Kigogo, 10);
    file.generate(&made, 2).unwrap();
    let before = file.bytes();
    for (changed, words) in [
        (Settings { variant: Variant::Kimasai, ..made.clone() }, "game is \"kigogo\" there, \"kimasai\" here"),
        (Settings { games: 9, ..made.clone() }, "games is 10 there, 9 here (they can only grow)"),
        (Settings { nodes: 5, ..made.clone() }, "nodes is 4 there, 5 here"),
        (Settings { random_moves: 26, ..made.clone() }, "random_moves is 0.25 there, 0.26 here"),
        (Settings { opening_plies: (4, 23), ..made.clone() }, "opening_plies is [4,24] there, [4,23] here"),
        (Settings { max_plies: 401, ..made.clone() }, "max_plies is 400 there, 401 here"),
        (Settings { seed: 8, ..made.clone() }, "seed is 7 there, 8 here"),
        (Settings { evaluation: "net".to_owned(), ..made.clone() }, "evaluation is \"material\" there, \"net\" here"),
        (Settings { net: Some("ab".to_owned()), ..made.clone() }, "net is null there, \"ab\" here"),
        (Settings { seed: 8, games: 11, ..made.clone() }, "seed is 7 there, 8 here"),
    ] {
        let error = file.generate(&changed, 2).unwrap_err();
        assert!(matches!(error, DataError::OtherSettings { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(file.bytes() == before);
    }
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let settings = settings(Variant::Kimasai, 3);
    let (whole, _) = finished("other-files", &settings);
    let mut later = whole.clone();
    later[8] = 2;
    let mut endless = whole.clone();
    endless[15] = 1;
    let other_head = [&whole[..100], b"?"].concat();
    for (bytes, words) in [
        (&b"a text that somebody has written"[..], "KETEDATA"),
        (b"KETE", "KETEDATA"),
        (&[b'x'; 2000], "KETEDATA"),
        (&later, "version 2, expected version 1"),
        (&endless, "expected at most 65536"),
        (&other_head, "ends too early"),
    ] {
        let file = Scratch::new("other-file");
        file.write(bytes);
        // The first bytes of the format and no more are those of a file that was interrupted.
        if bytes == b"KETE" {
            file.generate(&settings, 2).unwrap();
            assert!(file.bytes() == whole);
            continue;
        }
        let error = file.generate(&settings, 2).unwrap_err();
        assert!(matches!(error, DataError::NotData { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(file.bytes() == bytes);
    }
}

#[test]
fn a_changed_byte_of_a_chunk_is_found() {
    let settings = settings(Variant::Kimasai, 70);
    let (whole, starts) = finished("unchanged", &settings);
    let places = (starts[0]..starts[0] + CHUNK_HEAD + 20).chain((starts[0]..whole.len()).step_by(997));
    for place in places {
        let file = Scratch::new("changed");
        let mut bytes = whole.clone();
        bytes[place] ^= 4;
        file.write(&bytes);
        let mut data = DataFile::open(&file.0).unwrap();
        let first_whole = place >= starts[1];
        assert_eq!(data.next_chunk().is_ok(), first_whole, "byte {place}");
        assert!(!first_whole || data.next_chunk().is_err(), "byte {place}");
        let resumed = file.generate(&settings, 2);
        if first_whole {
            // The last chunk is as good as unfinished.
            assert_eq!(resumed.unwrap().cut, (whole.len() - starts[1]) as u64);
            assert!(file.bytes() == whole, "byte {place}");
        } else {
            let error = resumed.unwrap_err();
            assert!(matches!(error, DataError::DamagedInside { offset, .. } if offset == 512), "byte {place}: {error}");
            assert!(file.bytes() == bytes, "byte {place}");
        }
    }
}
