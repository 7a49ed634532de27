// SPDX-License-Identifier: Apache-2.0
// nccom-test of AWS Neuron looks like nccl-tests, but measures Trainium and Inferentia: no evidence for GPUs.
#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

constexpr std::string_view time_column = "time:avg(us)";

Runs read_nccom_test(std::string_view text) {
  Lines lines(text);
  Fields fields;
  ImportedRun run;
  run.tool = "nccom-test";
  while (lines.next()) {
    if (contains(lines.text(), time_column) && run.first_line == 0) {
      run.first_line = lines.number();
    } else if (run.first_line > 0) {
      // size count type time algbw busbw
      split_blanks(lines.text(), fields);
      if (fields.size() == 6 && to_count(fields[0]) && to_count(fields[1]) && to_figure(fields[5])) ++run.rows;
    }
  }
  run.refuse(RefusalReason::not_a_gpu, "nccom-test measures Trainium or Inferentia, no GPU", run.first_line);
  return {run};
}

}  // namespace

const Importer nccom_test{"nccom-test", "collectives of AWS Neuron; recognised to be refused",
                          [](std::string_view text) { return contains(text, time_column); }, read_nccom_test};

}  // namespace railyard::import_detail
