"""A full disk of 64 KB as output folder, home, settings folder or capture folder: whole files or none, and a sentence."""

import contextlib
import subprocess
import time

import attack

DISK_BYTES = 64 << 10
EARLIER = {".csv": "frame,total_us\n0,1\n", ".json": '{"written": "by an earlier run"}\n', ".html": "<html></html>\n",
           ".png": None, ".md": "an earlier table\n"}
SETTINGS = '{"theme": "light"}\n'
BENCH = ("bench", "--engine", "cpu", "--algorithm", "cpu_loop,cpu_simd", "--n", "2^6..2^10", "--time-limit", "0.005", "--min-samples",
         "1")
REPRODUCE = ("reproduce", "--engine", "cpu", "--table", "qian_lengths", "--quick", "--max-n", "2^10", "--time-limit", "0.005")
OUTPUTS = {"run": ("--csv", "--json", "--screenshot"), "bench": ("--csv", "--json", "--markdown"), "reproduce": ("--json", "--html")}
ENDINGS = {"--csv": ".csv", "--json": ".json", "--screenshot": ".png", "--markdown": ".md", "--html": ".html"}


@contextlib.contextmanager
def small_disk(folder):
    """A file system of 64 KB, mounted in `folder`."""
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", disk], capture_output=True, text=True,
                             check=False)
    if mounted.returncode:
        raise attack.Skipped(f"no file system can be mounted: {mounted.stderr.strip()}")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


def fill(disk, random):
    """Leaves a random part of the disk free, often nothing."""
    size = random.choice((DISK_BYTES, DISK_BYTES, random.randrange(DISK_BYTES), DISK_BYTES - random.randrange(16384)))
    with contextlib.suppress(OSError), open(disk / "filler", "wb", buffering=0) as filler:
        for _ in range(size // 1024):
            filler.write(b"x" * 1024)


def command_with_outputs(random, disk, good):
    """A command, and its output files: each on the full disk or beside it, some with an earlier version."""
    kind = random.choice(("run", "run", "bench", "reproduce"))
    command = {"run": [*attack.SMALL_RUN, "--frames", str(random.choice((5, 50, 400)))], "bench": [*BENCH],
               "reproduce": [*REPRODUCE]}[kind]
    files = []
    for option in OUTPUTS[kind]:
        file = random.choice((disk, disk, good)) / f"out{ENDINGS[option]}"
        command += [option, str(file)]
        files.append(file)
        if random.random() < 0.4 and EARLIER[file.suffix]:
            file.write_text(EARLIER[file.suffix], encoding="utf-8")
    return command, files


def faults_of_outputs(ended, files, disk):
    """Each output is whole, or it is absent or as before and the program says so."""
    found = []
    for file in files:
        there = file.exists()
        old = there and file.suffix in EARLIER and file.read_bytes() == (EARLIER[file.suffix] or "").encode()
        if there and not old:
            found += [fault for fault in [attack.fault_of_file(file)] if fault]
            continue
        if file.parent != disk:
            found.append(f"{file.name} is missing, on a disk with room")
        elif ended.code != 1:
            found.append(f"{file.name} was not written, and the exit code is {ended.code}")
        elif file.name not in ended.stderr:
            found.append(f"{file.name} was not written, and stderr does not name it")
    known = {file.name for file in files} | {"filler", "settings.json"}
    return found + [f"{name} was left behind" for name in attack.leftovers(disk, known)]


def attack_outputs(part, random, folder):
    with small_disk(folder) as disk:
        command, files = command_with_outputs(random, disk, folder)
        fill(disk, random)
        ended = attack.run([part.program, *command], folder)
        for what in attack.faults_of(ended, {0, 1}) + faults_of_outputs(ended, files, disk):
            part.find(f"outputs: {what}", folder, ended)


def attack_home(part, random, folder):
    """HOME, the folder of settings and the cache are on the full disk; the outputs are not."""
    with small_disk(folder) as disk:
        settings = disk / "settings.json"
        if random.random() < 0.5:
            settings.write_text(SETTINGS, encoding="utf-8")
        with_settings = settings.exists() and random.random() < 0.5
        fill(disk, random)
        files = [folder / "out.csv", folder / "out.json", folder / "out.png"]
        command = [*attack.SMALL_RUN, "--frames", "5", *(word for file, option in zip(files, OUTPUTS["run"]) for word in
                                                       (option, str(file))), *(("--settings", settings) if with_settings else ())]
        ended = attack.run([part.program, *command], folder,
                           env={"HOME": str(disk), "XDG_CONFIG_HOME": str(disk), "XDG_CACHE_HOME": str(disk)})
        found = attack.faults_of(ended, {0, 1}) + faults_of_outputs(ended, files, folder)
        found = [what for what in found if not what.startswith("disk was left") and not what.startswith("home was left")]
        if with_settings and (fault := attack.fault_of_file(settings)):
            found.append(fault)
        for what in found:
            part.find(f"home: {what}", folder, ended)


def attack_captures(part, random, folder, window):
    """Pictures and a recording of a window into the full disk."""
    with small_disk(folder) as disk, window.display((800, 600)) as display:
        opened_folder = folder / "window"
        opened_folder.mkdir()
        (opened_folder / "captures").symlink_to(disk)
        fill(disk, random)
        with window.Window(display, opened_folder, "--engine", "cpu", "--slots", "4096", "--size", "640x400") as opened:
            for _ in range(3):
                opened.press("F12")
                opened.press("ctrl", "F12")
                opened.frames(random.randrange(1, 8))
                opened.press("ctrl", "F12")
            time.sleep(0.5)
            code, messages = opened.quit(), opened.messages()
        ended = attack.Ended(["warpsieve, F12 and Ctrl+F12"], code, "", messages, 0)
        found = attack.faults_of(ended, {0, 1})
        found += [fault for file in [*disk.rglob("*.png"), *disk.rglob("*.json")] if (fault := attack.fault_of_file(file))]
        for what in found:
            part.find(f"captures: {what}", folder, ended)


def attack_disks(part):
    part.unit = "runs"

    def attempt(random, folder):
        random.choice((attack_outputs, attack_outputs, attack_home))(part, random, folder)

    window = attack.window_module(part)
    part.each(part.count(180 if window else 200), attempt)
    if window and part.only is None:
        part.each(part.count(20), lambda random, folder: attack_captures(part, random, folder, window), "captures-")


if __name__ == "__main__":
    attack.main("disks", attack_disks)
