// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/markup.h"

#include "tests/catch.h"

using namespace railyard::html;
using railyard::escaped;

TEST_CASE("markup: text becomes markup by escaping only", "[report]") {
  CHECK(escaped("a < b & c > d") == "a &lt; b &amp; c &gt; d");
  CHECK(Markup("</script><img src=x onerror='f(\"x\")'>").text() ==
        "&lt;/script&gt;&lt;img src=x onerror=&#39;f(&quot;x&quot;)&#39;&gt;");
  CHECK(Markup(std::string("&amp;")).text() == "&amp;amp;");
  CHECK(escaped("\u00d7 \u202f") == "\u00d7 \u202f");
}

TEST_CASE("markup: control characters, which HTML has none of, become blanks", "[report]") {
  CHECK(escaped(std::string("a\0b\x1b", 4)) == "a b ");
  CHECK(escaped("a\n\tb") == "a\n\tb");
}

TEST_CASE("markup: attributes and contents are escaped, elements nest as they are", "[report]") {
  const Markup inner = element("b", "1 < 2");
  CHECK(inner.text() == "<b>1 &lt; 2</b>");
  CHECK(element("p", {{"title", "\"a\" & b"}}, inner + " end").text() ==
        "<p title=\"&quot;a&quot; &amp; b\"><b>1 &lt; 2</b> end</p>");
  CHECK(shape("rect", {{"x", "5%"}}).text() == "<rect x=\"5%\"/>");
  CHECK(Markup().empty());
}
