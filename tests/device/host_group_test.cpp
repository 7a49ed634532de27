// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/host_group.h"

#include <atomic>
#include <memory>

#include "calibrate/device/collective_pattern.h"
#include "tests/catch.h"
#include "tests/device/processes.h"

namespace railyard::device {
namespace {

constexpr std::array<CollectiveKind, 5> kinds{CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                              CollectiveKind::reduce_scatter, CollectiveKind::all_to_all,
                                              CollectiveKind::broadcast};

TEST_CASE("pattern: what collectives must give follows from what was sent", "[device]") {
  // Three ranks, six elements: sums and places by hand from the definition of each operation.
  constexpr int ranks = 3;
  constexpr long long whole = 6, part = 2;
  for (long long i = 0; i < whole; ++i) {
    const int sum = pattern(0, i) + pattern(1, i) + pattern(2, i);
    CHECK(expected_element(CollectiveKind::all_reduce, ranks, 1, part, i) == sum);
    CHECK(expected_element(CollectiveKind::broadcast, ranks, 2, part, i) == pattern(0, i));
  }
  CHECK(expected_element(CollectiveKind::all_gather, ranks, 0, part, 5) == pattern(2, 1));
  CHECK(expected_element(CollectiveKind::all_to_all, ranks, 1, part, 4) == pattern(2, 2));
  CHECK(expected_element(CollectiveKind::reduce_scatter, ranks, 2, part, 1) ==
        pattern(0, 5) + pattern(1, 5) + pattern(2, 5));
  CHECK(written_elements(CollectiveKind::reduce_scatter, ranks, whole) == 2);
  // Ranks send different things, so that a result of the wrong rank is seen.
  int different = 0;
  for (long long i = 0; i < 100; ++i) different += pattern(0, i) != pattern(1, i) ? 1 : 0;
  CHECK(different > 50);
}

/// Largest difference over all ranks of what they hold from what they must.
double worst_error(int ranks, CollectiveKind kind, long long whole) {
  const Listener listener(0);
  const GroupId id = HostGroup::name_of(listener);
  std::atomic<int> wrong = 0;
  const std::vector<std::string> errors = run_ranks(ranks, [&](int rank) {
    HostGroup group({.id = id, .ranks = ranks, .first_rank = rank, .local_ranks = 1}, rank == 0 ? &listener : nullptr);
    std::vector<Bf16> from(static_cast<std::size_t>(whole)), to(static_cast<std::size_t>(whole), 0x7fff);
    for (long long i = 0; i < whole; ++i)
      from[static_cast<std::size_t>(i)] = rounded(static_cast<float>(pattern(rank, i)));
    for (int again = 0; again < 2; ++again) group.run(kind, from, to);
    for (long long i = 0; i < written_elements(kind, ranks, whole); ++i) {
      const auto expected = static_cast<float>(expected_element(kind, ranks, rank, whole / ranks, i));
      if (widened(to[static_cast<std::size_t>(i)]) != expected) ++wrong;
    }
  });
  for (const std::string& each : errors) CHECK(each.empty());
  return wrong;
}

TEST_CASE("host group: every collective gives what it must, for one to five ranks and odd sizes", "[device]") {
  for (const int ranks : {1, 2, 3, 5}) {
    for (const CollectiveKind kind : kinds) {
      CAPTURE(ranks, to_string(kind));
      CHECK(worst_error(ranks, kind, 512) == 0);
      CHECK(worst_error(ranks, kind, 1003) == 0);  // does not divide
    }
  }
}

TEST_CASE("host group: buffers above what sockets hold, and above a chunk of the chain, do not wait for themselves",
          "[device]") {
  for (const CollectiveKind kind : kinds) CHECK(worst_error(3, kind, 3000000) == 0);
}

TEST_CASE("host group: fewer elements than ranks are reduced and broadcast too", "[device]") {
  CHECK(worst_error(5, CollectiveKind::all_reduce, 3) == 0);
  CHECK(worst_error(5, CollectiveKind::broadcast, 1) == 0);
}

}  // namespace
}  // namespace railyard::device
