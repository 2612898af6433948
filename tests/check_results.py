#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts test cases of one ctest run and prints "PASSED FAILED SKIPPED"; failures go to stderr.

ctest knows test binaries, GoogleTest knows cases. A binary with a result file counts its cases. A
binary that ctest reports as failed without a failed case (a crash or a timeout) counts as one
additional failure; so does one that succeeded without a readable result file, because its cases are
unknown. Tests that are not GoogleTest binaries count as one case each; they are listed here.
usage: tests/check_results.py CTEST_JUNIT_FILE GTEST_XML_DIRECTORY
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as xml


# Programs of several ranks judged by their output (tests/collectives/mpi/CMakeLists.txt), a script
# of the build system (tests/cache/source_digest_test.cmake), and tests of a script (tests/attack).
WITHOUT_CASES = re.compile(r"mpi_(transport|conformance)\.\w+|source_digest|attack_harness")


def cases_of(path):
    """(passed, failed names, skipped names) of one GoogleTest result file."""
    passed, failed, skipped = 0, [], []
    for case in xml.parse(path).getroot().iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        if case.find("failure") is not None:
            failed.append(name)
        elif case.get("result") in ("skipped", "suppressed") or case.get("status") == "notrun":
            reason = case.find("skipped")
            message = reason.get("message", "") if reason is not None else ""
            skipped.append(f"{name}: {' '.join(message.split())[:160]}")
        else:
            passed += 1
    return passed, failed, skipped


def binary_results(test, directory):
    name, ended_well = test.get("name"), test.get("status") == "run"
    if WITHOUT_CASES.fullmatch(name):
        return (1, [], []) if ended_well else (0, [f"{name}: failed"], [])
    try:
        passed, failed, skipped = cases_of(directory / f"{name}_test.xml")
    except (OSError, xml.ParseError):
        passed, failed, skipped = 0, [], []
        if ended_well:
            failed = [f"{name}: succeeded but left no result file"]
    if not ended_well and not failed:
        failed = [f"{name}: crashed, timed out or could not start"]
    return passed, failed, skipped


def main(junit, directory):
    passed, failed, skipped = 0, [], []
    for test in xml.parse(junit).getroot().iter("testcase"):
        one = binary_results(test, pathlib.Path(directory))
        passed, failed, skipped = passed + one[0], failed + one[1], skipped + one[2]
    for name in failed:
        print(f"FAILED {name}", file=sys.stderr)
    for name in skipped:
        print(f"skipped {name}", file=sys.stderr)
    print(passed, len(failed), len(skipped))


if __name__ == "__main__":
    main(*sys.argv[1:])
