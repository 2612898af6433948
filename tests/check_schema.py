#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""check_schema.py SCHEMA DOCUMENT: prints one line for each place where the JSON document does not
fit the JSON schema ("/pointer: reason"). Exit code 0 whether or not it fits; 1 where the schema
itself is invalid or a file cannot be read. Needs python3-jsonschema of Debian."""
import json
import pathlib
import sys

import jsonschema


def main() -> int:
    schema, document = (json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:3])
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    for fault in sorted(validator.iter_errors(document), key=lambda one: list(map(str, one.path))):
        pointer = "".join(f"/{part}" for part in fault.absolute_path)
        print(f"{pointer}: {fault.message[:300]}".replace("\n", " "))
    return 0


if __name__ == "__main__":
    sys.exit(main())
