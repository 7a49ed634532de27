// SPDX-License-Identifier: Apache-2.0
#include "sim/app/wiring_options.h"

namespace railyard {

WiringCommandLine::WiringCommandLine(CLI::App& app, const CLI::Validator& gpu_count)
    : command_(app.add_subcommand(
          "wiring", "every cable of a design: cut sheets, files for NetBox and NVIDIA's tools, drawings")) {
  command_->add_option("design", options_.design, "fabric design")->required()->type_name("DESIGN");
  command_->add_option("--gpus", options_.gpus, "GPUs of the job")->required()->check(gpu_count)->type_name("N");
  command_->add_option("--gpu", options_.gpu, "GPU part (default: the design's first)")->type_name("NAME");
  command_->add_option("--site", options_.site, "racks and cable lengths of this site; none: no places")
      ->type_name("NAME")
      ->capture_default_str();
  command_->add_option("--book", options_.book, "price book that decides between media (default: the newest)")
      ->type_name("NAME");
  command_
      ->add_option("--as", options_.forms,
                   "cut-sheet, p2p, netbox, graphml, dot, topo, patch-lists, tiers, racks; several with commas")
      ->delimiter(',')
      ->type_name("FORM");
  command_
      ->add_option("-o,--output", options_.output,
                   "folder for the files, or the file of a single form (default: one form to the terminal)")
      ->type_name("FOLDER|FILE");
  command_
      ->add_option(
          "--from", options_.built,
          "compare with what was built: GraphML, .topo, .dot, cut sheet, point-to-point or NetBox cables; exit 3 "
          "when it differs")
      ->type_name("FILE");
}

void WiringCommandLine::choose(CommandLine& line) const {
  if (command_->parsed()) line.command = options_;
}

}  // namespace railyard
