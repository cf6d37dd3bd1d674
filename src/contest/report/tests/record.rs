//! Records of matches that random play makes, with everything that can go wrong in one.

use crate::contest::{
    ConfigFile, Deadlines, EngineConfig, EngineLimits, EngineScore, FORMAT, Host, MatchConfig, MatchRecord, Model,
    MoveInfo, OpeningSource, OptionValue, PlayedGame, Program, ResignRule, ResultText, SprtConfig, Termination,
    Tournament,
};
use crate::game::{GameRecord, GameResult, Side, Variant};
use crate::notation::{move_text, position_text};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};
use std::collections::BTreeMap;

pub const HOSTILE: [&str; 3] =
    ["</script><script>alert(1)</script>", "a \"quoted\" & 'odd' <b>name</b>", "<!-- \u{2028}x"];

/// What a match is to be like.
pub struct Plan {
    pub variants: Vec<Variant>,
    pub engines: Vec<&'static str>,
    pub games: u64,
    pub sprt: bool,
    /// How often, in per cent, the first engine is given a game that it did not win.
    pub favour: u32,
    /// How many games in a thousand fail.
    pub failures: u32,
}

impl Plan {
    pub fn duel(games: u64) -> Plan {
        let engines = vec!["kete-new", "kete-old"];
        Plan { variants: vec![Variant::Kigogo], engines, games, sprt: true, favour: 10, failures: 5 }
    }

    /// A record by random play; the same plan gives the same record.
    pub fn play(&self) -> MatchRecord {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let n = self.engines.len();
        let pairings: Vec<_> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
        let mut openings: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut games = Vec::new();
        for index in 0..self.games {
            let pair = index / 2;
            let lines = pairings.len() as u64 * self.variants.len() as u64;
            let (line, round) = (pair % lines, pair / lines);
            let variant = self.variants[line as usize % self.variants.len()];
            let (a, b) = pairings[line as usize / self.variants.len()];
            let list = openings.entry(variant.name().to_owned()).or_default();
            while list.len() <= round as usize {
                list.push(opening(variant, &mut rng));
            }
            let (south, north) = if index % 2 == 0 { (a, b) } else { (b, a) };
            let names = [self.engines[south], self.engines[north]];
            let mut game = self.game(variant, names, &list[round as usize], &mut rng);
            game.game = index + 1;
            game.pair = pair + 1;
            game.round = round as u32 + 1;
            game.opening_number = round as u32 + 1;
            game.started = format!("2026-11-30T{:02}:{:02}:{:02}Z", index / 3600 % 24, index / 60 % 60, index % 60);
            games.push(game);
        }
        MatchRecord { file: self.file(openings), games }
    }

    fn game(&self, variant: Variant, names: [&str; 2], opening: &str, rng: &mut Xoshiro256PlusPlus) -> PlayedGame {
        let setup = crate::notation::parse_setup(opening, variant).unwrap();
        let mut record = GameRecord::new(crate::game::AnyPosition::from_setup(&setup).unwrap());
        let fails = rng.random_range(0..1000) < self.failures;
        let stop_at = if fails { rng.random_range(0..40) } else { usize::MAX };
        let (mut moves, mut infos, mut chances) = (Vec::new(), Vec::new(), 0.0_f64);
        while record.outcome().is_none() && moves.len() < stop_at {
            let legal = record.legal_moves();
            let side = record.side_to_move();
            let m = legal[rng.random_range(0..legal.len())];
            moves.push(move_text(m, side).to_string());
            chances += rng.random_range(-40.0..40.0);
            let cp = (if side == Side::South { chances } else { -chances }) as i64;
            infos.push(MoveInfo {
                time_us: rng.random_range(200..90_000),
                score: rng.random_bool(0.97).then_some(if cp.abs() > 500 {
                    EngineScore::Mate(cp.signum() * 5)
                } else {
                    EngineScore::Centipawns(cp)
                }),
                depth: Some(rng.random_range(3..20)),
                nodes: Some(rng.random_range(100..40_000)),
            });
            record.play(m).unwrap();
        }
        let mover = record.side_to_move();
        let (mut result, mut reason, ending, mut detail) = match record.outcome() {
            Some(outcome) => (outcome.result, Termination::Normal, Some(outcome.reason.name().to_owned()), None),
            None => {
                let reasons = Termination::ALL.into_iter().filter(|r| r.is_failure()).collect::<Vec<_>>();
                let reason = reasons[rng.random_range(0..reasons.len())];
                let detail = format!("{} at move {}: exit status 139 <segv>", reason.name(), moves.len() + 1);
                (GameResult::Win(!mover), reason, None, Some(detail))
            }
        };
        let favourite = Side::ALL.into_iter().find(|s| names[s.index()] == self.engines[0]);
        if let (Some(side), true) = (favourite, reason == Termination::Normal && rng.random_range(0..100) < self.favour)
        {
            // The opponent's last move is taken back and the game given up.
            result = GameResult::Win(side);
            if record.outcome().unwrap().result != result {
                (reason, detail) = (Termination::Resign, Some("3 moves in a row at -600 cp or less".to_owned()));
                moves.pop();
                infos.pop();
            }
        }
        PlayedGame {
            game: 0,
            pair: 0,
            round: 0,
            variant,
            south: names[0].to_owned(),
            north: names[1].to_owned(),
            opening: opening.to_owned(),
            opening_number: 0,
            plies: moves.len() as u32,
            moves,
            result: ResultText(result),
            reason,
            ending: ending.filter(|_| reason == Termination::Normal),
            detail,
            seed: rng.next_u64() >> 11,
            started: String::new(),
            duration_ms: infos.iter().map(|i: &MoveInfo| i.time_us).sum::<u64>() / 1000,
            infos,
            runner_late_ms: (reason == Termination::Time).then_some(37),
            disputes: if fails { vec!["both engines say 1/2-1/2".to_owned()] } else { Vec::new() },
        }
    }

    fn file(&self, openings: BTreeMap<String, Vec<String>>) -> ConfigFile {
        let engine = |name: &&str| EngineConfig {
            name: (*name).to_owned(),
            program: Program::File("/home/me/kete/target/release/kete".into()),
            directory: None,
            arguments: vec!["--log".to_owned(), "two words".to_owned()],
            options: vec![OptionValue { name: "Threads".to_owned(), value: Some((*name).to_owned()) }],
            limits: EngineLimits { clock: "8+0.08".parse().ok(), margin_ms: 20, ..EngineLimits::default() },
        };
        let sprt =
            SprtConfig { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: Model::Normalized, min_pairs: 5 };
        ConfigFile {
            format: FORMAT,
            kete: "0.1.0".to_owned(),
            created: "2026-11-30T03:58:41Z".to_owned(),
            command: ["kete-match", "--variant", "kigogo", "--engine", "cmd=./kete new"].map(str::to_owned).into(),
            host: Host { system: "linux".to_owned(), architecture: "x86_64".to_owned(), cores: 2 },
            config: MatchConfig {
                variants: self.variants.clone(),
                engines: self.engines.iter().map(engine).collect(),
                tournament: Tournament::RoundRobin,
                rounds: 5000,
                games: 2,
                openings: OpeningSource::Random { plies: 6, start: 0 },
                seed: 42,
                max_plies: Some(1000),
                resign: Some(ResignRule { move_count: 3, score_cp: 600, two_sided: true }),
                draw: None,
                sprt: self.sprt.then_some(sprt),
                deadlines: Deadlines::default(),
            },
            binaries: self.engines.iter().map(|name| ((*name).to_owned(), "0f".repeat(32))).collect(),
            openings,
            hash: "ab".repeat(32),
        }
    }
}

fn opening(variant: Variant, rng: &mut Xoshiro256PlusPlus) -> String {
    let mut record = GameRecord::of_variant(variant);
    let plies = if variant == Variant::Kimasai { 15 } else { 7 };
    while record.moves().len() < plies {
        let legal = record.legal_moves();
        record.play(legal[rng.random_range(0..legal.len())]).unwrap();
        if record.outcome().is_some() {
            record = GameRecord::of_variant(variant);
        }
    }
    position_text(&record.position().to_setup()).to_string()
}
