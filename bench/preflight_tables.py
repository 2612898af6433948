#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the tables of docs/preflight.md: asks the TPU compiler about programs and about the ladder.

Each program is compiled for its own number of chips on each generation, each rung of the shipped
ladder for one slice. Writes the tables between the lines "<!-- begin: tables -->" and
"<!-- end: tables -->" of --write, or prints them.
usage: preflight_tables.py UNDERSTUDY PROGRAMS [--slice v6e-16] [--write docs/preflight.md]
PROGRAMS is a folder of folders with manifest.json, which says the number of "devices".
Exit code 1 if a program does not compile, or a difference of collectives is not explained.
"""
import argparse
import json
import pathlib
import subprocess
import sys

GENERATIONS = ("v5e", "v5p", "v6e")
BEGIN, END = "<!-- begin: tables -->", "<!-- end: tables -->"


def slice_words(generation, chips):
    """The slice of one generation with this number of chips, as options."""
    if generation != "v5p":
        return ["--slice", f"{generation}-{chips}"]
    # Named by TensorCores, two to a chip; the smallest slice has four chips.
    return ["--slice", f"{generation}-{max(2 * chips, 8)}"]


def preflight(understudy, words):
    """The document of one pre-flight. Differences and refusals are in it."""
    done = subprocess.run([understudy, "preflight", *words, "--json"], capture_output=True,
                          text=True, check=False, timeout=3600)
    if not done.stdout:
        raise SystemExit(f"preflight {' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)


def kilobytes(count):
    value = count / 1000
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def signed(count):
    return f"{'-' if count < 0 else '+'}{kilobytes(abs(count))}"


def plan_of(understudy, folder, chips):
    """The parts of our plan for a chip (understudy run --dry-run), the same on every generation."""
    done = subprocess.run([understudy, "run", folder, *slice_words("v6e", chips), "--dry-run",
                           "--json"], capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        raise SystemExit(f"run --dry-run {folder}: {done.stderr}")
    return json.loads(done.stdout)["memory"]


def memory_cells(memory, plan):
    """Total, ratio, and the difference from our plan: code, arguments and results, temporaries."""
    interface = memory["arguments"] + memory["outputs"] - memory["aliases"]
    planned = plan["arguments_bytes"] + plan["results_bytes"] - plan["donated_bytes"]
    parts = [memory["code"] - plan["constants_bytes"] - plan["instructions_bytes"],
             interface - planned, memory["temporaries"] - plan["temporaries_bytes"]]
    assert sum(parts) == memory["total"] - memory["predicted"], (memory, plan)
    return [kilobytes(memory["total"]), f"{memory['ratio']:.1f}", ", ".join(map(signed, parts))]


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(head, rows):
    return "\n".join([row(head), "|" + "---|" * len(head), *map(row, rows)])


def counted(comparison, side):
    return f"{comparison[side]}, {comparison[('our' if side == 'ours' else side) + '_bytes']}"


def reasons(comparisons):
    """Each reason once, with the generations that have it if not all do."""
    by_reason = {}
    for generation, one in comparisons.items():
        for why in one["why"].split("; ") if one["why"] else ["none"]:
            by_reason.setdefault(why, []).append(generation)
    return "; ".join(why if len(where) == len(comparisons) else f"{', '.join(where)}: {why}"
                     for why, where in by_reason.items())


def memory_table(seen, plans):
    rows = []
    for name, documents in seen.items():
        plan = plans[name]
        code = plan["constants_bytes"] + plan["instructions_bytes"]
        cells = [name, documents["v6e"]["chips"],
                 f"{kilobytes(plan['hbm_peak_bytes'])} ({kilobytes(code)})"]
        for generation in GENERATIONS:
            one = documents[generation]
            if one["status"] != "compiles":
                cells += [one["status"], "", ""]
                continue
            cells += memory_cells(one["memory"], plan)
        rows.append(cells)
    head = ["program", "chips", "planned (code)"]
    for generation in GENERATIONS:
        head += [generation, "ratio", "difference"]
    return table(head, rows)


def collectives_table(seen):
    rows = []
    for name, documents in seen.items():
        kinds = {}
        for generation in GENERATIONS:
            for one in documents[generation]["comparison"]:
                kinds.setdefault(one["kind"], {})[generation] = one
        for kind, by_generation in sorted(kinds.items()):
            first = next(iter(by_generation.values()))
            ours = counted(first, "ours")
            if first["partitioner"] is not None:
                ours += f" (partitioner: {first['partitioner']})"
            there = [counted(by_generation[g], "compiler") if g in by_generation else "0, 0"
                     for g in GENERATIONS]
            rows.append([name, kind, ours, *there, reasons(by_generation)])
    return table(["program", "collective", "here", *GENERATIONS, "difference"], rows)


def ladder_table(document):
    rows = []
    for one in document["programs"]:
        compared = one["comparison"]
        kinds = "; ".join(f"{c['kind']} {c['ours']}, {c['compiler']}" for c in compared)
        why = "; ".join(dict.fromkeys(c["why"] for c in compared if c["why"])) or "none"
        rows.append([one["name"], one["status"], f"{one['seconds']:.1f} s",
                     kilobytes(one["memory"]["total"]), kilobytes(one["memory"]["temporaries"]),
                     kilobytes(one["memory"]["code"]), kilobytes(one["memory"]["predicted"]),
                     f"{one['memory']['ratio']:.1f}", kinds, why])
    return table(["rung", "result", "compile", "total", "temporaries", "code", "planned here", "ratio",
                  "collectives here, by the compiler", "difference"], rows)


def tables(understudy, folder, ladder_slice):
    """The text of all tables, and what is wrong."""
    seen, plans, problems, seconds = {}, {}, [], []
    for manifest in sorted(pathlib.Path(folder).glob("*/manifest.json")):
        chips = json.loads(manifest.read_text())["devices"]
        name = manifest.parent.name
        plans[name] = plan_of(understudy, str(manifest.parent), chips)
        for generation in GENERATIONS:
            document = preflight(understudy,
                                 [str(manifest.parent), *slice_words(generation, chips)])
            seen.setdefault(name, {})[generation] = document["programs"][0]
            seconds.append(document["programs"][0]["seconds"])
    ladder = preflight(understudy, ["--slice", ladder_slice])
    for one in [p for documents in seen.values() for p in documents.values()] + ladder["programs"]:
        if one["status"] != "compiles":
            problems.append(f"{one['name']} for {one['topology']}: {one['words']}")
        problems += [f"{one['name']} for {one['topology']}: {c['kind']}: {c['why']}"
                     for c in one["comparison"] if c["verdict"] == "differs"]
    library = ladder["libtpu"]
    text = (f"{len(seen)} programs, libtpu {library['version']}; a compile took "
            f"{min(seconds):.1f} to {max(seconds):.1f} s on two cores with other work.\n\n"
            "Memory of a chip in kB: what understudy plans (of it code), the compiler's total, the "
            "ratio of the two, and their difference: code, arguments and results less aliases, "
            "temporaries.\n\n"
            f"{memory_table(seen, plans)}\n\n"
            "Collectives: instructions and bytes of their operands on a chip; \"here\" is after "
            "understudy's own combining.\n\n"
            f"{collectives_table(seen)}\n\n"
            f"The ladder on {ladder_slice} (kB):\n\n{ladder_table(ladder)}\n\n"
            f"Its {len(ladder['programs'])} rungs have {len(ladder['fingerprints'])} different "
            "fingerprints.")
    return text, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("understudy")
    parser.add_argument("programs")
    parser.add_argument("--slice", default="v6e-16")
    parser.add_argument("--write")
    options = parser.parse_args()
    text, problems = tables(options.understudy, options.programs, options.slice)
    if options.write:
        path = pathlib.Path(options.write)
        page = path.read_text()
        before, rest = page.split(BEGIN)
        after = rest.split(END)[1]
        path.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")
    else:
        print(text)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
