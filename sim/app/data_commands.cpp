// SPDX-License-Identifier: Apache-2.0
// check, list and init: the data files themselves.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <system_error>

#include "base/files.h"
#include "base/nearest_name.h"
#include "base/text.h"
#include "sim/app/commands.h"
#include "sim/report/json.h"
#include "sim/report/text.h"
#include "sim/study/calibration/sample_set.h"
#include "topologies/exchange/graphml.h"

namespace railyard {
namespace {

constexpr int bad_input = 2;  // exit code, when the mistakes are the output

/// A kind of file, the key that tells it, and its reader.
struct FileKind {
  std::string_view name, key;
  std::function<void(const YamlDocument&, const Catalogue&)> read;
};

/// Names that lead nowhere, as errors of the file.
void refuse(const YamlDocument& document, std::vector<Diagnostic> faults) {
  for (Diagnostic& fault : faults) {
    if (fault.file.empty()) fault.file = document.name();
  }
  if (!faults.empty()) throw InputError(std::move(faults));
}

const std::vector<FileKind>& file_kinds() {
  static const std::vector<FileKind> kinds{
      {"study", "study", [](const YamlDocument& d, const Catalogue& c) { (void)Study(d, c); }},
      {"design", "design",
       [](const YamlDocument& d, const Catalogue& c) { refuse(d, design_faults(read_design(d), c.parts())); }},
      {"site", "hall", [](const YamlDocument& d, const Catalogue&) { (void)read_site(d); }},
      {"profile", "profile", [](const YamlDocument& d, const Catalogue&) { (void)read_profile(d); }},
      {"samples", "samples", [](const YamlDocument& d, const Catalogue&) { (void)read_samples(d); }},
      {"price book", "book",
       [](const YamlDocument& d, const Catalogue& c) { refuse(d, unknown_parts(read_price_book(d), c.parts())); }},
      {"owner", "buyer", [](const YamlDocument& d, const Catalogue&) { (void)read_owner(d); }},
      {"model", "layers", [](const YamlDocument& d, const Catalogue&) { (void)read_model(d); }},
      {"reliability", "node_failure_rate", [](const YamlDocument& d, const Catalogue&) { (void)read_reliability(d); }},
  };
  return kinds;
}

/// A table is told by a column of its own.
std::string_view check_table_file(const std::string& file, const Catalogue& catalogue) {
  const CsvFile table = parse_csv(read_file(file), file);
  const auto has = [&](std::string_view column) {
    return std::ranges::find(table.columns, column) != table.columns.end();
  };
  if (has("term")) {
    static_cast<void>(catalogue.published_owner_terms(file));
    return "owner terms";
  }
  if (has("usd_per_gpu_hour")) {
    static_cast<void>(read_published_costs(table));
    return "owner costs";
  }
  throw InputError(
      {Diagnostic{.file = file,
                  .line = 1,
                  .column = 1,
                  .message = "no table that check reads",
                  .expected = "expected a column 'usd_per_gpu_hour' (owner costs) or 'term' (owner terms); "
                              "measured tables are read by validate"}});
}

/// Name of the kind of file that was read without a mistake.
std::string_view check_file(const std::string& file, const Catalogue& catalogue) {
  if (std::filesystem::path(file).extension() == ".csv") return check_table_file(file, catalogue);
  if (std::filesystem::path(file).extension() == ".graphml") {
    static_cast<void>(read_graphml(read_file(file, largest_wiring_file), file));
    return "wiring";
  }
  const YamlDocument document = YamlDocument::load(file);
  Diagnostics diagnostics;
  const YamlMap root = document.root(diagnostics);
  diagnostics.throw_if_any();
  for (const FileKind& kind : file_kinds()) {
    if (!root.has(kind.key)) continue;
    kind.read(document, catalogue);
    return kind.name;
  }
  Parts parts;  // parts are what has none of those keys
  read_parts(document, parts, diagnostics);
  diagnostics.throw_if_any();
  return "parts";
}

std::string evidence_source(const Evidence& evidence) {
  return evidence.source.empty() ? "assumed: " + evidence.rule : evidence.source;
}

ListedItem item(std::string name, std::string description, const Evidence& evidence) {
  return {std::move(name), std::move(description), evidence_source(evidence), evidence.date};
}

/// A part whose figure is assumed still has the document that tells of it.
template <class Part>
ListedItem part_item(std::string name, std::string description, const Part& part, const Evidence& evidence) {
  if (!evidence.source.empty()) return item(std::move(name), std::move(description), evidence);
  return {std::move(name), std::move(description), part.source + "; assumed: " + evidence.rule, {}};
}

std::vector<ListedItem> list_parts_of(const Parts& parts) {
  std::vector<ListedItem> items;
  for (const auto& [id, gpu] : parts.gpus) items.push_back(item(id, "GPU: " + gpu.name, gpu.bf16_dense.evidence));
  for (const auto& [id, server] : parts.servers)
    items.push_back(part_item(id, "server: " + server.name, server, server.power.evidence));
  for (const auto& [id, nic] : parts.nics)
    items.push_back(part_item(id, "NIC: " + nic.name, nic, nic.port_speed.evidence));
  for (const auto& [id, each] : parts.switches)
    items.push_back(part_item(id, "switch: " + each.name, each, each.power.evidence));
  for (const auto& [id, module] : parts.modules)
    items.push_back(part_item(id, "module: " + module.name, module, module.power.evidence));
  for (const auto& [id, cable] : parts.cables)
    items.push_back(part_item(id, "cable: " + cable.name, cable, cable.power.evidence));
  return items;
}

std::vector<ListedItem> items_of(const std::string& kind, const Catalogue& catalogue) {
  if (kind == "parts") return list_parts_of(catalogue.parts());
  std::vector<ListedItem> items;
  if (kind == "designs") {
    for (const std::string& id : catalogue.designs()) {
      const Design design = catalogue.design(id);
      items.push_back({id, design.description, design.source, {}});
    }
  } else if (kind == "sites") {
    for (const std::string& id : catalogue.sites()) {
      const Site site = catalogue.site(id);
      items.push_back({id, site.description, site.source, {}});
    }
  } else if (kind == "profiles") {
    for (const std::string& id : catalogue.profiles()) {
      const Profile profile = catalogue.profile(id);
      const Evidence& evidence = profile.gemm.begin()->second.sustained.evidence;
      items.push_back({id, profile.description, evidence_source(evidence), profile.date});
    }
  } else if (kind == "books") {
    for (const std::string& id : catalogue.price_books()) {
      const PriceBook book = catalogue.price_book(id);
      items.push_back(
          {id, book.description, fmt::format("{} priced parts, each with its source", book.parts.size()), book.date});
    }
  } else if (kind == "owners") {
    for (const std::string& id : catalogue.owners()) {
      const OwnerTerms terms = catalogue.owner(id);
      const std::string description = fmt::format("capital at {}", to_text(terms.wacc.value.typical));
      const Evidence& capital = terms.wacc.evidence;
      const Evidence& energy = terms.energy.evidence;
      if (capital.source.empty()) {
        const std::string source = fmt::format("energy: {}; capital assumed: {}", energy.source, capital.rule);
        items.push_back({id, description, source, energy.date});
      } else {
        items.push_back(item(id, description, capital));
      }
    }
  } else {
    for (const std::string& id : catalogue.models()) {
      const Model model = catalogue.model(id);
      items.push_back({id, model.description, model.source, model.date});
    }
  }
  return items;
}

}  // namespace

Outcome run(const CheckOptions& options, const Context& context) {
  std::vector<CheckedFile> files;
  std::vector<Diagnostic> mistakes;
  std::string text;
  for (const std::string& file : options.files) {
    CheckedFile checked{file, {}, {}};
    try {
      checked.kind = check_file(file, context.catalogue);
      text += fmt::format("{}: {}, no mistakes\n", printable(file), checked.kind);
    } catch (const InputError& error) {
      checked.mistakes = error.diagnostics();
      mistakes.insert(mistakes.end(), checked.mistakes.begin(), checked.mistakes.end());
    }
    files.push_back(std::move(checked));
  }
  const int code = mistakes.empty() ? 0 : bad_input;
  switch (context.format) {
    case Format::json:
      return {check_json(files), {}, code};
    case Format::csv:
      return {to_csv(check_table(files)), {}, code};
    case Format::text:
      break;
  }
  if (!mistakes.empty()) throw InputError(std::move(mistakes));
  return {text, {}, 0};
}

Outcome run(const ListOptions& options, const Context& context) {
  if (options.kind.empty()) throw InputError("list needs a kind", expected_names({}, list_kinds()));
  const std::vector<ListedItem> items = items_of(options.kind, context.catalogue);
  switch (context.format) {
    case Format::json:
      return {list_json(options.kind, items), {}, 0};
    case Format::csv:
      return {to_csv(list_table(items)), {}, 0};
    case Format::text:
      break;
  }
  return {list_text(items), {}, 0};
}

Outcome run(const InitOptions& options, const Context&) {
  if (options.file.empty()) return {starter_study(), {}, 0};
  const std::filesystem::path file(options.file);
  std::error_code error;
  if (std::filesystem::exists(file, error))
    throw InputError(printable(options.file) + " exists already", "name another file, or remove it first");
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  write_files(folder, {{file.filename().string(), starter_study()}});
  return {{}, "wrote " + printable(options.file) + "\n", 0};
}

}  // namespace railyard
