// SPDX-License-Identifier: Apache-2.0
// What both drawings share: a page of pixels with texts, boxes and lines, in the colours of the report. Private to
// sim/report/fabric_svg.
#pragma once

#include <string>
#include <string_view>

#include "sim/report/html/markup.h"
#include "sim/report/html/svg.h"
#include "topologies/fabric.h"

namespace railyard::drawing {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

/// "12.5": at most one decimal.
[[nodiscard]] std::string pixels(double value);

/// A filled box; `title` is shown by viewers when it is pointed at.
[[nodiscard]] html::Markup box(const Box& box, const std::string& css, const std::string& title);
[[nodiscard]] html::Markup text(double x, double y, html::Anchor anchor, std::string_view css, const std::string& text);
[[nodiscard]] html::Markup line(double x1, double y1, double x2, double y2, const std::string& css,
                                const std::string& title);

/// Class that gives devices of a kind, and boxes beside the back end, their colour.
[[nodiscard]] std::string colour_of(DeviceKind kind);
[[nodiscard]] std::string colour_beside();

/// The whole file.
[[nodiscard]] std::string page(const std::string& title, const std::string& description, int width, int height,
                               const html::Markup& content);

/// The text, or its beginning and "..." when it is wider than so many pixels of small type.
[[nodiscard]] std::string fitted(const std::string& text, double width);

}  // namespace railyard::drawing
