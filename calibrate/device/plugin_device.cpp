// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/plugin_device.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/quantity_text.h"
#include "calibrate/device/host_device.h"
#include "calibrate/device/plugin_abi.h"

namespace railyard::device {
namespace {

constexpr std::size_t text_size = 16384;

/// A buffer that a plug-in writes into.
class TextBuffer {
 public:
  [[nodiscard]] PluginText target() { return {bytes_.data(), static_cast<std::uint32_t>(bytes_.size())}; }
  [[nodiscard]] std::string text() const { return bytes_.data(); }

 private:
  std::array<char, text_size> bytes_{};
};

class PluginDevice final : public Device {
 public:
  PluginDevice(const PluginTable& table, void* session) : table_(table), session_(session) {
    try {
      read_facts();
    } catch (...) {
      table_.close(session_);
      throw;
    }
  }
  ~PluginDevice() override { table_.close(session_); }

  [[nodiscard]] const DeviceFacts& facts() const override { return facts_; }

  [[nodiscard]] WorkId prepare(const WorkRequest& request) override {
    WorkId work;
    call([&](PluginText text) { return table_.prepare(session_, &request, &work.value, text); });
    return work;
  }
  void release(WorkId work) override { table_.release(session_, work.value); }
  void queue(WorkId work) override {
    call([&](PluginText text) { return table_.queue(session_, work.value, text); });
  }
  void block(WorkId work) override {
    call([&](PluginText text) { return table_.block(session_, work.value, text); });
  }
  void unblock(WorkId work) override { table_.unblock(session_, work.value); }
  void flush_l2(WorkId work) override {
    call([&](PluginText text) { return table_.flush_l2(session_, work.value, text); });
  }
  void record(WorkId work, int event) override {
    call([&](PluginText text) { return table_.record(session_, work.value, event, text); });
  }
  void synchronise() override {
    call([&](PluginText text) { return table_.synchronise(session_, text); });
  }
  [[nodiscard]] double elapsed(WorkId work, int first, int last) override {
    double seconds = 0;
    call([&](PluginText text) { return table_.elapsed(session_, work.value, first, last, &seconds, text); });
    return seconds;
  }
  [[nodiscard]] DeviceState state(int device) override {
    DeviceState state;
    call([&](PluginText text) { return table_.state(session_, device, &state, text); });
    return state;
  }
  [[nodiscard]] std::optional<Verification> verify(WorkId work) override {
    Verification result;
    try {
      call([&](PluginText text) { return table_.verify(session_, work.value, &result.error, &result.limit, text); });
    } catch (const Waived&) {
      return {};
    }
    return result;
  }
  [[nodiscard]] std::string describe(WorkId work) override {
    return call([&](PluginText text) { return table_.describe(session_, work.value, text); });
  }

  [[nodiscard]] GroupId new_group() override {
    GroupId id;
    call([&](PluginText text) { return table_.new_group(session_, &id, text); });
    return id;
  }
  [[nodiscard]] int join(const GroupJoin& join) override {
    std::int32_t group = -1;
    call([&](PluginText text) { return table_.join(session_, &join, &group, text); });
    return group;
  }

 private:
  /// The text the function wrote; throws what its status means.
  template <class Function>
  std::string call(const Function& function) {
    const PluginStatus status = function(buffer_.target());
    if (status == PluginStatus::ok) return buffer_.text();
    if (status == PluginStatus::waived) throw Waived(buffer_.text());
    throw DeviceError(buffer_.text());
  }

  void read_facts() {
    const std::string text = call([&](PluginText target) { return table_.facts(session_, target); });
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      const std::size_t colon = line.find(": ");
      if (colon == std::string::npos) continue;
      take_fact(line.substr(0, colon), line.substr(colon + 2));
    }
    if (facts_.devices < 1) throw NoDevice("the plug-in tells of no device");
  }

  void take_fact(const std::string& key, const std::string& value) {
    const auto number = [&] { return parse_number(value).base; };
    if (key == "back_end") {
      facts_.back_end = value;
    } else if (key == "name") {
      facts_.name = value;
    } else if (key == "devices") {
      facts_.devices = static_cast<int>(number());
    } else if (key == "compute_units") {
      facts_.compute_units = static_cast<int>(number());
    } else if (key == "memory_bytes") {
      facts_.memory_bytes = number();
    } else if (key == "clock_hz") {
      facts_.clock_hz = number();
    } else {
      facts_.facts.push_back({key, value});
    }
  }

  const PluginTable& table_;
  void* session_;
  DeviceFacts facts_;
  TextBuffer buffer_;
};

const PluginTable& load_table(const std::filesystem::path& file) {
  // Never closed: what a driver started in this process does not survive it.
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const error = dlerror();
    throw NoDevice(fmt::format("'{}' cannot be opened: {}", file.string(), error == nullptr ? "" : error));
  }
  void* const symbol = dlsym(library, plugin_entry_name);
  if (symbol == nullptr) throw NoDevice(fmt::format("'{}' is no plug-in of railyard", file.string()));
  const PluginTable* const table = reinterpret_cast<PluginEntry>(symbol)(plugin_version);
  if (table == nullptr || table->version != plugin_version || table->size != sizeof(PluginTable)) {
    throw NoDevice(fmt::format("'{}' is of another version of railyard", file.string()));
  }
  return *table;
}

}  // namespace

GroupId Device::new_group() { throw Waived("this device exchanges nothing with other processes"); }
int Device::join(const GroupJoin&) { throw Waived("this device exchanges nothing with other processes"); }

std::vector<std::filesystem::path> plugin_folders(const std::filesystem::path& program) {
  std::vector<std::filesystem::path> folders;
  if (const char* const named = std::getenv("RAILYARD_PLUGINS"); named != nullptr && *named != '\0') {
    folders.emplace_back(named);
  }
  if (program.has_parent_path()) {
    folders.push_back(program.parent_path());
    folders.push_back(program.parent_path().parent_path() / "lib" / "railyard");
  }
  return folders;
}

std::unique_ptr<Device> open_plugin(std::string_view name, const std::vector<std::filesystem::path>& folders) {
  const std::string file = fmt::format("railyard_{}.so", name);
  std::string places;
  for (const std::filesystem::path& folder : folders) {
    std::error_code error;
    if (std::filesystem::is_regular_file(folder / file, error)) {
      const PluginTable& table = load_table(folder / file);
      TextBuffer buffer;
      void* session = nullptr;
      if (table.open(&session, buffer.target()) != PluginStatus::ok) throw NoDevice(buffer.text());
      return std::make_unique<PluginDevice>(table, session);
    }
    places += (places.empty() ? "" : ", ") + folder.string();
  }
  throw NoDevice(
      fmt::format("the plug-in {} is not there (searched: {}); build it with the GPU's toolkit, or name its "
                  "folder in RAILYARD_PLUGINS",
                  file, places.empty() ? "nowhere" : places));
}

std::unique_ptr<Device> open_device(DeviceChoice choice, const std::vector<std::filesystem::path>& folders) {
  switch (choice) {
    case DeviceChoice::cuda:
      return open_plugin("cuda", folders);
    case DeviceChoice::hip:
      return open_plugin("hip", folders);
    case DeviceChoice::host:
      return open_host();
    case DeviceChoice::automatic:
      break;
  }
  for (const std::string_view name : {"cuda", "hip"}) {
    try {
      return open_plugin(name, folders);
    } catch (const NoDevice&) {
      continue;
    }
  }
  return open_host();
}

}  // namespace railyard::device
