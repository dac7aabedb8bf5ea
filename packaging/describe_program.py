#!/usr/bin/env python3
"""Writes the man page and the completions of bash and zsh from the program's own --help and --list, and from the tables of
docs/reference/command_line.md, so that they cannot drift from them.

    describe_program.py PROGRAM FOLDER

Puts warpsieve.1, warpsieve.bash and _warpsieve into FOLDER.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys

REFERENCE = pathlib.Path(__file__).resolve().parent.parent / "docs/reference/command_line.md"
OPTION = re.compile(r"^  (?P<names>-[\w-]+(?:,--[\w-]+)?)(?P<value> \S.*?)?(?:\s{2,}(?P<text>.*))?$")
COMMAND = re.compile(r"^  warpsieve (?P<name>[a-z-]+)\s{2,}(?P<text>.*)$")
# Positional arguments and faults, under their headings.
TERM = re.compile(r"^  (?P<names>\S.*?)(?:\s{2,}(?P<text>.*))?$")
TERM_HEADINGS = ("Positionals", "Faults of --plant")
# What an option needs or excludes stands behind its value.
CONDITION = re.compile(r"\s*(?:Needs|Excludes): .*")
ALGORITHM_OPTIONS = {"--algorithm", "--b"}
EXAMPLES = [
    ("warpsieve", "Opens the window."),
    ("warpsieve --headless --engine cpu --frames 60 --screenshot frame.png", "Renders 60 frames offscreen, and writes the last one."),
    ("warpsieve bench --n 2^16..2^28:4 --csv results.csv", "Measures every algorithm of this machine at four lengths."),
    ("warpsieve trace single_pass --html page.html", "Plays the kernel on the simulated GPU, lane by lane."),
]


@dataclasses.dataclass
class Option:
    names: list
    value: str
    text: str

    @property
    def takes_a_value(self):
        return bool(CONDITION.sub("", self.value))

    @property
    def takes_a_path(self):
        return self.value.startswith(("FILE", "FOLDER"))

    @property
    def may_lack_its_value(self):
        return "=" in self.value

    @property
    def choices(self):
        """The words that the option takes: {a,b} in its value; or "1 (a), 2 (b)", "a: meaning; b: meaning", or "a, b or c" at the
        end of its text, before its default."""
        if found := re.search(r"\{(.*)\}", self.value):
            return found[1].split(",")
        if names := re.findall(r"\d+ \(([a-z]\w*)\)", self.text):
            return names
        meanings = [re.match(r"([a-z]+): ", part) for part in self.text.split("; ")]
        if len(meanings) > 1 and all(meanings):
            return [meaning[1] for meaning in meanings]
        found = re.search(r": ((?:[\w-]+, )*[\w-]+(?:,| or) [\w-]+)(?:$|\. Default)", self.text)
        return re.split(", | or ", found[1]) if found else []


@dataclasses.dataclass
class Help:
    purpose: str = ""
    arguments: str = ""
    groups: dict = dataclasses.field(default_factory=dict)
    commands: dict = dataclasses.field(default_factory=dict)
    terms: dict = dataclasses.field(default_factory=dict)
    lists: str = ""  # what a LIST may be

    @property
    def options(self):
        return [option for group in self.groups.values() for option in group]

    @property
    def takes_an_algorithm(self):
        return "ALGORITHM" in self.arguments


def read_help(program, *command):
    output = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout
    lines = output.splitlines()
    found = Help(lines[0])
    group = []
    heading = ""
    for line in lines[1:]:
        if line.startswith("Usage: "):
            found.arguments = line.partition(" [OPTIONS]")[2]
        elif heading in TERM_HEADINGS and (term := TERM.match(line)) and line[2] != " ":
            group.append(Option([term["names"].removesuffix(" TEXT REQUIRED")], "", term["text"] or ""))
        elif option := OPTION.match(line):
            group.append(Option(option["names"].split(","), (option["value"] or "").strip(), option["text"] or ""))
        elif known := COMMAND.match(line):
            found.commands[known["name"]] = known["text"]
        elif line.startswith("      ") and group:
            group[-1].text = f"{group[-1].text} {line.strip()}".strip()
        elif line and not line.startswith(" "):
            heading = line.rstrip(":")
            group = (found.terms if heading in TERM_HEADINGS else found.groups).setdefault(heading, [])
    if lists := re.search(r"^Each axis accepts .*?(?=\n\n)", output, re.MULTILINE | re.DOTALL):
        found.lists = lists[0]
    if not found.options:
        sys.exit(f"describe_program: {program} {' '.join(command)} --help lists no options")
    return found


def read_algorithms(program):
    """The ids of --list: compactions, and what bench measures, which are those that have times and the steps."""
    output = subprocess.run([program, "--list"], capture_output=True, text=True, check=True, timeout=60).stdout
    compactions, measured = [], []
    for line in output.splitlines():
        if not line.startswith(" "):
            heading = line
        elif found := re.match(r"  (?:\* )?([a-z]\w+) ", line):
            if " steps" not in heading:
                compactions.append(found[1])
            if not heading.startswith("Simulated"):
                measured.append(found[1])
    return compactions, measured


def words_of(command, help_text, option, algorithms):
    """The words that `option` of `command` takes, as far as they are known."""
    compactions, measured = algorithms
    if option.names[-1] in ALGORITHM_OPTIONS:
        groups = re.search(r", or ([\w, ]+)\. Default", option.text)
        return (measured if command == "bench" else compactions) + (groups[1].split(", ") if groups else [])
    if faults := help_text.terms.get(f"Faults of {option.names[-1]}"):
        return [fault.names[0].partition(",")[0] for fault in faults]
    return option.choices


def read_table(heading):
    """The rows of a section of the reference, without the heads; code and links as plain text."""
    section = REFERENCE.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", section.replace("`", ""))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in plain.splitlines() if line.startswith("| ")]
    if len(rows) < 2:
        sys.exit(f"describe_program: {REFERENCE.name} has no table in {heading!r}")
    return rows[1:]


def roff(text):
    return re.sub(r"^([.'])", r"\\&\1", text.replace("\\", "\\e").replace("-", "\\-"))


def man_options(found):
    for group, options in [*found.groups.items(), *found.terms.items()]:
        if options:
            yield f".SS {roff(group)}"
        for option in options:
            value = f" \\fI{roff(option.value)}\\fR" if option.value else ""
            names = ", ".join(f"\\fB{roff(name)}\\fR" for name in option.names)
            yield from (".TP", names + value, roff(option.text) or "\\&")


def man_page(version, found, commands):
    yield f'.TH WARPSIEVE 1 "" "Warpsieve {version}" "User Commands"'
    yield from (".SH NAME", "warpsieve \\- watch stream compaction at work, and measure it", ".SH SYNOPSIS")
    yield "\\fBwarpsieve\\fR [\\fIOPTION\\fR...]"
    for name, help_of_command in commands.items():
        yield from (".br", f"\\fBwarpsieve {name}\\fR [\\fIOPTION\\fR...]{roff(help_of_command.arguments)}")
    yield from (".SH DESCRIPTION", "Without a command, Warpsieve opens a window that compacts a buffer of particles in every frame.",
                "Where there is no display, it renders offscreen.", ".SH OPTIONS")
    yield from man_options(found)
    for name, help_of_command in commands.items():
        yield from (f".SH WARPSIEVE {name.upper()}", roff(help_of_command.purpose))
        if help_of_command.lists:
            yield from (".PP", "\\fILIST\\fR:")
            for line in help_of_command.lists.splitlines():
                yield from (roff(line.strip()), ".br")
        yield from man_options(help_of_command)
    for heading, title in (("EXIT STATUS", "Exit codes"), ("ENVIRONMENT", "Environment"), ("FILES", "Files")):
        yield f".SH {heading}"
        for term, meaning in read_table(title):
            yield from (".TP", f"\\fB{roff(term)}\\fR", roff(meaning))
    yield ".SH EXAMPLES"
    for command, meaning in EXAMPLES:
        yield from (".TP", f"\\fB{roff(command)}\\fR", roff(meaning))


def bash_completion(found, commands, algorithms):
    def complete(words):
        return f'COMPREPLY+=($(compgen -W "{" ".join(words)}" -- "$word"))'

    yield from ("# Completion of warpsieve for bash.", "_warpsieve() {", '  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}',
                "  COMPREPLY=()", '  case "${COMP_WORDS[1]}:$previous" in')
    for command, help_text in [*commands.items(), ("*", found)]:
        for option in help_text.options:
            if not option.takes_a_value:
                continue
            names = "|".join(f"{command}:{name}" for name in option.names)
            end = '[[ $word == -* ]] || return' if option.may_lack_its_value else "return"
            if words := words_of(command, help_text, option, algorithms):
                yield f"    {names}) {complete(words)}; {end} ;;"
            elif option.takes_a_path:
                yield f'    {names}) COMPREPLY=($(compgen -f -- "$word")); {end} ;;'
            else:
                yield f"    {names}) {end} ;;"
    yield from ("  esac", '  case "${COMP_WORDS[1]}" in')
    for command, help_text in [*commands.items(), ("*", found)]:
        positional = f'; {complete(algorithms[0])}; COMPREPLY+=($(compgen -f -- "$word"))' if help_text.takes_an_algorithm else ""
        yield f"    {command}) {complete(name for option in help_text.options for name in option.names)}{positional} ;;"
    yield "  esac"
    if commands:
        yield f'  [ "$COMP_CWORD" -ne 1 ] || {complete(commands)}'
    yield from ("}", "complete -F _warpsieve warpsieve")


def zsh_arguments(command, help_text, algorithms):
    for option in help_text.options:
        text = re.sub(r"[\[\]':]", " ", option.text)
        action = ""
        # Two colons: the value may be left out.
        colon = "::" if option.may_lack_its_value else ":"
        if words := option.takes_a_value and words_of(command, help_text, option, algorithms):
            action = f"{colon}value:({' '.join(words)})"
        elif option.takes_a_path:
            action = f"{colon}file:_files"
        elif option.takes_a_value:
            action = f"{colon}value:"
        for name in option.names:
            yield f"'{name}[{text}]{action}'"


def zsh_completion(found, commands, algorithms):
    yield from ("#compdef warpsieve", "_warpsieve_algorithm_or_file() {", f"  compadd -- {' '.join(algorithms[0])}", "  _files", "}",
                'case "$words[2]" in')
    for command, help_text in commands.items():
        positional = ["'1: :'", "'2:algorithm or file:_warpsieve_algorithm_or_file'"] if help_text.takes_an_algorithm else []
        yield f"  {command}) _arguments \\\n    " + " \\\n    ".join([*positional, *zsh_arguments(command, help_text, algorithms)]) + " ;;"
    first = [f"'1:command:({' '.join(commands)})'"] if commands else []
    yield "  *) _arguments \\\n    " + " \\\n    ".join([*first, *zsh_arguments("", found, algorithms)]) + " ;;"
    yield "esac"


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    found = read_help(program)
    commands = {name: read_help(program, name) for name in found.commands}
    algorithms = read_algorithms(program)
    for name, lines in (("warpsieve.1", man_page(version, found, commands)), ("warpsieve.bash", bash_completion(found, commands, algorithms)),
                        ("_warpsieve", zsh_completion(found, commands, algorithms))):
        (folder / name).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
