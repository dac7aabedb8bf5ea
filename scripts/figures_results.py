"""Reads the result files of bench/results: CSV of `warpsieve bench`, text of bench_select_calls, JSON of reproduce and of
scripts/attack."""

import csv
import json
import math
import re
import statistics

HEADER = re.compile(r"# ([^:]+): (.*)")
NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?$")
STREAM_KEYS = ("n", "pattern", "density", "item_bytes", "cache", "launch", "cpu")


class FigureError(Exception):
    """A block asks for something that the results do not hold."""


def number(text):
    """A number from text such as 0.5, 2^26 or 4,096; anything else stays text."""
    text = text.strip()
    if re.fullmatch(r"2\^\d+", text):
        return 1 << int(text[2:])
    if re.fullmatch(r"\d+", text):
        return int(text)
    return float(text) if NUMBER.match(text) else text


def headers(path):
    """The `# key: value` lines at the start of a result file, or the same facts from a JSON file."""
    if path.suffix == ".json":
        document = json.loads(path.read_text(encoding="utf-8"))
        return next(iter(document.get("engines", [])), document.get("machine", document))
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        match = HEADER.match(line)
        if match:
            found[match[1]] = match[2]
        elif not line.startswith("#"):
            break
    return found


def read_rows(path):
    """The rows of a result file, as dictionaries of numbers and text; `raw` holds the text as written."""
    if path.suffix == ".json":
        return json.loads(path.read_text(encoding="utf-8"))["parts"]
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    rows = read_select_calls(lines) if path.suffix == ".txt" else list(csv.DictReader(lines))
    for row in rows:
        raw = dict(row)
        for key, text in raw.items():
            row[key] = number(text)
            if key.endswith("_us") and not isinstance(row[key], str):
                row[key[:-3] + "_ms"] = row[key] / 1000
            if key.endswith("_bytes") and not isinstance(row[key], str):
                row[key[:-6] + "_kib"] = row[key] / 1024
            if key == "seconds":
                row["minutes"] = row[key] / 60
        row["raw"] = raw
    return rows


def trial_counts(path):
    """The verdicts of a result of compare-trials, counted for each kind and setting, and for all settings of a kind. `calm`
    settings are those whose processes differ by at most 1 %."""
    rows = [row["raw"] for row in read_rows(path)]
    counted = []
    for kind in dict.fromkeys(row["kind"] for row in rows):
        of_kind = [row for row in rows if row["kind"] == kind]
        for setting in [*dict.fromkeys(row["setting"] for row in of_kind), "all"]:
            own = [row for row in of_kind if setting in ("all", row["setting"])]
            spreads = [spread(row) for row in own]
            calm = [row["verdict"] for row, each in zip(own, spreads) if each <= 0.01]
            counted.append({
                "kind": kind, "setting": setting, "comparisons": len({row["trial"] for row in own}),
                "with a claim": len({row["trial"] for row in own if row["verdict"] in ("faster", "slower")}),
                **{verdict: sum(row["verdict"] == verdict for row in own) for verdict in ("faster", "slower", "same", "cannot tell")},
                "median spread, %": f"{100 * statistics.median(spreads):.2g}", "calm settings": len(calm),
                "of them slower": calm.count("slower")})
    return counted


def spread(row):
    """Standard deviation of the logarithms of the medians: root mean square of both programs."""
    squares = [statistics.variance([math.log(float(us)) for us in row[side].split()]) for side in ("other_us", "this_us")]
    return math.sqrt(sum(squares) / 2)


def read_select_calls(lines):
    """bench_select_calls prints a table for each density and way of launching; a cell is median (quartiles), share, ratio."""
    rows, section, names = [], {}, []
    cell = re.compile(r"([\d.]+) \(([\d.]+), ([\d.]+)\)(?:, ([\d.]+), [\d.]+)?")
    for line in lines:
        title = re.match(r"([\d.]+) kept, (?:on|as) an? (\w+)", line)
        if title:
            section = {"density": title[1], "launch": title[2]}
        elif line.split()[:1] == ["n"]:
            names = re.split(r" {2,}", line.strip())[1:]
        elif line.strip():
            for name, found in zip(names, cell.finditer(line)):
                rows.append({"algorithm": name, "n": line.split()[0], **section, "median_us": found[1],
                             "q1_us": found[2], "q3_us": found[3], "share_of_copy": found[4] or "1"})
    return rows


def matching(rows, where):
    """The rows that meet every condition; a condition may list values with commas."""
    def meets(row, key, text):
        if key not in row:
            raise FigureError(f"no column {key!r}")
        return row[key] in [number(text), *(number(part) for part in text.split(","))]

    return [row for row in rows if all(meets(row, key, text) for key, text in where.items())]


def speedup(row, rows, base):
    """The median of algorithm `base` over the same stream, divided by the median of `row`."""
    same = {key: row[key] for key in STREAM_KEYS if key in row}
    found = [other for other in rows if other["algorithm"] == base and all(other[key] == same[key] for key in same)]
    if len(found) != 1:
        raise FigureError(f"{len(found)} rows of {base} beside {row['algorithm']}")
    return found[0]["median_us"] / row["median_us"]


def text_of(value, digits=None, axis=None):
    """Three significant digits, or `digits` after the point; powers of two from 1,024 on an axis of lengths as 2^k."""
    if isinstance(value, str):
        return value
    if axis == "n" and value >= 1024 and value & (value - 1) == 0:
        return f"2^{value.bit_length() - 1}"
    if digits is not None:
        return f"{value:,.{digits}f}"
    if axis == "density":
        return f"{100 * value:g} % kept"
    if isinstance(value, int) or axis:
        return f"{value:,}"
    if abs(value) >= 100:
        rounded = float(f"{value:.3g}")
        return f"{rounded:,.0f}"
    return f"{value:#.3g}".rstrip(".")


def device_problem(folder, header):
    """Says how the device of a result file contradicts the name of its folder; None where they agree."""
    device = header.get("device", "")
    known = set(re.findall(r"[a-z0-9]+", re.sub(r"\((?:r|tm)\)", " ", device.lower())))
    wanted = re.sub(r"-\d+-threads$", "", folder).split("-")
    if not device:
        return "names no device"
    if not set(wanted) <= known:
        return f"was measured on {device!r}, which is not {folder}"
    engine = {"nvidia": "cuda", "simulated": "simulated"}.get(wanted[0], "cpu")
    if header.get("engine", engine) != engine:
        return f"was measured by engine {header['engine']!r}; {folder} holds results of engine {engine!r}"
    return None


def is_result(path):
    return path.suffix in (".csv", ".txt", ".json") and path.name != "set.json"


def check_devices(results):
    """Holds every result file against the name of its folder."""
    problems = []
    for path in sorted(results.glob("*/*")):
        if is_result(path):
            problem = device_problem(path.parent.name, headers(path))
            if problem:
                problems.append(f"bench/results/{path.parent.name}/{path.name} {problem}")
        elif path.name == "unfinished":
            problems.append(f"bench/results/{path.parent.name}/unfinished holds parts of files; call scripts/measure again, or remove it")
        elif path.suffix not in (".html", ".md") and path.name != "set.json":
            problems.append(f"bench/results/{path.parent.name}/{path.name}: unknown kind of file")
    return problems


def read_mutants(root):
    """The mutants of the kernels: what each changes, and its fate: found, known or does not compile, with the reason."""
    for line in (root / "tests/simulated/mutants.txt").read_text(encoding="utf-8").splitlines():
        mutant, fate = line.rsplit("  ", 1)
        file, _, change = mutant.split(":", 2)
        yield file, change.strip(), *(fate.split(": ", 1) + [""])[:2]


def mutant_counts(root):
    mutants = list(read_mutants(root))
    counts = {fate: sum(each[2] == fate for each in mutants) for fate in ("found", "known", "does not compile")}
    gaps = sum(why.startswith("a gap") for _, _, fate, why in mutants if fate == "known")
    return {"all": len(mutants), "not-compiled": counts["does not compile"], "compiled": counts["found"] + counts["known"],
            "found": counts["found"], "missed": counts["known"], "gaps": gaps, "without-effect": counts["known"] - gaps,
            "with-effect": counts["found"] + gaps}


def mutants_not_found(root):
    """Rows of a table: mutants with the same reason, and the reason."""
    with_reason = {}
    for each in json.loads((root / "tests/simulated/known_mutants.json").read_text(encoding="utf-8")):
        with_reason.setdefault(each["why"], []).append(f"`{each['file']}`, {each['kind']}: `{each['line']}`")
    return [["; ".join(same), why] for why, same in with_reason.items()]
