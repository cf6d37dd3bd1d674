//! The speed of each layer, for each game: `cargo bench`.
//!
//! Times are those of a whole sample of positions from random games, so compare runs on one machine and quote ratios.
#![allow(missing_docs)] // Criterion's macros generate undocumented functions.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kete::evaluation::{Evaluate, Evaluation, Inputs, Material};
use kete::game::{GameRecord, Kigogo, Kimasai, Kiswahili, PLAYOUT_MAX_PLIES, Position, Variant, perft, random_playout};
use kete::search::{Control, Limits, SearchOptions, Searcher};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Positions of whole random games.
fn sample<P: Position>() -> Vec<P> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut positions = Vec::new();
    while positions.len() < 1_000 {
        let mut position = P::start();
        while position.outcome().is_none() {
            positions.push(position.clone());
            if position.play_random(&mut rng).is_some() {
                break;
            }
        }
    }
    positions.truncate(1_000);
    positions
}

fn bench_game<P: Inputs>(c: &mut Criterion, perft_depth: u32) {
    let positions = sample::<P>();
    let mut group = c.benchmark_group(P::VARIANT.name());
    group.measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));

    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("moves of a position", |b| {
        b.iter(|| positions.iter().map(|p| black_box(p.movements()).len()).sum::<usize>());
    });
    group.bench_function("copy and first move", |b| {
        let moves: Vec<_> = positions.iter().map(|p| (p, p.movements()[0])).collect();
        b.iter(|| {
            for (position, m) in &moves {
                let mut next = (*position).clone();
                next.play_unchecked(*m);
                black_box(&next);
            }
        });
    });
    group.bench_function("copy and random move", |b| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        b.iter(|| {
            for position in &positions {
                let mut next = position.clone();
                next.play_random(&mut rng);
                black_box(&next);
            }
        });
    });
    group.bench_function("outcome", |b| {
        b.iter(|| positions.iter().filter(|p| black_box(p.outcome()).is_some()).count());
    });
    group.bench_function("key", |b| {
        b.iter(|| positions.iter().fold(0, |keys, p| keys ^ p.key()));
    });

    let evaluation = Evaluation::default();
    let net = evaluation.net(P::VARIANT);
    group.bench_function("evaluation, net", |b| {
        b.iter(|| positions.iter().map(|p| net.evaluate(black_box(p))).sum::<i32>());
    });
    group.bench_function("evaluation, net without vectors", |b| {
        b.iter(|| positions.iter().map(|p| net.evaluate_scalar(black_box(p))).sum::<i32>());
    });
    group.bench_function("evaluation, material", |b| {
        let material = Material { slope: 3.0 };
        b.iter(|| positions.iter().map(|p| material.evaluate(black_box(p))).sum::<i32>());
    });

    group.throughput(Throughput::Elements(1));
    group.bench_function("playout", |b| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        b.iter_batched(P::start, |start| random_playout(start, &mut rng, PLAYOUT_MAX_PLIES), BatchSize::SmallInput);
    });
    let leaves = perft(&P::start(), perft_depth, &mut || true).unwrap_or(1);
    group.throughput(Throughput::Elements(leaves));
    group.bench_function("perft", |b| {
        b.iter(|| perft(black_box(&P::start()), perft_depth, &mut || true));
    });
    group.finish();
}

fn bench_search(c: &mut Criterion) {
    const NODES: u64 = 20_000;
    let mut group = c.benchmark_group("search");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for variant in Variant::ALL {
        let game = GameRecord::of_variant(variant);
        group.throughput(Throughput::Elements(1));
        group.throughput(Throughput::Elements(NODES));
        for threads in [1, 2] {
            let Ok(mut searcher) = Searcher::new(threads, 64) else { continue };
            let options = SearchOptions::default();
            group.bench_function(format!("{variant} iterations, {threads} threads"), |b| {
                b.iter(|| {
                    let limits = Limits::of_nodes(NODES);
                    searcher.search(&game, &limits, &options, Instant::now(), &Control::new(), &|_| {})
                });
            });
        }
    }
    group.finish();
}

fn bench_games(c: &mut Criterion) {
    bench_game::<Kiswahili>(c, 7);
    bench_game::<Kigogo>(c, 4);
    bench_game::<Kimasai>(c, 12);
}

criterion_group!(layers, bench_games, bench_search);
criterion_main!(layers);
