#!/usr/bin/env python3
"""translate.py FILE.cu OUT.cpp: translates what C++ cannot express in a CUDA file, for the simulated GPU.

It replaces kernel<<<...>>>(...), declarations of shared memory, __noinline__, malloc(), free() and clock(), removes casts of
launched kernels, and registers variables in device memory.
Lines keep their numbers. Files that it includes by quoted names are translated too, into the folder of OUT.cpp."""
import pathlib
import re
import sys

QUALIFIERS = r"(?:(?:static|volatile|const|alignas\s*\([^()]*\)|__align__\s*\([^()]*\))\s+)*"
# A declaration with __shared__ behind the type: extern float __shared__ x[];
BEHIND_TYPE = re.compile(r"((?:^[ \t]*|[;{}]\s*)(?:extern\s+)?" + QUALIFIERS + r")"
                         r"((?!(?:extern|static|volatile|const|__device__)\b)[\w:]+(?:\s+\w+)*(?:\s*<[^;{}()]*>)?[\s*]+)"
                         r"__shared__\b\s*", re.MULTILINE)
DYNAMIC = re.compile(r"\bextern\s+" + QUALIFIERS + r"__shared__\s+([^;{}()\[\]]*(?:\([^()]*\)[^;{}()\[\]]*)??)\b(\w+)\s*\[\s*\]\s*;")
STATIC = re.compile(r"(" + QUALIFIERS + r")\b__shared__\s+([^;{}]*);")
DEVICE = re.compile(r"^([ \t]*(?:static\s+)?__(?:device|constant|managed)__\s+)([^;{}()]*?)(\s*=\s*[^;()]*|\s*\{[^;{}()]*\})?;",
                    re.MULTILINE)
DECLARATOR = re.compile(r"(\w+)\s*((?:\[[^\]]*\]\s*)*)$")
ALIGNMENT = re.compile(r"\b(?:alignas|__align__)\s*\(([^()]*)\)")
# cudaLaunchKernel((void*)kernel, ...): the cast would hide the types of the parameters.
LAUNCH_OF_CAST = re.compile(r"\b(cudaLaunch(?:Cooperative)?Kernel\s*\(\s*)"
                            r"(?:\(\s*(?:const\s+)?void\s*\*\s*\)|reinterpret_cast\s*<\s*(?:const\s+)?void\s*\*\s*>)")
# Calls of malloc() and free(), but not declarations of such functions, nor std::malloc().
HEAP = re.compile(r"((?:[=(,;{})?!]|(?<!:):(?!:)|\breturn\b|\belse\b)\s*)(malloc|free)(?=\s*\()")
# Calls of clock() from <time.h>, which CUDA defines for kernels.
CLOCK = re.compile(r"((?:[-+*/%<&|=(,;{})?!\]]|(?<!-)>|(?<!:):(?!:)|\breturn\b|\belse\b)\s*)clock(?=\s*\(\s*\))")
OPENING, CLOSING = "([{", ")]}"


def without_comments(text):
    """The text with comments and literals as spaces, so that positions stay."""
    pattern = r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'"
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.DOTALL)


def split_at_commas(text):
    """Splits at the commas outside brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in OPENING + "<") - (character in CLOSING + ">")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def variables_in(text):
    """'float a[2][3], b' -> [('a', 'float', '[2][3]'), ('b', 'float', '')]"""
    variables, kind = [], None
    for part in split_at_commas(text):
        found = DECLARATOR.search(part.strip())
        if not found:
            return []
        if kind is None:
            kind = part.strip()[:found.start()].strip()
        variables.append((found[1], kind, found[2].strip()))
    return variables if kind else []


def same_lines(new, old):
    """`new`, followed by newlines until it has as many as `old`."""
    return new + "\n" * (old.count("\n") - new.count("\n"))


def without_alignment(text):
    """The text without an alignment, and the alignment."""
    found = ALIGNMENT.search(text)
    return ALIGNMENT.sub("", text).strip(), found and found[1]


def translate_shared(found, declaration):
    text, alignment = without_alignment(found[1] + found[2])
    variables = variables_in(re.sub(r"\bstatic\b", "", text))
    if not variables:
        return declaration
    macro, argument = ("COMPACTION_ALIGNED_SHARED", f"{alignment}, ") if alignment else ("COMPACTION_SHARED", "")
    return same_lines(" ".join(f"{macro}({name}, {argument}{kind}{size});" for name, kind, size in variables), declaration)


def is_in_function(blank, position):
    """Whether the position is in braces other than those of namespaces."""
    is_scope = []
    for found in re.finditer(r"((?:\bnamespace\b[^;{}()]*|\bextern\s*)?)(\{)|\}", blank[:position]):
        if found[2]:
            is_scope.append(bool(found[1].strip()))
        elif is_scope:
            is_scope.pop()
    return not all(is_scope)


def translate_dynamic_shared(found, declaration):
    kind = without_alignment(found[1])[0]
    alignment = without_alignment(found[0])[1] or 16
    qualifiers = "volatile " if re.search(r"\bvolatile\b.*__shared__", found[0]) else ""
    if not is_in_function(found.string, found.start()):
        return same_lines(f"static const ::compaction::simulated::DynamicShared<{qualifiers}{kind}> {found[2]};",
                          declaration)
    return same_lines(f"COMPACTION_DYNAMIC_SHARED({found[2]}, {alignment}, {qualifiers}{kind});",
                      declaration)


def register_device_variables(found, declaration):
    """Adds a registration to the declaration of variables."""
    variables = variables_in(found[2])
    names = [name for name, _, _ in variables]
    if not names or "," in re.sub(r"\[[^\]]*\]", "", found[2]) and found[3]:
        return declaration
    return declaration + "".join(f" [[maybe_unused]] static const ::compaction::simulated::DeviceVariable "
                                 f"{name}_registered(&{name}, sizeof({name}));" for name in names)


def kernel_begin(text, end):
    """Where the name of the kernel that ends at `end` begins."""
    position = end
    while True:
        while position > 0 and text[position - 1].isspace():
            position -= 1
        if position > 0 and text[position - 1] == ">":
            depth = 0
            while position > 0:
                position -= 1
                depth += (text[position] == ">") - (text[position] == "<")
                if depth == 0:
                    break
        while position > 0 and (text[position - 1].isalnum() or text[position - 1] == "_"):
            position -= 1
        if text[:position].endswith("::"):
            position -= 2
            continue
        return position


def config_end(text, begin):
    """Where the >>> is that ends the configuration."""
    depth = 0
    for position in range(begin, len(text)):
        depth += (text[position] in OPENING) - (text[position] in CLOSING)
        if depth == 0 and text.startswith(">>>", position):
            return position
    return -1


def replace_launches(text):
    while True:
        blank = without_comments(text)
        kernel_end = blank.find("<<<")
        if kernel_end < 0:
            return text
        begin, end = kernel_begin(blank, kernel_end), config_end(blank, kernel_end + 3)
        if end < 0:
            return text
        kernel, config = text[begin:kernel_end].strip(), text[kernel_end + 3:end]
        text = (text[:begin] + f'::compaction::simulated::Launcher("{kernel.split("<")[0].split("::")[-1]}", '
                f"[=](const auto&... arguments) {{ {kernel}(arguments...); }}, {config})"
                + "\n" * text[begin:kernel_end].count("\n") + text[end + 3:])


def replace_all(pattern, replacement, text):
    """Replaces what the pattern finds outside comments and literals."""
    blank = without_comments(text)
    for found in reversed(list(pattern.finditer(blank))):
        text = text[:found.start()] + replacement(found, text[found.start():found.end()]) + text[found.end():]
    return text


def translate(text):
    text = replace_all(BEHIND_TYPE, lambda found, declaration: same_lines(f"{found[1]}__shared__ {found[2]}", declaration), text)
    text = replace_all(DYNAMIC, translate_dynamic_shared, text)
    text = replace_all(STATIC, translate_shared, text)
    text = replace_all(DEVICE, register_device_variables, text)
    text = replace_all(HEAP, lambda found, _: f"{found[1]}::compaction::simulated::DeviceHeap::"
                       f"{'allocate' if found[2] == 'malloc' else 'free'}", text)
    text = replace_all(CLOCK, lambda found, _: f"{found[1]}::compaction::simulated::clock_of_lane_or_host", text)
    text = replace_all(LAUNCH_OF_CAST, lambda found, call: same_lines(found[1], call), text)
    text = replace_all(re.compile(r"\b__noinline__\b"), lambda *_: "[[gnu::noinline]]", text)
    return replace_launches(text)


def translate_file(source, target, begin, translated):
    """Translates the file and those that it includes by quoted names; they lie beside it, and so will their translations."""
    translated.append(source)
    text = source.read_text(encoding="utf-8")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f'{begin}#line 1 "{source}"\n{translate(text)}', encoding="utf-8")
    for name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', text, re.MULTILINE):
        included = source.parent / name
        if ".." not in name and included.is_file() and included not in translated:
            translate_file(included, target.parent / name, "", translated)


def main():
    source, target = map(pathlib.Path, sys.argv[1:])
    translated = []
    translate_file(source, target, "#include <cuda_runtime.h>\n", translated)
    target.with_suffix(".d").write_text(f"{target}: {' '.join(map(str, translated))}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
