#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compaction/lane_trace.hpp"

/// The kernel view: what the lanes of a kernel do, step by step, beside its source.
namespace warpsieve::kernel_view {

/// The text of a function in a source file.
struct SourceFunction {
    std::string name;
    std::string file;              ///< relative to the project, or as the compiler was given it
    std::uint32_t first_line = 1;  ///< of its declaration, without the comment above it
    std::vector<std::string> lines;

    /// Whether it measures the kernel, such as by time stamps, and is no part of the algorithm.
    bool measures() const { return file.find("/stamp") != std::string::npos; }
    bool has(std::uint32_t line) const { return line >= first_line && line - first_line < lines.size(); }
};

/// The functions that a text defines in namespaces and classes. A lambda is part of the function around it.
std::vector<SourceFunction> find_functions(std::string_view text);

/// A file of the library whose text is built in.
struct EmbeddedSource {
    std::string path;  ///< in the project
    std::string_view text;
};
/// nullopt if no such file is built in. `file`: its path, as the compiler was given it.
std::optional<EmbeddedSource> embedded_source(const std::string& file);

/// Texts of source files, by their paths.
using SourceTexts = std::map<std::string, std::string>;

/// The sources of kernels. Those of the library are built in; others are read from their files. `texts` come
/// before both.
class Sources {
  public:
    explicit Sources(SourceTexts texts = {}) : texts_(std::move(texts)) {}

    /// The function that contains the place; null if its source is not known.
    const SourceFunction* function_at(const compaction::SourceFrame& frame);

    /// The variable that receives the value which a step loads or a collective operation gives: the target
    /// of the assignment at the place. Follows functions that only return the value to their callers. nullopt
    /// if the value is part of a larger expression.
    std::optional<std::string> target_of(const compaction::LaneSite& site,
                                         const std::vector<compaction::SourceFrame>& frames);

  private:
    const std::vector<SourceFunction>& functions_of(const std::string& file);

    SourceTexts texts_;
    std::map<std::string, std::vector<SourceFunction>> functions_;  ///< of files
};

}  // namespace warpsieve::kernel_view
