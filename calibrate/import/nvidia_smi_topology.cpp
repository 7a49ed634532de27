// SPDX-License-Identifier: Apache-2.0
// nvidia-smi topo -m: how GPUs and adapters of a node are joined (NV18, PIX, PXB, PHB, NODE, SYS).
#include <fmt/format.h>

#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/label_matrix.h"

namespace railyard::import_detail {
namespace {

// GPU0, NIC0, mlx5_0, ibp26s0, rocep12s0: a letter first and a digit in it.
bool device_label(std::string_view field) {
  const char first = field.empty() ? '0' : field.front();
  const bool letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
  return letter && field.find_first_of("0123456789") != std::string_view::npos;
}

bool connection(std::string_view cell) {
  for (const std::string_view known : {"SYS", "NODE", "PHB", "PXB", "PIX", "OK", "N/A"}) {
    if (cell == known) return true;
  }
  return cell.starts_with("NV") && to_count(cell.substr(2));
}

void add_links(ImportedRun& run, const LabelMatrix& matrix) {
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    for (std::size_t j = 0; j < matrix.columns.size(); ++j) {
      const std::string& cell = matrix.cells[i][j];
      if (matrix.rows[i] == matrix.columns[j]) continue;
      if (!connection(cell)) {
        run.refuse(RefusalReason::inconsistent, fmt::format("'{}' is no kind of connection", cell), matrix.lines[i]);
      }
      run.links.push_back({.from = matrix.rows[i], .to = matrix.columns[j], .kind = cell, .line = matrix.lines[i]});
    }
    ++run.rows;
  }
}

class NvidiaTopologyReader {
 public:
  explicit NvidiaTopologyReader(std::string_view text) : lines_(text) {}
  Runs read() {
    while (lines_.next()) {
      split_blanks(lines_.text(), fields_);
      if (!fields_.empty() && fields_[0] == "GPU0" && fields_.size() > 2 && fields_[1].starts_with("GPU")) {
        finish();
        if (matrix_.read_header(fields_, device_label, "CPU")) start_ = lines_.number();
      } else {
        matrix_.read_row(fields_, lines_.number());
      }
    }
    finish();
    return std::move(runs_);
  }

 private:
  void finish() {
    // rocm-smi has the same labels, but a number or a name of a bus in its cells.
    const bool ours = !matrix_.rows.empty() && matrix_.cells[0][0] == "X";
    if (ours && runs_.size() < Limits::runs) {
      ImportedRun run;
      run.tool = "nvidia-smi-topo";
      run.operation = "topology";
      run.first_line = start_;
      add_links(run, matrix_);
      if (run.links.empty()) run.refuse(RefusalReason::no_rows, "the matrix has no links", start_);
      if (const int row = matrix_.asymmetric_row(); row >= 0) {
        run.refuse(RefusalReason::inconsistent, "the matrix is not symmetric",
                   matrix_.lines[static_cast<std::size_t>(row)]);
      }
      if (matrix_.rows.size() < matrix_.columns.size()) {
        run.remarks.push_back({fmt::format("{} of {} rows are missing", matrix_.columns.size() - matrix_.rows.size(),
                                           matrix_.columns.size()),
                               matrix_.lines.back()});
      }
      runs_.push_back(std::move(run));
    }
    matrix_ = {};
  }

  Lines lines_;
  Fields fields_;
  LabelMatrix matrix_;
  Runs runs_;
  int start_ = 0;
};

}  // namespace

const Importer nvidia_smi_topology{
    "nvidia-smi-topo", "the matrix of nvidia-smi topo -m",
    [](std::string_view text) { return contains(text, "GPU1") && contains(text, "CPU Affinity"); },
    [](std::string_view text) { return NvidiaTopologyReader(text).read(); }};

}  // namespace railyard::import_detail
