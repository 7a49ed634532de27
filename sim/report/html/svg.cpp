// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/svg.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace railyard::html {
namespace {

constexpr std::size_t colour_count = 14;  // --c0 to --c13 of report.css

// A circle, a square, a diamond, two triangles, a bar: series differ without colour too.
constexpr std::array<std::string_view, 6> shapes{"M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0z",
                                                 "M-4.5,-4.5h9v9h-9z",
                                                 "M0,-6.2L6.2,0L0,6.2L-6.2,0z",
                                                 "M0,-6L5.8,4.5H-5.8z",
                                                 "M0,6L5.8,-4.5H-5.8z",
                                                 "M-6.5,-2.5h13v5h-13z"};

std::string shape_id(std::size_t index) { return fmt::format("mark{}", index % shapes.size()); }

std::string_view anchor_name(Anchor anchor) {
  return anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
}

}  // namespace

Markup svg_text(const std::string& across, int down, Anchor anchor, std::string_view css, const std::string& text) {
  return element("text",
                 {{"x", across},
                  {"y", std::to_string(down)},
                  {"text-anchor", std::string(anchor_name(anchor))},
                  {"class", std::string(css)}},
                 text);
}

Markup svg_line(const std::string& x1, const std::string& x2, int y1, int y2, std::string_view css) {
  return shape(
      "line",
      {{"x1", x1}, {"x2", x2}, {"y1", std::to_string(y1)}, {"y2", std::to_string(y2)}, {"class", std::string(css)}});
}

Markup svg_picture(const std::string& id, const std::string& title, const std::string& description, int height,
                   const Markup& content) {
  return element("svg",
                 {{"id", id},
                  {"role", "img"},
                  {"aria-labelledby", fmt::format("{0}-title {0}-desc", id)},
                  {"width", "100%"},
                  {"height", std::to_string(height)}},
                 element("title", {{"id", id + "-title"}}, title) +
                     element("desc", {{"id", id + "-desc"}}, description) + content);
}

std::string colour_class(std::size_t index) { return fmt::format("c{}", index % colour_count); }

Markup legend(const std::vector<LegendEntry>& entries, Mark mark) {
  Markup items;
  for (const LegendEntry& entry : entries) {
    const Markup sign = mark == Mark::shape
                            ? marker(entry.index, "8", 8)
                            : shape("rect", {{"x", "2"}, {"y", "2"}, {"width", "12"}, {"height", "12"}});
    items += element(
        "li",
        element("svg",
                {{"class", colour_class(entry.index)}, {"width", "16"}, {"height", "16"}, {"aria-hidden", "true"}},
                sign) +
            Markup(entry.name));
  }
  return element("ul", {{"class", "legend"}}, items);
}

Markup marker(std::size_t index, const std::string& across, int down) {
  return shape("use", {{"href", "#" + shape_id(index)}, {"x", across}, {"y", std::to_string(down)}});
}

Markup marker_shapes() {
  Markup definitions;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    definitions += shape("path", {{"id", shape_id(i)}, {"d", std::string(shapes[i])}});
  }
  return element("svg", {{"class", "shapes"}, {"width", "0"}, {"height", "0"}, {"aria-hidden", "true"}},
                 element("defs", definitions));
}

Markup figure(const std::string& title, const Markup& key, const Markup& picture) {
  return element("figure", element("figcaption", title) + key + picture);
}

}  // namespace railyard::html
