"""Files that are hostile or cannot be written: the program reports it, loses nothing and leaves no files behind."""

import json
import os
import resource
import stat
import struct
import subprocess
import unittest
import zlib

import program

RUN = ("--headless", "--engine", "cpu", "--slots", "4096", "--size", "320x200", "--frames", "4")
OK, FAILURE, USAGE = 0, 1, 2
DEEP = "[" * 100_000


def needs_mounts(test):
    mounts = os.geteuid() == 0 and subprocess.run(["unshare", "-m", "true"], check=False).returncode == 0
    return unittest.skipUnless(mounts, "mounting a small disk needs root")(test)


class FileFaultsTest(unittest.TestCase):
    def setUp(self):
        self.folder = program.output_folder(self._testMethodName)

    def expect(self, code, *arguments, says=(), shell="exec \"$@\"", **environment):
        """Runs the program by `shell`; it must exit with `code` and say each of `says` on stderr."""
        done = subprocess.run(["sh", "-c", shell, "sh", program.paths.warpsieve, *map(str, arguments)], cwd=self.folder,
                              env=program.environment(self.folder, **environment), capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stderr}")
        for words in says:
            self.assertIn(words, done.stderr)
        return done

    def on_a_small_disk(self, code, *arguments, size="64k", **options):
        """Runs the program beside a folder `disk`, a full or small disk. Returns the names left there."""
        (self.folder / "disk").mkdir(exist_ok=True)
        shell = f"mount -t tmpfs -o size={size} none disk; \"$@\"; code=$?; ls -A disk > left; exit $code"
        self.expect(code, *arguments, shell=f"exec unshare -m sh -c '{shell}' sh \"$@\"", **options)
        return (self.folder / "left").read_text().split()

    @unittest.skipUnless(os.geteuid() == 0, "making a device needs root")
    def test_a_device_named_as_settings_stays(self):
        device = self.folder / "null"
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        self.expect(USAGE, *RUN, "--settings", "null", says=("null cannot be used", "not a regular file"))
        self.assertTrue(device.is_char_device())
        self.assertEqual([file.name for file in self.folder.iterdir()], ["null"])

    def test_deep_nesting_is_refused_in_every_file(self):
        (self.folder / "deep.json").write_text('{"settings": ' + DEEP)
        self.expect(USAGE, *RUN, "--replay", "deep.json", says=("deep.json cannot be replayed", "64 levels"))
        self.expect(USAGE, "bench", "--engine", "cpu", "--algorithm", "cpu_loop", "--n", "4096", "--baseline", "deep.json",
                    says=("the baseline deep.json cannot be used", "64 levels"))
        self.expect(USAGE, *RUN, "--settings", "deep.json", says=("deep.json cannot be used", "64 levels"))

    def test_a_picture_that_expands_a_thousandfold_takes_little_memory(self):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
        text = chunk(b"zTXt", b"warpsieve\0\0" + zlib.compress(b" " * 7_900_000, 9))
        (self.folder / "bomb.png").write_bytes(b"\x89PNG\r\n\x1a\n" + header + 500 * text + chunk(b"IEND", b""))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.expect(USAGE, *RUN, "--replay", "bomb.png", says=("bomb.png cannot be replayed",))
        grown_kb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - before
        self.assertLess(grown_kb, 400_000)

    def test_pipes_and_endless_files_are_refused(self):
        os.mkfifo(self.folder / "pipe")
        with open(self.folder / "sparse", "wb") as sparse:
            sparse.truncate(60 << 30)
        self.addCleanup(os.remove, sparse.name)  # a copy of the build folder would write all of it
        for file, why in (("pipe", "not a regular file"), ("sparse", "61440 MiB"), ("/dev/zero", "not a regular file")):
            self.expect(USAGE, *RUN, "--replay", file, says=(file, why))
            self.expect(USAGE, "bench", "--engine", "cpu", "--algorithm", "cpu_loop", "--n", "4096", "--baseline", file,
                        says=(file, why))

    def test_a_bad_ghost_stops_no_start(self):
        os.mkfifo(self.folder / "pipe")
        self.expect(OK, *RUN, "--json", "run.json")
        document = json.loads((self.folder / "run.json").read_text())
        for ghost in ("pipe", "/proc/self/mem", "/dev/zero", "missing", "."):
            document["settings"]["ghost"] = ghost
            (self.folder / "replay.json").write_text(json.dumps(document))
            done = self.expect(OK, *RUN, "--replay", "replay.json", says=(f"{ghost} is not a saved run",))
            self.assertLess(len(done.stderr), 2_000)

    @needs_mounts
    def test_a_full_disk_under_the_shader_cache_switches_it_off(self):
        self.on_a_small_disk(OK, *RUN, says=("shader cache is off", "No space left"), MESA_SHADER_CACHE_DIR="disk")
        (self.folder / "cache").mkdir()
        done = self.expect(OK, *RUN, MESA_SHADER_CACHE_DIR=str(self.folder / "cache"))
        self.assertNotIn("shader cache", done.stderr)

    @needs_mounts
    def test_the_machine_is_described_without_proc(self):
        done = self.expect(OK, *RUN, shell="exec unshare -m sh -c 'mount -t tmpfs none /proc; exec \"$@\"' sh \"$@\"")
        self.assertIn(f"on {os.uname().machine} processor", done.stdout)

    @needs_mounts
    def test_results_on_a_full_disk_leave_no_part(self):
        left = self.on_a_small_disk(FAILURE, *RUN, "--screenshot", "disk/picture.png", "--json", "run.json", size="8k",
                                    says=("disk/picture.png",))
        self.assertEqual(left, [])

    def test_a_trace_on_a_full_disk_leaves_no_part(self):
        self.expect(FAILURE, *RUN, "--trace", "/dev/full", says=("/dev/full cannot be written: No space left on device",))
        self.expect(FAILURE, *RUN, "--trace", "trace.json", shell="ulimit -f 0; exec \"$@\"",
                    says=("trace.json", "File too large"))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_size_limit_of_files_is_reported(self):
        self.expect(FAILURE, *RUN, "--screenshot", "picture.png", shell="ulimit -f 1; exec \"$@\"",
                    says=("picture.png", "File too large"))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_concurrent_runs_write_one_file(self):
        done = self.expect(OK, *RUN, "--json", "run.json",
                           shell='for i in 1 2 3 4 5 6 7 8; do "$@" > /dev/null & done; for i in 1 2 3 4 5 6 7 8; do'
                                 " wait %$i || exit 1; done")
        self.assertNotIn("cannot be written", done.stderr)
        self.assertEqual(json.loads((self.folder / "run.json").read_text())["slots"], 4096)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["run.json"])


if __name__ == "__main__":
    program.main()
