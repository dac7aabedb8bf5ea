#pragma once

#include <vector>

#include "experiments/published/documents.hpp"
#include "experiments/published/field.hpp"

/// Parts of a document that parse_document() reads. All throw like it.
namespace published {

/// The rows of a search or graph without printed values: one for each length, number of threads, or pair of
/// threads and blocks.
std::vector<Row> rows_of_sweep(const Field& field, std::size_t num_columns);

/// Refuses questions about tables and columns that do not exist.
std::vector<Question> parse_questions(const Field& field, const std::vector<Table>& tables);

std::vector<Gap> parse_gaps(const Field& field);

}  // namespace published
