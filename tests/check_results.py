#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts test cases of one ctest run and prints "PASSED FAILED SKIPPED"; failures go to stderr.

ctest knows test binaries, GoogleTest knows cases. A binary that left a result file counts its
cases; one that ctest calls failed without a failed case (it crashed, or ran out of time) counts as
one failure more.
usage: tests/check_results.py CTEST_JUNIT_FILE GTEST_XML_DIRECTORY
"""
import pathlib
import sys
import xml.etree.ElementTree as xml


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
    path = directory / f"{test.get('name')}_test.xml"
    try:
        passed, failed, skipped = cases_of(path)
    except (OSError, xml.ParseError):
        passed, failed, skipped = 0, [], []
        if test.get("status") == "run":
            passed = 1
    if test.get("status") != "run" and not failed:
        failed = [f"{test.get('name')}: crashed, timed out or could not start"]
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
