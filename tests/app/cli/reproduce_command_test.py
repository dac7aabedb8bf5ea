"""`warpsieve reproduce` from its command line, on the CPU engine: reports, schemas, exit codes, interruption."""

import copy
import html.parser
import json
import pathlib
import re
import signal
import subprocess
import unittest

import json_schema
import program

OK, FAILURE, USAGE, NO_DEVICE, INTERRUPTED = 0, 1, 2, 77, 130
PUBLISHED = pathlib.Path(__file__).resolve().parents[3] / "assets" / "published"
SMALL = ("--engine", "cpu", "--quick", "--max-n", "2^12")
VOID = {"meta", "br"}


def schema(name):
    return json.loads((PUBLISHED / name).read_text())


class Balance(html.parser.HTMLParser):
    """Whether every element of a page is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.tags = set()
        self.faults = []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")


class ReproduceTest(unittest.TestCase):
    def setUp(self):
        self.folder = program.output_folder(self._testMethodName)

    def reproduce(self, code, *arguments, says=()):
        """Runs the command; it must exit with `code` and say each of `says` on stderr."""
        done = program.run(self.folder, "reproduce", *arguments)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stderr}")
        for words in says:
            self.assertIn(words, done.stderr)
        return done


class Schemas(unittest.TestCase):
    def test_every_published_file_follows_the_schema(self):
        files = [file for file in PUBLISHED.glob("*.json") if not file.name.endswith("schema.json")]
        self.assertGreaterEqual(len(files), 9)
        for file in files:
            self.assertEqual(json_schema.complaints(json.loads(file.read_text()), schema("schema.json")), [], file)

    def test_the_schema_refuses_what_is_wrong(self):
        good = json.loads((PUBLISHED / "parallel_stream_compaction_2.json").read_text())

        def spoilt(change):
            document = copy.deepcopy(good)
            change(document["tables"][0])
            return json_schema.complaints(document, schema("schema.json"))

        self.assertEqual(spoilt(lambda table: None), [])
        self.assertIn("$.tables[0] lacks title", spoilt(lambda table: table.pop("title")))
        self.assertTrue(spoilt(lambda table: table.update(nonsense=1)))
        self.assertTrue(spoilt(lambda table: table["rows"][0]["values"].__setitem__(0, 455.5)))
        self.assertTrue(spoilt(lambda table: table["columns"][0].update(quantity="speed")))
        self.assertTrue(spoilt(lambda table: table["setting"].update(num_items="many")))


class Reports(ReproduceTest):
    def test_a_small_run_writes_all_reports(self):
        done = self.reproduce(OK, *SMALL, "--html", "report.html", "--json", "report.json")
        for words in ("Part 2, table 1: The three steps: count, prefix, move",
                      "Billeter et al., 480 sequences runs on the cuda engine", "Does the CPU scan take time in proportion",
                      "Is the ratio of Orange Owls to Billeter et al. constant", "Inferred: The lengths and the data of the ratio",
                      " 1 cell has no figure", " cells have no figure"):
            self.assertIn(words, done.stdout)
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual(json_schema.complaints(report, schema("result.schema.json")), [])
        self.assertTrue(report["quick"])
        self.assertFalse(report["interrupted"])
        cells = [cell for table in report["tables"] for row in table["rows"] for cell in row["cells"]]
        measured = [cell for cell in cells if cell["here"] is not None]
        self.assertGreaterEqual(len(measured), 4)  # the CPU scans of up to 2^12 items
        for cell in measured:
            self.assertGreater(cell["here"], 0)
            self.assertGreater(cell["samples"], 0)
        asked = [cell for cell in cells if cell["quantity"] in ("total", "phase", "bandwidth", "ratio_mean")]
        for cell in asked:
            self.assertTrue(cell["here"] is not None or cell["why_not"], cell)
        self.check_page((self.folder / "report.html").read_text())
        self.assertEqual(list(self.folder.glob("*.partial")), [])

    def check_page(self, page):
        parser = Balance()
        parser.feed(page)
        parser.close()
        self.assertEqual((parser.faults, parser.open), ([], []))
        self.assertIn("svg", parser.tags)
        self.assertEqual(parser.tags & {"script", "link", "img", "iframe", "object"}, set())
        self.assertFalse("nan" in re.findall(r"[a-z]+", page.lower()))
        for words in ("455.5", "8,57.9", "1.245.184", "missing", "Machine", "Driver", "850.8", "How to repeat", "In short",
                      "NVIDIA H200 (built in)"):
            self.assertTrue(words in page, f"the page does not say {words!r}")

    def test_published_figures_stand_as_printed(self):
        self.reproduce(OK, *SMALL, "--json", "report.json", "--quiet")
        report = json.loads((self.folder / "report.json").read_text())
        tables = {table["id"]: table for table in report["tables"]}
        row = tables["p2_phases"]["rows"][0]
        self.assertEqual([cell["published"] for cell in row["cells"]], ["455.5", "7.3", "820.0", "1282.8"])
        self.assertEqual(tables["p4_count"]["rows"][0]["cells"][0]["published"], None)

    def test_list_names_every_table_of_every_file(self):
        listed = self.reproduce(OK, "--list").stdout
        for file in PUBLISHED.glob("*.json"):
            for table in json.loads(file.read_text()).get("tables", []):
                self.assertIn(table["id"], listed)


class Merging(ReproduceTest):
    TABLES = ("--table", "part 1, table 1", "--table", "Qian, table 6")

    def setUp(self):
        super().setUp()
        self.reproduce(OK, *SMALL, "--table", "Qian, table 6", "--json", "a.json", "--quiet")
        other = json.loads((self.folder / "a.json").read_text())
        other["engines"][0].update(engine="cuda", device="A card <made up>")
        (self.folder / "b.json").write_text(json.dumps(other))

    def test_several_results_make_one_report(self):
        done = self.reproduce(OK, "--merge", "a.json", "b.json", *self.TABLES, "--html", "all.html", "--json", "all.json")
        self.assertIn("A card <made up>", done.stdout)
        page = (self.folder / "all.html").read_text()
        parser = Balance()
        parser.feed(page)
        self.assertEqual((parser.faults, parser.open), ([], []))
        self.assertIn("Here: A card &lt;made up&gt;", page)
        self.assertNotIn("A card <made up>", page)
        whole = json.loads((self.folder / "all.json").read_text())
        self.assertEqual(whole["format"], "warpsieve-reproduce-merged-1")
        self.assertEqual([run["engines"][0]["engine"] for run in whole["runs"]], ["cpu", "cuda"])
        for run in whole["runs"]:
            self.assertEqual(json_schema.complaints(run, schema("result.schema.json")), [])

        def figures(run):
            return [cell["here"] for table in run["tables"] if table["id"] == "qian_lengths"
                    for row in table["rows"] for cell in row["cells"]]

        single = figures(json.loads((self.folder / "a.json").read_text()))
        self.assertEqual([figures(run) for run in whole["runs"]], [single, single])
        self.assertTrue(any(value is not None for value in single))

    def test_a_merged_file_merges_again(self):
        self.reproduce(OK, "--merge", "a.json", "b.json", "--json", "all.json", "--quiet")
        self.reproduce(OK, "--merge", "all.json", "a.json", "--json", "three.json", "--quiet")
        self.assertEqual(len(json.loads((self.folder / "three.json").read_text())["runs"]), 3)

    def test_a_committed_result_of_an_earlier_version_merges(self):
        earlier = PUBLISHED.parents[1] / "bench" / "results" / "nvidia-h200" / "reproduce.json"
        done = self.reproduce(OK, "--merge", str(earlier), "a.json", "--html", "all.html")
        self.assertIn("NVIDIA H200: differs. ", done.stdout)
        page = (self.folder / "all.html").read_text()
        self.assertNotIn("p2_phases", page)
        self.assertNotIn("orange_owls", page)

    def test_faults_name_the_file(self):
        self.reproduce(USAGE, "--merge", "missing.json", says=("missing.json cannot be merged",))
        (self.folder / "cut.json").write_text((self.folder / "a.json").read_text()[:200])
        self.reproduce(USAGE, "--merge", "a.json", "cut.json", says=("cut.json is not complete JSON",))
        (self.folder / "other.json").write_text('{"format": "something"}')
        self.reproduce(USAGE, "--merge", "other.json", says=("other.json: format: 'something'",))
        spoilt = json.loads((self.folder / "a.json").read_text())
        spoilt["engines"][0]["memory_bytes"] = -1
        (self.folder / "spoilt.json").write_text(json.dumps(spoilt))
        self.reproduce(USAGE, "--merge", "spoilt.json", says=("spoilt.json: engines[0].memory_bytes: must be a count",))
        self.reproduce(USAGE, "--merge", "a.json", "--engine", "cpu", says=("--merge", "--engine"))

    def test_figures_that_no_measurement_gives_are_refused(self):
        def cell_of(run):
            return next(cell for row in run["tables"][0]["rows"] for cell in row["cells"] if cell.get("interval"))

        def twice(values):
            values.append(values[0])

        for change, why in (
                (lambda run: cell_of(run).update(here=-1), "here: must not be negative"),
                (lambda run: cell_of(run).update(here=1e9), "interval: an interval does not contain its figure"),
                (lambda run: cell_of(run)["interval"].reverse(), "interval: an interval does not contain its figure"),
                (lambda run: cell_of(run).update(samples=1.5), "samples: must be a count"),
                (lambda run: twice(run["tables"]), "there are two of "),
                (lambda run: twice(run["tables"][0]["rows"]), "there are two of "),
                (lambda run: twice(run["tables"][0]["rows"][0]["cells"]), "there are two of ")):
            run = json.loads((self.folder / "a.json").read_text())
            change(run)
            (self.folder / "changed.json").write_text(json.dumps(run))
            self.reproduce(USAGE, "--merge", "changed.json", says=("changed.json: tables[", why))


class Counts(ReproduceTest):
    def test_a_simulated_gpu_counts_additions(self):
        self.reproduce(OK, "--engine", "simulated", "--table", "gilbert_additions", "--json", "counts.json", "--html",
                       "counts.html", "--quiet")
        report = json.loads((self.folder / "counts.json").read_text())
        self.assertEqual(json_schema.complaints(report, schema("result.schema.json")), [])
        rows = {row["name"]: [cell["here"] for cell in row["cells"]] for row in report["tables"][0]["rows"]}
        for bits in (7, 10, 12):
            n = 2**bits
            additions = [bits * n - (n - 1), 2 * (n - 1)]
            self.assertEqual(rows[f"2^{bits}"], additions)
            self.assertEqual(rows[f"2^{bits} - 3"], additions, "padded to a power of two")


class FirstCalls(ReproduceTest):
    """Each process that times a first call is this program again."""

    TABLE = ("--engine", "cpu", "--quick", "--max-n", "2^16", "--table", "qian_first_calls")

    def cells(self, file, engine="CPU"):
        report = json.loads((self.folder / file).read_text())
        self.assertEqual(json_schema.complaints(report, schema("result.schema.json")), [])
        return [cell for table in report["tables"] for row in table["rows"] for cell in row["cells"]
                if cell["column"].startswith(engine)]

    def test_are_measured_in_processes_of_their_own(self):
        done = self.reproduce(OK, *self.TABLE, "--json", "a.json", "--html", "a.html")
        measured = [cell for cell in self.cells("a.json") if cell["here"] is not None]
        self.assertEqual([cell["quantity"] for cell in measured], ["first_call", "later_calls"] * 2)
        for cell in measured:
            self.assertGreater(cell["here"], 0)
            self.assertEqual(cell["samples"], 3)
        self.assertIn("CPU, first call", done.stdout)
        self.reproduce(OK, "--merge", "a.json", "a.json", "--table", "qian_first_calls", "--json", "b.json")

    def test_the_command_of_the_processes_refuses_other_uses(self):
        for arguments in ((), ("cpu_scan", "nonsense", "random", "1"), ("cpu_scan", "16", "random", "1", "blocks"),
                          ("cpu_scan", "16", "random", "nan"), ("cpu_scan", "16", "random", "7")):
            done = program.run(self.folder, "first-call", *arguments)
            self.assertEqual(done.returncode, USAGE, done.stderr)
            self.assertIn("started by `warpsieve reproduce`", done.stderr)

    def test_an_interruption_ends_the_process_too(self):
        running = subprocess.Popen(
            [str(program.paths.warpsieve), "reproduce", "--engine", "cpu", "--max-n", "2^26", "--table",
             "qian_first_calls", "--json", "a.json"],
            cwd=self.folder, env=program.environment(self.folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        child = program.wait_for("a process that measures", lambda: program.child_of(running, "first-call"))
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
        self.assertEqual(running.returncode, INTERRUPTED, errors)
        self.assertFalse(pathlib.Path(f"/proc/{child}").exists())


class Failures(ReproduceTest):
    def test_usage_errors_are_one_sentence(self):
        self.reproduce(USAGE, "--table", "p9", says=("p9", "--list"))
        self.reproduce(USAGE, "--max-n", "many", says=("many", "--max-n", "Legal values are"))
        self.reproduce(USAGE, "--time-limit", "nan", says=("--time-limit", "0.001 to 3600"))
        self.reproduce(USAGE, "--engine", "abacus", says=("abacus",))
        self.reproduce(USAGE, "--nonsense", says=("--nonsense",))

    def test_tables_of_another_engine_say_why_nothing_ran(self):
        done = self.reproduce(FAILURE, "--engine", "cpu", "--table", "p2_phases", "--json", "none.json",
                              says=("nothing could be measured, so no file was written; the tables",))
        self.assertIn("Orange Owls, after Spataro runs on the cuda engine", done.stdout)
        self.assertFalse((self.folder / "none.json").exists())
        self.reproduce(FAILURE, "--engine", "cpu", "--table", "p2_phases", says=("nothing could be measured; the tables",))

    def test_a_missing_engine_is_reported(self):
        done = program.run(self.folder, "reproduce", "--engine", "cuda", "--quick", "--table", "qian_lengths",
                           "--max-n", "2^4")
        self.assertIn(done.returncode, (OK, NO_DEVICE), done.stderr)
        if done.returncode == NO_DEVICE:
            self.assertIn("CUDA", done.stderr)

    def test_an_unwritable_path_is_reported_before_measuring(self):
        done = self.reproduce(FAILURE, "--engine", "cpu", "--html", "no/such/folder/report.html", says=("report.html",))
        self.assertEqual(done.stdout, "")

    def test_a_full_disk_does_not_lose_the_tables(self):
        done = self.reproduce(FAILURE, *SMALL, "--table", "qian_lengths", "--json", "/dev/full",
                              says=("/dev/full cannot be written", "No space left"))
        self.assertIn("Qian, table 6", done.stdout)

    def test_an_interruption_keeps_what_was_measured(self):
        report = self.folder / "report.json"
        running = subprocess.Popen(
            [str(program.paths.warpsieve), "reproduce", "--engine", "cpu", "--table", "qian_lengths", "--time-limit",
             "1", "--json", str(report)],
            cwd=self.folder, env=program.environment(self.folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        program.wait_for("a result", lambda: report.exists() or running.poll() is not None, 60)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
        self.assertEqual(running.returncode, INTERRUPTED, errors)
        kept = json.loads(report.read_text())
        self.assertEqual(json_schema.complaints(kept, schema("result.schema.json")), [])
        self.assertTrue(kept["interrupted"])
        values = [cell["here"] for table in kept["tables"] for row in table["rows"] for cell in row["cells"]]
        self.assertTrue(any(value is not None for value in values))
        self.assertTrue(any(value is None for value in values))


if __name__ == "__main__":
    program.main()
