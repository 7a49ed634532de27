// SPDX-License-Identifier: Apache-2.0
#include "sim/report/fabric_svg/drawing.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/text.h"
#include "sim/report/html/assets.h"

namespace railyard::drawing {
namespace {

constexpr double small_letter = 6.3;  // pixels of a letter of small type, on average

}  // namespace

std::string pixels(double value) { return fmt::format("{:g}", std::round(value * 10) / 10); }

html::Markup box(const Box& box, const std::string& css, const std::string& title) {
  return html::element("rect",
                       {{"class", css},
                        {"x", pixels(box.x)},
                        {"y", pixels(box.y)},
                        {"width", pixels(box.width)},
                        {"height", pixels(box.height)}},
                       title.empty() ? html::Markup() : html::element("title", title));
}

html::Markup text(double x, double y, html::Anchor anchor, std::string_view css, const std::string& text) {
  return html::svg_text(pixels(x), static_cast<int>(std::lround(y)), anchor, css, text);
}

html::Markup line(double x1, double y1, double x2, double y2, const std::string& css, const std::string& title) {
  return html::element("line",
                       {{"class", css}, {"x1", pixels(x1)}, {"y1", pixels(y1)}, {"x2", pixels(x2)}, {"y2", pixels(y2)}},
                       title.empty() ? html::Markup() : html::element("title", title));
}

std::string colour_of(DeviceKind kind) {
  constexpr std::array<std::size_t, 5> colours{0, 2, 1, 3, 4};
  return html::colour_class(colours[static_cast<std::size_t>(kind)]);
}

std::string colour_beside() { return html::colour_class(5); }

std::string page(const std::string& title, const std::string& description, int width, int height,
                 const html::Markup& content) {
  const std::string style = std::string(html::report_style()) +
                            "svg .box { fill-opacity: 0.16; stroke-width: 1; }\n"
                            "svg .solid { fill-opacity: 0.75; stroke-width: 0.5; }\n"
                            "svg .frame { fill: none; stroke: var(--soft); }\n"
                            "svg .gap { fill: none; stroke: var(--soft); stroke-dasharray: 3 3; }\n"
                            "svg .link { stroke: var(--soft); stroke-opacity: 0.45; }\n"
                            "svg .heading { font-size: 17px; font-weight: 600; }\n"
                            "svg .small { font-size: 11px; fill: var(--soft); }\n"
                            "svg .inside { font-size: 11px; }\n";
  const html::Markup whole = html::element(
      "svg",
      {{"xmlns", "http://www.w3.org/2000/svg"},
       {"width", std::to_string(width)},
       {"height", std::to_string(height)},
       {"viewBox", fmt::format("0 0 {} {}", width, height)},
       {"role", "img"},
       {"font-family", "system-ui, DejaVu Sans, sans-serif"}},
      html::element("title", title) + html::element("desc", description) +
          html::element("style", html::Markup::trusted("\n" + style)) +
          html::shape("rect", {{"width", "100%"}, {"height", "100%"}, {"fill", "var(--paper)"}}) + content);
  return whole.text() + "\n";
}

std::string fitted(const std::string& text, double width) {
  const auto letters = static_cast<std::size_t>(std::max(width / small_letter, 1.0));
  return characters(text) <= letters ? text : shortened(text, letters > 3 ? letters - 2 : 1);
}

}  // namespace railyard::drawing
