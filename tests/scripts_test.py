"""The scripts on machines other than this one: fake commands on the PATH answer their queries."""

import csv
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "scripts"


class ScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.stand_ins = self.folder / "bin"
        self.stand_ins.mkdir()

    def stand_in(self, name, commands):
        file = self.stand_ins / name
        file.write_text(f"#!/bin/sh\n{commands}\n")
        file.chmod(0o755)

    def note_calls_of(self, name):
        """Prints nothing; `calls` returns its arguments."""
        self.stand_in(name, f'echo "$@" >>"{self.folder}/calls of {name}"')

    def calls(self, name):
        file = self.folder / f"calls of {name}"
        return file.read_text() if file.exists() else ""

    def run_script(self, name, *arguments, **variables):
        environment = {**os.environ, **variables, "PATH": f"{self.stand_ins}:{os.environ['PATH']}"}
        return subprocess.run([SCRIPTS / name, *arguments], env=environment, capture_output=True, text=True,
                              timeout=60, check=False)


class Build(ScriptTest):
    def build(self, nvidia_smi):
        """Configures where nvidia-smi does this; returns the run and the architectures."""
        self.stand_in("nvidia-smi", nvidia_smi)
        self.note_calls_of("cmake")
        done = self.run_script("build", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--build", self.calls("cmake"))
        return done, [word for word in self.calls("cmake").split() if "ARCHITECTURES" in word]

    def test_is_for_the_gpus_that_are_here(self):
        self.assertEqual(self.build("printf '9.0\\n12.0\\n9.0\\n'")[1], ["-DCMAKE_CUDA_ARCHITECTURES=120;90"])

    def test_ignores_an_error_message_of_the_driver(self):
        self.assertEqual(self.build("echo 'NVIDIA-SMI has failed: version 12.4 mismatch.'; exit 9")[1],
                         ["-DCMAKE_CUDA_ARCHITECTURES=90"])

    def test_leaves_tests_that_need_a_gpu_to_check_where_there_is_none(self):
        for answer, wanted in (("echo 9.0", "ON"), ("exit 9", "OFF")):
            with self.subTest(answer):
                (self.folder / "calls of cmake").unlink(missing_ok=True)
                (self.folder / "configured-with").unlink(missing_ok=True)
                self.build(answer)
                self.assertIn(f"-DWARPSIEVE_GPU_TESTS={wanted}", self.calls("cmake"))

    @unittest.skipIf(shutil.which("nvcc") or pathlib.Path("/usr/local/cuda/bin/nvcc").exists(), "this machine has a toolkit")
    def test_names_the_toolkit_for_a_gpu_without_one(self):
        done = self.build("echo 9.0")[0]
        self.assertIn("cuda-toolkit-13-0", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_has_one_folder_and_the_same_options_for_run_and_test(self):
        build = re.compile(r'scripts/build"(.*)')
        self.assertEqual(build.search((SCRIPTS / "run").read_text())[1].split(" -- ")[0], "")
        self.assertEqual(build.search((SCRIPTS / "test").read_text())[1], "")


class Help(ScriptTest):
    def test_every_script_says_what_it_does_and_does_nothing(self):
        for tool in ("apt-get", "cmake", "ninja", "nvidia-smi"):
            self.note_calls_of(tool)
        for script in sorted(file.name for file in SCRIPTS.iterdir() if file.is_file() and os.access(file, os.X_OK)):
            with self.subTest(script):
                done = self.run_script(script, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("warpsieve" if script == "run" else script, done.stdout)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["bin"])

    def test_run_prints_the_help_of_each_command_without_a_build(self):
        for tool in ("apt-get", "cmake", "ninja"):
            self.note_calls_of(tool)
        page = (SCRIPTS.parent / "docs/reference/command_line.md").read_text()
        texts = dict(re.findall(r"<!-- figures: help ?(\w*) -->\n```text\n(.*?)```\n", page, re.DOTALL))
        self.assertEqual(set(texts), {"", "bench", "reproduce", "trace"})
        for command, text in texts.items():
            with self.subTest(command):
                done = self.run_script("run", *command.split(), "--help")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, text, ""))
        done = self.run_script("run", "no-command", "--help")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual([file.name for file in self.folder.iterdir()], ["bin"])

    def test_an_unknown_part_is_told_before_anything_is_installed(self):
        self.note_calls_of("apt-get")
        done = self.run_script("check", "tidy", "nonsense")
        self.assertEqual((done.returncode, self.calls("apt-get")), (2, ""))
        self.assertEqual(done.stderr, "check: there is no part nonsense; scripts/check knows: benches sanitizers clang no-simulator slow-tests tidy docs "
                                      "packages mutants attack\n")

    def test_a_part_of_check_adds_its_time_to_the_named_file(self):
        self.stand_in("dpkg-query", "echo install ok installed")
        self.note_calls_of("doxygen")
        times = self.folder / "times.csv"
        times.write_text("part,verdict,seconds\nscripts/test,ok,9\n")
        done = self.run_script("check", "docs", WARPSIEVE_TIMES=str(times))
        self.assertEqual((done.returncode, self.calls("doxygen")), (0, "Doxyfile\n"))
        self.assertRegex(times.read_text(), r"\Apart,verdict,seconds\nscripts/test,ok,9\nscripts/check docs,ok,\d+\n\Z")

    def test_an_unknown_set_of_packages_is_refused(self):
        self.note_calls_of("apt-get")
        done = self.run_script("setup", "test")
        self.assertEqual((done.returncode, self.calls("apt-get")), (2, ""))
        self.assertEqual(done.stderr, "warpsieve: there is no set of packages 'test'; choose tests, docs or check\n")


class Dockerfile(unittest.TestCase):
    def test_copies_and_runs_what_is_here(self):
        root = SCRIPTS.parent
        steps = re.findall(r"^(COPY|RUN|ENTRYPOINT) (.*)$", (root / "Dockerfile").read_text(), re.MULTILINE)
        self.assertEqual([kind for kind, _ in steps], ["COPY", "RUN", "COPY", "RUN", "ENTRYPOINT"])
        for kind, words in steps:
            for path in words.split()[:-1] if kind == "COPY" else words.split()[:1] if kind == "RUN" else []:
                with self.subTest(path):
                    self.assertTrue((root / path).exists())
        # scripts/setup runs before the other files are copied.
        self.assertEqual(set(re.findall(r"source \"\$\(dirname \"\$0\"\)/(\w+)\"", (SCRIPTS / "setup").read_text())), {"usage"})


class BuildOptions(unittest.TestCase):
    def test_the_reference_lists_every_option_with_its_default(self):
        declared = {}
        for file in [*SCRIPTS.parent.rglob("cmake/*.cmake"), SCRIPTS.parent / "CMakeLists.txt",
                     *(SCRIPTS.parent / "compaction").rglob("CMakeLists.txt")]:
            text = file.read_text()
            declared |= dict(re.findall(r'^ *option\((\w+) ".*" (ON|OFF)\)', text, re.MULTILINE))
            declared |= dict(re.findall(r"^ *set\(((?:COMPACTION|WARPSIEVE)_\w+|CMAKE_BUILD_TYPE) (\w+) CACHE STRING", text, re.MULTILINE))
        page = (SCRIPTS.parent / "docs/reference/build_options.md").read_text()
        listed = dict(re.findall(r"^\| `(\w+)` \| `([\w;]+)` \|", page, re.MULTILINE))
        self.assertEqual(listed.pop("CMAKE_CUDA_ARCHITECTURES"), "75;90")
        self.assertEqual(listed, declared)

    def test_a_switch_takes_the_booleans_of_cmake_and_no_other_word(self):
        def read(variable, word):
            folder = SCRIPTS.parent / "cmake"
            with tempfile.NamedTemporaryFile("w", suffix=".cmake") as script:
                script.write("cmake_minimum_required(VERSION 3.25)\nset(COMPACTION_CUDA OFF)\n"
                             f'set({variable} "{word}")\ninclude({folder}/Cuda.cmake)\ninclude({folder}/Nccl.cmake)\n')
                script.flush()
                return subprocess.run(["cmake", "-P", script.name], capture_output=True, text=True, check=False)

        for word in ("OFF", "off", "FALSE", "0", "No"):
            with self.subTest(word):
                done = read("COMPACTION_CUDA", word)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
        for variable, word in (("COMPACTION_CUDA", "bogus"), ("COMPACTION_CUDA", ""), ("COMPACTION_NCCL", "2.28")):
            with self.subTest(variable=variable, word=word):
                done = read(variable, word)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"-D{variable}={word}: write AUTO, ON or OFF.", done.stderr)


class Version(unittest.TestCase):
    """Which commit a build names, and which date its packages have."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.project = pathlib.Path(temporary.name) / "project"
        self.sources = self.project / "third_party" / "warpsieve"
        shutil.copytree(SCRIPTS.parent / "cmake", self.sources / "cmake")

    def commit_all(self, folder):
        """Makes the folder a checkout with one commit of 2001; returns the commit's name."""
        date = {"GIT_AUTHOR_DATE": "2001-02-03T04:05:06Z", "GIT_COMMITTER_DATE": "2001-02-03T04:05:06Z"}
        for command in (["init", "-q"], ["add", "."], ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "All"]):
            subprocess.run(["git", "-C", folder, *command], check=True, env={**os.environ, **date})
        return subprocess.run(["git", "-C", folder, "rev-parse", "--short=8", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()

    def named(self):
        header = self.project / "version.hpp"
        subprocess.run(["cmake", f"-DSOURCE_DIR={self.sources}", f"-DOUTPUT={header}", "-DVERSION=1", "-P", self.sources / "cmake/Version.cmake"], check=True)
        return re.search(r'commit = "(.*)"', header.read_text(encoding="utf-8"))[1]

    def date(self, **environment):
        script = self.project / "date.cmake"
        script.write_text(f"set(PROJECT_SOURCE_DIR {self.sources})\ninclude({self.sources}/cmake/Git.cmake)\n"
                          "date_of_sources(date %cs %Y-%m-%d)\nmessage(${date})\n", encoding="utf-8")
        usual = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
        return subprocess.run(["cmake", "-P", script], check=True, capture_output=True, text=True, env={**usual, **environment}).stderr.strip()

    def test_is_that_of_the_checkout(self):
        commit = self.commit_all(self.sources)
        self.assertEqual(self.named(), commit)
        self.assertEqual(self.date(), "2001-02-03")
        self.assertEqual(self.date(SOURCE_DATE_EPOCH="86400"), "1970-01-02")

    def test_is_not_that_of_a_checkout_around_the_sources(self):
        self.commit_all(self.project)
        self.assertEqual(self.named(), "unknown")
        self.assertEqual(self.date(), time.strftime("%Y-%m-%d", time.gmtime()))
        self.assertEqual(self.date(SOURCE_DATE_EPOCH="86400"), "1970-01-02")


class GpuCheck(ScriptTest):
    def check(self, *arguments, nvidia_smi="echo GPU 0"):
        self.stand_in("nvidia-smi", nvidia_smi)
        return self.run_script("gpu-check", *arguments)

    def test_refuses_an_unknown_part(self):
        done = self.check(self.folder, self.folder / "logs", "tets")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no part 'tets'; choose from: tests sanitizers large window faults", done.stderr)

    def test_is_skipped_without_a_gpu(self):
        done = self.check(self.folder, self.folder / "logs", "large", nvidia_smi="exit 9")
        self.assertEqual((done.returncode, done.stdout), (77, ""))
        self.assertIn("no NVIDIA GPU", done.stderr)

    def test_needs_a_folder_with_programs(self):
        self.assertEqual(self.check(self.folder / "nowhere").returncode, 2)

    def test_a_run_in_which_no_test_passed_is_skipped_or_has_failed(self):
        for status, verdict in ((0, "skipped"), (1, "FAILED")):
            self.stand_in("large_streams_test", 'case $* in *--gtest_list_tests*) printf "Suite.\\n  Test\\n" ;; '
                                                f'*) echo "[  PASSED  ] 0 tests."; exit {status} ;; esac')
            done = self.check(self.stand_ins, self.folder / "logs", "large")
            self.assertEqual(done.returncode, status, done.stdout)
            self.assertIn(verdict, done.stdout)
            self.assertNotIn(" ok ", done.stdout)

    def test_records_what_passed_and_keeps_the_rows_of_other_steps(self):
        self.stand_in("warpsieve", 'echo "warpsieve 0.2.0 (1234abcd)"')
        self.stand_in("device_failure_test", 'printf "[==========] Running 3 tests from 1 test suite.\n[       OK ] A.B (1 ms)\n'
                                             '[  SKIPPED ] A.C (0 ms)\n"; exit 1')
        table = self.folder / "tests.csv"
        columns = "step,passed,failed,skipped,not_reached,errors,seconds,commit,date\n"
        table.write_text(f"# device: NVIDIA H200\n{columns}engine_test,12,0,0,0,0,1,0123abcd,2026-01-01\n")
        done = self.check("--record", table, self.stand_ins, self.folder / "logs", "faults", nvidia_smi="echo NVIDIA H200, 580.1")
        self.assertEqual(done.returncode, 1, done.stderr)
        rows = [line.rsplit(",", 3)[0] + "," + line.split(",")[-2] for line in table.read_text().splitlines() if not line.startswith("#")][1:]
        self.assertEqual([rows[0], rows[-1]], ["engine_test,12,0,0,0,0,0123abcd", "device_failure_test,1,1,1,1,0,1234abcd"])

    def test_ends_a_step_that_takes_too_long_with_its_children(self):
        self.stand_in("device_failure_test", f'echo "[       OK ] A.B (1 ms)"; (sleep 60; touch {self.folder}/late) & wait')
        began = time.monotonic()
        done = self.check("--limit", "1", self.stand_ins, self.folder / "logs", "faults")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, "device_failure_test +NOT DONE .* passed 1, failed 0, skipped 0, not reached 1")
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual(subprocess.run(["pgrep", "-f", f"touch {self.folder}/late"], check=False, capture_output=True).returncode, 1)

    def test_counts_the_errors_of_a_tool(self):
        self.stand_in("compute-sanitizer", 'echo "[       OK ] A.B (1 ms)"; echo "========= ERROR SUMMARY: 2 errors"')
        done = self.check(self.stand_ins, self.folder / "logs", "sanitizers")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, "verifier_test under memcheck +FAILED .* errors 2")


class Setup(ScriptTest):
    def set_up_on(self, os_release, apt_get="", dpkg_query="exit 1"):
        """Runs scripts/setup on a system of this name that has none of the packages, unless dpkg-query says otherwise."""
        file = self.folder / "os-release"
        file.write_text(os_release)
        self.stand_in("dpkg-query", dpkg_query)
        self.stand_in("sudo", 'exec "$@"')
        if not apt_get:
            self.note_calls_of("apt-get")
        else:
            self.stand_in("apt-get", apt_get)
        return self.run_script("setup", "tests", WARPSIEVE_OS_RELEASE=str(file), WARPSIEVE_LOCK_WAIT_S="0")

    def test_leaves_out_a_formatter_that_the_release_does_not_have(self):
        self.stand_in("apt-cache", "exit 0")
        self.set_up_on('ID=debian\nVERSION_ID="12"')
        self.assertIn(" clang-format-14", self.calls("apt-get"))
        (self.folder / "calls of apt-get").unlink()
        self.stand_in("apt-cache", "[ $2 = cmake ]")
        done = self.set_up_on('ID=debian\nVERSION_ID="13"')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(" cmake ", self.calls("apt-get"))
        self.assertNotIn("clang-format", self.calls("apt-get"))
        (self.folder / "calls of apt-get").unlink()
        for all_others in ("echo install ok installed", 'case $* in *clang-format*) exit 1 ;; esac; echo install ok installed'):
            self.assertEqual(self.set_up_on('ID=debian\nVERSION_ID="13"', dpkg_query=all_others).returncode, 0)
            self.assertEqual(self.calls("apt-get"), "", "there is nothing to install")

    def test_an_older_release_is_told_before_anything_is_installed(self):
        for system, version in (("debian", "11"), ("ubuntu", "22.04")):
            done = self.set_up_on(f'ID={system}\nVERSION_ID="{version}"\n')
            self.assertEqual(done.returncode, 1)
            for words in (f"{system} {version} is too old", "Debian 12", "Ubuntu 24.04", "CMake 3.25"):
                self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertEqual(self.calls("apt-get"), "")

    def test_installs_on_later_releases_and_on_those_that_it_does_not_know(self):
        for system in ('ID=debian\nVERSION_ID="12"', 'ID=debian\nVERSION_CODENAME=forky', 'ID=ubuntu\nVERSION_ID="24.04"',
                       'ID=linuxmint\nVERSION_ID="3"', ""):
            done = self.set_up_on(system)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("install", self.calls("apt-get"), system)
            (self.folder / "calls of apt-get").unlink()

    def test_waits_while_another_process_has_the_lock(self):
        locked_once = f"""echo "$@" >>"{self.folder}/calls of apt-get"
if [ "$1" = update ] && [ ! -f "{self.folder}/tried" ]; then
  touch "{self.folder}/tried"; echo "E: Could not get lock /var/lib/apt/lists/lock" >&2; exit 100
fi"""
        done = self.set_up_on('ID=debian\nVERSION_ID="12"', locked_once)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.calls("apt-get").count("update"), 2)
        self.assertIn("DPkg::Lock::Timeout=300 install", self.calls("apt-get"))

    def test_only_names_the_packages_where_there_is_no_apt_get(self):
        for tool in ("bash", "dirname", "grep", "cmake", "ninja", "python3"):
            (self.stand_ins / tool).symlink_to(shutil.which(tool))
        setup = lambda: subprocess.run([SCRIPTS / "setup"], env={"PATH": str(self.stand_ins)}, capture_output=True, text=True, check=False)
        done = setup()
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no c++. Install it", done.stderr)
        self.note_calls_of("c++")
        done = setup()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"\Awarpsieve: this machine has no apt-get\. .* libtbb-dev .*\n\Z")

    def test_ends_when_the_lists_cannot_be_renewed(self):
        self.assertEqual(self.set_up_on('ID=debian\nVERSION_ID="12"', "echo no network >&2; exit 100").returncode, 1)


class TestPackages(ScriptTest):
    def source_of_the_clean_root(self, site):
        """The mirror that debootstrap is given, where apt installs from `site`."""
        self.stand_in("apt-get", f'. /etc/os-release; echo "{site} $VERSION_CODENAME"')
        self.stand_in("debootstrap", f'echo "$@" >"{self.folder}/calls of debootstrap"; exit 1')
        self.skipped_by_user(0)
        return self.calls("debootstrap").split()[-1]

    def skipped_by_user(self, user):
        """Runs the script as this user, where no clean root can be made; returns what it says."""
        self.stand_in("id", f"echo {user}")
        for name in ("cmake", "cpack", "git", "lintian"):
            self.note_calls_of(name)
        done = self.run_script("test-packages", self.folder)
        self.assertEqual(done.returncode, 77, done.stderr)
        return done.stdout

    def test_are_built_where_no_root_can_be_made(self):
        self.assertIn("needs root", self.skipped_by_user(1000))
        self.assertEqual(self.calls("cpack"), "\n")

    def test_make_a_root_from_the_source_that_apt_has(self):
        self.assertEqual(self.source_of_the_clean_root("http://example.org/debian"), "http://example.org/debian")

    def test_make_a_root_from_the_first_of_several_mirrors(self):
        mirrors = self.folder / "mirrors.txt"
        mirrors.write_text("# first to last\nhttp://example.org/first/\tpriority:1\nhttps://example.org/second/\tpriority:2\n")
        self.assertEqual(self.source_of_the_clean_root(f"mirror+file:{mirrors}"), "http://example.org/first/")


class SummariseTests(ScriptTest):
    def summarise(self, *options, **tests):
        """A report in which each test ran, failed, or was skipped for the reason given."""
        cases = []
        for name, how in tests.items():
            skipped = how not in ("run", "fail")
            output = f"a_test.cpp:1: Skipped\n{how}\n" if skipped else ""
            cases.append(f'<testcase name="{name}" status="{"notrun" if skipped else how}"><system-out>{output}</system-out></testcase>')
        report = self.folder / "tests.xml"
        report.write_text(f"<testsuite>{''.join(cases)}</testsuite>")
        return self.run_script("summarise-tests", *options, report)

    NO_GPU = "There is no CUDA device."

    def test_a_test_without_a_gpu_needs_a_counterpart_on_the_simulated_one(self):
        done = self.summarise("--whole", **{"A.B/cuda": self.NO_GPU, "A.B/simulated": "run", "A.C/one_4_bytes": self.NO_GPU,
                                 "A.C/simulated_one_4_bytes  # GetParam() = 1": "run", "D.E": self.NO_GPU, "simulated.D.E": "run"})
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("Of 3 skipped without a GPU, all but 0 ran on the simulated one.", done.stdout)

    def test_names_a_test_that_has_none(self):
        for counterpart in ("fail", self.NO_GPU):
            done = self.summarise("--whole", **{"A.B/cuda": self.NO_GPU, "A.B/simulated": counterpart})
            self.assertEqual(done.returncode, 1)
            self.assertIn("not in tests/needs_gpu.txt: A.B/cuda", done.stdout)

    def test_fails_where_no_test_has_that_name(self):
        done = self.summarise()
        self.assertEqual(done.returncode, 1)
        self.assertIn("No test has such a name", done.stdout)

    def test_asks_for_no_counterparts_after_a_part_of_the_tests(self):
        self.assertEqual(self.summarise(**{"A.B/cuda": self.NO_GPU}).returncode, 0)

    def test_knows_the_listed_tests_and_other_reasons(self):
        done = self.summarise("--whole", gpu_window_test=self.NO_GPU, other="No vector is too wide.")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("all but 1 ran", done.stdout)

    def test_at_most_150_tests_are_listed(self):
        lines = (SCRIPTS.parent / "tests/needs_gpu.txt").read_text().splitlines()
        listed = [line for line in lines if line and not line.startswith("#")]
        self.assertGreater(len(listed), 0)
        self.assertEqual(len(listed), len(set(listed)))
        self.assertLessEqual(len(listed), 150)


class Mutants(ScriptTest):
    def test_end_quietly_when_the_reader_has_left(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as left:
            done = subprocess.run([SCRIPTS / "mutants", "--list"], stdout=left, stderr=subprocess.PIPE, text=True,
                                  timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""))

    def test_a_result_stays_with_one_of_several_mutants_with_the_same_code(self):
        loader = importlib.machinery.SourceFileLoader("mutants", str(SCRIPTS / "mutants"))
        script = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", loader))
        with unittest.mock.patch.object(sys, "dont_write_bytecode", True):
            loader.exec_module(script)
        script.ROOT, script.FOLDERS, script.RECORD = self.folder, ("kernels",), self.folder / "record.txt"
        kernel = self.folder / "kernels/a.cuh"
        kernel.parent.mkdir()

        def write_kernel(lines):
            kernel.write_text("__device__ void run() {\n" + "\n".join(lines) + "\n}\n")
            return list(script.mutants())

        _, second = write_kernel(["__syncwarp();", "work();", "__syncwarp();"])
        script.write_record({second: "found: data race"})
        self.assertEqual(script.RECORD.read_text(), "a.cuh:4: barrier removed: __syncwarp(); (2 of 2)  found: data race\n")
        self.assertEqual(script.recorded_fates(), {second: "found: data race"})
        _, moved = write_kernel(["__syncwarp();", "", "work();", "__syncwarp();"])
        self.assertEqual(script.recorded_fates(), {moved: "found: data race"})
        write_kernel(["__syncwarp();"] * 3)
        self.assertEqual(script.recorded_fates(), {}, "which of them is new is unknown")


class CompareTrials(ScriptTest):
    def program(self, name, this_us):
        """A program that compares one setting: its six processes take `this_us`, the others 100."""
        file = self.folder / name
        rows = "".join(f"echo cpu_loop,,4096,{us},slower,this >>$csv; echo cpu_loop,,4096,{100 + i % 2 / 10},,other >>$csv\n"
                       for i, us in enumerate(this_us))
        file.write_text(f"""#!/bin/sh
for csv; do :; done
printf '# device: A\n# engine: cpu\n# driver: D\n# version: 1\n# commit: c\n' >$csv
echo algorithm,threads,n,median_us,verdict,program >>$csv
echo copy,,4096,5,,this >>$csv
{rows}""", encoding="utf-8")
        file.chmod(0o755)
        return file

    def test_it_records_continues_and_sums_up(self):
        same = self.program("same", [100, 100.1] * 3)
        slowed = self.program("slowed", [105, 105.1] * 3)
        output = self.folder / "trials.csv"
        for trials in ("1", "2"):
            done = self.run_script("compare-trials", "--program", same, "--slowed", slowed, "--trials", trials, "--kinds",
                                   "same,slowed", "--note", "nothing", output, "--n", "4096")
            self.assertEqual(done.returncode, 0, done.stderr)
        lines = output.read_text(encoding="utf-8").splitlines()
        self.assertIn("# beside: nothing", lines)
        self.assertEqual([line for line in lines if not line.startswith("#")], [
            "kind,trial,setting,other_us,this_us,verdict",
            *(f"{kind},{trial},algorithm=cpu_loop n=4096,100.0 100.1 100.0 100.1 100.0 100.1,{us},slower"
              for trial in (1, 2)
              for kind, us in (("same", "100 100.1 100 100.1 100 100.1"), ("slowed", "105 105.1 105 105.1 105 105.1")))])
        done = self.run_script("compare-trials", "--summary", output)
        self.assertIn("\nslowed,all,2,2,0,2,0,0,0.053,2,2\n", done.stdout)

    def test_a_program_that_fails_is_named(self):
        file = self.folder / "broken"
        file.write_text("#!/bin/sh\necho no >&2\nexit 3\n")
        file.chmod(0o755)
        done = self.run_script("compare-trials", "--program", file, "--slowed", file, self.folder / "out.csv")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "compare-trials: .*this bench .* exits with 3: no")
        self.assertFalse((self.folder / "out.csv").exists())


class CompareCounters(ScriptTest):
    """Nsight Compute and a GPU are stand-ins."""

    def compare(self, ncu):
        self.stand_in("program", "echo '# device: NVIDIA Test'; echo '# engine: cuda'")
        # Skips its arguments up to the name of the log.
        self.stand_in("ncu", 'all=$*; while [ "$1" != --log-file ]; do shift; done; log=$2\n' + ncu)
        self.output = self.folder / "counters.csv"
        done = self.run_script("compare-counters", "--commit", "abc", self.stand_ins / "program", self.output)
        rows = []
        if self.output.exists():
            lines = self.output.read_text().splitlines()
            self.assertEqual(lines[:3], ["# device: NVIDIA Test", "# engine: cuda", "# commit: abc"])
            rows = list(csv.DictReader(line for line in lines if line[0] != "#"))
        return done, rows

    # Prints, as ncu does, messages, a heading, units, and a launch of count_sequences for each pair of values.
    REPORT = """cat >"$log" <<'END'
==PROF== Connected to process 1
"ID","Kernel Name","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","sm__warps_active.avg.per_cycle_active"
"","","sector","warp"
"0","count_sequences","7","1"
"1","count_sequences","1,024","40.5"
"2","another_kernel","5","2"
END
"""

    def test_puts_both_counts_beside_each_other(self):
        done, rows = self.compare(self.REPORT)
        self.assertEqual(done.returncode, 0, done.stderr)
        row = next(row for row in rows if row["kernel"] == "count_sequences")
        # The last launch is the compaction's. What ncu did not print stays empty.
        self.assertEqual((row["load_units"], row["resident_warps"], row["store_units"]), ("1024", "40.50", ""))
        results = SCRIPTS.parent / "bench/results/simulated-gpu/kernels.csv"
        lines = [line for line in results.read_text().splitlines() if line[0] != "#"]
        simulated = next(each for each in csv.DictReader(lines) if each["kernel"] == "count_sequences")
        self.assertEqual(row["simulated_load_units"], simulated["load_units"])
        self.assertNotIn("another_kernel", {row["kernel"] for row in rows})

    def test_leaves_out_a_metric_that_ncu_does_not_know(self):
        unknown = "smsp__inst_executed_op_shared_ld.sum"
        done, rows = self.compare(f"""case $all in *{unknown}*)
  echo "==ERROR== Failed to find metric {unknown}" >"$log"; exit 1;;
esac
{self.REPORT}""")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"ncu does not know {unknown}", done.stderr)
        self.assertEqual(next(row for row in rows if row["kernel"] == "count_sequences")["load_units"], "1024")

    def test_says_what_ncu_says(self):
        done, rows = self.compare('echo "==ERROR== ERR_NVGPUCTRPERM" >"$log"; exit 1')
        self.assertEqual((done.returncode, rows), (1, []))
        self.assertIn("ERR_NVGPUCTRPERM", done.stderr)


class KernelPages(ScriptTest):
    PROGRAM = """case "$*" in
        *--help*) printf 'Faults of --plant:\\n  tag, in single_pass\\n      A sentence.\\n' ;;
        *cub_select*|*thrust*) echo "It has no trace." >&2; exit 3 ;;
        *naive_scan*) [ -z "$BROKEN" ] || { echo broken >&2; exit 1; }; echo naive >"$8"; echo traced ;;
        *) for file; do :; done; echo "$*" >"$file"; echo "traced $2" ;;
    esac"""

    def pages(self, **variables):
        self.stand_in("warpsieve", self.PROGRAM)
        return self.run_script("kernel-pages", "--program", self.stand_ins / "warpsieve", self.folder / "pages", **variables)

    def test_the_index_links_every_page(self):
        done = self.pages()
        self.assertEqual(done.returncode, 0, done.stderr)
        index = (self.folder / "pages/index.html").read_text()
        links = re.findall(r'href="([^"]+)"', index)
        self.assertIn("tag.html", links)
        self.assertIn("single_pass.html", links)
        self.assertNotIn("cub_select.html", links)
        self.assertIn("cub_select", index)
        for link in links:
            self.assertTrue((self.folder / "pages" / link).exists(), link)
        self.assertIn("--plant tag", (self.folder / "pages/tag.html").read_text())
        self.assertEqual(len(links), sum(map(int, re.search(r": pages of (\d+) algorithms and (\d+) faults$", done.stdout.strip()).groups())))

    def test_a_failing_trace_ends_it(self):
        done = self.pages(BROKEN="yes")
        self.assertEqual(done.returncode, 1)
        self.assertIn("naive_scan: broken", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=2)
