// SPDX-License-Identifier: Apache-2.0
// nccl-tests and rccl-tests, text: every layout since 2019, behind any launcher's prefixes, many runs in one file.
#include <fmt/format.h>

#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/nccl_run.h"

namespace railyard::import_detail {
namespace {

// The parts of a run in the order in which they are printed; a part that comes too late begins the next run.
enum class Part { nothing, version, starting, settings, devices, header, rows, check, average, concluded };

class NcclTestsReader {
 public:
  explicit NcclTestsReader(std::string_view text) : lines_(text) {}

  Runs read() {
    while (lines_.next()) {
      if (!lines_.text().empty()) read_line(lines_.text());
    }
    finish();
    if (runs_.empty()) {
      ImportedRun run;
      run.tool = "nccl-tests";
      if (!error_.empty()) run.refuse(RefusalReason::run_failed, "no table: " + error_, error_line_);
      run.refuse(RefusalReason::no_rows, "no table: the run never started", 0);
      runs_.push_back(std::move(run));
    }
    return std::move(runs_);
  }

 private:
  void read_line(std::string_view line) {
    if (header_ && read_nccl_row(line, *header_, fields_, row_)) return add_row();
    if (contains(line, "Rank") && contains(line, " device ")) return read_device(line);
    if (auto header = read_nccl_header(line, fields_)) return read_header(std::move(*header));
    if (read_comment(line)) return;
    if (header_) return note_cut_row(line);
    // Excerpts may begin below the header.
    if (auto header = guess_nccl_header(line, fields_); header && read_nccl_row(line, *header, fields_, row_)) {
      header_ = std::move(header);
      part_ = Part::header;
      add_row();
    }
  }

  bool read_comment(std::string_view line) {
    if (contains(line, "nThread ") && contains(line, "minBytes")) return read_settings(line), true;
    if (const auto name = rest_after(line, "Collective test starting:")) {
      enter(Part::starting);
      run_.run.operation = nccl_operation(*name);
      mark_layout("L2b");
      return true;
    }
    if (const auto name = rest_after(line, "Collective test concluded:")) {
      if (run_.run.operation.empty()) run_.run.operation = nccl_operation(*name);
      mark_layout("L2b");
      part_ = Part::concluded;
      return true;
    }
    if (const auto version = rest_after(line, "# nccl-tests version ")) {
      enter(Part::version);
      split_blanks(*version, fields_);
      if (!fields_.empty()) run_.run.version = fields_[0];
      for (const std::string_view field : fields_) {
        if (field.starts_with("nccl-library=")) run_.run.software = "NCCL " + std::string(field.substr(13));
      }
      mark_layout("L3");
      return true;
    }
    if (const auto version = rest_after(line, "rccl-tests: Version ")) {
      run_.run.tool = "rccl-tests";
      run_.run.version = *version;
      return true;
    }
    if (contains(line, "Errors with asterisks")) return run_.run.tool = "rccl-tests", true;
    if (contains(line, "Out of bounds values")) return read_check(line), true;
    if (contains(line, "Avg bus bandwidth")) return part_ = Part::average, true;
    return read_surroundings(line);
  }

  // Lines of the launcher, the library and failing tests.
  bool read_surroundings(std::string_view line) {
    if (const std::size_t at = line.find("NCCL version "); at != std::string_view::npos) {
      split_blanks(line.substr(at + 13), fields_);
      if (!fields_.empty()) run_.run.software = fmt::format("NCCL {}", fields_[0]);
    } else if (const std::size_t program = line.find("_perf"); program != std::string_view::npos) {
      std::size_t start = program;
      while (start > 0 && (line[start - 1] == '_' || (line[start - 1] >= 'a' && line[start - 1] <= 'z'))) --start;
      if (const std::string name = nccl_operation(line.substr(start)); !name.empty()) command_ = name;
    } else if (contains(line, "Test NCCL failure") || contains(line, "Test CUDA failure") ||
               contains(line, "Test HIP failure")) {
      run_.failure = {RefusalReason::run_failed, std::string(trim(line)), lines_.number()};
    } else if (error_.empty() && (contains(line, "failed") || contains(line, "error:") || contains(line, "EOF"))) {
      error_ = trim(line);
      error_line_ = lines_.number();
    } else {
      return false;
    }
    return true;
  }

  void read_settings(std::string_view line) {
    // Two processes may print their settings before either prints more.
    if (part_ != Part::settings) enter(Part::settings);
    run_.threads = count_after(line, "nThread ").value_or(0);
    run_.gpus = count_after(line, "nGpus ").value_or(0);
    run_.run.iterations = count_after(line, " iters: ").value_or(0);
    // " iters: " first stands in "warmup iters: 5 iters: 20".
    if (const auto after = rest_after(line, "warmup iters:")) {
      run_.run.iterations = count_after(*after, " iters:").value_or(0);
    }
    if (contains(line, " unalign:")) mark_layout("L4");
  }

  // "#  Rank  0 Group  0 Pid 2614280 on node01 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3"
  void read_device(std::string_view line) {
    NcclDevice device{.line = lines_.number()};
    const auto rank = count_after(line, "Rank ");
    const auto host = rest_after(line, " on ");
    const auto number = count_after(line, " device ");
    if (!rank || !host || !number || *rank > 10'000'000) return;
    enter(Part::devices);
    device.rank = *rank;
    device.device = *number;
    device.host = trim(host->substr(0, host->find(" device ")));
    if (const std::size_t open = line.rfind(" ["); open != std::string_view::npos) {
      const std::size_t close = line.find(']', open);
      if (close == std::string_view::npos) return;
      device.bus_id = line.substr(open + 2, close - open - 2);
      device.name = trim(line.substr(close + 1));
    }
    if (run_.devices.size() < Limits::devices) run_.devices.push_back(std::move(device));
  }

  void read_header(NcclHeader header) {
    if (part_ != Part::header) enter(Part::header);
    if (header.has(NcclColumn::error)) {
      run_.run.layout = "L0-L1";
    } else if (header.per_iteration) {
      mark_layout("L4");
    } else if (!header.has(NcclColumn::algorithm)) {
      run_.run.layout = "lookup-csv";
    } else {
      mark_layout(contains(lines_.text(), "busbw,") ? "csv" : "L2");
    }
    header_ = std::move(header);
  }

  void add_row() {
    if (part_ < Part::header || part_ > Part::rows || row_.leading != leading_) {
      // A table goes on after a footer only when its header was cut: another excerpt.
      NcclHeader header = *header_;
      const std::string layout = run_.run.layout;
      if (part_ > Part::rows || run_.run.rows > 0) finish();
      header_ = std::move(header);
      if (run_.run.layout.empty()) run_.run.layout = layout;
      leading_ = row_.leading;
    }
    begin();
    part_ = Part::rows;
    mark_layout("L2");
    add_nccl_row(run_, row_, *header_, lines_.number());
  }

  void note_cut_row(std::string_view line) {
    if (!begins_nccl_row(line, fields_)) return;
    if (run_.cut_rows++ == 0) run_.cut_line = lines_.number();
  }

  void read_check(std::string_view line) {
    part_ = Part::check;
    if (!contains(line, "FAILED")) return;
    run_.failure = {RefusalReason::wrong_results, "the tool says: " + std::string(trim(line)), lines_.number()};
  }

  // A newer layout says more; the first mark of an older one stands until then.
  void mark_layout(std::string_view layout) {
    std::string& mark = run_.run.layout;
    if (mark.empty() || (mark[0] == 'L' && layout[0] == 'L' && mark != "L0-L1" && mark < layout)) mark = layout;
  }

  void enter(Part part) {
    if (part_ > part || (part_ == part && part != Part::devices)) finish();
    part_ = part;
    begin();
  }

  void begin() {
    if (run_.run.first_line == 0) run_.run.first_line = lines_.number();
  }

  void finish() {
    const bool started = part_ >= Part::starting || run_.run.rows > 0;
    if (started && runs_.size() < Limits::runs) {
      if (run_.run.operation.empty()) run_.run.operation = command_;
      if (run_.run.tool.empty()) run_.run.tool = "nccl-tests";
      conclude_nccl_run(run_);
      runs_.push_back(std::move(run_.run));
    }
    run_ = {};
    header_.reset();
    leading_.clear();
    part_ = Part::nothing;
  }

  Lines lines_;
  Fields fields_;
  NcclRow row_;
  Runs runs_;
  NcclRun run_;
  std::optional<NcclHeader> header_;
  Part part_ = Part::nothing;
  std::string leading_;  // of the pasted column
  std::string command_;  // the test named by the last command line
  std::string error_;
  int error_line_ = 0;
};

bool is_nccl_tests(std::string_view text) {
  for (const std::string_view mark : {"# Out of bounds values", "Collective test ", "# nccl-tests version",
                                      "rccl-tests: Version", "NCCL_TESTS_", "minBytes "}) {
    if (contains(text, mark)) return true;
  }
  // Excerpts may hold nothing but the table.
  Fields fields;
  std::size_t at = 0;
  for (int i = 0; i < 64 && (at = text.find("busbw", at)) != std::string_view::npos; ++i) {
    const std::size_t start = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(start, end - start);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.size() <= Limits::line && read_nccl_header(line, fields)) return true;
    at = end;
  }
  return false;
}

}  // namespace

const Importer nccl_tests{"nccl-tests", "NCCL and RCCL collectives as nccl-tests and rccl-tests print them, since 2019",
                          is_nccl_tests, [](std::string_view text) { return NcclTestsReader(text).read(); }};

}  // namespace railyard::import_detail
