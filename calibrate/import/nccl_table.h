// SPDX-License-Identifier: Apache-2.0
// The table of nccl-tests and its conversions: columns by the header line, rows by shape. Private to the room.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibrate/import/text.h"

namespace railyard::import_detail {

enum class NcclColumn { reduction, root, time, cpu_time, algorithm, bus, error, wrong, other };

/// Columns after size, count and type. Two groups: out of place, in place.
struct NcclHeader {
  std::vector<NcclColumn> columns;
  bool leading_column = false;  // a column pasted before the size
  bool nanoseconds = false;
  bool per_iteration = false;   // i_min, i_max, i_p99, i_cv% follow each group
  bool full_precision = false;  // more digits are printed than the figures are good for (JSON)
  [[nodiscard]] bool has(NcclColumn column) const;
};

/// One placement of a row, as printed. Empty text: the column is missing.
struct NcclGroup {
  std::string_view time, algorithm, bus, wrong;
};

struct NcclRow {
  std::int64_t size = 0, count = 0;
  std::string_view type, reduction, leading;
  std::optional<std::int64_t> root;
  std::vector<NcclGroup> groups;  // one or two
};

/// Reads a header line; nothing when the line is none. `fields` is scratch space, here and below.
[[nodiscard]] std::optional<NcclHeader> read_nccl_header(std::string_view line, Fields& fields);
/// The header a row without one has, when its shape leaves no doubt (2022 and later).
[[nodiscard]] std::optional<NcclHeader> guess_nccl_header(std::string_view line, Fields& fields);
/// Reads a row; false when the line is none or is cut. The row refers to the line.
[[nodiscard]] bool read_nccl_row(std::string_view line, const NcclHeader& header, Fields& fields, NcclRow& row);

/// True when a line begins as a row does, be it whole or not: size, count, type.
[[nodiscard]] bool begins_nccl_row(std::string_view line, Fields& fields);

/// Bytes of one element of an nccl-tests type; 0 for other words.
[[nodiscard]] int nccl_type_size(std::string_view type);

}  // namespace railyard::import_detail
