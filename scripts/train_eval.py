#!/usr/bin/env python3
"""Trains an evaluation net from the positions of `kete datagen` and writes it as the engine reads it.

    python scripts/train_eval.py --data kigogo.kdata --out kigogo.knet

The same data, seed and machine give the same bytes. Needs numpy alone (scripts/requirements.txt). What is measured at the end is the
quantised net, in the engine's own integers, on games that were not trained on. A lower loss does not prove a stronger engine:
accept_eval.py plays the match that does.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

# Before numpy is imported, which reads it once. One thread: products as small as these gain nothing from more, the order of sums (and so the
# bytes of the net) would depend on the number of cores, and data generation or matches usually want the other cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402

from kete_eval import data_file, inputs, net_file, training  # noqa: E402
from kete_eval.data_file import DataFile, FileError  # noqa: E402
from kete_eval.training import Positions, ScoreMap  # noqa: E402

# Different splits of the games by different salts.
HELD_OUT, THINNED, CALIBRATION = 1, 2, 3


def arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train an evaluation net from .kdata files and write a .knet.",
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)  # fmt: skip
    add = parser.add_argument
    add("--data", nargs="+", required=True, metavar="FILE", help="positions of one game, as `kete datagen` writes them")
    add("--out", required=True, metavar="NET", help="the net to write")
    add("--hidden", type=int, default=32, help="hidden values; the engine's vectors want a multiple of 16")
    add("--stages", type=int, choices=(1, 4), default=1, help="output layers: one, or one for each stage of the game")
    add("--epochs", type=int, default=12, help="passes over the data")
    add("--batch", type=int, default=4096, help="positions a step")
    add("--lr", type=float, default=0.005, help="learning rate at the beginning; it falls to a hundredth")
    add("--seed", type=int, default=1, help="of the first weights and of the order")
    add("--result-weight", type=float, default=0.1, help="share of the game's result in a label; the rest is the search's score")
    add("--score-scale", type=float, help="label scores with sigmoid(k * score / 256) for this k; default: with what the results of the training games say about them")
    add("--held-out", type=float, default=0.05, help="share of the games to judge by; as many again serve --calibrate")
    add("--max-positions", type=int, help="leave out whole games until about so many positions remain")
    add("--calibrate", choices=("none", "scale"), default="scale", help="scale the output so that its probabilities fit the results of games apart best")
    add("--calibration", nargs="+", default=[], metavar="FILE",
        help="games without random moves: the scale is fitted to half of them, and judged by the other half")  # fmt: skip
    args = parser.parse_args(argv)
    for name, low, high in (("hidden", 1, 1024), ("epochs", 1, 10000), ("batch", 1, 10**6), ("lr", 1e-9, 10.0), ("result_weight", 0, 1), ("held_out", 1e-6, 0.45)):
        if not low <= getattr(args, name) <= high:
            parser.error(f"--{name.replace('_', '-')} {getattr(args, name)}: expected {low} to {high}")
    return args


def load(paths: list[str], game: str | None = None) -> list[DataFile]:
    files = []
    for path in paths:
        file = data_file.read(path)
        game = game or file.game
        if file.game != game:
            raise FileError(f"{path}: positions of {file.game}, expected {game} as in the first file")
        print(f"{path}: {len(file.records):,} positions of {game}", file=sys.stderr)
        files.append(file)
    return files


def gather(files: list[DataFile], salt: int) -> tuple[Positions, np.ndarray]:
    """All positions, and for each the hash of its game."""
    game = files[0].game
    records = np.concatenate([f.records for f in files])
    chosen = inputs.SETS[game]
    hashes = np.concatenate([training.game_hash(f.records["game"], number, salt) for number, f in enumerate(files)])
    positions = Positions(chosen.active(records), chosen.stage(records), records["score"].copy(), records["result"].astype(np.float32) / 2,
                          inputs.material(game, records))  # fmt: skip
    return positions, hashes


def thin(files: list[DataFile], wanted: int | None) -> None:
    """Keeps of every file the same share of its games."""
    have = sum(len(f.records) for f in files)
    if wanted is not None and have > wanted:
        for number, file in enumerate(files):
            file.records = file.records[training.game_hash(file.records["game"], number, THINNED) < wanted / have]


def described(file: DataFile) -> dict:
    """What the net's header says of a data file: enough to find it again and to know how it was made, no path and no date."""
    return {"file": file.name, "sha256": file.sha256, "positions": len(file.records), "header": file.header}


def print_table(title: str, table: list[dict]) -> None:
    print(f"\n{title}\n{'predicted':>10} {'positions':>10} {'mean':>7} {'result':>7} {'points':>7}")
    for row in table:
        print(f"{row['band']:>10} {row['n']:>10,} {row['predicted']:>7.4f} {row['result']:>7.4f} {row['points']:>+7.2f}")


def run(args: argparse.Namespace) -> None:
    files = load(args.data)
    game = files[0].game
    apart = load(args.calibration, game)
    thin(files, args.max_positions)
    positions, hashes = gather(files, HELD_OUT)
    held = positions.where(hashes < args.held_out)
    # The scale of the output is fitted to further games that are not trained on: those that are, a net knows by heart, and would be too sure.
    reserved = 2 * args.held_out if args.calibrate == "scale" and not apart else args.held_out
    fit_on = positions.where((hashes >= args.held_out) & (hashes < reserved))
    data = positions.where(hashes >= reserved)
    del positions
    if not len(data) or not len(held) or (reserved > args.held_out and not len(fit_on)):
        raise FileError(f"{', '.join(args.data)}: {len(data)} positions to train on, {len(held)} held out and {len(fit_on)} for the scale, expected some of "
                        "each: more games are needed")  # fmt: skip

    k = args.score_scale if args.score_scale is not None else training.score_scale(data)
    chance = ScoreMap.fit(data) if args.score_scale is None else ScoreMap.of_scale(k)
    print(f"{len(data):,} positions to train on, {len(held):,} held out, {len(fit_on):,} for the scale; score scale k {k:.4f}", file=sys.stderr)
    target, held_target = (training.labels(p, chance, args.result_weight) for p in (data, held))
    model = training.Model(game, args.hidden, args.stages, args.seed)
    history = training.train(model, data, target, held, held_target, epochs=args.epochs, batch=args.batch, lr=args.lr, seed=args.seed)

    judge_on = None
    if apart:
        others, other_hashes = gather(apart, CALIBRATION)
        fit_on, judge_on = others.where(other_hashes < 0.5), others.where(other_hashes >= 0.5)
        if not len(fit_on) or not len(judge_on):
            raise FileError(f"{', '.join(args.calibration)}: too few games to part into halves")
    model.keep_in_bounds()
    temperature = 1.0
    if args.calibrate == "scale":
        temperature = float(training.fit_logistic(model.logits(fit_on)[:, None], fit_on.result)[0])
        if temperature <= 0:
            raise FileError(f"the scale fitted to {len(fit_on)} positions is {temperature:.4f}, expected more than 0: more games are needed, or --calibrate none")
        model.scale_output(temperature)

    net = model.quantised({})
    logits = net.scores(held.active, held.stage) / 256.0
    losses = {"labels": round(training.loss(logits, held_target), 6), "results": round(training.loss(logits, held.result), 6)}
    base = training.baselines(data, target, held, held_target)
    table = training.calibration(training.sigmoid(logits), held.result)
    net.training = {
        "data": [described(f) for f in files],
        "positions": len(data), "held_out_positions": len(held), "scale_positions": len(fit_on),
        **{name: getattr(args, name) for name in ("seed", "epochs", "batch", "lr", "result_weight", "held_out")},
        "score_scale": round(k, 6), "calibrate": args.calibrate, "temperature": round(temperature, 6),
        "losses": history, "held_out_loss": losses, "baselines": base, "calibration": table, "numpy": np.__version__,
    }  # fmt: skip

    print(f"\nheld-out loss {'':>8} {'labels':>8} {'results':>8}")
    for name, row in (*base.items(), ("net", losses)):
        print(f"{name:>22} {row['labels']:>8.5f} {row['results']:>8.5f}")
    print(f"score scale {k:.4f}, temperature {temperature:.4f}")
    print_table("Calibration on held-out games", table)
    if judge_on is not None:
        logits = net.scores(judge_on.active, judge_on.stage) / 256.0
        table = training.calibration(training.sigmoid(logits), judge_on.result)
        net.training["calibration_data"] = [described(f) for f in apart]
        net.training["calibration_apart"] = table
        print_table(f"Calibration on the other half of {', '.join(f.name for f in apart)}, loss {training.loss(logits, judge_on.result):.5f}", table)
    digest = net_file.write(args.out, net)
    print(f"\n{Path(args.out)}: {game}, {args.hidden} hidden values, {args.stages} stages, sha256 {digest}")


def main(argv: list[str] | None = None) -> int:
    args = arguments(argv)
    try:
        run(args)
    except (FileError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
