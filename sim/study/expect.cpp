// SPDX-License-Identifier: Apache-2.0
#include "sim/study/expect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/diagnostic.h"
#include "base/files.h"
#include "base/nearest_name.h"
#include "sim/study/collective_figures.h"

namespace railyard {
namespace {

// Messages from here on are judged by bandwidth; a log without any is judged by time.
constexpr double bandwidth_bytes = 16777216;
// The law predicts bandwidth within this much in nine of ten published runs above 256 MiB, and time of small messages
// within as much again of what sites differ by.
constexpr double bandwidth_band = 0.2, latency_band = 0.6;
// A fault explains a run when it leaves at most this share of the misfit, and less than the band.
constexpr double explains = 0.5;
// A later hypothesis has to fit better by this much: those that come first are the commoner.
constexpr double clearly = 0.02;

/// The server such GPUs usually stand in: published clusters of the shipped measurements.
struct UsualServer {
  std::string_view machine;
  int nics = 8;
  double gigabits = 400;
};
constexpr std::array<UsualServer, 8> usual_servers{{{"a100", 8, 200},
                                                    {"h100", 8, 400},
                                                    {"h800", 8, 400},
                                                    {"gh200", 4, 200},
                                                    {"b200", 8, 400},
                                                    {"gb200", 4, 400},
                                                    {"mi300x", 8, 400},
                                                    {"mi355x", 8, 400}}};

/// A cluster with one thing wrong.
struct Hypothesis {
  std::string name;
  fit::CollectiveRun run;
  CollectiveSpeeds speeds;
};

/// Names that logs give GPUs, reduced to those of the tables: "NVIDIA H100 80GB HBM3".
const CollectiveMachine& machine_of(const std::string& gpu) {
  const CollectiveMachine* machine = machine_named(gpu);
  if (machine == nullptr) {
    const std::vector<std::string> names = gpu_word_names();
    throw InputError(fmt::format("no measurements of '{}'", gpu),
                     fmt::format("--gpu with one of {}", fmt::join(names, ", ")));
  }
  return *machine;
}

/// To the digits that tables and logs print.
bool same(double a, double b) { return std::fabs(a / b - 1) < 1e-5; }

/// Sources of the shipped table that hold this run: at least half of its sizes with the same times.
std::set<std::string> copies(const std::vector<MeasuredRun>& table, const ImportedRun& run, int ranks) {
  std::map<std::string, int> found;
  int sizes = 0;
  for (const CollectiveSample& sample : run.collectives) {
    if (sample.placement != BufferPlacement::out_of_place) continue;
    ++sizes;
    std::set<std::string> here;
    for (const MeasuredRun& each : table) {
      if (each.run.ranks == ranks && same(each.run.bytes, sample.size.in(byte)) &&
          same(each.run.seconds, sample.time.in(second))) {
        here.insert(each.source);
      }
    }
    for (const std::string& source : here) ++found[source];
  }
  std::set<std::string> result;
  for (const auto& [source, count] : found) {
    if (2 * count >= sizes) result.insert(source);
  }
  return result;
}

std::vector<MeasuredRun> shipped_runs(const Catalogue& catalogue) {
  const std::string name = catalogue.measured_collectives().string();
  std::vector<MeasuredRun> runs;
  for (const CsvRecord& record : parse_csv(read_file(name), name).records) {
    std::variant<MeasuredRun, LeftOutRun> read = read_measured_run(record);
    if (auto* run = std::get_if<MeasuredRun>(&read)) runs.push_back(std::move(*run));
  }
  return runs;
}

/// "226 published figures".
std::string sources_of(const CollectiveFigures& figures, const std::string& network) {
  if (network.empty()) {
    return figures.scale_up == FiguresFrom::library ? "the library's constants"
                                                    : fmt::format("{} published figures", figures.inside);
  }
  switch (figures.scale_out) {
    case FiguresFrom::others:
      return fmt::format("{} published figures inside, {} over the network", figures.inside, figures.outside);
    case FiguresFrom::other_gpus:
      return fmt::format("{} published figures inside, {} of {} over the network", figures.inside, figures.outside,
                         figures.network_of->name);
    case FiguresFrom::library:
      break;
  }
  return fmt::format("the library's constants for the network, {} published figures inside", figures.inside);
}

/// Median of |log(measured / predicted)| over the rows that are judged.
double misfit(const ImportedRun& run, const fit::CollectiveRun& shape, const CollectiveSpeeds& speeds, double least) {
  std::vector<double> misses;
  for (const CollectiveSample& sample : run.collectives) {
    if (sample.placement != BufferPlacement::out_of_place || sample.size.in(byte) < least) continue;
    fit::CollectiveRun one = shape;
    one.bytes = sample.size.in(byte);
    misses.push_back(std::fabs(std::log(sample.time.in(second) / fit::predict(one, speeds).seconds)));
  }
  return fit::median(misses);
}

/// Of the network between domains.
void network_faults(std::vector<Hypothesis>& result, const fit::CollectiveRun& run, const CollectiveSpeeds& speeds) {
  const auto nics_left = [&](int left, std::string name) {
    if (left < 1 || left >= run.ports) return;
    fit::CollectiveRun fewer = run;
    fewer.ports = left;
    result.push_back({std::move(name), fewer, speeds});
  };
  nics_left(run.ports - 1, fmt::format("one NIC of {} a node is missing", run.ports));
  nics_left(1, fmt::format("only one of {} NICs a node is used", run.ports));
  const auto at_share = [&](double share, std::string name) {
    fit::CollectiveRun slower = run;
    slower.port *= share;
    result.push_back({std::move(name), slower, speeds});
  };
  const std::string_view pair = run.collective == Collective::send_receive
                                    ? ", or the library gives a pair too few channels (no test of the line rate)"
                                    : "";
  at_share(0.5,
           fmt::format("the NICs move half of their rate: no GPUDirect RDMA (data bounce through host memory), half "
                       "of the NICs idle, a slow rail that all others wait for, or two flows hashed onto one "
                       "uplink (ECMP){}",
                       pair));
  at_share(1.0 / 3, "the NICs move a third of their rate: three flows hashed onto one uplink (ECMP)");
  at_share(0.25, "the NICs move a quarter of their rate: trained to a lower speed, or TCP sockets instead of RDMA");
  CollectiveSpeeds late = speeds;
  late.scale_out_hop *= 4;
  late.message_gap *= 4;
  result.push_back(
      {"each step over the network starts late: proxy threads starve (CPU affinity), or no GPUDirect for "
       "small messages",
       run, late});
}

std::vector<Hypothesis> faults(const fit::CollectiveRun& run, const CollectiveSpeeds& speeds,
                               const CollectiveMachine& machine) {
  std::vector<Hypothesis> result;
  const bool reduces = run.collective == Collective::all_reduce;
  if (reduces && speeds.reduction > 0) {
    fit::CollectiveRun ring = run;
    ring.enabled.nvls = false;
    result.push_back(
        {"a ring or tree runs where NVLS should: reduction in the NVLink switches is off "
         "(NCCL_NVLS_ENABLE, fabric manager, multicast)",
         ring, speeds});
  }
  if (run.domains > 1) {
    network_faults(result, run, speeds);
    return result;  // a node without its links shows in a run on that node alone
  }
  // Links of PCIe generations 5 and 4, x16, after headers: what peers reach without NVLink or xGMI.
  for (const auto& [rate, name] : {std::pair(48e9, "PCIe Gen5"), std::pair(24e9, "PCIe Gen4")}) {
    CollectiveSpeeds slow = speeds;
    slow.ring = slow.link = rate;
    slow.mesh = false;
    slow.reduction = 0;
    result.push_back(
        {fmt::format("traffic inside the node takes {} instead of {}", name, machine.mesh ? "xGMI" : "NVLink"), run,
         slow});
  }
  return result;
}

std::string percent(double ratio) { return fmt::format("{:.0f} %", 100 * ratio); }

/// Verdict and reason of a run whose rows are filled.
void judge(ExpectedRun& judged, const ImportedRun& log, const fit::CollectiveRun& shape, const CollectiveSpeeds& speeds,
           const CollectiveMachine& machine) {
  std::vector<double> bulk, all;
  for (const ExpectedRow& row : judged.rows) {
    all.push_back(row.ratio());
    if (row.bytes >= bandwidth_bytes) bulk.push_back(row.ratio());
  }
  const bool by_bandwidth = !bulk.empty();
  const double ratio = fit::median(by_bandwidth ? bulk : all);
  judged.ratio = ratio;
  const double band = by_bandwidth ? bandwidth_band : latency_band;
  const std::string what =
      by_bandwidth ? fmt::format("bus bandwidth from 16 MiB on is {} of the expected (median)", percent(ratio))
                   : fmt::format("small messages take {:.1f} times the expected time (median)", 1 / ratio);
  if (ratio > 1 + band) {
    judged.verdict = Expectation::faster;
    judged.reason = what + ": check the GPU and the NICs it was judged by";
    return;
  }
  if (ratio >= 1 - (by_bandwidth ? band : band / (1 + band))) {
    judged.verdict = Expectation::as_expected;
    judged.reason = what;
    return;
  }
  judged.verdict = Expectation::slow;
  const double least = by_bandwidth ? bandwidth_bytes : 0;
  const double whole = misfit(log, shape, speeds, least);
  const Hypothesis* best = nullptr;
  double best_misfit = whole;
  const std::vector<Hypothesis> candidates = faults(shape, speeds, machine);
  for (const Hypothesis& fault : candidates) {
    const double with = misfit(log, fault.run, fault.speeds, least);
    if (with < best_misfit - clearly) {
      best = &fault;
      best_misfit = with;
    }
  }
  judged.reason = what + "; ";
  judged.reason += best != nullptr && best_misfit < explains * whole && best_misfit < (by_bandwidth ? 0.25 : 0.5)
                       ? "it looks as if " + best->name
                       : std::string("no single fault that is known explains it");
}

/// What the command line says must not contradict the log.
void check_context(const ImportedRun& log, const std::string& file, const ExpectContext& context) {
  const std::string_view asked = gpu_word(context.gpu), logged = gpu_word(log.gpu);
  if (!asked.empty() && !logged.empty() && asked != logged) {
    throw InputError(fmt::format("--gpu {}: {} line {} names the GPU '{}'", context.gpu, file, log.first_line, log.gpu),
                     "leave --gpu out: it is for logs that do not name their GPU");
  }
  if (context.nodes > 0 && log.nodes > 0 && context.nodes != log.nodes) {
    throw InputError(fmt::format("--nodes {}: {} line {} tells {}", context.nodes, file, log.first_line, log.nodes),
                     "leave --nodes out: it is for logs that do not tell their hosts");
  }
  if (context.nodes > 0 && log.ranks > 0 && context.nodes > log.ranks) {
    throw InputError(fmt::format("--nodes {}: {} line {} has {} ranks", context.nodes, file, log.first_line, log.ranks),
                     "no more servers than ranks");
  }
}

ExpectedRun judge_run(const ImportedRun& log, const std::string& file, const ExpectContext& context,
                      const std::vector<MeasuredRun>& table) {
  check_context(log, file, context);
  ExpectedRun judged{.file = file,
                     .operation = log.operation,
                     .gpu = context.gpu.empty() ? log.gpu : context.gpu,
                     .line = log.first_line,
                     .ranks = static_cast<int>(log.ranks),
                     .nodes = context.nodes > 0 ? context.nodes : static_cast<int>(log.nodes),
                     .verdict = Expectation::refused,
                     .reason = {},
                     .setting = {},
                     .rows = {}};
  if (log.refusal) {
    judged.reason = log.refusal->sentence;
    return judged;
  }
  const CollectiveMachine* machine = machine_named(judged.gpu);
  // reduce is the broadcast's ring, run backwards.
  const std::optional<Collective> collective =
      log.operation.starts_with("reduce") && !log.collective ? std::optional(Collective::broadcast) : log.collective;
  if (!collective || judged.ranks < 2 || machine == nullptr) {
    judged.reason = !collective          ? fmt::format("{} is not modelled", log.operation)
                    : judged.ranks < 2   ? std::string("the number of ranks is not known")
                    : judged.gpu.empty() ? std::string("the log does not name its GPU: --gpu")
                                         : fmt::format("no measurements of '{}': --gpu names another", judged.gpu);
    return judged;
  }
  if (judged.nodes == 0) judged.nodes = (judged.ranks + machine->node - 1) / machine->node;
  fit::CollectiveRun shape{.collective = *collective, .ranks = judged.ranks};
  shape.domains =
      machine->domain > machine->node ? (judged.ranks + machine->domain - 1) / machine->domain : judged.nodes;
  if (judged.ranks % shape.domains != 0) {
    judged.reason = fmt::format("{} ranks on {} domains are uneven: not modelled", judged.ranks, shape.domains);
    return judged;
  }
  const auto* const usual = std::ranges::find(usual_servers, machine->name, &UsualServer::machine);
  const int nics = context.nics > 0 ? context.nics : usual->nics;
  const double nic = context.nic > Bandwidth{} ? context.nic.in(gigabit_per_second) : usual->gigabits;
  const std::string network = shape.domains > 1 ? context.fabric : std::string();
  if (shape.domains > 1) {
    const int per_domain = judged.ranks / shape.domains;
    shape.ports = machine->domain > machine->node
                      ? per_domain * nics / machine->node
                      : std::max(1, nics * std::min(per_domain, machine->node) / machine->node);
    shape.port = nic * 1e9 / 8;
  }
  const CollectiveFigures figures = RunPools(table).fitted(*machine, network, copies(table, log, judged.ranks));
  const CollectiveSpeeds& speeds = figures.fitted.speeds;
  const std::string from = sources_of(figures, network);
  judged.setting = shape.domains == 1 ? fmt::format("{} x {} in one domain; {}", judged.ranks, machine->name, from)
                                      : fmt::format("{} x {} in {} domains, {} x {:.0f} Gb/s {} each; {}", judged.ranks,
                                                    machine->name, shape.domains, shape.ports, nic, network, from);
  for (const CollectiveSample& sample : log.collectives) {
    if (sample.placement != BufferPlacement::out_of_place || sample.size <= Bytes{} || sample.time <= Seconds{})
      continue;
    shape.bytes = sample.size.in(byte);
    const double carried = bus_bandwidth_factor(shape.collective, shape.ranks) * shape.bytes;
    judged.rows.push_back({.bytes = shape.bytes,
                           .measured = carried / sample.time.in(second),
                           .expected = carried / fit::predict(shape, speeds).seconds});
  }
  if (judged.rows.empty()) {
    judged.reason = "no rows with a size and a time";
    return judged;
  }
  judge(judged, log, shape, speeds, *machine);
  return judged;
}

}  // namespace

std::string_view to_string(Expectation expectation) {
  switch (expectation) {
    case Expectation::as_expected:
      return "as expected";
    case Expectation::faster:
      return "faster than expected";
    case Expectation::slow:
      return "slow";
    case Expectation::refused:
      break;
  }
  return "refused";
}

std::vector<ExpectedRun> expect_log(const ImportedFile& log, const ExpectContext& context, const Catalogue& catalogue) {
  if (!context.gpu.empty()) static_cast<void>(machine_of(context.gpu));
  const std::vector<std::string> fabrics{"infiniband", "roce", "efa", "slingshot"};
  if (std::ranges::find(fabrics, context.fabric) == fabrics.end())
    throw InputError(fmt::format("fabric '{}' is unknown", context.fabric), expected_names(context.fabric, fabrics));
  const std::vector<MeasuredRun> table = shipped_runs(catalogue);
  std::vector<ExpectedRun> judged;
  for (const ImportedRun& run : log.runs) {
    if (run.accepted() && run.collectives.empty()) continue;  // of another kind: products, memory, links
    judged.push_back(judge_run(run, log.name, context, table));
  }
  if (judged.empty()) {
    judged.push_back({.file = log.name,
                      .operation = {},
                      .gpu = {},
                      .verdict = Expectation::refused,
                      .reason = "no collective in it",
                      .setting = {},
                      .rows = {}});
  }
  return judged;
}

}  // namespace railyard
