// SPDX-License-Identifier: Apache-2.0
// Tables that pages publish instead of the output: bandwidth by message size, cluster or GPU count. Times, ranks or
// exact sizes are gone, so they are recognised to be refused.
#include <array>

#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

struct Digest {
  std::string_view mark;     // in the header of the table
  std::string_view second;   // also in it
  std::string_view missing;  // why it is no evidence
};

constexpr std::array digests = {
    Digest{"Message Size (Bytes)", "(GB/s)",
           "sizes are abbreviated (65K may be 64 KiB), and neither times, ranks nor the kind of bandwidth are printed"},
    Digest{"payload", "slowdown",
           "a comparison of two clusters: neither times, ranks nor the kind of bandwidth are printed"},
    Digest{"algo NCCL picks", "busbw", "one figure for each GPU count: neither message size nor time is printed"},
};

const Digest* digest_of(std::string_view line) {
  if (line.find('|') == std::string_view::npos) return nullptr;
  for (const Digest& digest : digests) {
    if (contains(line, digest.mark) && contains(line, digest.second)) return &digest;
  }
  return nullptr;
}

Runs read_collective_digest(std::string_view text) {
  Lines lines(text);
  Fields fields;
  Runs runs;
  while (lines.next()) {
    const std::string_view line = trim(lines.text());
    if (const Digest* const digest = digest_of(line)) {
      if (runs.size() == Limits::runs) break;
      ImportedRun run;
      run.tool = "collective-digest";
      run.layout = "markdown";
      run.first_line = lines.number();
      run.refuse(RefusalReason::summary_only, std::string(digest->missing), lines.number());
      runs.push_back(std::move(run));
    } else if (!runs.empty() && line.starts_with('|') && !contains(line, "---") && first_number(line)) {
      ++runs.back().rows;
    }
  }
  return runs;
}

bool is_collective_digest(std::string_view text) {
  for (const Digest& digest : digests) {
    if (contains(text, digest.mark) && contains(text, digest.second)) return !read_collective_digest(text).empty();
  }
  return false;
}

}  // namespace

const Importer collective_digest{"collective-digest", "published tables of bandwidths; recognised to be refused",
                                 is_collective_digest, read_collective_digest};

}  // namespace railyard::import_detail
