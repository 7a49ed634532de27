// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/link_shape.h"

#include "tests/catch.h"

namespace railyard::device {
namespace {

NodeLinks all_pairs(std::size_t count, double rate, double fan, double host) {
  NodeLinks links{.pairs = {}, .fan = fan, .host = host};
  links.pairs.assign(count, std::vector<double>(count, rate));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) links.pairs[i][j] *= 1 + 0.002 * static_cast<double>((3 * i + 5 * j) % 7);
  }
  return links;
}

TEST_CASE("links: behind a switch one GPU sends no more to all others than to one", "[device]") {
  // NVSwitch on H100: 450 GB/s each way, to whomever it goes.
  const NodeLinks links = all_pairs(8, 395e9, 400e9, 55e9);
  const FoundShape found = link_shape(links);
  CHECK(found.shape == LinkShape::switched);
  CHECK_THAT(found.pair, WithinRel(395e9, 0.02));
  CHECK(found.slow.empty());
  CHECK_THAT(describe_links(found, links), ContainsSubstring("switched: any pair at 39"));
}

TEST_CASE("links: eight MI300X are a mesh though their pairs are as equal, and slower than the host's link",
          "[device]") {
  // 48 GB/s a link (shared/DESIGN.md): seven at once give seven times as much, two GPUs see one.
  const NodeLinks links = all_pairs(8, 48e9, 7 * 47e9, 55e9);
  const FoundShape found = link_shape(links);
  CHECK(found.shape == LinkShape::mesh);
  CHECK_THAT(describe_links(found, links),
             ContainsSubstring("mesh: a link of 48 GB/s for each pair, 329 GB/s from one to all others at once"));
}

TEST_CASE("links: cards on PCIe exchange at the speed of the host's link", "[device]") {
  CHECK(link_shape(all_pairs(4, 24e9, 25e9, 26e9)).shape == LinkShape::host);
  CHECK(link_shape(all_pairs(2, 24e9, 25e9, 26e9)).shape == LinkShape::host);
}

TEST_CASE("links: pairs with a bridge on PCIe are islands", "[device]") {
  NodeLinks links = all_pairs(4, 24e9, 60e9, 26e9);
  for (const auto& [i, j] : {std::pair{0, 1}, {1, 0}, {2, 3}, {3, 2}}) {
    links.pairs[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = 260e9;
  }
  const FoundShape found = link_shape(links);
  CHECK(found.shape == LinkShape::unequal);
  CHECK(found.islands == std::vector<std::vector<int>>{{0, 1}, {2, 3}});
  CHECK_THAT(describe_links(found, links), ContainsSubstring("{0 1} {2 3}"));
}

TEST_CASE("links: one bad link among equal ones is named, and changes nothing else", "[device]") {
  NodeLinks links = all_pairs(8, 395e9, 400e9, 55e9);
  links.pairs[2][5] = 120e9;
  const FoundShape found = link_shape(links);
  CHECK(found.shape == LinkShape::switched);
  CHECK(found.slow == std::vector<std::string>{"2 > 5"});
}

TEST_CASE("links: two GPUs do not tell a switch from a mesh, one tells nothing, and no fan is said", "[device]") {
  CHECK(link_shape(all_pairs(2, 395e9, 395e9, 55e9)).shape == LinkShape::pair);
  CHECK(link_shape({}).shape == LinkShape::alone);
  CHECK(describe_links(link_shape({}), {}).empty());
  const NodeLinks links = all_pairs(8, 395e9, 0, 55e9);
  CHECK_THAT(describe_links(link_shape(links), links), ContainsSubstring("switched, or a mesh"));
}

}  // namespace
}  // namespace railyard::device
