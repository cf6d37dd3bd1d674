//! Tests of Swiss and knockout tournaments, whose results decide what comes next.

use super::super::matching;
use super::*;

#[test]
fn a_swiss_first_round_is_folded_and_the_last_engine_has_a_bye() {
    let first = |engines| rounds(&whole(&config(Tournament::Swiss, engines, 1, 2), draws)).remove(&1).unwrap();
    assert_eq!(first(6), BTreeSet::from([(0, 3), (1, 4), (2, 5)]));
    assert_eq!(first(7), BTreeSet::from([(0, 3), (1, 4), (2, 5)]));
}

#[test]
fn swiss_winners_meet_winners() {
    let config = config(Tournament::Swiss, 8, 3, 2);
    let mut schedule = Schedule::new(&config);
    let tasks: Vec<GameTask> = play(&mut schedule, &config, 3, 5, by_index).into_iter().map(|(task, _)| task).collect();
    let rounds = rounds(&tasks);
    assert_eq!(rounds[&1], BTreeSet::from([(0, 4), (1, 5), (2, 6), (3, 7)]));
    assert_eq!(rounds[&2], BTreeSet::from([(0, 2), (1, 3), (4, 6), (5, 7)]));
    assert_eq!(rounds[&3], BTreeSet::from([(0, 1), (2, 4), (3, 5), (6, 7)]));
    let table = schedule.swiss_table();
    assert_eq!(table[0], SwissPlace { engine: 0, half_points: 3 * 8, byes: 0 });
    assert_eq!(table[7], SwissPlace { engine: 7, half_points: 0, byes: 0 });
}

#[test]
fn a_swiss_bye_is_worth_a_won_pairing() {
    let config = config(Tournament::Swiss, 3, 3, 2);
    let mut schedule = Schedule::new(&config);
    play(&mut schedule, &config, 1, 0, draws);
    // Two rounds of four draws, and a bye worth four wins.
    for place in schedule.swiss_table() {
        assert_eq!((place.half_points, place.byes), (2 * 4 + 8, 1));
    }
}

#[test]
fn sixty_four_engines_play_forty_swiss_rounds_without_rematch() {
    let config = MatchConfig { variants: vec![Variant::Kigogo], ..config(Tournament::Swiss, 64, 40, 1) };
    let begun = std::time::Instant::now();
    let tasks = whole(&config, by_seed);
    assert!(begun.elapsed().as_secs() < 20);
    let met: HashSet<(usize, usize)> = rounds(&tasks).into_values().flatten().collect();
    assert_eq!(met.len(), 40 * 32);
}

#[test]
fn a_bracket_lets_the_best_meet_late() {
    let config = config(Tournament::Knockout, 6, 1, 2);
    let mut schedule = Schedule::new(&config);
    assert_eq!((schedule.total(), schedule.total_at_least()), (None, 5 * 4));
    let tasks: Vec<GameTask> = play(&mut schedule, &config, 2, 3, by_index).into_iter().map(|(task, _)| task).collect();
    let rounds = rounds(&tasks);
    assert_eq!(rounds[&1], BTreeSet::from([(2, 5), (3, 4)]));
    assert_eq!(rounds[&2], BTreeSet::from([(0, 3), (1, 2)]));
    assert_eq!(rounds[&3], BTreeSet::from([(0, 1)]));
    assert_eq!(schedule.champion(), Some(0));
    let stages = schedule.stages();
    let seconds: Vec<_> = stages[0].matches.iter().map(|m| (m.first, m.second, m.winner)).collect();
    assert_eq!(seconds, [(0, None, Some(0)), (3, Some(4), Some(3)), (1, None, Some(1)), (2, Some(5), Some(2))]);
    assert_eq!(stages[2].matches[0].half_points, [8, 0]);
}

#[test]
fn tied_knockout_matches_play_further_openings_up_to_a_limit() {
    let config = config(Tournament::Knockout, 2, 3, 2);
    let mut schedule = Schedule::new(&config);
    let tasks: Vec<GameTask> = play(&mut schedule, &config, 5, 3, draws).into_iter().map(|(task, _)| task).collect();
    assert_eq!(tasks.len() as u32, (3 + TIE_BREAKS) * 4);
    let used: BTreeSet<usize> = tasks.iter().map(|task| task.opening).collect();
    assert_eq!(used.len(), Schedule::openings_needed(&config));
    let decided = &schedule.stages()[0].matches[0];
    assert_eq!((decided.tie_breaks, decided.winner), (TIE_BREAKS, Some(0)));

    // The second engine wins the second tie-break.
    let late = |task: &GameTask| {
        let winner = if task.south == 1 { Side::South } else { Side::North };
        if task.opening == 4 { GameResult::Win(winner) } else { GameResult::Draw }
    };
    let mut schedule = Schedule::new(&config);
    let games = play(&mut schedule, &config, 5, 3, late);
    assert_eq!((games.len(), schedule.champion()), (5 * 4, Some(1)));
    assert_eq!(schedule.stages()[0].matches[0].tie_breaks, 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn swiss_rounds_have_no_avoidable_rematch(engines in 4_usize..17, rounds_asked in 1_u32..20, seed in 0_u64..1000) {
        let config = MatchConfig { seed, ..config(Tournament::Swiss, engines, rounds_asked, 2) };
        let rounds = rounds(&whole(&config, by_seed));
        let mut met: HashSet<(usize, usize)> = HashSet::new();
        let mut byes = vec![0; engines];
        for (_, pairings) in rounds {
            let present: Vec<usize> =
                (0..engines).filter(|&e| pairings.iter().any(|&(a, b)| a == e || b == e)).collect();
            prop_assert_eq!(present.len(), engines / 2 * 2);
            let new = pairings.iter().filter(|pairing| !met.contains(pairing)).count();
            prop_assert_eq!(new, matching::most_pairs(&present, |a, b| !met.contains(&(a.min(b), a.max(b)))));
            (0..engines).filter(|e| !present.contains(e)).for_each(|e| byes[e] += 1);
            met.extend(pairings);
        }
        prop_assert!(byes.iter().max().unwrap() - byes.iter().min().unwrap() <= 1);
    }

    #[test]
    fn a_knockout_has_a_champion_who_won_every_match(engines in 2_usize..10, rounds in 1_u32..4, seed in 0_u64..1000) {
        let config = MatchConfig { seed, ..config(Tournament::Knockout, engines, rounds, 2) };
        let mut schedule = Schedule::new(&config);
        let mut at_least = schedule.total_at_least();
        for _ in 0..10_000 {
            let Step::Play(task) = schedule.step() else { break };
            schedule.finished(&played(&config, &task, by_seed(&task))).unwrap();
            prop_assert!(schedule.total_at_least() >= at_least);
            at_least = schedule.total_at_least();
        }
        let champion = schedule.champion().unwrap();
        let matches: Vec<&KnockoutMatch> = schedule.stages().iter().flat_map(|stage| &stage.matches).collect();
        prop_assert_eq!(matches.iter().filter(|m| m.second.is_some()).count(), engines - 1);
        for m in matches {
            let winner = m.winner.unwrap();
            let of_champion = [Some(m.first), m.second].contains(&Some(champion));
            prop_assert!(!of_champion || winner == champion);
            if let Some(second) = m.second {
                let [a, b] = m.half_points;
                prop_assert_eq!(winner, if b > a { second } else { m.first });
                prop_assert!(a != b || m.tie_breaks == TIE_BREAKS);
            }
        }
    }
}
