"""The library's guard pages: every CPU algorithm on memory that ends at, or begins after, a page that cannot be touched."""

import re
import shutil

import attack

FULL_RUN_ROUNDS = 50


def attack_library(part):
    part.unit = "calls"
    test = part.build / "tests/guard_pages_test"
    if not test.exists():
        raise attack.Skipped(f"there is no {test}; run scripts/build first")
    rounds = part.count(FULL_RUN_ROUNDS)
    folder = part.folder / "guard-pages"
    folder.mkdir()
    ended = attack.run([test], folder, timeout_s=600 + 120 * rounds,
                       env={"WARPSIEVE_ATTACK_ROUNDS": str(rounds), "WARPSIEVE_ATTACK_SEED": str(part.seed)})
    part.tries = sum(int(calls) for calls in re.findall(r"^(\d+) calls$", ended.stdout, re.MULTILINE))
    if ended.code:
        part.find(f"the test ended with {ended.code}", folder, ended)
    else:
        shutil.rmtree(folder)


if __name__ == "__main__":
    attack.main("library", attack_library)
