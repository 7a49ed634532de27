// SPDX-License-Identifier: Apache-2.0
#include "calibrate/import/nccl_table.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace railyard::import_detail {
namespace {

constexpr std::pair<std::string_view, int> type_sizes[] = {
    {"int8", 1},   {"uint8", 1},  {"char", 1},     {"half", 2},     {"bfloat16", 2},    {"float16", 2},
    {"int32", 4},  {"uint32", 4}, {"float", 4},    {"int64", 8},    {"uint64", 8},      {"double", 8},
    {"f8e4m3", 1}, {"f8e5m2", 1}, {"fp8_e4m3", 1}, {"fp8_e5m2", 1}, {"float8_e4m3", 1}, {"float8_e5m2", 1},
};

constexpr std::pair<std::string_view, NcclColumn> column_names[] = {
    {"redop", NcclColumn::reduction},  {"root", NcclColumn::root},       {"time", NcclColumn::time},
    {"cputime", NcclColumn::cpu_time}, {"algbw", NcclColumn::algorithm}, {"busbw", NcclColumn::bus},
    {"error", NcclColumn::error},      {"#wrong", NcclColumn::wrong},
};

// "time(ns)" is the column time; the unit in brackets is looked at apart.
std::string_view bare_name(std::string_view field) { return field.substr(0, field.find('(')); }

bool word(std::string_view field) {
  return !field.empty() && std::isalpha(static_cast<unsigned char>(field.front())) != 0 &&
         field.find('/') > field.size();
}

bool name_like(std::string_view field) {
  return word(field) && std::all_of(field.begin(), field.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
}

// Ranks of "mpirun" output may repeat inside a row: [0] 1024 [0] 256.
bool rank_mark(std::string_view field) {
  return field.size() > 2 && field.front() == '[' && field.back() == ']' &&
         to_count(field.substr(1, field.size() - 2)).has_value();
}

// The place of the type in a row: after two whole numbers.
std::size_t type_place(const Fields& fields) {
  for (std::size_t i = 2; i < fields.size(); ++i) {
    if (nccl_type_size(fields[i]) > 0 && to_count(fields[i - 1]) && to_count(fields[i - 2])) return i;
  }
  return 0;
}

void split_row(std::string_view line, Fields& fields) {
  split_table(line, fields);
  std::erase_if(fields, rank_mark);
}

}  // namespace

int nccl_type_size(std::string_view type) {
  for (const auto& [name, size] : type_sizes) {
    if (name == type) return size;
  }
  return 0;
}

bool NcclHeader::has(NcclColumn column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

std::optional<NcclHeader> read_nccl_header(std::string_view line, Fields& fields) {
  if (line.find("busbw") == std::string_view::npos) return {};
  split_table(line, fields);
  std::size_t at = 0;
  while (at < fields.size() && bare_name(fields[at]) != "size" && bare_name(fields[at]) != "#size") ++at;
  if (at + 3 >= fields.size() || bare_name(fields[at + 1]) != "count" || fields[at + 2] != "type") return {};
  NcclHeader header;
  // One plain word before the size is a column that somebody pasted in; prefixes of launchers are no plain words.
  header.leading_column = at == 1 && name_like(fields[0]);
  for (std::size_t i = at + 3; i < fields.size(); ++i) {
    const std::string_view name = bare_name(fields[i]);
    const auto* const known = std::find_if(std::begin(column_names), std::end(column_names),
                                           [&](const auto& column) { return column.first == name; });
    header.columns.push_back(known == std::end(column_names) ? NcclColumn::other : known->second);
    if (fields[i] == "time(ns)") header.nanoseconds = true;
    if (name.starts_with("i_")) header.per_iteration = true;
  }
  if (!header.has(NcclColumn::time) && !header.has(NcclColumn::cpu_time)) return {};
  return header;
}

std::optional<NcclHeader> guess_nccl_header(std::string_view line, Fields& fields) {
  using enum NcclColumn;
  split_row(line, fields);
  const std::size_t type = type_place(fields);
  if (type == 0 || fields.size() != type + 11 || !word(fields[type + 1])) return {};
  return NcclHeader{.columns = {reduction, root, time, algorithm, bus, wrong, time, algorithm, bus, wrong}};
}

bool begins_nccl_row(std::string_view line, Fields& fields) {
  split_row(line, fields);
  return type_place(fields) > 0;
}

bool read_nccl_row(std::string_view line, const NcclHeader& header, Fields& fields, NcclRow& row) {
  split_row(line, fields);
  const std::size_t type = type_place(fields);
  if (type == 0) return false;
  row = {};
  row.size = *to_count(fields[type - 2]);
  row.count = *to_count(fields[type - 1]);
  row.type = fields[type];
  if (header.leading_column && type >= 3) row.leading = fields[type - 3];

  std::size_t value = type + 1;
  for (const NcclColumn column : header.columns) {
    // all-to-all of 2019 to 2021 leaves the reduction blank.
    if (column == NcclColumn::reduction && value < fields.size() && !word(fields[value])) continue;
    if (value >= fields.size()) return false;
    const std::string_view text = fields[value++];
    const bool opens = column == NcclColumn::time || column == NcclColumn::cpu_time;
    if (opens) row.groups.emplace_back();
    NcclGroup* const group = row.groups.empty() ? nullptr : &row.groups.back();
    const bool figure = opens || column == NcclColumn::algorithm || column == NcclColumn::bus;
    if (figure && (group == nullptr || !to_figure(text))) return false;
    switch (column) {
      case NcclColumn::reduction:
        row.reduction = text;
        break;
      case NcclColumn::root:
        if (text != "-1") row.root = to_count(text);
        break;
      case NcclColumn::time:
      case NcclColumn::cpu_time:
        group->time = text;
        break;
      case NcclColumn::algorithm:
        group->algorithm = text;
        break;
      case NcclColumn::bus:
        group->bus = text;
        break;
      case NcclColumn::wrong:
        if (group != nullptr) group->wrong = text;
        break;
      case NcclColumn::error:
      case NcclColumn::other:
        break;
    }
  }
  return !row.groups.empty() && !row.groups.front().bus.empty();
}

}  // namespace railyard::import_detail
