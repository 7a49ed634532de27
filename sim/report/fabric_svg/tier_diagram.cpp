// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/report/fabric_svg/drawing.h"
#include "sim/report/fabric_svg/fabric_svg.h"
#include "sim/report/fabric_svg/tier_groups.h"
#include "sim/report/table.h"

namespace railyard {
namespace {

using drawing::Box;
using html::Anchor;
using html::Markup;

constexpr int diagram_width = 1080, left = 268, right_margin = 24, top = 84, box_height = 58, tier_step = 168;
constexpr std::size_t most_boxes = 7, first_shown = 4;  // of a tier; then the gap, then the last two

/// The groups of a tier that are drawn, in order; -1 stands for those left out.
std::vector<int> shown_groups(const Tier& tier) {
  const int groups = static_cast<int>(tier.groups.size());
  std::vector<int> shown;
  for (int i = 0; i < groups; ++i) {
    const bool all = tier.groups.size() <= most_boxes;
    if (all || i < static_cast<int>(first_shown) || i >= groups - 2) {
      shown.push_back(i);
    } else if (shown.back() != -1) {
      shown.push_back(-1);
    }
  }
  return shown;
}

std::string_view plural_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::node:
      return "nodes";
    case DeviceKind::leaf:
      return "leaves";
    case DeviceKind::spine:
      return "spines";
    case DeviceKind::core:
      return "cores";
    case DeviceKind::manager:
      break;
  }
  return "appliances";
}

std::string count_of(int count, DeviceKind kind) {
  return fmt::format("{} {}", count_text(count), count == 1 ? to_string(kind) : plural_of(kind));
}

class TierDiagram {
 public:
  explicit TierDiagram(const Wiring& wiring) : wiring_(wiring), tiers_(tiers_of(wiring)) {}

  std::string draw() {
    const FabricShape& shape = wiring_.fabric.shape();
    const int count = static_cast<int>(tiers_.tiers.size());
    const int height = top + (count - 1) * tier_step + box_height + 84;
    for (int i = 0; i < count; ++i) place(i, top + (count - 1 - i) * tier_step);
    for (int i = 0; i + 1 < count; ++i) draw_links(i);
    for (int i = 0; i < count; ++i) draw_tier(i);
    const std::string title = fmt::format("{}: {} GPUs in {}", wiring_.design.id, count_text(shape.gpus),
                                          count_of(shape.nodes, DeviceKind::node));
    Markup page = drawing::text(24, 34, Anchor::start, "heading", title);
    page += drawing::text(24, 55, Anchor::start, "tick", wiring_.design.description);
    page += content_;
    page += foot(height - 50);
    return drawing::page(title, "Layers of the network from the nodes up, with the links between them.", diagram_width,
                         height, page);
  }

 private:
  struct Row {
    std::vector<int> shown;
    std::vector<Box> boxes;  // of `shown`
  };

  void place(int tier, int y) {
    Row row{shown_groups(tiers_.tiers[static_cast<std::size_t>(tier)]), {}};
    const double count = static_cast<double>(row.shown.size()), gap = 14;
    const double width = std::min((diagram_width - left - right_margin - gap * (count - 1)) / count, 220.0);
    const double used = width * count + gap * (count - 1);
    double x = left + (diagram_width - left - right_margin - used) / 2;
    for (std::size_t i = 0; i < row.shown.size(); ++i, x += width + gap) {
      row.boxes.push_back({x, static_cast<double>(y), width, box_height});
    }
    rows_.push_back(std::move(row));
  }

  void draw_links(int lower) {
    const TierLinks& links = tiers_.links[static_cast<std::size_t>(lower)];
    const Row &below = rows_[static_cast<std::size_t>(lower)], &above = rows_[static_cast<std::size_t>(lower) + 1];
    const auto group_name = [&](int tier, int group) -> const std::string& {
      return tiers_.tiers[static_cast<std::size_t>(tier)].groups[static_cast<std::size_t>(group)].label;
    };
    for (std::size_t a = 0; a < below.shown.size(); ++a) {
      for (std::size_t b = 0; b < above.shown.size(); ++b) {
        const Box &from = below.boxes[a], &to = above.boxes[b];
        const double x1 = from.x + from.width / 2, x2 = to.x + to.width / 2;
        const auto found = links.between.find({below.shown[a], above.shown[b]});
        if (found == links.between.end()) continue;
        content_ += drawing::line(
            x1, from.y, x2, to.y + to.height, "link",
            fmt::format("{} to {}: {} links", group_name(lower, below.shown[a]), group_name(lower + 1, above.shown[b]),
                        count_text(static_cast<double>(found->second))));
      }
    }
    const double middle = below.boxes.front().y - (tier_step - box_height) / 2.0;
    content_ += drawing::text(24, middle - 8, Anchor::start, "strong",
                              fmt::format("{} links of {:g} Gb/s", count_text(static_cast<double>(links.links)),
                                          links.speed.in(gigabit_per_second)));
    content_ += drawing::text(24, middle + 10, Anchor::start, "tick", each_up(lower));
    if (lower > 0) content_ += drawing::text(24, middle + 27, Anchor::start, "tick", ratio_text(lower));
  }

  /// "32 up from a leaf".
  [[nodiscard]] std::string each_up(int lower) const {
    const TierLinks& links = tiers_.links[static_cast<std::size_t>(lower)];
    const std::string_view kind = to_string(tiers_.tiers[static_cast<std::size_t>(lower)].kind);
    return links.most_up == links.fewest_up
               ? fmt::format("{} up from each {}", links.most_up, kind)
               : fmt::format("{} to {} up from a {}", links.fewest_up, links.most_up, kind);
  }

  /// Bandwidth down to bandwidth up of the tier, as wired.
  [[nodiscard]] std::string ratio_text(int tier) const {
    const TierLinks &up = tiers_.links[static_cast<std::size_t>(tier)],
                    &down = tiers_.links[static_cast<std::size_t>(tier) - 1];
    const double ratio = static_cast<double>(down.links) * (down.speed / up.speed) / static_cast<double>(up.links);
    return fmt::format("{:.3g} : 1 down to up, as wired", ratio);
  }

  void draw_tier(int index) {
    const Tier& tier = tiers_.tiers[static_cast<std::size_t>(index)];
    const Row& row = rows_[static_cast<std::size_t>(index)];
    const double y = row.boxes.front().y;
    content_ += drawing::text(24, y + 22, Anchor::start, "strong", count_of(tier.devices, tier.kind));
    content_ += drawing::text(24, y + 40, Anchor::start, "tick", drawing::fitted(part_text(tier.kind), left - 40));
    for (std::size_t i = 0; i < row.shown.size(); ++i) {
      const Box& box = row.boxes[i];
      const double x = box.x + box.width / 2;
      if (row.shown[i] < 0) {
        content_ += drawing::box(box, "gap", {});
        content_ += drawing::text(x, box.y + 25, Anchor::middle, "inside",
                                  count_text(static_cast<double>(tier.groups.size() - row.shown.size() + 1)));
        content_ += drawing::text(x, box.y + 42, Anchor::middle, "small", "more alike");
        continue;
      }
      const TierGroup& group = tier.groups[static_cast<std::size_t>(row.shown[i])];
      content_ += drawing::box(box, drawing::colour_of(tier.kind) + " box",
                               fmt::format("{}: {}", group.label, count_of(group.devices, tier.kind)));
      content_ += drawing::text(x, box.y + 25, Anchor::middle, "inside", drawing::fitted(group.label, box.width - 6));
      content_ += drawing::text(x, box.y + 42, Anchor::middle, "small", count_of(group.devices, tier.kind));
    }
  }

  [[nodiscard]] std::string part_text(DeviceKind kind) const {
    if (kind == DeviceKind::node) return wiring_.server.id;
    return fmt::format("{}, {} ports", wiring_.switch_of(kind), wiring_.names.ports(kind).size());
  }

  [[nodiscard]] Markup foot(int y) const {
    std::string text = fmt::format("Lines are drawn where there are links; every line stands for many. ");
    if (tiers_.managers > 0) text += fmt::format("{} UFM ends on leaves of the last pod. ", tiers_.managers);
    if (tiers_.inner_links > 0)
      text += fmt::format("{} links between spines. ", count_text(static_cast<double>(tiers_.inner_links)));
    Markup result = drawing::text(24, y, Anchor::start, "small", text);
    if (wiring_.cables != nullptr) {
      result += drawing::text(24, y + 17, Anchor::start, "small",
                              fmt::format("{} cables; lengths are estimates from the floor plan unless measured.",
                                          count_text(static_cast<double>(wiring_.cable_count()))));
    }
    return result;
  }

  const Wiring& wiring_;
  TierDrawing tiers_;
  std::vector<Row> rows_;
  Markup content_;
};

}  // namespace

std::string tier_diagram_svg(const Wiring& wiring) { return TierDiagram(wiring).draw(); }

}  // namespace railyard
