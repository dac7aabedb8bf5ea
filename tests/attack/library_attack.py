"""The library's guard pages: every CPU algorithm on memory that ends at, or begins after, a page that cannot be touched."""

import re

import attack

FULL_RUN_ROUNDS = 50


def attack_library(part):
    part.unit = "calls"
    test = part.build / "tests/guard_pages_test"
    if not test.exists():
        raise attack.Skipped(f"there is no {test}; run scripts/build first")

    def attempt(random, folder):
        ended = attack.run([test], folder, timeout_s=900,
                           env={"WARPSIEVE_ATTACK_SEED": str(random.randrange(1 << 31))})
        if ended.code:
            part.find(f"the test ended with {ended.code}", folder, ended)
        return sum(int(calls) for calls in re.findall(r"^(\d+) calls$", ended.stdout, re.MULTILINE))

    part.each(part.count(FULL_RUN_ROUNDS), attempt)


if __name__ == "__main__":
    attack.main("library", attack_library)
