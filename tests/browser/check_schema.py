#!/usr/bin/env python3
"""check_schema.py MAKE_REPORT SCHEMA: readings.json of the samples against the published schema.

Knows the keywords that the schema uses, and fails on any other, so that none goes unchecked."""
import json
import re
import subprocess
import sys
import tempfile

TYPES = {"object": dict, "array": list, "string": str, "null": type(None), "boolean": bool}
NOTES = {"$schema", "$defs", "title", "description", "default"}


def is_type(value, name):
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def keys_of(value):
    return value if isinstance(value, dict) else ()


def check(value, schema, root, at):
    for word, rule in schema.items():
        if word in NOTES:
            continue
        problem = None
        if word == "$ref":
            check(value, root["$defs"][rule.split("/")[-1]], root, at)
        elif word == "type":
            names = rule if isinstance(rule, list) else [rule]
            problem = not any(is_type(value, name) for name in names)
        elif word == "const":
            problem = value != rule
        elif word == "enum":
            problem = value not in rule
        elif word == "minimum":
            problem = value is not None and value < rule
        elif word == "maximum":
            problem = value is not None and value > rule
        elif word == "exclusiveMinimum":
            problem = value is not None and value <= rule
        elif word in ("minLength", "maxLength"):
            n = len(value) if isinstance(value, str) else rule
            problem = n < rule if word == "minLength" else n > rule
        elif word in ("minItems", "maxItems"):
            n = len(value) if isinstance(value, list) else rule
            problem = n < rule if word == "minItems" else n > rule
        elif word == "prefixItems":
            for k, item in enumerate(value[:len(rule)] if isinstance(value, list) else []):
                check(item, rule[k], root, "%s[%d]" % (at, k))
        elif word == "oneOf":
            problem = sum(not refuses(value, choice, root) for choice in rule) != 1
        elif word == "pattern":
            problem = isinstance(value, str) and not re.search(rule, value)
        elif word == "required":
            problem = isinstance(value, dict) and any(key not in value for key in rule)
        elif word == "items":
            for k, item in enumerate(value if isinstance(value, list) else []):
                check(item, rule, root, "%s[%d]" % (at, k))
        elif word == "properties":
            for key in keys_of(value):
                if key in rule:
                    check(value[key], rule[key], root, at + "." + key)
        elif word == "propertyNames":
            for key in keys_of(value):
                check(key, rule, root, at + "." + key)
        elif word == "additionalProperties":
            for key in keys_of(value):
                if key in schema.get("properties", {}):
                    continue
                if rule is False:
                    sys.exit("%s: %s is not in the schema" % (at, key))
                check(value[key], rule, root, at + "." + key)
        else:
            raise NotImplementedError("the schema uses a keyword unknown here: " + word)
        if problem:
            sys.exit("%s: %.80r breaks %s %s" % (at, value, word, rule))


def refuses(value, schema, root=None):
    try:
        check(value, schema, root or schema, "$")
    except SystemExit:
        return True
    return False


def bare_number(text):
    sys.exit("not JSON: " + text)


def main(make_report, schema_file):
    with open(schema_file, encoding="utf-8") as stream:
        schema = json.load(stream)
    for kind in ([], ["hostile"]):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([make_report, folder, *kind], check=True, stdout=subprocess.DEVNULL)
            with open(folder + "/readings.json", encoding="utf-8") as stream:
                readings = json.load(stream, parse_constant=bare_number)
        check(readings, schema, schema, "$")
        order = schema["$defs"]["reading"]["required"]
        assert all(list(r) == order for r in readings["readings"]), "the order of the keys"
        assert list(readings) == schema["required"], "the order of the parts"
        wrong = json.loads(json.dumps(readings))
        wrong["readings"][0]["verdict"] = "unbiased"
        assert refuses(wrong, schema), "a wrong verdict passes"
        del wrong["readings"][0]["verdict"]
        assert refuses(wrong, schema), "a missing key passes"
    print("readings.json fits its schema")


if __name__ == "__main__":
    main(*sys.argv[1:])
