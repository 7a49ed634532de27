// SPDX-License-Identifier: Apache-2.0
#include "sim/app/calibrate_options.h"

namespace railyard {
namespace {

void profile_options(CLI::App* command, std::string& like, std::string& output, std::string& fabric, std::string& nic) {
  command->add_option("--like", like, "profile for what was not measured; it is marked as assumed")
      ->type_name("PROFILE");
  command->add_option("-o,--output", output, "profile to write; its samples lie beside it")->type_name("FILE");
  command->add_option("--fabric", fabric, "fabric of runs over several nodes, as infiniband")->type_name("NAME");
  command->add_option("--nic", nic, "line rate of a GPU's port on it, as '400 Gb/s'")->type_name("RATE");
}

}  // namespace

CalibrateCommandLine::CalibrateCommandLine(CLI::App& app) {
  CLI::App* const calibrate =
      app.add_subcommand("calibrate", "from logs, or from this machine, to a profile; profiles and logs compared");
  calibrate->require_subcommand(1);
  calibrate->fallthrough();
  import_command_ = calibrate->add_subcommand("import", "read logs; fit the laws and write a profile");
  import_command_->add_option("logs", import_.logs, "logs of nccl-tests, nvbandwidth, hipblaslt-bench, ...")
      ->required()
      ->type_name("LOG");
  constexpr int most_nodes = 1'000'000;
  import_command_->add_option("--nodes", import_.nodes, "nodes of collectives whose log does not tell them")
      ->type_name("COUNT")
      ->check(CLI::Range(1, most_nodes));
  profile_options(import_command_, import_.like, import_.output, import_.fabric, import_.nic);

  fit_command_ = calibrate->add_subcommand("fit", "fit samples again: parameters, residuals, errors left out");
  fit_command_->add_option("samples", fit_.samples, "samples file or log")->required()->type_name("SAMPLES");
  profile_options(fit_command_, fit_.like, fit_.output, fit_.fabric, fit_.nic);
  fit_command_->add_flag("--residuals", fit_.residuals, "print every sample, not the worst alone");

  show_command_ = calibrate->add_subcommand("show", "what a profile, samples or a log say");
  show_command_->add_option("input", show_.input, "profile, samples file or log")
      ->required()
      ->type_name("PROFILE|FILE");
  show_command_->add_option("--svg", show_.svg, "charts to write: measured points and laws")->type_name("FILE");
  show_command_->add_option("--like", show_.like, "profile whose law of products fits few samples")
      ->type_name("PROFILE");

  compare_command_ = calibrate->add_subcommand("compare", "mark the differences between two that exceed the noise");
  compare_command_->add_option("a", compare_.first, "profile, samples file or log: the baseline")
      ->required()
      ->type_name("A");
  compare_command_->add_option("b", compare_.second, "the same, compared with it")->required()->type_name("B");
  compare_command_
      ->add_option("--require", compare_.requirements,
                   "exit 3 when a marked difference breaks it, as 'gemm>=-3 %' or 'all>=-5 %'")
      ->type_name("TEST")
      ->allow_extra_args(false);
  measure_command_ = calibrate->add_subcommand("measure", "time this machine's GPUs, or the host; write a profile");
  measure_command_->add_option("--device", measure_.device, "cuda, hip, host or auto: the first that answers")
      ->check(CLI::IsMember({"auto", "cuda", "hip", "host"}))
      ->type_name("DEVICE")
      ->capture_default_str();
  measure_command_->add_flag("--quick", measure_.quick,
                             "at most a minute, instead of two on one GPU and eight on many");
  measure_command_->add_flag("--method-study", measure_.method_study,
                             "what the way of measuring does to figures of products, instead of a profile");
  measure_command_
      ->add_option("--only", measure_.only,
                   "groups: gemm, hbm, attention, link, launch, own, collective, interference, gpus")
      ->type_name("GROUP,...");
  measure_command_
      ->add_option("--rendezvous", measure_.rendezvous,
                   "where the processes of mpirun or srun meet: HOST:PORT, or the path of a shared file (default: "
                   "MASTER_ADDR and MASTER_PORT, or the first node)")
      ->type_name("PLACE");
  measure_command_
      ->add_option("--rendezvous-limit", measure_.rendezvous_limit_s, "longest wait for all processes, in seconds")
      ->check(CLI::Range(1.0, 86400.0))
      ->type_name("SECONDS")
      ->capture_default_str();
  measure_command_
      ->add_option("--like", measure_.like, "profile for what was not measured (default: by the GPU's name)")
      ->type_name("PROFILE");
  measure_command_->add_option("-o,--output", measure_.output, "profile to write; samples and a table lie beside it")
      ->type_name("FILE");
  for (CLI::App* command : {import_command_, fit_command_, show_command_, compare_command_, measure_command_}) {
    command->fallthrough();
  }
}

void CalibrateCommandLine::choose(CommandLine& line) const {
  if (import_command_->parsed()) line.command = import_;
  if (fit_command_->parsed()) line.command = fit_;
  if (show_command_->parsed()) line.command = show_;
  if (compare_command_->parsed()) line.command = compare_;
  if (measure_command_->parsed()) line.command = measure_;
}

}  // namespace railyard
