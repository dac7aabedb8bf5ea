#include "app/kernel_view/source.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "embedded/embedded_kernels.hpp"
#include "platform/files.hpp"

namespace warpsieve::kernel_view {
namespace {

using compaction::LaneSite;
using compaction::LaneStepKind;
using compaction::SourceFrame;

constexpr std::string_view separator = "==== ";
constexpr std::uint64_t max_source_bytes = std::uint64_t{1} << 22;

bool is_identifier(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_space(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

/// The index after the comment, literal or preprocessor line that begins at `i`; `i` if none does.
std::size_t after_non_code(std::string_view text, std::size_t i, bool line_begins) {
    const auto line_end = [&](std::size_t from) { return std::min(text.find('\n', from), text.size()); };
    if (text.substr(i).starts_with("//")) return line_end(i);
    if (text.substr(i).starts_with("/*")) return std::min(text.find("*/", i + 2), text.size() - 2) + 2;
    if (text[i] == '#' && line_begins) {
        std::size_t end = line_end(i);
        while (end < text.size() && text[end - 1] == '\\') end = line_end(end + 1);
        return end;
    }
    // A quote in a number separates its digits.
    if (text[i] != '"' && (text[i] != '\'' || (i > 0 && is_identifier(text[i - 1])))) return i;
    std::size_t end = i + 1;
    while (end < text.size() && text[end] != text[i]) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

/// Replaces comments, literals and preprocessor lines by spaces, so that brackets and operators are code.
std::string code_of(std::string_view text) {
    std::string code(text);
    bool line_begins = true;
    for (std::size_t i = 0; i < code.size(); ++i) {
        const std::size_t end = after_non_code(text, i, line_begins);
        for (std::size_t j = i; j < end; ++j)
            if (code[j] != '\n') code[j] = ' ';
        if (end > i) {
            i = end - 1;
        } else if (text[i] == '\n') {
            line_begins = true;
        } else if (!is_space(text[i])) {
            line_begins = false;
        }
    }
    return code;
}

/// The index after the bracket that closes the one at `open`.
std::size_t after_bracket(std::string_view text, std::size_t open, char opening, char closing) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == opening) ++depth;
        if (text[i] == closing && --depth == 0) return i + 1;
    }
    return text.size();
}

bool begins_with_word(std::string_view text, std::string_view word) {
    return text.starts_with(word) && (text.size() == word.size() || !is_identifier(text[word.size()]));
}

/// The identifier that the text ends with; "" if it ends with something else.
std::string_view last_identifier(std::string_view text) {
    std::size_t begin = text.size();
    while (begin > 0 && is_identifier(text[begin - 1])) --begin;
    return text.substr(begin);
}

std::string_view without_template(std::string_view declaration) {
    declaration = trimmed(declaration);
    while (begins_with_word(declaration, "template"))
        declaration =
            trimmed(declaration.substr(after_bracket(declaration, declaration.find('<'), '<', '>')));
    return declaration;
}

/// Whether the brace after the declaration opens a namespace or a class.
bool opens_scope(std::string_view declaration) {
    declaration = without_template(declaration);
    constexpr std::string_view inline_word = "inline";
    if (begins_with_word(declaration, inline_word))
        declaration = trimmed(declaration.substr(inline_word.size()));
    constexpr std::array words{"namespace", "struct", "class", "union", "extern"};
    return std::ranges::any_of(words, [&](const char* word) { return begins_with_word(declaration, word); });
}

/// Whether the character is the colon of "public:", "private:" or "protected:".
bool ends_access_specifier(std::string_view code, std::size_t i) {
    if (code[i] != ':') return false;
    const std::string_view before = code.substr(0, i);
    return before.ends_with("public") || before.ends_with("private") || before.ends_with("protected");
}

/// The name in a function's declaration; "" if it declares no function.
std::string declared_name(std::string_view declaration) {
    declaration = without_template(declaration);
    constexpr std::array not_names{"__launch_bounds__", "alignas", "decltype", "noexcept", "requires"};
    for (std::size_t open = declaration.find('('); open != std::string_view::npos;
         open = declaration.find('(', open + 1)) {
        const std::string_view before = trimmed(declaration.substr(0, open));
        if (before.ends_with("operator")) return "operator()";
        const std::string_view name = last_identifier(before);
        if (!name.empty() && std::ranges::find(not_names, name) == not_names.end()) return std::string(name);
    }
    return {};
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace

std::optional<EmbeddedSource> embedded_source(const std::string& file) {
    std::string_view all = embedded_kernels::kernel_sources_txt();
    const std::string path = std::filesystem::path(file).lexically_normal().generic_string();
    while (all.starts_with(separator)) {
        const std::size_t line_end = all.find('\n');
        const std::string name(all.substr(separator.size(), line_end - separator.size()));
        const std::size_t end = std::min(all.find("\n" + std::string(separator), line_end), all.size() - 1);
        const std::string_view text = all.substr(line_end + 1, end - line_end);
        if (path == name || path.ends_with('/' + name)) return EmbeddedSource{name, text};
        all.remove_prefix(end + 1);
    }
    return {};
}

namespace {

/// The first index outside of all brackets for which `is` holds; npos if there is none.
template <typename Is>
std::size_t find_outside_brackets(std::string_view text, Is is) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++depth;
        if (text[i] == ')' || text[i] == ']' || text[i] == '}') --depth;
        if (depth == 0 && is(i)) return i;
    }
    return std::string_view::npos;
}

/// The code of the statement at a line of a function, without the conditions and loops around it.
std::string statement_at(const SourceFunction& function, std::uint32_t line) {
    std::string text;
    for (const std::string& each : function.lines) text += each + '\n';
    const std::string code = code_of(text);
    std::size_t at = 0;
    for (std::uint32_t i = function.first_line; i < line; ++i) at = code.find('\n', at) + 1;
    while (at < code.size() && (code[at] == ' ')) ++at;
    while (at > 0 && code[at - 1] != ';' && code[at - 1] != '{' && code[at - 1] != '}') --at;
    std::string_view statement = trimmed(std::string_view(code).substr(at));
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view word : {"for", "if", "while", "else"}) {
            if (!begins_with_word(statement, word)) continue;
            found = true;
            const std::size_t end =
                word == "else" ? word.size() : after_bracket(statement, statement.find('('), '(', ')');
            statement = trimmed(statement.substr(end));
        }
    }
    const std::size_t end =
        find_outside_brackets(statement, [&](std::size_t i) { return statement[i] == ';'; });
    return std::string(statement.substr(0, end));
}

/// The index of the "=" of an assignment or initialisation; npos if there is none.
std::size_t find_assignment(std::string_view text) {
    constexpr std::string_view other_operators = "=<>!+-*/%&|^";
    return find_outside_brackets(text, [&](std::size_t i) {
        return text[i] == '=' && i > 0 && i + 1 < text.size() && text[i + 1] != '=' &&
               other_operators.find(text[i - 1]) == std::string_view::npos;
    });
}

/// The length of a name with its members, elements and calls at the start of the text:
/// "base[i]", "rows.template load<4>(row)".
std::size_t length_of_access(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        if (is_identifier(text[i])) {
            ++i;
        } else if (text[i] == '.' || text.substr(i, 2) == "::" || text.substr(i, 2) == "->") {
            i += text[i] == '.' ? 1 : 2;
            constexpr std::string_view word = "template";
            if (begins_with_word(text.substr(i), word)) i += word.size() + 1;  // and a space
        } else if (text[i] == '[') {
            i = after_bracket(text, i, '[', ']');
        } else if (text[i] == '(') {
            i = after_bracket(text, i, '(', ')');
        } else if (text[i] == '<' && i > 0 && is_identifier(text[i - 1])) {
            const std::size_t end = after_bracket(text, i, '<', '>');
            if (end >= text.size() || text[end] != '(') return i;
            i = end;
        } else {
            return i;
        }
    }
    return i;
}

/// The name of the function in a call, which ends with its arguments; "" if there is none.
std::string_view called_function(std::string_view call) {
    int depth = 0;
    std::size_t open = call.size();
    do {
        if (open == 0) return {};
        --open;
        if (call[open] == ')') ++depth;
        if (call[open] == '(') --depth;
    } while (depth > 0);
    std::string_view callee = call.substr(0, open);
    if (callee.ends_with('>')) callee = callee.substr(0, callee.find('<'));
    return last_identifier(callee);
}

/// Whether the whole expression is one access or one call. `called`: the function that a call must be of;
/// "" for an access of memory.
bool is_value_itself(std::string_view expression, std::string_view called) {
    expression = trimmed(expression);
    const std::size_t question =
        find_outside_brackets(expression, [&](std::size_t i) { return expression[i] == '?'; });
    if (question != std::string_view::npos) {
        const std::string_view condition = expression.substr(0, question);
        if (condition.find_first_of("[*") != std::string_view::npos) return false;
        const std::string_view values = expression.substr(question + 1);
        const std::size_t colon = find_outside_brackets(values, [&](std::size_t i) {
            return values[i] == ':' && values.substr(i, 2) != "::" && (i == 0 || values[i - 1] != ':');
        });
        if (colon == std::string_view::npos) return false;
        // Only one of the two may be the value; the other one is a constant.
        const bool before_colon = is_value_itself(values.substr(0, colon), called);
        const bool after_colon = is_value_itself(values.substr(colon + 1), called);
        return before_colon != after_colon;
    }
    if (expression.starts_with('*')) {
        expression = trimmed(expression.substr(1));
        return called.empty() && !expression.empty() && length_of_access(expression) == expression.size();
    }
    if (expression.empty() || length_of_access(expression) != expression.size()) return false;
    const bool is_call = expression.ends_with(')');
    if (called.empty() && !is_call)
        return expression.ends_with(']') || expression.find("->") != std::string_view::npos;
    if (!is_call) return false;
    const std::string_view callee = called_function(expression);
    if (called.empty()) return callee.starts_with("__ld") || callee.starts_with("atomic");
    if (called == "a vote")
        return callee.starts_with("__ballot") || callee.starts_with("__any") || callee.starts_with("__all");
    return callee == called;
}

/// "item" for "const unsigned item", "batch.item[r]" for "reinterpret_cast<V&>(batch.item[r])".
std::optional<std::string> target_name(std::string_view left) {
    left = trimmed(left);
    if (left.starts_with("reinterpret_cast<") && left.ends_with(')'))
        left = trimmed(left.substr(left.find('(') + 1, left.size() - left.find('(') - 2));
    for (std::size_t begin = 0; begin < left.size(); ++begin) {
        const char before = begin > 0 ? left[begin - 1] : ' ';
        const bool continues_name = is_identifier(before) || before == '.' || before == '>' || before == ':';
        if (!is_identifier(left[begin]) || continues_name) continue;
        const std::string_view name = left.substr(begin);
        if (length_of_access(name) != name.size() || name.ends_with(')')) continue;
        const bool is_dereferenced = trimmed(left.substr(0, begin)) == "*";
        return (is_dereferenced ? "*" : "") + std::string(name);
    }
    return {};
}

}  // namespace

std::vector<SourceFunction> find_functions(std::string_view text) {
    const std::string code = code_of(text);
    const std::vector<std::string> lines = lines_of(text);
    std::vector<SourceFunction> functions;
    std::size_t declaration_begin = 0;
    int parentheses = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i] == '(') ++parentheses;
        if (code[i] == ')') --parentheses;
        if (parentheses > 0) continue;
        if (code[i] == ';' || code[i] == '}' || ends_access_specifier(code, i)) declaration_begin = i + 1;
        if (code[i] != '{') continue;
        const std::string_view declaration =
            std::string_view(code).substr(declaration_begin, i - declaration_begin);
        const bool is_scope = opens_scope(declaration);
        const std::size_t end = is_scope ? i + 1 : after_bracket(code, i, '{', '}');
        const std::string name = is_scope ? "" : declared_name(declaration);
        if (!name.empty()) {
            const std::size_t first = code.find_first_not_of(" \n", declaration_begin);
            const auto first_line = static_cast<std::size_t>(
                std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(first), '\n'));
            const auto last_line = static_cast<std::size_t>(
                std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
            functions.push_back(
                {name,
                 "",
                 static_cast<std::uint32_t>(first_line + 1),
                 {lines.begin() + static_cast<std::ptrdiff_t>(first_line),
                  lines.begin() + static_cast<std::ptrdiff_t>(std::min(last_line + 1, lines.size()))}});
        }
        i = end - 1;
        declaration_begin = end;
    }
    return functions;
}

const std::vector<SourceFunction>& Sources::functions_of(const std::string& file) {
    const auto [found, is_new] = functions_.try_emplace(file);
    if (!is_new || file.empty()) return found->second;
    std::string name = file;
    if (const auto given = texts_.find(file); given != texts_.end()) {
        found->second = find_functions(given->second);
    } else if (const auto source = embedded_source(file)) {
        name = source->path;
        found->second = find_functions(source->text);
    } else if (const platform::FileText read = platform::read_file(file, max_source_bytes);
               read.problem.empty()) {
        found->second = find_functions(read.text);
    }
    for (SourceFunction& function : found->second) function.file = name;
    return found->second;
}

const SourceFunction* Sources::function_at(const SourceFrame& frame) {
    const std::vector<SourceFunction>& functions = functions_of(frame.file);
    const auto found =
        std::ranges::find_if(functions, [&](const SourceFunction& each) { return each.has(frame.line); });
    return found == functions.end() ? nullptr : &*found;
}

std::optional<std::string> Sources::target_of(const LaneSite& site, const std::vector<SourceFrame>& frames) {
    std::string called = site.kind == LaneStepKind::collective_results ? site.name : "";
    for (const SourceFrame& frame : frames) {
        const SourceFunction* const function = function_at(frame);
        if (!function) return {};
        const std::string statement = statement_at(*function, frame.line);
        const std::string_view code = statement;
        constexpr std::string_view return_word = "return";
        if (begins_with_word(code, return_word)) {
            if (!is_value_itself(code.substr(return_word.size()), called)) return {};
            called = function->name;
            continue;
        }
        const std::size_t assignment = find_assignment(code);
        if (assignment == std::string_view::npos || !is_value_itself(code.substr(assignment + 1), called))
            return {};
        return target_name(code.substr(0, assignment));
    }
    return {};
}

}  // namespace warpsieve::kernel_view
