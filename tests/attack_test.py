"""The attack finds planted faults: a program that crashes, hangs, says nothing or leaves half a file behind."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests/attack"))
import attack  # noqa: E402

# A fake warpsieve: prints the help that the options are made from, then does what FAULT says.
STAND_IN = """#!/bin/sh
case "$*" in *--help*) printf 'A program.\\n\\nOptions:\\n  --csv TEXT            Write\\n\\n\\n'; exit 0 ;; esac
FAULT
"""


class Judgement(unittest.TestCase):
    def faults(self, code=0, stderr="", timed_out=False, stdout=""):
        return attack.faults_of(attack.Ended(["warpsieve"], code, stdout, stderr, 1, timed_out))

    def test_documented_ends_are_no_faults(self):
        self.assertEqual(self.faults(), [])
        self.assertEqual(self.faults(1, "warpsieve: a.csv cannot be written."), [])
        self.assertEqual(self.faults(143, "SIGTERM ended the run."), [])
        self.assertEqual(self.faults(stdout="10 \xb5s\n\x1b[1;31mWRONG\x1b[0m\n", stderr="\r\x1b[K[##..] 1 of 2\r\x1b[K"), [])

    def test_each_fault_is_found(self):
        for fault in ({"code": -11}, {"code": 134}, {"code": 1}, {"code": 2, "stderr": "what?\n"}, {"timed_out": True},
                      {"code": 1, "stderr": "bad value here [json.exception.type_error.302]"},
                      {"code": 2, "stderr": "--theme \x1b[31m is not legal"}, {"stdout": "on H100\u202e"}, {"stdout": "a\x9bb"},
                      {"stdout": "a\udcff"}, {"stdout": "a\tb"}):
            with self.subTest(**fault):
                self.assertEqual(len(self.faults(**fault)), 1)

    def test_half_a_file_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, whole, half in (("a.csv", "a,b\n1,2\n", "a,b\n1\n"), ("a.json", '{"a": [1]}\n', '{"a": ['), ("a.md", "|a|\n", ""),
                                      ("a.html", "<html></html>\n", "<html><body>"),
                                      ("a.png", b"\x89PNG\r\n\x1a\n...IEND\xaeB`\x82", b"\x89PNG\r\n\x1a\n...")):
                file = pathlib.Path(folder) / name
                for content, fault in ((whole, False), (half, True)):
                    with self.subTest(name, fault=fault):
                        file.write_bytes(content if isinstance(content, bytes) else content.encode())
                        self.assertEqual(bool(attack.fault_of_file(file)), fault)


class Script(unittest.TestCase):
    def attack(self, fault):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        program = folder / "build/app/warpsieve"
        program.parent.mkdir(parents=True)
        program.write_text(STAND_IN.replace("FAULT", fault), encoding="utf-8")
        program.chmod(0o755)
        return subprocess.run([sys.executable, "-B", ROOT / "scripts/attack", "options", "--scale", "0.05", "--seed", "1", "--program",
                               program, "--output", folder / "output"], capture_output=True, text=True, check=False)

    def test_a_sound_program_passes(self):
        done = self.attack("exit 0")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("0 finds", done.stdout)

    def test_a_crash_is_reported(self):
        done = self.attack("kill -SEGV $$")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("killed by SIGSEGV", done.stdout)

    def test_a_failure_without_a_sentence_is_reported(self):
        done = self.attack("exit 1")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("exit code 1 without a sentence", done.stdout)

    def test_an_unknown_part_is_refused(self):
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts/attack", "everything"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the parts are options, files", done.stderr)


if __name__ == "__main__":
    unittest.main()
