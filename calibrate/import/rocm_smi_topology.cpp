// SPDX-License-Identifier: Apache-2.0
// rocm-smi --showtopo and amd-smi topology: hops, weight and type of the link between each two GPUs, in tables that
// are joined into one list of links.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/label_matrix.h"

namespace railyard::import_detail {
namespace {

enum class Table { none, hops, type, other };

// "GPU3" of rocm-smi, "0000:0c:00.0" of amd-smi.
bool rocm_label(std::string_view field) {
  if (field.starts_with("GPU")) return to_count(field.substr(3)).has_value();
  return field.size() == 12 && field[4] == ':' && field[7] == ':' && field[10] == '.';
}

class RocmTopologyReader {
 public:
  explicit RocmTopologyReader(std::string_view text) : lines_(text) {
    run_.tool = "rocm-smi-topo";
    run_.operation = "topology";
  }

  Runs read() {
    while (lines_.next()) read_line(lines_.text());
    finish();
    if (run_.first_line == 0) return {};
    if (run_.links.empty()) run_.refuse(RefusalReason::no_rows, "the tables have no rows", run_.first_line);
    return {std::move(run_)};
  }

 private:
  void read_line(std::string_view line) {
    const Table table = table_of(line);
    if (table != Table::none) {
      finish();
      table_ = table;
      if (run_.first_line == 0) run_.first_line = lines_.number();
      return;
    }
    split_blanks(line, fields_);
    if (matrix_.columns.empty()) {
      matrix_.read_header(fields_, rocm_label, "");
    } else {
      matrix_.read_row(fields_, lines_.number());
    }
  }

  Table table_of(std::string_view line) {
    if (contains(line, "between two GPUs")) {
      run_.layout = "rocm-smi";
      return contains(line, "Hops") ? Table::hops : contains(line, "Link Type") ? Table::type : Table::other;
    }
    if (line.ends_with(" TABLE:")) {
      run_.layout = "amd-smi";
      return line == "HOPS TABLE:" ? Table::hops : line == "LINK TYPE TABLE:" ? Table::type : Table::other;
    }
    return Table::none;
  }

  void finish() {
    if (table_ == Table::hops || table_ == Table::type) join();
    matrix_ = {};
    table_ = Table::none;
  }

  void join() {
    for (std::size_t i = 0; i < matrix_.rows.size(); ++i) {
      for (std::size_t j = 0; j < matrix_.columns.size(); ++j) {
        if (matrix_.rows[i] == matrix_.columns[j]) continue;
        LinkSample& link = find(matrix_.rows[i], matrix_.columns[j], matrix_.lines[i]);
        if (table_ == Table::type) {
          link.kind = matrix_.cells[i][j];
        } else if (const auto hops = to_count(matrix_.cells[i][j]); hops && *hops < 1000) {
          link.hops = static_cast<int>(*hops);
        }
      }
    }
    run_.rows += static_cast<int>(matrix_.rows.size());
    const int row = matrix_.asymmetric_row();
    if (row >= 0) {
      run_.refuse(RefusalReason::inconsistent, "the table is not symmetric",
                  matrix_.lines[static_cast<std::size_t>(row)]);
    }
    if (matrix_.rows.size() < matrix_.columns.size() && !matrix_.rows.empty()) {
      run_.remarks.push_back({fmt::format("{} of {} rows are missing", matrix_.columns.size() - matrix_.rows.size(),
                                          matrix_.columns.size()),
                              matrix_.lines.back()});
    }
  }

  LinkSample& find(const std::string& from, const std::string& to, int line) {
    for (LinkSample& link : run_.links) {
      if (link.from == from && link.to == to) return link;
    }
    if (run_.links.size() < Limits::links) run_.links.push_back({.from = from, .to = to, .line = line});
    return run_.links.back();
  }

  Lines lines_;
  Fields fields_;
  ImportedRun run_;
  LabelMatrix matrix_;
  Table table_ = Table::none;
};

}  // namespace

const Importer rocm_smi_topology{"rocm-smi-topo", "the tables of rocm-smi --showtopo and amd-smi topology",
                                 [](std::string_view text) {
                                   return contains(text, "between two GPUs ===") ||
                                          contains(text, "LINK TYPE TABLE:") || contains(text, "HOPS TABLE:");
                                 },
                                 [](std::string_view text) { return RocmTopologyReader(text).read(); }};

}  // namespace railyard::import_detail
