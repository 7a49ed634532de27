// SPDX-License-Identifier: Apache-2.0
// Which of how many processes this one is, as launchers tell it in the environment: mpirun of Open MPI, MPICH and Intel
// MPI, MVAPICH, srun, torchrun. Nothing of MPI is linked.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace railyard::device {

/// Text of an environment variable; nothing when it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
[[nodiscard]] std::optional<std::string> process_environment(const std::string& name);

struct LaunchPlace {
  int rank = 0, size = 1;
  int local_rank = -1, local_size = -1;  // among the processes of its node; -1: not told
  std::string launcher;                  // "Open MPI"
  std::string job;                       // what the launcher calls the job; may be empty
};

/// Nothing outside a launch. A batch script of Slurm is none: only what srun starts is. Throws InputError naming the
/// variable when half of what is needed is there, or is no number in range.
[[nodiscard]] std::optional<LaunchPlace> launch_place(const Environment& environment);

inline constexpr double default_meeting_limit_s = 120;

/// Where the processes meet: rank 0 listens there, or writes where it listens into the file.
struct MeetingPlace {
  std::string host, file;  // one of them
  int port = 0;
};

/// From `named` (--rendezvous: HOST:PORT or a path with a slash), else RAILYARD_RENDEZVOUS, MASTER_ADDR and
/// MASTER_PORT, the first node of SLURM_STEP_NODELIST, or this machine when all processes are on it. A port that nobody
/// names follows from the job's name, 20000 to 39999. Throws InputError when nothing tells.
[[nodiscard]] MeetingPlace meeting_place(const LaunchPlace& place, const std::string& named,
                                         const Environment& environment);

/// What the list of visible GPUs (CUDA_VISIBLE_DEVICES and the like; empty: not set) must become when several processes
/// of a node see the same GPUs: each takes the one of its local rank. Nothing when it is right as it is.
[[nodiscard]] std::optional<std::string> own_device(const LaunchPlace& place, const std::string& visible);

/// First host of a Slurm node list: "gpu[007-009,012],login1" gives "gpu007".
[[nodiscard]] std::string first_node(const std::string& list);

}  // namespace railyard::device
