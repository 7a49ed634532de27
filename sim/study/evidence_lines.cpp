// SPDX-License-Identifier: Apache-2.0
#include "sim/study/evidence_lines.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <utility>

namespace railyard {
namespace {

/// Adds lines of one group and item.
class EvidenceLines {
 public:
  EvidenceLines(EvidenceGroup group, std::string_view item) : group_(group), item_(item) {}

  void add(std::string label, const Range<double>& value, std::string_view unit, const Evidence& evidence) {
    list_.push_back({group_, item_, std::move(label), value, std::string(unit), evidence});
  }
  template <class Q>
  void add(std::string label, const Figure<Q>& figure, Q unit, std::string_view unit_name) {
    const Range<Q>& value = figure.value;
    add(std::move(label), {value.low.in(unit), value.typical.in(unit), value.high.in(unit)}, unit_name,
        figure.evidence);
  }
  void add(std::string label, const Figure<double>& figure) {
    add(std::move(label), figure.value, "", figure.evidence);
  }
  void add_share(std::string label, const Figure<double>& figure) {
    add(std::move(label), figure.value * 100, "%", figure.evidence);
  }
  void set_item(std::string_view item) { item_ = item; }
  std::vector<EvidenceLine> take() { return std::move(list_); }

 private:
  EvidenceGroup group_;
  std::string item_;
  std::vector<EvidenceLine> list_;
};

constexpr Frequency percent_a_year = 0.01 / year;

void add_collectives(EvidenceLines& lines, const CollectiveParameters& collective, std::string_view fabric) {
  lines.add("scale-up ring", collective.scale_up_ring, gigabyte_per_second, "GB/s");
  lines.add("scale-up link of a pair", collective.scale_up_link, gigabyte_per_second, "GB/s");
  lines.add("start of a collective", collective.base_latency, microsecond, "us");
  lines.add("scale-up hop", collective.scale_up_hop, microsecond, "us");
  lines.add_share(fmt::format("scale-out efficiency, {}", fabric), collective.scale_out_efficiency);
  lines.add(fmt::format("scale-out hop, {}", fabric), collective.scale_out_hop, microsecond, "us");
  lines.add(fmt::format("further switch, {}", fabric), collective.switch_latency, microsecond, "us");
}

}  // namespace

std::string_view to_string(EvidenceGroup group) {
  constexpr std::array<std::string_view, 5> names{"owner terms", "speeds", "reliability", "parts", "wiring"};
  return names[static_cast<std::size_t>(group)];
}

std::vector<EvidenceLine> owner_evidence(const OwnerTerms& terms) {
  EvidenceLines lines(EvidenceGroup::owner, terms.buyer);
  const Range<InterestRate>& wacc = terms.wacc.value;
  lines.add("cost of capital", Range<double>{wacc.low.per_year, wacc.typical.per_year, wacc.high.per_year} * 100,
            wacc.typical.compounding == Compounding::nominal ? "%/year nominal" : "%/year effective",
            terms.wacc.evidence);
  lines.add("life", terms.life, year, "year");
  lines.add_share("salvage, of capex", terms.salvage_share);
  lines.add("colocation on provisioned power", terms.colo, dollar / (kilowatt * month), "$/kW/month");
  lines.add("energy tariff", terms.energy, dollar / kilowatt_hour, "$/kWh");
  lines.add("power usage effectiveness", terms.pue);
  lines.add_share("average over provisioned power", terms.load);
  lines.add("staff per GPU", terms.staff_per_gpu, dollar / year, "$/year");
  lines.add("maintenance, of capex", terms.maintenance, percent_a_year, "%/year");
  lines.add("insurance, of capex", terms.insurance, percent_a_year, "%/year");
  lines.add("licences and support per GPU", terms.software_per_gpu, dollar / year, "$/year");
  return lines.take();
}

std::vector<EvidenceLine> speed_evidence(const Profile& profile, Precision precision, std::string_view fabric) {
  EvidenceLines lines(EvidenceGroup::speed, profile.id);
  if (const auto found = profile.gemm.find(precision); found != profile.gemm.end()) {
    const GemmParameters& gemm = found->second;
    lines.add(fmt::format("sustained {} GEMM", to_string(precision)), gemm.sustained, teraflop_per_second, "TFLOP/s");
    lines.add("GEMM overhead, as extra K", gemm.k_overhead);
    lines.add("GEMM share of a last partial wave", gemm.wave_sharing);
    lines.add("GEMM tile edge cost", gemm.tile_edge);
    if (gemm.refetch) lines.add("GEMM operands fetched again, share not hidden", *gemm.refetch);
    if (gemm.backward_slowdown) lines.add("factor on GEMM time of the backward pass", *gemm.backward_slowdown);
  }
  for (const auto& [dimension, attention] : profile.attention) {
    const std::string head = fmt::format("attention, head dimension {}: ", dimension);
    lines.add(head + "forward", attention.forward, teraflop_per_second, "TFLOP/s");
    lines.add(head + "half-rate sequence", attention.half_sequence);
    lines.add(head + "backward", attention.backward, teraflop_per_second, "TFLOP/s");
    lines.add(head + "backward half-rate sequence", attention.backward_half_sequence);
  }
  lines.add("HBM", profile.memory, 1000.0 * gigabyte_per_second, "TB/s");
  lines.add("kernel gap", profile.kernel_gap, microsecond, "us");
  lines.add("compute beside a collective, slower by", profile.compute_slowdown);
  lines.add("collective beside compute, slower by", profile.collective_slowdown);
  lines.add_share("speed spread of the fleet", profile.speed_spread);
  add_collectives(lines, profile.collective(fabric), fabric);
  return lines.take();
}

std::vector<EvidenceLine> reliability_evidence(const Reliability& reliability, std::string_view gpu) {
  const Frequency per_1000_days = 1.0 / (1000.0 * day);
  EvidenceLines lines(EvidenceGroup::reliability, gpu);
  lines.add("failures of a node", reliability.node_failure_rate, per_1000_days, "per 1000 days");
  lines.add(fmt::format("failures of a job of {} nodes or more, whatever its nodes", reliability.job_nodes),
            reliability.job_failure_rate, per_1000_days, "per 1000 days");
  lines.add("checkpoint blocking", reliability.checkpoint_blocking, second, "s");
  lines.add("checkpoint write in the background", reliability.checkpoint_write, second, "s");
  lines.add("restart", reliability.restart, second, "s");
  lines.add_share("node failures that need repair", reliability.hard_share);
  lines.add("repair", reliability.repair, day, "day");
  return lines.take();
}

std::vector<EvidenceLine> part_evidence(const BillOfMaterials& bill, const Parts& parts, const GpuPart& gpu,
                                        Precision precision) {
  EvidenceLines lines(EvidenceGroup::part, gpu.id);
  if (precision != Precision::fp8)
    lines.add(fmt::format("dense {} peak", to_string(precision)), gpu.bf16_dense, teraflop_per_second, "TFLOP/s");
  if (precision == Precision::fp8 && gpu.fp8_dense) {
    lines.add("dense fp8 peak", *gpu.fp8_dense, teraflop_per_second, "TFLOP/s");
  }
  lines.add("memory", gpu.memory, gigabyte, "GB");
  const auto add_power = [&](const auto& catalogue, const std::string& id, std::string_view what) {
    const auto found = catalogue.find(id);
    if (found == catalogue.end() || found->second.power.value.high == Watts{}) return;
    lines.set_item(id);
    lines.add(std::string(what), found->second.power, watt, "W");
  };
  std::set<std::string> seen;  // a part may stand on lines of several networks
  for (const BomLine& line : bill.lines) {
    if (!seen.insert(line.part).second) continue;
    add_power(parts.servers, line.part, "provisioned power");
    add_power(parts.switches, line.part, "power without modules");
    add_power(parts.line_cards, line.part, "power without modules");
    add_power(parts.equipment, line.part, "power");
    add_power(parts.modules, line.part, "power");
    add_power(parts.cables, line.part, "power, both ends");
  }
  return lines.take();
}

namespace {

void add_site(EvidenceLines& lines, const Site& site) {
  lines.set_item(site.id);
  lines.add("power of a rack", site.rack.power, kilowatt, "kW");
  lines.add("weight of what stands in a rack", site.rack.weight, kilogram, "kg");
  const HallGeometry& hall = site.hall;
  lines.add("pitch of racks", hall.rack_pitch, metre, "m");
  lines.add("depth of racks", hall.rack_depth, metre, "m");
  lines.add("cold aisle", hall.cold_aisle, metre, "m");
  lines.add("hot aisle", hall.hot_aisle, metre, "m");
  lines.add("trays above racks", hall.tray_height, metre, "m");
  lines.add("slack at each end", hall.slack, metre, "m");
}

}  // namespace

std::vector<EvidenceLine> wiring_evidence(const Design& design, const NetworkCounts& counts, const Site* site) {
  EvidenceLines lines(EvidenceGroup::wiring, design.id);
  if (site != nullptr) add_site(lines, *site);
  lines.set_item(design.id);
  for (const Layer layer : all_layers) {
    if (site != nullptr || counts.links[index_of(layer)] == 0) continue;
    const LayerMedia& media = design.media[index_of(layer)];
    const auto add = [&](std::string_view what, Metres length) {
      lines.add(fmt::format("{} {}", to_string(layer), what), Range<double>::exactly(length.in(metre)), "m",
                media.length_evidence);
    };
    add("planning length", media.length);
    add("longest run", media.longest);
  }
  for (const SiteNetwork& network : design.networks) {
    lines.add(fmt::format("rule for the pieces of the {} network, nodes of a unit", network.name),
              Range<double>::exactly(network.unit_nodes), "", network.evidence);
  }
  return lines.take();
}

}  // namespace railyard
