// SPDX-License-Identifier: Apache-2.0
// Files appear whole or not at all; shipped data is found by one rule.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_sink.h"

namespace railyard {

inline constexpr std::size_t largest_file = 64U << 20U;

/// Whole content of a regular file, or of /dev/stdin (/dev/fd/N), at most `most` bytes. Throws InputError that says why
/// it cannot be read.
[[nodiscard]] std::string read_file(const std::filesystem::path& path, std::size_t most = largest_file);

/// Writes `files` (name -> content) into `folder`, which is made when absent. All are written under names of their own
/// (.railyard-*.part) and then renamed; a symbolic link in the way is replaced, not followed. Writers of one folder
/// wait for each other, so that the files of two never mix (on file systems with locks). Throws EnvironmentError, and
/// InputError when the folder's name is empty; then nothing new is left behind. What remains possible: a program killed
/// while it writes leaves .part files, one killed while it renames leaves some files old and some new, each whole.
void write_files(const std::filesystem::path& folder, const std::map<std::string, std::string>& files);
/// The same for long texts, piece by piece. What a source throws ends the writing; then nothing new is left behind.
void stream_files(const std::filesystem::path& folder, const std::map<std::string, TextSource>& files);

/// Names without ".yaml" of the YAML files of a folder, sorted; hidden ones and folders are none. Empty when there is
/// no such folder.
[[nodiscard]] std::vector<std::string> yaml_names(const std::filesystem::path& folder);

/// folder/id.yaml when `id` is one of its files; else InputError: what 'id' is unknown, with the nearest name.
[[nodiscard]] std::filesystem::path yaml_path(const std::filesystem::path& folder, std::string_view what,
                                              std::string_view id);

/// Where shipped data lie: `option` (--data) if not empty, else RAILYARD_DATA, else the install's share/railyard beside
/// `executable`, else the source tree. Throws InputError when the chosen place has no `topologies/parts`.
[[nodiscard]] std::filesystem::path data_folder(std::string_view option, const std::filesystem::path& executable,
                                                const std::filesystem::path& source_tree);

}  // namespace railyard
