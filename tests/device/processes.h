// SPDX-License-Identifier: Apache-2.0
// Processes of a launch as threads of a test: each runs the same function with its own rank.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "calibrate/device/team/team.h"

namespace railyard::device {

/// A place to meet that no other test uses.
inline MeetingPlace fresh_meeting() {
  static std::mutex mutex;
  static int count = 0;
  const std::scoped_lock lock(mutex);
  const std::string name = "railyard-meeting-" + std::to_string(getpid()) + "-" + std::to_string(count++);
  return {.host = {}, .file = (std::filesystem::temp_directory_path() / name).string()};
}

inline LaunchPlace rank_of(int rank, int size) {
  return {.rank = rank, .size = size, .local_rank = rank, .local_size = size, .launcher = "test", .job = ""};
}

/// What each rank's function threw; empty: nothing.
inline std::vector<std::string> run_ranks(int size, const std::function<void(int rank)>& body) {
  std::vector<std::string> errors(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        body(rank);
      } catch (const std::exception& error) {
        errors[static_cast<std::size_t>(rank)] = error.what();
      }
    });
  }
  for (std::thread& each : threads) each.join();
  return errors;
}

}  // namespace railyard::device
