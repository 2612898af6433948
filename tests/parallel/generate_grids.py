# SPDX-License-Identifier: Apache-2.0
"""Writes grids.mlir: every collective, under each of its group modes, on grids of 2 x 2, 2 x 3 and
4 x 2 processes, with groups in shuffled order. Expected results are computed here, by the rules of
the StableHLO specification for process groups: python3 generate_grids.py
"""
import itertools
import pathlib
import random

random.seed(5)
REDUCER = ("({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> "
           "stablehlo.return %s : tensor<i64> })")
CHANNEL = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>"
REDUCING = {"cross_replica": "", "cross_replica_and_partition": CHANNEL,
            "flattened_ids": CHANNEL + ", use_global_device_ids"}
MOVING = {"cross_replica": "", "cross_partition": CHANNEL}
modules = []


def groups_of(mode, rows, replicas, partitions):
    """The groups as lists of processes (replica, partition), members in order."""
    if mode == "cross_replica":
        return [[(r, p) for r in row] for row in rows for p in range(partitions)]
    if mode == "cross_partition":
        return [[(r, p) for p in row] for row in rows for r in range(replicas)]
    if mode == "cross_replica_and_partition":
        return [[(r, p) for p in range(partitions) for r in row] for row in rows]
    return [[divmod(i, partitions) for i in row] for row in rows]


def table(rows):
    return f"dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>"


def shuffled(count, size):
    ids = random.sample(range(count), count)
    return [ids[i:i + size] for i in range(0, count, size)]


def vector(size):
    return f"tensor<{size}xi64>"


class Grid:
    def __init__(self, replicas, partitions):
        self.replicas, self.partitions = replicas, partitions
        self.processes = list(itertools.product(range(replicas), range(partitions)))
        self.length = replicas * partitions  # divisible by the sizes of all groups
        self.held = {p: [10 * (i + 1) + j for j in range(self.length)]
                     for i, p in enumerate(self.processes)}

    def add(self, kind, mode, regions, attributes, results):
        """One program: all processes run the operation, their results are compared."""
        size = len(results[(0, 0)])
        name = f"{kind}_{mode}_{self.replicas}x{self.partitions}_{len(modules)}"
        count = len(self.processes)
        lines = [f"module @{name} {{", f"  func.func @one(%a: {vector(self.length)}) -> {vector(size)} {{",
                 f'    %r = "stablehlo.{kind}"(%a) {regions}{{{attributes}}} : '
                 f"({vector(self.length)}) -> {vector(size)}",
                 f"    return %r : {vector(size)}", "  }", "  func.func @main() {"]
        for i, process in enumerate(self.processes):
            lines.append(f"    %a{i} = stablehlo.constant dense<{self.held[process]}> : "
                         f"{vector(self.length)}")
        row = "[" + ", ".join(["@one"] * self.partitions) + "]"
        lines.append(f'    %r:{count} = "interpreter.run_parallel"('
                     + ", ".join(f"%a{i}" for i in range(count)) + ") {programs = ["
                     + ", ".join([row] * self.replicas) + "]} : ("
                     + ", ".join([vector(self.length)] * count) + ") -> ("
                     + ", ".join([vector(size)] * count) + ")")
        for i, process in enumerate(self.processes):
            lines.append(f"    check.expect_eq_const %r#{i}, dense<{results[process]}> : "
                         f"{vector(size)}")
        modules.append("\n".join(lines + ["    func.return", "  }", "}", ""]))

    def reducing(self, mode, rows):
        group = {m: g for g in groups_of(mode, rows, self.replicas, self.partitions) for m in g}
        members = f"replica_groups = {table(rows)}{REDUCING[mode]}"
        sums = {p: [sum(self.held[q][j] for q in group[p]) for j in range(self.length)]
                for p in self.processes}
        self.add("all_reduce", mode, REDUCER + " ", members, sums)
        self.add("all_gather", mode, "", "all_gather_dim = 0 : i64, " + members,
                 {p: sum((self.held[q] for q in group[p]), []) for p in self.processes})
        size = {p: self.length // len(group[p]) for p in self.processes}
        self.add("reduce_scatter", mode, REDUCER + " ", "scatter_dimension = 0 : i64, " + members,
                 {p: sums[p][group[p].index(p) * size[p]:][:size[p]] for p in self.processes})

    def moving(self, mode, rows):
        group = {m: g for g in groups_of(mode, rows, self.replicas, self.partitions) for m in g}
        count = len(rows[0])
        size = self.length // count
        members = f"replica_groups = {table(rows)}{MOVING[mode]}"
        self.add("all_to_all", mode, "", "split_dimension = 0 : i64, concat_dimension = 0 : i64, "
                 f"split_count = {count} : i64, {members}",
                 {p: sum((self.held[q][group[p].index(p) * size:][:size] for q in group[p]), [])
                  for p in self.processes})
        self.add("collective_broadcast", mode, "", members,
                 {p: self.held[group[p][0]] for p in self.processes})

    def permuting(self, mode, count):
        targets = random.sample(range(count), count)
        pairs = [[source, target] for source, target in enumerate(targets)][:max(1, count - 1)]
        results = {p: [0] * self.length for p in self.processes}
        for source, target in pairs:
            for replica, partition in self.processes:
                if mode == "cross_replica" and replica == target:
                    results[(replica, partition)] = self.held[(source, partition)]
                if mode == "cross_partition" and partition == target:
                    results[(replica, partition)] = self.held[(replica, source)]
        self.add("collective_permute", mode, "",
                 f"source_target_pairs = {table(pairs)}{MOVING[mode]}", results)


for replicas, partitions in ((2, 2), (2, 3), (4, 2)):
    grid = Grid(replicas, partitions)
    counts = {"cross_replica": replicas, "cross_replica_and_partition": replicas,
              "flattened_ids": replicas * partitions, "cross_partition": partitions}
    for mode in REDUCING:
        for size in (s for s in range(1, counts[mode] + 1) if counts[mode] % s == 0):
            grid.reducing(mode, shuffled(counts[mode], size))
    for mode in MOVING:
        grid.moving(mode, shuffled(counts[mode], counts[mode]))
        grid.permuting(mode, counts[mode])
(pathlib.Path(__file__).parent / "grids.mlir").write_text(
    "// Written by generate_grids.py: see there.\n" + "// -----\n".join(modules))
print(len(modules), "programs")
