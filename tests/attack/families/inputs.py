# SPDX-License-Identifier: Apache-2.0
"""Mutated programs, arrays and documents must not cause a crash, a hang or an internal error."""
from __future__ import annotations

import pathlib
import shutil

import mutate
import programs
from attack import Attack, Trial
from world import PROGRAMS, ROOT, World

CORPUS = ROOT / "tests" / "fuzz" / "corpus"
# Success, failed check, refused, chips disagree, lost peer or timeout, out of HBM.
CODES = {0, 1, 2, 3, 4, 5}
LIMIT_SECONDS = 60.0
BOUND_SECONDS = 30.0


def _run(trial: Trial, world: World, *words: str) -> None:
    trial.facts["words"] = words[0]
    ran = world.run(*words, limit_seconds=LIMIT_SECONDS)
    trial.expect_end(world, ran, CODES, BOUND_SECONDS, "optional")
    if ran.code == 2:
        trial.expect("error:" in ran.err, f"refused without a reason: {ran.err[-200:]}")


def _mutant(trial: Trial, world: World, source: pathlib.Path, text: bool) -> str:
    data = source.read_bytes()
    changed = mutate.mutant_of_text(data.decode(errors="replace"), trial.rng) if text else \
        mutate.mutant_of_bytes(data, trial.rng)
    trial.facts["source"] = source.name
    path = world.folder / f"mutant{source.suffix}"
    path.write_bytes(changed)
    return str(path)


def _ways(trial: Trial, path: str) -> tuple[str, ...]:
    """Mostly commands that start no worker: they exercise the readers."""
    if trial.rng.random() < 0.2:
        return "run", path, "--fill", "zeros", "--timeout", "5"
    return trial.rng.choice((("run", path, "--fill", "zeros", "--dry-run"),
                             ("cache", "explain", path)))


def text_mutants(trial: Trial) -> None:
    sources = [*(CORPUS / "text").glob("*"), *(ROOT / "tests" / "ops").glob("*.mlir"),
               *(ROOT / "tests" / "parallel").glob("*.mlir"), *PROGRAMS.glob("*/program.mlir")]
    world = trial.world()
    path = _mutant(trial, world, trial.rng.choice(sorted(sources)), text=True)
    _run(trial, world, *_ways(trial, path))


def artifact_mutants(trial: Trial) -> None:
    world = trial.world()
    source = trial.rng.choice(sorted((CORPUS / "bytecode").glob("*")))
    _run(trial, world, *_ways(trial, _mutant(trial, world, source, text=False)))


def array_mutants(trial: Trial) -> None:
    """Mutates the argument of a program, sometimes an array of a program folder."""
    world = trial.world()
    if trial.rng.random() < 0.3:
        folder = world.folder / "program"
        shutil.copytree(PROGRAMS / "dense_data_parallel", folder)
        path = trial.rng.choice(sorted(folder.glob("*.npy")))
        path.write_bytes(mutate.mutant_of_bytes(path.read_bytes(), trial.rng))
        trial.facts["source"] = path.name
        _run(trial, world, "run", str(folder), "--timeout", "5")
        return
    array = _mutant(trial, world, PROGRAMS / "dense_data_parallel" / "arg0.npy", text=False) \
        if trial.rng.random() < 0.5 else \
        _mutant(trial, world, trial.rng.choice(sorted((CORPUS / "npy").glob("*"))), text=False)
    program = programs.write(world.folder, "one.mlir", programs.one_chip(1))
    _run(trial, world, "run", program, "--slice", "v6e-1", "--arg", f"0={array}")


def manifest_mutants(trial: Trial) -> None:
    world = trial.world()
    folder = world.folder / "program"
    shutil.copytree(PROGRAMS / "dense_data_parallel", folder)
    manifest = folder / "manifest.json"
    manifest.write_bytes(mutate.mutant_of_text(manifest.read_text(), trial.rng))
    words = ("run", str(folder), "--timeout", "5")
    _run(trial, world, *words, *(() if trial.rng.random() < 0.2 else ("--dry-run",)))


def document_mutants(trial: Trial) -> None:
    """Profiles, chip specs and receipts."""
    world = trial.world()
    program = programs.write(world.folder, "one.mlir", programs.one_chip(1))
    kind = trial.rng.choice(("profile", "receipt"))
    if kind == "profile":
        source = trial.rng.choice(sorted((ROOT / "configs" / "profiles").glob("*.json")))
        path = _mutant(trial, world, source, text=True)
        _run(trial, world, "run", program, "--slice", "v6e-1", "--fill", "ones", "--profile", path,
             "--dry-run")
        return
    world.run("run", program, "--slice", "v6e-1", "--fill", "ones")
    path = _mutant(trial, world, world.receipt_files()[0], text=True)
    _run(trial, world, "receipt", trial.rng.choice(("show", "html")), path)


def command_lines(trial: Trial) -> None:
    """Options with nonsensical values."""
    world = trial.world()
    program = programs.write(world.folder, "one.mlir", programs.one_chip(1))
    values = (*mutate.EXTREME_NUMBERS, "", " ", "\x01", "é", "a" * 5000, "../" * 400, "1-", ":")
    option = trial.rng.choice(("--slice", "--hosts", "--chips-per-host", "--steps", "--timeout",
                               "--fill", "--fault", "--program", "--carry", "--set", "--arg",
                               "--cache-policy", "--cache-max-bytes", "--rtol", "--replicas",
                               "--topology", "--step-program"))
    value = trial.rng.choice(values)
    trial.facts.update(option=option, value=value[:40])
    _run(trial, world, "run", program, "--dry-run", "--fill", "ones", f"{option}={value}")


ATTACKS = [
    Attack("mutant-of-text", "exit 0 to 5 in 30 s", 2000, 40, text_mutants),
    Attack("mutant-of-artifact", "exit 0 to 5 in 30 s", 2000, 40, artifact_mutants),
    Attack("mutant-of-array", "exit 0 to 5 in 30 s", 500, 12, array_mutants),
    Attack("mutant-of-manifest", "exit 0 to 5 in 30 s", 1000, 25, manifest_mutants),
    Attack("mutant-of-document", "exit 0 to 5 in 30 s", 500, 10, document_mutants),
    Attack("mutant-of-options", "exit 0 to 5 in 30 s", 500, 30, command_lines),
]
