"""Figures that no measurement gives, in every kind of input file: refused with the file and the place, never judged."""

import copy
import json

import attack

NEGATIVE = (-1, -1e-3, -1e300)
BENCH = ("bench", "--engine", "cpu", "--algorithm", "cpu_loop,cpu_simd", "--n", "2^8", "--cache", "hot", "--time-limit", "0.01")
JUDGE = (*BENCH, "--min-samples", "3", "--against")
TIMES = ("median_us", "q1_us", "q3_us", "min_us", "max_us", "median_low_us", "median_high_us")
VERDICTS = ("differs", "no difference found", "faster", "slower", "longer", "shorter", "no significant difference")


def of_csv(random, text):
    """A CSV of bench with one planted fault, and the place that the message must name."""
    lines = text.splitlines()
    head = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    columns = lines[head].split(",")
    at = random.choice([i for i in range(head + 1, len(lines)) if not lines[i].startswith("#")])
    cells = lines[at].split(",")
    kind = random.randrange(8)
    place = f"line {at + 1}"

    def put(column, value):
        cells[columns.index(column)] = value

    if kind == 0:
        put(random.choice((*TIMES, "coverage")), random.choice(("nan", "inf", "-inf", "-1", "-0.001", "1e400", "", "x", "1_")))
    elif kind == 1:
        put(*random.choice((("coverage", "1.01"), ("coverage", "95"), ("throttled", "-1"), ("throttled", "0.5"), ("samples", "0"),
                            ("samples", "1e3"), ("throttled", ""))))
    elif kind == 2:
        first, second = random.choice((("min_us", "max_us"), ("q1_us", "q3_us"), ("median_low_us", "median_high_us"), ("min_us", "median_us")))
        value = float(cells[columns.index("median_us")])
        put(first, f"{value * 1.5:.7g}")
        put(second, f"{value * 0.5:.7g}")
    elif kind == 6:
        put(*random.choice((("copy_us", "-1"), ("floor_us", "nan"), ("useful_gb_s", "-3"), ("share_of_copy", "inf"), ("share_of_floor", ""),
                            ("throttled", "1000000"), ("kept", "-1"), ("calls_timed", "x"))))
    elif kind == 7:
        # Another way to write the same number would be a second row of the same setting.
        put(*random.choice((("n", "0256"), ("n", "2^8"), ("n", "-256"), ("n", "1e2"), ("seed", "01"), ("item_bytes", "04"), ("density", "0.50"),
                            ("density", "5e-1"), ("density", "nan"), ("density", "2"))))
    elif kind == 3:
        lines.insert(at, lines[at])
        end = lines[-1].rsplit(" ", 1)
        lines[-1] = f"{end[0]} {int(end[1]) + 1}"
        return "\n".join(lines) + "\n", "repeats a setting"
    elif kind == 4:
        gone = columns.index(random.choice((*TIMES, "coverage", "throttled", "samples", "wrong", "n", "seed", "density")))
        lines = [line if line.startswith("#") else ",".join(line.split(",")[:gone] + line.split(",")[gone + 1:]) for line in lines]
        return "\n".join(lines) + "\n", "is missing"
    else:
        columns[columns.index(random.choice(TIMES))] = random.choice(("n", "coverage", "wrong"))
        lines[head] = ",".join(columns)
        return "\n".join(lines) + "\n", "appears twice"
    lines[at] = ",".join(cells)
    return "\n".join(lines) + "\n", place


def spoil(random, summary):
    """Plants a fault in the quartiles of a summary. Its minimum may be negative where calls overlap."""
    kind = random.randrange(4)
    if kind == 0:
        summary[random.choice(("median", "q1", "q3"))] = random.choice((-1e300, None, "1", [], True))
    elif kind == 1:
        summary["q1"], summary["q3"] = summary["median"] * 1.5, summary["median"] * 0.5
    elif kind == 2:
        summary["n"] = random.choice((-1, 1.5, None, "60", 1e300))
    else:
        del summary[random.choice(("median", "q1", "q3", "min", "n"))]


def of_json(random, text):
    document = json.loads(text)
    index = random.randrange(len(document["results"]))
    result = document["results"][index]
    kind = random.randrange(6)
    place = f"results[{index}]"
    if kind == 0:
        spoil(random, result["summary_us"])
    elif kind == 1:
        end, factor = random.choice((("low", 3), ("high", 0.3)))
        result["median_interval_us"][end] = random.choice((*NEGATIVE, result["median_us"] * factor, None))
    elif kind == 2:
        result["median_interval_us"]["coverage"] = random.choice((-0.1, 1.1, 95, None))
    elif kind == 3:
        result["samples_us"] = random.choice(([], [-1] * result["summary_us"]["n"], [None] * result["summary_us"]["n"], {}, None))
    elif kind == 4:
        result[random.choice(("copy_us", "floor_us", "useful_gb_s", "share_of_copy", "calls_timed"))] = random.choice((*NEGATIVE, None, "1"))
    else:
        document["results"].append(copy.deepcopy(result))
        place = "repeats a setting"
    return json.dumps(document), place


def of_replay(random, text):
    document = json.loads(text)
    name = random.choice([name for name, us in document["timings_us"].items() if us["n"] > 0 and us["median"] > 0])
    spoil(random, document["timings_us"][name])
    return json.dumps(document), f"timings_us.{name}"


def of_reproduce(random, text):
    document = json.loads(text)
    table = random.choice(document["tables"])
    cells = [cell for row in table["rows"] for cell in row["cells"] if cell.get("interval") and cell.get("here")]
    kind = random.randrange(4) if cells else 3
    if kind == 0:
        random.choice(cells)["here"] = random.choice(NEGATIVE)
    elif kind == 1:
        random.choice(cells)["interval"].reverse()
    elif kind == 2:
        random.choice(cells)["samples"] = random.choice((-1, 0.5, 1e300))
    else:
        what = random.choice((document["tables"], table["rows"], table["rows"][0]["cells"]))
        what.append(copy.deepcopy(what[0]))
        return json.dumps(document), "there are two of"
    return json.dumps(document), "tables["


def attack_figures(part):
    part.unit = "files"
    good = part.folder / "good"
    (good / "home").mkdir(parents=True)
    made = [attack.run([part.program, *command], good) for command in (
        [*BENCH, "--csv", "bench.csv", "--json", "bench.json"],
        [*attack.SMALL_RUN, "--frames", "200", "--algorithm", "cpu_loop", "--json", "replay.json"],
        ["reproduce", "--engine", "cpu", "--quick", "--max-n", "2^10", "--time-limit", "0.01", "--table", "qian_lengths", "--json",
         "reproduce.json"])]
    for ended in made:
        if ended.code:
            part.find("a sound file could not be made", good, ended)
            return
    kinds = {
        "bench.csv": (of_csv, (*JUDGE, "input.csv")), "bench.json": (of_json, (*JUDGE, "input.json")),
        "replay.json": (of_replay, ("--replay", "input.json", *attack.SMALL_RUN, "--frames", "2", "--algorithm", "cpu_loop")),
        "reproduce.json": (of_reproduce, ("reproduce", "--merge", "input.json", "--html", "out.html")),
    }
    texts = {name: (good / name).read_text(encoding="utf-8") for name in kinds}
    for name, (plant, command) in kinds.items():
        def attempt(random, folder, name=name, plant=plant, command=command):
            text, place = plant(random, texts[name])
            input_name = "input" + name[name.rindex("."):]
            (folder / input_name).write_text(text, encoding="utf-8")
            ended = attack.run([part.program, *command], folder)
            found = attack.faults_of(ended)
            if ended.code != 2:
                found.append(f"was not refused: exit code {ended.code}")
            elif input_name not in ended.stderr or place not in ended.stderr:
                found.append(f"the message does not name {input_name} and {place}")
            if any(verdict in ended.stdout for verdict in VERDICTS):
                found.append("a verdict was given")
            for what in found:
                part.find(what, folder, ended)

        part.each(part.count(500), attempt, label=f"{name}-")


if __name__ == "__main__":
    attack.main("figures", attack_figures)
