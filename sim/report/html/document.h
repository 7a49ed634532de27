// SPDX-License-Identifier: Apache-2.0
// Pictures as files of their own: one SVG document with the report's style in it.
#pragma once

#include <string>
#include <string_view>

#include "sim/report/html/markup.h"

namespace railyard::html {

/// The document, `width` by `height` pixels; `style` is added to the report's own.
[[nodiscard]] std::string svg_document(int width, int height, const Markup& content, std::string_view style = {});

/// A picture as wide and high as said, its corner at a place of the document.
[[nodiscard]] Markup svg_at(int across, int down, int width, int height, const Markup& picture);

}  // namespace railyard::html
