#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""check_schema.py SCHEMA DOCUMENT: prints one line for each place where the JSON document does not
fit the JSON schema ("/pointer: reason"). Exit code 0 whether or not it fits; 1 where the schema
itself is invalid or a file cannot be read. Needs python3-jsonschema of Debian.

check_schema.py --mutants SCHEMA DOCUMENT: prints one line for each object of the document in which
a missing field, or a field of an unknown name, is not noticed. Objects that the schema describes as
maps are left out: any key is right there."""
import json
import pathlib
import sys

import jsonschema


def objects(value, pointer=""):
    """Yields every object in the document with its pointer."""
    if isinstance(value, dict):
        yield pointer, value
        for key, inner in value.items():
            yield from objects(inner, f"{pointer}/{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value[:3]):  # items of a list have one schema
            yield from objects(inner, f"{pointer}/{index}")


def unnoticed(validator, document):
    for pointer, one in objects(document):
        keys = list(one)
        one["no such field"] = None
        extra = validator.is_valid(document)
        # A map of strings refuses null and accepts a string.
        one["no such field"] = next((v for k, v in one.items() if k in keys), None)
        is_map = validator.is_valid(document)
        del one["no such field"]
        if is_map:
            continue
        if extra:
            yield f"{pointer}: an unknown field is accepted"
        for key in keys:
            value = one.pop(key)
            if validator.is_valid(document):
                yield f"{pointer}: {key} may be missing"
            one[key] = value


def main() -> int:
    mutants = sys.argv[1] == "--mutants"
    names = sys.argv[2:4] if mutants else sys.argv[1:3]
    schema, document = (json.loads(pathlib.Path(name).read_text()) for name in names)
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    if mutants:
        print("\n".join(unnoticed(validator, document)))
        return 0
    for fault in sorted(validator.iter_errors(document), key=lambda one: list(map(str, one.path))):
        pointer = "".join(f"/{part}" for part in fault.absolute_path)
        print(f"{pointer}: {fault.message[:300]}".replace("\n", " "))
    return 0


if __name__ == "__main__":
    sys.exit(main())
