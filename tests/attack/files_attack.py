"""Mutated settings, replay, ghost and baseline files: read by the whole program, and by libFuzzer targets."""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import zlib

import attack

CORPUS = attack.ROOT / "tests/fuzz/corpus"
BUILD = attack.ROOT / "build-fuzz"
FLAGS = "-O1 -g1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined"
TARGETS = ("settings", "replay", "picture", "ghost", "baseline", "results", "command_line")
LONGEST_INPUT = 8192
FUZZ_RUNS = 250_000  # of each target in the full run
FUZZ_SCALE = 10  # below this scale, building the libFuzzer targets would take longer than all tries
COMMANDS = {
    "settings": ("--settings", "{file}", *attack.SMALL_RUN, "--frames", "1"),
    "replay": ("--replay", "{file}", *attack.SMALL_RUN, "--frames", "1", "--algorithm", "cpu_loop"),
    "picture": ("--replay", "{file}", *attack.SMALL_RUN, "--frames", "1", "--algorithm", "cpu_loop"),
    "ghost": ("--settings", "settings.json", *attack.SMALL_RUN, "--frames", "1", "--tab", "timeline"),
    "baseline": ("bench", "--engine", "cpu", "--algorithm", "cpu_loop", "--n", "2^8", "--time-limit", "0.001", "--min-samples",
                 "1", "--baseline", "{file}"),
    "results": ("reproduce", "--merge", "{file}", "--html", "out.html", "--json", "out.json", "--quiet"),
}
PNG_BEGIN = b"\x89PNG\r\n\x1a\n"
TEXT_KINDS = (b"tEXt", b"zTXt", b"zTXt", b"zTXt", b"iTXt", b"IDAT")
BOMBS = (b"", b"\0" * 4096, b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe{}", b"1e999", b'{"run":' + b"9" * 5000 + b"}", b"null",
         b"\xef\xbb\xbf{}", b"frame,algorithm\n" + b"," * 100_000, b'"' + b"\\u0000" * 2000 + b'"')
VALUES = (b"-1", b"0", b"1e309", b"-1e309", b"4294967296", b"18446744073709551616", b"null", b"true", b'""', b'"\\u001b[31m"', b"[]",
          b"{}", b"nan", b"1e-400", b'"/proc/self/mem"', b'"pipe"', b'"' + b"x" * 5000 + b'"')
VALUE = re.compile(rb'-?\d[\d.e+-]*|true|false|null|"[^"\n]*"|(?<=,)[^,\n]*')


def corpus(kind):
    return [file.read_bytes() for file in sorted((CORPUS / kind).iterdir())]


def mutated(random, samples):
    """A sample with some bytes, values or lines changed; now and then something else entirely."""
    if random.random() < 0.05:
        return random.choice(BOMBS)
    data = random.choice(samples)
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        begin, end = sorted(random.randrange(len(data) + 1) for _ in range(2))
        kind = random.randrange(7)
        if kind == 0:  # a changed value
            found = list(VALUE.finditer(data))
            if found:
                value = random.choice(found)
                data = data[:value.start()] + random.choice(VALUES) + data[value.end():]
        elif kind == 1:
            data = data[:begin]
        elif kind == 2:
            data = data[:begin] + data[min(end, begin + 200):]
        elif kind == 3:
            data = data[:begin] + bytes([random.randrange(256)]) + data[begin + 1:]
        elif kind == 4:
            data = data[:end] + data[begin:min(end, begin + 1000)] + data[end:]
        elif kind == 5:
            other = random.choice(samples)
            data = data[:begin] + other[random.randrange(len(other) + 1):]
        else:
            data = data[:begin] + random.choice(VALUES) + data[begin:]
    return data


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def picture_with(random, text):
    """A picture that carries the text: as the program writes it, or with other kinds, many, large or damaged chunks."""
    kind = random.choice(TEXT_KINDS)
    packed = zlib.compress(text + b" " * random.choice((0, 0, 0, 5_000_000)), 1)
    key = random.choice((b"warpsieve", b"warpsieve", b"warpsieve", b"", b"x" * 80))
    chunk = png_chunk(kind, key + {b"tEXt": b"\0" + text, b"zTXt": b"\0\0" + packed, b"iTXt": b"\0\1\0\0\0" + packed,
                                   b"IDAT": packed}[kind])
    sides = struct.pack(">II", *(random.choice((1, 1, 0, 640, 0x7fff_ffff)) for _ in range(2)))
    picture = PNG_BEGIN + png_chunk(b"IHDR", sides + b"\x08\x02\0\0\0") + chunk * random.choice((1, 1, 1, 2, 200)) + png_chunk(b"IEND", b"")
    if random.random() < 0.2:
        at = random.randrange(len(picture))
        picture = picture[:at] + random.choice((b"", bytes([random.randrange(256)]) + picture[at + 1:]))
    return picture


def attack_program(part, kind):
    samples = corpus("replay" if kind == "picture" else kind)

    def attempt(random, folder):
        file = folder / random.choice(("input.json", "input.csv", "input.png", "input"))
        data = mutated(random, samples)
        file.write_bytes(picture_with(random, data) if kind == "picture" else data)
        os.mkfifo(folder / "pipe")
        (folder / "settings.json").write_text(f'{{"ghost": "{file}", "ghost_file": "{file}"}}\n', encoding="utf-8")
        ended = attack.run(["prlimit", f"--data={1 << 30}", part.program, *(word.format(file=file.name) for word in COMMANDS[kind])], folder)
        found = attack.faults_of(ended) + [attack.fault_of_file(folder / name) for name in ("out.html", "out.json")]
        for what in filter(None, found):
            part.find(what, folder, ended)

    part.each(part.count(5000), attempt, label=f"{kind}-")


def build_targets():
    """Builds the libFuzzer targets. Without Clang it takes those built before, as on a bare GPU machine, or skips."""
    if not shutil.which("clang++"):
        if all((BUILD / f"tests/fuzz/fuzz_{target}").exists() for target in TARGETS):
            return
        raise attack.Skipped("clang is not installed: apt-get install clang")
    probe = subprocess.run(["clang++", "-fsanitize=fuzzer,address,undefined", "-x", "c++", "-", "-o", os.devnull], text=True,
                           input='extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }',
                           capture_output=True, check=False)
    if probe.returncode:
        raise attack.Skipped("clang lacks its libFuzzer runtime: apt-get install libclang-rt-dev")
    options = ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++", f"-DCMAKE_CXX_FLAGS={FLAGS}",
               "-DCMAKE_UNITY_BUILD=OFF", "-DCOMPACTION_CUDA=OFF", "-DWARPSIEVE_TESTS=OFF", "-DWARPSIEVE_BENCH=OFF",
               "-DWARPSIEVE_FUZZ=ON", "-DWARPSIEVE_WERROR=OFF"]
    log = BUILD / "build.log"
    BUILD.mkdir(exist_ok=True)
    with open(log, "w", encoding="utf-8") as out:
        built = subprocess.run([attack.ROOT / "scripts/build", BUILD, *options, "--", "fuzz"], stdout=out, stderr=out, check=False)
    if built.returncode:
        print(log.read_text(encoding="utf-8")[-4000:])
        raise SystemExit(f"files: the libFuzzer targets do not build; see {log}")


def fuzz(part, target):
    """Runs one target from its corpus. libFuzzer keeps the input of a find in the folder."""
    folder = part.folder / f"fuzz-{target}"
    grown = folder / "corpus"
    grown.mkdir(parents=True)
    runs = part.count(FUZZ_RUNS)
    command = [BUILD / f"tests/fuzz/fuzz_{target}", f"-runs={runs}", f"-seed={part.seed}", f"-max_len={LONGEST_INPUT}", "-timeout=5",
               "-rss_limit_mb=2048", "-close_fd_mask=3", "-print_final_stats=1", f"-artifact_prefix={folder}/", grown, CORPUS / target]
    # The full run may take hours of one core; what it did until then counts.
    ended = attack.run(command, folder, timeout_s=3600, env={"TMPDIR": "/dev/shm"} if pathlib.Path("/dev/shm").is_dir() else {})
    if made := re.search(r"number_of_executed_units: (\d+)", ended.stderr):
        part.tries += int(made[1])
    if ended.code:
        part.find(f"libFuzzer ended with {ended.code}", folder, ended)
    else:
        shutil.rmtree(folder)


def attack_files(part):
    part.unit = "inputs"
    for kind in COMMANDS:
        attack_program(part, kind)
    if part.only is not None or part.scale < FUZZ_SCALE:
        return
    build_targets()
    part.side_by_side(TARGETS, lambda target: fuzz(part, target))


if __name__ == "__main__":
    attack.main("files", attack_files)
