// SPDX-License-Identifier: Apache-2.0
// What both kinds of chart share: the frame, texts, lines, the legend. Places across are percentages of the width.
#pragma once

#include <string>
#include <vector>

#include "sim/report/html/markup.h"

namespace railyard::html {

enum class Anchor { start, middle, end };

/// Text at `across` (a percentage or 0) and `down` pixels.
[[nodiscard]] Markup svg_text(const std::string& across, int down, Anchor anchor, std::string_view css,
                              const std::string& text);
[[nodiscard]] Markup svg_line(const std::string& x1, const std::string& x2, int y1, int y2, std::string_view css);
/// The whole picture, `height` pixels high, with title and description for those who do not see it.
[[nodiscard]] Markup svg_picture(const std::string& id, const std::string& title, const std::string& description,
                                 int height, const Markup& content);
/// The class that gives thing `index` its colour.
[[nodiscard]] std::string colour_class(std::size_t index);

enum class Mark { square, shape };
struct LegendEntry {
  std::size_t index;
  std::string name;
};
[[nodiscard]] Markup legend(const std::vector<LegendEntry>& entries, Mark mark);
/// Reference to the marker shape of a series at a place in a picture.
[[nodiscard]] Markup marker(std::size_t index, const std::string& across, int down);
/// The marker shapes that `marker` refers to; once a page, first in the body.
[[nodiscard]] Markup marker_shapes();

/// Picture, title above and legend below it.
[[nodiscard]] Markup figure(const std::string& title, const Markup& key, const Markup& picture);

}  // namespace railyard::html
