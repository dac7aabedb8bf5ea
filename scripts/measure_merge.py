"""Makes one result file of the files of its parts, for scripts/measure."""

import csv
import io
import json
import pathlib
import subprocess
import tempfile

from figures_results import HEADER, number

END = "# end, results: "


class MergeError(Exception):
    """What is wrong with a part, as a sentence."""


def merge(paths, facts, by="", warpsieve=None):
    """The text of the result. `facts` completes its heading. `by`: of rows that several parts have, the one with the median of
    this column is taken. `warpsieve` answers the questions of a reproduction anew."""
    if paths[0].suffix == ".json":
        return merge_documents(paths, facts, warpsieve)
    texts = [read(path) for path in paths]
    if paths[0].suffix == ".txt":
        return heading_of(texts, facts) + "".join(body for _, body in texts)
    tables = [table_of(path, body) for path, (_, body) in zip(paths, texts)]
    for path, (columns, _) in zip(paths, tables):
        if columns != tables[0][0]:
            raise MergeError(f"{path.name} has other columns than {paths[0].name}")
    columns, rows = tables[0][0], [row for _, rows in tables for row in rows]
    if by:
        columns, rows = [*columns, by.replace("_us", "s_us")], medians(rows, by)
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    end = f"{END}{len(rows)}\n" if END in texts[0][1] else ""
    return heading_of(texts, facts) + text.getvalue() + end


def read(path):
    """The heading of a part, as lines, and the rest of it."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    first = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return lines[:first], "".join(lines[first:])


def heading_of(texts, facts):
    """The heading of the first part, with the command of all, and with the facts that it lacks."""
    lines, known = [], set()
    for line in texts[0][0]:
        match = HEADER.match(line)
        if match and match[1] == "commit" and match[2] != facts["commit"]:
            raise MergeError(f"a program was built at {match[2]}, and warpsieve at {facts['commit']}")
        if match and match[1] in ("command", "date"):
            line = f"# {match[1]}: {facts[match[1]]}\n"
        lines.append(line)
        known.add(match and match[1])
    return "".join(lines + [f"# {key}: {value}\n" for key, value in facts.items() if key not in known])


def table_of(path, body):
    reader = csv.DictReader(line for line in body.splitlines() if not line.startswith("#"))
    rows = list(reader)
    if not rows or any(None in row or None in row.values() for row in rows):
        raise MergeError(f"{path.name} has no rows, or one that is not complete")
    return reader.fieldnames, rows


def medians(rows, by):
    """One row for each algorithm, length and keep fraction: that with the median of `by`, the upper of the middle two. The values
    of all are in a last column."""
    groups = {}
    for row in rows:
        if isinstance(number(row[by]), str):
            raise MergeError(f"{by} is {row[by]!r}")
        groups.setdefault((row["algorithm"], row["n"], row["density"]), []).append(row)
    merged = []
    for same in groups.values():
        same.sort(key=lambda row: float(row[by]))
        merged.append({**same[len(same) // 2], by.replace("_us", "s_us"): " ".join(row[by] for row in same)})
    return merged


def merge_documents(paths, facts, warpsieve):
    """Of attempts and soaks, the parts; of reproductions, the tables."""
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    key = "tables" if "tables" in documents[0] else "parts"
    document = {**documents[0], key: [each for every in documents for each in every[key]]}
    if key == "parts":
        return json.dumps({**document, "command": facts["command"]}, indent=2) + "\n"
    document["wrong"] = [each for every in documents for each in every["wrong"]]
    document["engines"][0]["command"] = facts["command"]
    with tempfile.TemporaryDirectory() as folder:
        parts, whole = pathlib.Path(folder) / "parts.json", pathlib.Path(folder) / "whole.json"
        parts.write_text(json.dumps(document), encoding="utf-8")
        done = subprocess.run([warpsieve, "reproduce", "--quiet", "--merge", parts, "--json", whole], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise MergeError(f"reproduce --merge ended with {done.returncode}: {done.stderr.strip()}")
        return whole.read_text(encoding="utf-8")
