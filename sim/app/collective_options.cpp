// SPDX-License-Identifier: Apache-2.0
#include "sim/app/collective_options.h"

#include "sim/study/failures.h"

namespace railyard {

CollectiveCommandLine::CollectiveCommandLine(CLI::App& app, int most_gpus) {
  collective_command_ = app.add_subcommand("collective", "how long a collective takes on a wired cluster, by size");
  CLI::App* const command = collective_command_;
  command->add_option("target", collective_.target, "fabric design, or a study: each of its clusters")
      ->required()
      ->type_name("DESIGN|STUDY");
  command
      ->add_option("--op", collective_.operations,
                   "all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, send_receive; several: A,B")
      ->delimiter(',')
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--gpus", collective_.gpus, "ranks, one a GPU; several: 16,1024")
      ->required()
      ->delimiter(',')
      ->check(CLI::Range(2, most_gpus).description(""))
      ->type_name("N");
  command->add_option("--gpu", collective_.gpu, "GPU part (default: the design's first)")->type_name("NAME");
  command->add_option("--profile", collective_.profile, "speed profile (default: the first of the GPU)")
      ->type_name("NAME");
  command
      ->add_option("--placement", collective_.placement,
                   "contiguous, spread over the cluster, stride:N, or domain:N (ranks in each)")
      ->type_name("HOW")
      ->capture_default_str();
  command->add_option("--cluster", collective_.cluster, "GPUs that are wired (default: as few as hold the ranks)")
      ->check(CLI::Range(2, most_gpus).description(""))
      ->type_name("N");
  command->add_option("--from", collective_.from, "smallest message")->type_name("SIZE")->capture_default_str();
  command->add_option("--to", collective_.to, "largest message; sizes double")
      ->type_name("SIZE")
      ->capture_default_str();
  command->add_flag("--sharp", collective_.sharp, "let the switches of the fabric reduce (CollNet)");
  command->add_option("--algorithm", collective_.algorithm, "this one only, as ring or 'nvls tree'")->type_name("NAME");
  command->add_option("--routing", collective_.routing, "spray or ecmp")->type_name("HOW")->capture_default_str();
  command->add_option("--seeds", collective_.seeds, "hashes to try with --routing ecmp (default: 100)")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N");
  command->add_option("--fail", collective_.failures, std::string(failure_help))
      ->type_name("PART")
      ->allow_extra_args(false);
  command->add_option("--svg", collective_.svg, "chart to write: bus bandwidth by size")->type_name("FILE");

  expect_command_ =
      app.add_subcommand("expect", "is my cluster as fast as it should be: a log of nccl-tests or rccl-tests judged");
  CLI::App* const expect = expect_command_;
  expect->add_option("logs", expect_.logs, "logs of nccl-tests or rccl-tests")->required()->type_name("LOG");
  expect->add_option("--gpu", expect_.gpu, "GPU, where the log does not name it, as H100")->type_name("NAME");
  expect->add_option("--nodes", expect_.nodes, "servers, where the log does not tell them")
      ->check(CLI::Range(1, most_gpus).description(""))
      ->type_name("N");
  expect->add_option("--nics", expect_.nics, "NICs of a server (default: one a GPU)")
      ->check(CLI::Range(1, 64).description(""))
      ->type_name("N");
  expect->add_option("--nic", expect_.nic, "line rate of a NIC (default: that of the GPU's usual server)")
      ->type_name("RATE");
  expect->add_option("--fabric", expect_.fabric, "infiniband, roce, efa or slingshot")
      ->type_name("NAME")
      ->capture_default_str();
  expect->add_option("--require", expect_.requirements, "exit 3 unless it holds, as 'ratio>=0.9' or 'as-expected'")
      ->type_name("TEST")
      ->allow_extra_args(false);
}

void CollectiveCommandLine::choose(CommandLine& line) const {
  if (collective_command_->parsed()) line.command = collective_;
  if (expect_command_->parsed()) line.command = expect_;
}

}  // namespace railyard
