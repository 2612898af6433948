#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the ten slowest test cases of one run of tests/run, slowest first.
usage: tests/slowest_tests.py GTEST_XML_DIRECTORY...   (one for each stage)
"""
import pathlib
import sys
import xml.etree.ElementTree as xml

SHOWN = 10


def cases_in(directory):
    """(seconds, "stage: Suite.Case") of each GoogleTest case with a result file."""
    for path in sorted(directory.glob("*_test.xml")):
        try:
            cases = xml.parse(path).getroot().iter("testcase")
        except (OSError, xml.ParseError):
            continue  # tests/check_results.py reports it
        for case in cases:
            name = f"{case.get('classname')}.{case.get('name')}"
            yield float(case.get("time", 0)), f"{directory.name}: {name}"


def main(directories):
    cases = [case for name in directories for case in cases_in(pathlib.Path(name))]
    if not cases:
        return
    print(f"-- the {min(SHOWN, len(cases))} slowest of {len(cases)} test cases:")
    for seconds, name in sorted(cases, reverse=True)[:SHOWN]:
        print(f"   {seconds:8.1f} s  {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
