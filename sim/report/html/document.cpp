// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/document.h"

#include "sim/report/html/assets.h"
#include "sim/report/html/svg.h"

namespace railyard::html {

std::string svg_document(int width, int height, const Markup& content, std::string_view style) {
  const std::string all = "\n" + std::string(report_style()) + std::string(style);
  const Markup page = element("svg",
                              {{"xmlns", "http://www.w3.org/2000/svg"},
                               {"width", std::to_string(width)},
                               {"height", std::to_string(height)},
                               {"font-family", "system-ui, DejaVu Sans, sans-serif"}},
                              element("style", Markup::trusted(all)) +
                                  shape("rect", {{"width", "100%"}, {"height", "100%"}, {"fill", "var(--paper)"}}) +
                                  marker_shapes() + content);
  return page.text() + "\n";
}

Markup svg_at(int across, int down, int width, int height, const Markup& picture) {
  return element("svg",
                 {{"x", std::to_string(across)},
                  {"y", std::to_string(down)},
                  {"width", std::to_string(width)},
                  {"height", std::to_string(height)}},
                 picture);
}

}  // namespace railyard::html
