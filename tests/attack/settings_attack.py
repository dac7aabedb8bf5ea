"""Two windows with one settings file and random keys: what only one of them changed is in the file at the end."""

import contextlib
import json
import time

import attack

# Keys that set the same; each window has groups of its own, so that the last value of each setting is known.
GROUPS = (tuple("12347"), ("a",), ("v",), ("g", "shift+g"), ("x",), ("b",), ("h",), ("l",), ("bracketright",), ("minus",), ("ctrl+equal",))
KEYS_PER_WINDOW = 12
# Where the file says "automatic", a run tells what that is now.
RESOLVED = ("options", "b", "slots", "iterations", "algorithm", "window")
SMALL = ("--engine", "cpu", "--slots", "2^12", "--size", "900x600")


def values_of(settings, group=""):
    """Each setting by its key, except those that a run resolves."""
    values = {}
    for name, value in settings.items():
        if isinstance(value, dict):
            values |= values_of(value, f"{group}{name}.")
        elif (group + name).split(".")[0] not in RESOLVED:
            values[group + name] = value
    return values


def settings_after(opened):
    """The settings at the end of a window, from its report."""
    return values_of(json.loads((opened.folder / "run.json").read_text(encoding="utf-8"))["settings"])


def lost(before, first, second, merged):
    """The settings whose value in the file neither window explains."""
    for key in sorted(before):
        allowed = {json.dumps(after[key]) for after in (first, second) if after[key] != before[key]} or {json.dumps(before[key])}
        if json.dumps(merged[key]) not in allowed:
            yield f"{key} is {merged[key]} in the file; {before[key]} before, {first[key]} and {second[key]} in the windows"


def attack_settings(part):
    part.unit = "keys"
    window = attack.required_window_module(part)

    def attempt(random, folder):
        folders = [folder / name for name in ("before", "first", "second")]
        for each in folders:
            (each / "home").mkdir(parents=True)
        shared = folders[1] / "settings.json"
        (folders[2] / "settings.json").symlink_to(shared)
        with contextlib.ExitStack() as stack:
            def opened(where):
                display = stack.enter_context(window.display((1024, 700)))
                return stack.enter_context(window.Window(display, where, *SMALL, "--json", "run.json"))

            known = opened(folders[0])
            known.quit()
            shared.write_bytes((folders[0] / "settings.json").read_bytes())
            windows = [opened(where) for where in folders[1:]]
            groups = random.sample(GROUPS, len(GROUPS))
            half = len(groups) // 2
            keys = {each: [key for group in own for key in group] for each, own in zip(windows, (groups[:half], groups[half:]))}
            for _ in range(KEYS_PER_WINDOW):
                for each in random.sample(windows, 2):
                    each.press(*random.choice(keys[each]).split("+"))
                    time.sleep(random.choice((0, 0, 0.1, 1.2)))  # settings are written a second after a change
            codes = [each.quit() for each in windows]
            merged = values_of(json.loads(shared.read_text(encoding="utf-8")))
            wrong = [f"exit code {code}" for code in codes if code]
            wrong += lost(values_of(json.loads((folders[0] / "settings.json").read_text(encoding="utf-8"))), *map(settings_after, windows), merged)
            for what in wrong:
                part.find(what, folder, attack.Ended(["warpsieve", *SMALL], max(codes), "", windows[0].messages(), 0))
        return 2 * KEYS_PER_WINDOW

    part.each(part.count(50), attempt)


if __name__ == "__main__":
    attack.main("settings", attack_settings)
