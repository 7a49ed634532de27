// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/xml_reader.h"

#include <expat.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>

#include <fmt/format.h>

#include "base/diagnostic.h"

namespace railyard {

namespace {

/// One parse: nothing is thrown through the library, which is C; the first mistake stops it.
class Parse {
 public:
  Parse(std::string_view text, const std::string& file, XmlHandler& events)
      : text_(text), file_(file), parser_(XML_ParserCreate(nullptr)), handler_(events) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<Parse*>(self)->guarded(
              [&](XmlHandler& handler) { handler.start(name, XmlAttributes(attributes)); });
        },
        [](void* self, const XML_Char* name) {
          static_cast<Parse*>(self)->guarded([&](XmlHandler& handler) { handler.end(name); });
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* text_piece, int length) {
      static_cast<Parse*>(self)->guarded([&](XmlHandler& handler) {
        handler.characters(std::string_view(text_piece, static_cast<std::size_t>(length)));
      });
    });
    XML_SetStartDoctypeDeclHandler(parser_.get(),
                                   [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
                                     static_cast<Parse*>(self)->guarded([](XmlHandler&) {
                                       throw XmlMistake{"a document type", "leave it out: entities are not expanded"};
                                     });
                                   });
  }

  void run() {
    constexpr std::size_t piece = 1U << 24U;  // lengths are int
    for (std::size_t at = 0;; at += piece) {
      const std::string_view part = text_.substr(at, piece);
      const bool last = at + piece >= text_.size();
      const auto status =
          XML_Parse(parser_.get(), part.data(), static_cast<int>(part.size()), last ? XML_TRUE : XML_FALSE);
      if (failure_) std::rethrow_exception(failure_);
      if (status != XML_STATUS_OK) {
        fail({fmt::format("XML: {}", XML_ErrorString(XML_GetErrorCode(parser_.get()))), "expected well-formed XML"});
        std::rethrow_exception(failure_);
      }
      if (last) return;
    }
  }

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  template <class Action>
  void guarded(const Action& action) {
    if (failure_) return;
    try {
      action(handler_);
    } catch (const XmlMistake& mistake) {
      fail(mistake);
    } catch (...) {
      failure_ = std::current_exception();
    }
    if (failure_) XML_StopParser(parser_.get(), XML_FALSE);
  }

  void fail(const XmlMistake& mistake) {
    const auto byte_at = static_cast<std::size_t>(std::max<XML_Index>(XML_GetCurrentByteIndex(parser_.get()), 0));
    const std::size_t at = std::min(byte_at, text_.size());
    const std::size_t before = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view line = text_.substr(begin, std::min(text_.find('\n', at), text_.size()) - begin);
    failure_ = std::make_exception_ptr(
        InputError({Diagnostic{.file = file_,
                               .line = static_cast<int>(XML_GetCurrentLineNumber(parser_.get())),
                               .column = static_cast<int>(at - begin) + 1,
                               .message = mistake.message,
                               .source_line = std::string(line.substr(0, 1000)),
                               .expected = mistake.expected}}));
  }

  std::string_view text_;
  const std::string& file_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, Free> parser_;
  XmlHandler& handler_;
  std::exception_ptr failure_;
};

}  // namespace

std::optional<std::string_view> XmlAttributes::find(std::string_view name) const {
  for (const char* const* at = list_; *at != nullptr; at += 2) {
    if (name == at[0]) return at[1];
  }
  return std::nullopt;
}

std::string_view XmlAttributes::need(std::string_view name) const {
  if (const auto found = find(name)) return *found;
  throw XmlMistake{fmt::format("the attribute '{}' is missing", name), {}};
}

void read_xml(std::string_view text, const std::string& file, XmlHandler& handler) { Parse(text, file, handler).run(); }

}  // namespace railyard
