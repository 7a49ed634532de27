// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/markup.h"

#include <utility>

namespace railyard::html {
namespace {

std::string opening(std::string_view tag, std::initializer_list<Attribute> attributes) {
  std::string text = "<";
  text += tag;
  for (const Attribute& attribute : attributes) {
    text += ' ';
    text += attribute.name;
    text += "=\"" + escaped(attribute.value) + '"';
  }
  return text;
}

}  // namespace

Markup Markup::trusted(std::string markup) {
  Markup result;
  result.text_ = std::move(markup);
  return result;
}

Markup& Markup::operator+=(const Markup& more) {
  text_ += more.text_;
  return *this;
}

Markup element(std::string_view tag, std::initializer_list<Attribute> attributes, const Markup& content) {
  std::string text = opening(tag, attributes);
  text += '>';
  text += content.text();
  text += "</";
  text += tag;
  text += '>';
  return Markup::trusted(std::move(text));
}

Markup element(std::string_view tag, const Markup& content) { return element(tag, {}, content); }

Markup shape(std::string_view tag, std::initializer_list<Attribute> attributes) {
  return Markup::trusted(opening(tag, attributes) + "/>");
}

}  // namespace railyard::html
