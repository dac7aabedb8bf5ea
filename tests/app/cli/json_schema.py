"""Checks JSON against the part of JSON Schema that this project's schemas use; any other keyword is an error."""

import re

_TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
_KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "const", "enum", "required", "properties",
          "additionalProperties", "items", "minItems", "minLength", "minimum", "maximum", "pattern"}


def complaints(value, schema, root=None, path="$"):
    """What is wrong with `value`: a sentence each, with its path."""
    root = root or schema
    unknown = set(schema) - _KNOWN
    if unknown:
        raise ValueError(f"this checker does not know {sorted(unknown)}")
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return complaints(value, root["$defs"][name], root, path)
    if "const" in schema and value != schema["const"]:
        return [f"{path} is {value!r}, not {schema['const']!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{path} is {value!r}, which is none of {schema['enum']}"]
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_TYPES[name](value) for name in types):
        return [f"{path} is no {' or '.join(types)}"]
    if isinstance(value, dict):
        return _object_complaints(value, schema, root, path)
    if isinstance(value, list):
        found = [f"{path} is too short"] if len(value) < schema.get("minItems", 0) else []
        for i, element in enumerate(value):
            found += complaints(element, schema.get("items", {}), root, f"{path}[{i}]")
        return found
    return _leaf_complaints(value, schema, path)


def _object_complaints(value, schema, root, path):
    found = [f"{path} lacks {name}" for name in schema.get("required", []) if name not in value]
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    for name, member in value.items():
        if name in properties:
            found += complaints(member, properties[name], root, f"{path}.{name}")
        elif others is False:
            found.append(f"{path} must not have {name}")
        else:
            found += complaints(member, others, root, f"{path}.{name}")
    return found


def _leaf_complaints(value, schema, path):
    found = []
    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0):
            found.append(f"{path} is empty")
        if "pattern" in schema and not re.search(schema["pattern"], value):
            found.append(f"{path} is {value!r}, which does not match {schema['pattern']}")
    elif _TYPES["number"](value):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            found.append(f"{path} is {value}, out of range")
    return found
