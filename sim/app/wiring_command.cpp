// SPDX-License-Identifier: Apache-2.0
// wiring: the cables of a design as lists, exchange files and drawings; what was built against what was planned.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <map>
#include <system_error>

#include "base/files.h"
#include "base/nearest_name.h"
#include "base/text.h"
#include "sim/app/commands.h"
#include "sim/report/fabric_svg/fabric_svg.h"
#include "sim/report/wiring_report.h"
#include "sim/study/design_comparison.h"
#include "topologies/exchange/cable_lists.h"
#include "topologies/exchange/graphml.h"
#include "topologies/exchange/netbox.h"
#include "topologies/exchange/validation_files.h"

namespace railyard {
namespace {

using Files = std::map<std::string, TextSource>;

template <std::string (*draw)(const Wiring&)>
TextSource drawing_of(const Wiring& wiring) {
  return [wiring](TextSink& sink) { sink.text() += draw(wiring); };
}

/// A form and its file; NetBox takes several.
struct WiringForm {
  std::string_view name, file;
  TextSource (*source)(const Wiring&);
  bool placed;  // needs to know where devices stand
};

constexpr std::array wiring_forms{WiringForm{"cut-sheet", "cut-sheet.csv", cut_sheet_of, true},
                                  WiringForm{"p2p", "point-to-point.csv", point_to_point_of, false},
                                  WiringForm{"netbox", "", nullptr, false},
                                  WiringForm{"graphml", "fabric.graphml", graphml_of, false},
                                  WiringForm{"dot", "fabric.dot", dot_of, false},
                                  WiringForm{"topo", "fabric.topo", topo_of, false},
                                  WiringForm{"patch-lists", "patch-lists.txt", patch_lists_of, true},
                                  WiringForm{"tiers", "tiers.svg", drawing_of<tier_diagram_svg>, false},
                                  WiringForm{"racks", "racks.svg", drawing_of<rack_elevations_svg>, true}};

Files files_of(const WiringForm& form, const Wiring& wiring) {
  if (form.source == nullptr) return netbox_of(wiring);
  return {{std::string(form.file), form.source(wiring)}};
}

const WiringForm& form_named(const std::string& name) {
  std::vector<std::string> names;
  for (const WiringForm& form : wiring_forms) {
    if (form.name == name) return form;
    names.emplace_back(form.name);
  }
  throw InputError(fmt::format("--as '{}' is unknown", name), expected_names(name, names));
}

/// The forms that were asked for; without any, every form that suits the fabric. Throws InputError for one that needs
/// places when there are none.
std::vector<const WiringForm*> forms_for(const WiringOptions& options, const Design& design) {
  const bool placed = options.site != no_site;
  std::vector<const WiringForm*> forms;
  for (const std::string& name : options.forms) {
    forms.push_back(&form_named(name));
    if (placed || !forms.back()->placed) continue;
    throw InputError(fmt::format("--as '{}' needs the places of devices, and there is no site", name),
                     "name one with --site");
  }
  if (!options.forms.empty()) return forms;
  for (const WiringForm& form : wiring_forms) {
    if ((form.name != "topo" || design.fabric == "infiniband") && (placed || !form.placed)) forms.push_back(&form);
  }
  return forms;
}

/// True when the output names a file: one text, and neither a folder that is there nor the name of one.
bool names_file(const std::filesystem::path& output, const Files& files) {
  std::error_code error;
  return files.size() == 1 && output.has_filename() && output.has_extension() &&
         !std::filesystem::is_directory(output, error);
}

Outcome write(const WiringOptions& options, const Files& files) {
  const std::filesystem::path output(options.output);
  if (names_file(output, files)) {
    const std::filesystem::path folder = output.has_parent_path() ? output.parent_path() : std::filesystem::path(".");
    stream_files(folder, Files{{output.filename().string(), files.begin()->second}});
    return {{}, "wrote " + printable(options.output) + "\n", 0};
  }
  stream_files(output, files);
  std::string notes = fmt::format("files in {}:", printable(options.output));
  for (const auto& [name, source] : files) notes += " " + name;
  return {{}, notes + "\n", 0};
}

/// What stands on the terminal.
std::string shown(const Wiring& wiring, Format format) {
  switch (format) {
    case Format::json:
      return text_of(wiring_json(wiring));
    case Format::csv:
      return text_of(cut_sheet_of(wiring));
    case Format::text:
      break;
  }
  return wiring_text(wiring);
}

Outcome compare(const WiringOptions& options, const Wiring& wiring, Format format) {
  const NamedFabric plan = named(wiring.fabric, wiring.names, wiring.design.id);
  const AsBuilt built = read_as_built(read_file(options.built, largest_wiring_file), options.built, plan);
  const WiringComparison comparison = compare_wiring(plan, built);
  constexpr int differs = 3;
  Outcome outcome{{}, {}, comparison.differences.empty() ? 0 : differs};
  switch (format) {
    case Format::json:
      outcome.output = comparison_json(comparison, built);
      break;
    case Format::csv:
      outcome.output = to_csv(comparison_table(comparison));
      break;
    case Format::text:
      outcome.output = comparison_text(comparison, built);
      break;
  }
  return outcome;
}

}  // namespace

Outcome run(const WiringOptions& options, const Context& context) {
  const Catalogue& catalogue = context.catalogue;
  const Design design = catalogue.design(options.design);
  const std::vector<const WiringForm*> forms = forms_for(options, design);
  if (!options.built.empty() && (!options.forms.empty() || !options.output.empty())) {
    throw InputError("--from compares and writes no files", "leave --as and --output out");
  }
  const bool placed = options.site != no_site;
  if (!placed && options.built.empty() && options.forms.empty() && options.output.empty()) {
    throw InputError("the summary needs the places of devices, and there is no site",
                     "name a form with --as, or a site");
  }
  const std::string gpu = gpu_or_first(options.gpu, design, catalogue.parts());
  const PriceBook book = catalogue.price_book(options.book.empty() ? catalogue.newest_price_book() : options.book);
  const WiredDesign wired = wire_design(design, catalogue, gpu, options.gpus, 0, catalogue.site_or_none(options.site),
                                        placed ? &book : nullptr);
  const FabricNames names(wired.fabric, design, catalogue.parts(), *wired.server);
  Wiring wiring{design, catalogue.parts(), *wired.server, wired.fabric, names};
  if (placed) {
    wiring.floor = &wired.site->floor;
    wiring.cables = &wired.site->cables;
  }
  if (!options.built.empty()) return compare(options, wiring, context.format);
  if (options.forms.empty() && options.output.empty()) return {shown(wiring, context.format), {}, 0};
  Files files;
  for (const WiringForm* form : forms) files.merge(files_of(*form, wiring));
  if (!options.output.empty()) {
    Outcome outcome = write(options, files);
    if (options.forms.empty() && placed) outcome.output = shown(wiring, context.format);
    return outcome;
  }
  if (files.size() > 1) {
    throw InputError(fmt::format("{} files for one terminal", files.size()), "name a folder with --output");
  }
  return {text_of(files.begin()->second), {}, 0};
}

}  // namespace railyard
