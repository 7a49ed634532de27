// SPDX-License-Identifier: Apache-2.0
// XML as a stream of elements (expat): no tree is built and no entity expanded, so that memory stays in proportion to
// what the handler keeps. Private to topologies/exchange.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace railyard {

/// What a handler throws about the place that is being read.
struct XmlMistake {
  std::string message, expected;
};

/// Attributes of one element.
class XmlAttributes {
 public:
  explicit XmlAttributes(const char* const* list) : list_(list) {}
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
  /// Throws XmlMistake when it is missing.
  [[nodiscard]] std::string_view need(std::string_view name) const;

 private:
  const char* const* list_;  // name, value, ..., null
};

class XmlHandler {
 public:
  XmlHandler() = default;
  XmlHandler(const XmlHandler&) = delete;
  XmlHandler& operator=(const XmlHandler&) = delete;
  virtual ~XmlHandler() = default;
  virtual void start(std::string_view name, const XmlAttributes& attributes) = 0;
  /// Text between tags, in any number of pieces.
  virtual void characters(std::string_view text) = 0;
  virtual void end(std::string_view name) = 0;
};

/// Reads a whole document. Throws InputError with line and column for what is not well-formed, for a document type and
/// for what the handler refuses.
void read_xml(std::string_view text, const std::string& file, XmlHandler& handler);

}  // namespace railyard
