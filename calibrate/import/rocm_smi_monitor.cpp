// SPDX-License-Identifier: Apache-2.0
// The concise table of rocm-smi: temperatures, power and clocks of a moment.
#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

constexpr std::string_view title_line = "= Concise Info =";

Runs read_rocm_smi_monitor(std::string_view text) {
  Lines lines(text);
  Fields fields;
  ImportedRun run;
  run.tool = "rocm-smi";
  while (lines.next()) {
    if (contains(lines.text(), title_line) && run.first_line == 0) run.first_line = lines.number();
    split_blanks(lines.text(), fields);
    if (run.first_line > 0 && !fields.empty() && to_count(fields[0]) && contains(lines.text(), "Mhz")) ++run.rows;
  }
  run.refuse(RefusalReason::not_a_benchmark, "rocm-smi shows the state of a moment, not a measurement", run.first_line);
  return {run};
}

}  // namespace

const Importer rocm_smi_monitor{"rocm-smi", "the state rocm-smi shows; recognised to be refused",
                                [](std::string_view text) { return contains(text, title_line); },
                                read_rocm_smi_monitor};

}  // namespace railyard::import_detail
