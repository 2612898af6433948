#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the pure parts of the harness: it must detect violations.
usage: tests/attack/harness_test.py
"""
from __future__ import annotations

import json
import pathlib
import random
import struct
import sys
import tempfile
import unittest
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import attack  # noqa: E402  (the path must be set before)
import entries  # noqa: E402
import litter  # noqa: E402
import mutate  # noqa: E402
import receipts  # noqa: E402
import records  # noqa: E402
import table  # noqa: E402
from families import ATTACKS, attribution  # noqa: E402

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "archive"


class Choices(unittest.TestCase):
    def test_a_trial_draws_the_same_for_one_seed_and_another_for_the_next(self) -> None:
        draws = [attack.Trial("name", 3, seed).rng.random() for seed in (1, 1, 2)]
        self.assertEqual(draws[0], draws[1])
        self.assertNotEqual(draws[0], draws[2])

    def test_mutants_repeat_and_differ_from_their_source(self) -> None:
        text = "func.func @main(%arg0: tensor<4xf32>) {\n  return\n}\n"
        changed = 0
        for seed in range(200):
            one = mutate.mutant_of_text(text, random.Random(seed))
            self.assertEqual(one, mutate.mutant_of_text(text, random.Random(seed)))
            changed += one != text.encode()
            data = mutate.mutant_of_bytes(bytes(range(64)), random.Random(seed))
            self.assertEqual(data, mutate.mutant_of_bytes(bytes(range(64)), random.Random(seed)))
            self.assertTrue(data)
        self.assertGreater(changed, 180)

    def test_mutants_of_tiny_files_exist(self) -> None:
        for seed in range(50):
            self.assertTrue(mutate.mutant_of_bytes(b"", random.Random(seed)))
            mutate.mutant_of_bytes(b"x", random.Random(seed))
            mutate.mutant_of_text("", random.Random(seed))

    def test_names_of_attacks_are_unique_and_played(self) -> None:
        names = [one.name for one in ATTACKS]
        self.assertEqual(len(names), len(set(names)))
        for one in ATTACKS:
            self.assertGreaterEqual(one.trials, max(one.quick, 1), one.name)


class Breaks(unittest.TestCase):
    def test_a_failed_expectation_breaks_the_trial_and_a_failed_harness_too(self) -> None:
        def expects(trial: attack.Trial) -> None:
            trial.expect(False, "no")

        def fails(trial: attack.Trial) -> None:
            raise KeyError("gone")

        broken = attack.play(attack.Attack("a", "", 1, 1, expects), 0, 1).broken
        self.assertEqual(broken, ["no"])
        broken = attack.play(attack.Attack("a", "", 1, 1, fails), 0, 1).broken
        self.assertIn("the harness failed", broken[0])

    def test_litter_is_seen(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.assertEqual(litter.files_in(folder), [])
            (folder / "host0").mkdir()
            for file in ("a.entry", ".a.entry.m-1-2.1.tmp", "a.compiling", "a.lock"):
                (folder / "host0" / file).touch()
            self.assertEqual(litter.temporaries_in(folder),
                             ["host0/.a.entry.m-1-2.1.tmp", "host0/a.compiling", "host0/a.lock"])
            self.assertEqual(len(litter.files_in(folder, most=2)), 3)

    def test_the_table_tells_what_was_broken_and_how_to_repeat_it(self) -> None:
        row = table.Row("kill", "named")
        for number in range(3):
            row.add(number, 0.5, ["rank 1 named"] if number == 2 else [],
                    {"moment_found": "start" if number else "steps"})
        skipped = table.Row("mount", "71", skipped="needs root")
        text = table.text_of([row, skipped], 7, "bin/understudy")
        self.assertIn("kill         3     2       1", text)
        self.assertIn("start: 1 of 2 held, steps: 1 of 1 held", text)
        self.assertIn("--only kill --trial 2 --seed 7 --binary bin/understudy", text)
        self.assertIn("SKIPPED: needs root", text)
        self.assertEqual(table.counts_of([row, skipped]), (0, 1, 1))
        json.dumps(table.document_of([row, skipped], 7, "v"))


class Formats(unittest.TestCase):
    def test_every_sample_of_an_entry_has_the_digest_that_its_layout_says(self) -> None:
        seen = 0
        for path in GOLDEN.glob("format-*.entry"):
            entry = path.read_bytes()
            try:
                entries.layout_of(entry)
            except ValueError:
                continue  # a format that no present build reads
            if entries.needs_digest():
                self.skipTest(str(entries.needs_digest()))
            self.assertEqual(entries.field(entry, "digest"), entries.digest_for(entry), path.name)
            forged = entries.with_random_payload_bytes(entry, random.Random(1))
            self.assertNotEqual(forged, entry)
            again = entries.resealed(forged)
            self.assertEqual(entries.field(again, "digest"), entries.digest_for(again))
            seen += 1
        self.assertGreater(seen, 0)

    def test_the_newest_format_of_an_entry_has_a_row(self) -> None:
        newest = max(int(path.stem.removeprefix("format-")) for path in GOLDEN.glob("format-*.entry"))
        self.assertIn(newest, entries.LAYOUTS)

    def test_a_record_tells_the_collective_that_was_not_left(self) -> None:
        raw = bytearray(records.SLOTS_AT + records.SLOT_COUNT * records.SLOT.size)
        records.HEADER.pack_into(raw, 0, records.MAGIC, 2, 5, 0, 0)
        records.STATUS.pack_into(raw, records.STATUS_AT, 9, 9, 6, 4, 7, 0, 0, 0)
        for sequence, op, done in ((65, 3, 0), (64, 8, 12)):
            at = records.SLOTS_AT + sequence % 64 * records.SLOT.size
            records.SLOT.pack_into(raw, at, sequence, 10, done, 0, 0, op << 32 | 8, b"")
        record = records.parse_record(bytes(raw))
        assert record is not None
        self.assertEqual((record.rank, record.phase, record.step, record.op),
                         (5, "programs_allowed", 7, 3))
        self.assertEqual([(one.op, one.done) for one in record.flight], [(8, True), (3, False)])
        self.assertIsNone(records.parse_record(b"USRECORD"))

    def test_a_receipt_that_does_not_fit_the_schema_is_found(self) -> None:
        schema: dict[str, Any] = {
            "type": "object", "required": ["a"], "additionalProperties": False,
            "properties": {"a": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/n"}]}},
            "$defs": {"n": {"type": "integer", "minimum": 1}}}
        for good in ({"a": None}, {"a": 1}):
            self.assertEqual(receipts.schema_faults(schema, good, schema), [])
        bad: Any
        for bad in ({}, {"a": 0}, {"a": True}, {"a": None, "b": 1}, []):
            self.assertNotEqual(receipts.schema_faults(schema, bad, schema), [], bad)


class Truth(unittest.TestCase):
    SITES = {2: 5, 6: 8, 9: 10}  # ordinal -> line

    @staticmethod
    def record(*flight: tuple[int, int, bool]) -> records.Record:
        return records.Record(0, "programs_allowed", 3, None,
                              tuple(records.Entry(*one) for one in flight))

    def test_a_collective_that_was_entered_is_the_one(self) -> None:
        victim = self.record((1, 2, True), (2, 6, False))
        waiting = self.record((1, 2, True), (2, 6, False))
        self.assertEqual(attribution.right_lines(victim, [waiting], self.SITES), {8})

    def test_where_peers_left_it_the_next_may_be_named(self) -> None:
        victim = self.record((2, 6, False))
        ahead = self.record((2, 6, True), (3, 9, False))
        self.assertEqual(attribution.right_lines(victim, [ahead], self.SITES), {8, 10})

    def test_between_two_all_that_is_between_them(self) -> None:
        self.assertEqual(attribution.right_lines(self.record((1, 2, True)), [], self.SITES),
                         {6, 7, 8})
        over = attribution.right_lines(self.record((3, 9, True)), [], self.SITES)
        self.assertTrue({11, 1, 5} <= over)
        self.assertFalse({6, 8, 10} & over)

    def test_without_a_collective_there_is_no_truth(self) -> None:
        self.assertEqual(attribution.right_lines(self.record(), [], self.SITES), set())

    def test_the_layout_of_numbers_is_that_of_the_document(self) -> None:
        self.assertEqual(records.SLOT.size, 64)
        self.assertEqual(records.STATUS.size, struct.calcsize("<QQIIQIII"))


if __name__ == "__main__":
    unittest.main()
