// SPDX-License-Identifier: Apache-2.0
// What is known about the speed of one (GPU, software release): parameters of the laws with evidence, and the laws.
// Data: calibrate/profiles/*.yaml (format: calibrate/FORMAT.md). Speeds here are sustained under the power limit, not
// those of short cold kernels; the peak of the data sheet lives with the part.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/evidence.h"
#include "base/units.h"
#include "base/yaml_reader.h"
#include "calibrate/profile/collective_library.h"
#include "calibrate/profile/gemm_law.h"
#include "calibrate/profile/nearby_samples.h"

namespace railyard {

enum class Precision { bf16, fp8, fp16 };
inline constexpr std::array<Precision, 3> all_precisions = {Precision::bf16, Precision::fp8, Precision::fp16};
[[nodiscard]] std::string_view to_string(Precision precision);
/// Bytes of one element of an operand.
[[nodiscard]] Bytes element_size(Precision precision);

/// Sizes that samples of a law cover.
struct SampleRange {
  std::int64_t low = 0, high = 0;

  [[nodiscard]] bool holds(std::int64_t size) const { return low <= size && size <= high; }
};

/// How a law was fitted: to how many samples of which sizes, and how well it meets them.
struct FitQuality {
  int samples = 0;
  std::map<std::string, SampleRange> ranges;  // m, n, k of a product; sequence of attention
  double median_error = 0;                    // of the samples fitted to
  double left_out_error = 0;                  // median when each shape is predicted by a fit that has not seen it
};

/// Parameters of the GEMM law for one precision; see GemmLaw for what each means.
struct GemmParameters {
  Figure<FlopRate> sustained;   // best rate of a large, well-shaped GEMM, power limited
  Figure<double> k_overhead;    // prologue and epilogue of a tile, as extra K elements
  Figure<double> wave_sharing;  // 0: a last partial wave costs a whole wave, 1: it costs its share (stream-K)
  Figure<double> tile_edge;     // cost of fetching a tile's operands on chip, in elements of its edges
  Figure<Seconds> start;        // of a kernel on the device, apart from the gap between kernels
  /// 0 to 1: share of fetching operands beyond the last-level cache again that arithmetic does not hide.
  std::optional<Figure<double>> refetch;
  /// fp8: factor >= 1 on products of the backward pass, summed in split accumulators; none: as the forward ones.
  std::optional<Figure<double>> backward_slowdown;
  std::optional<FitQuality> fit;
  NearbySamples nearby;  // corrections by measured shapes; often none
};

struct AttentionParameters {
  Figure<FlopRate> forward, backward;     // rate at long sequence, counting only the unmasked part of a causal mask
  Figure<double> half_sequence;           // sequence length at which half of the forward rate is reached
  Figure<double> backward_half_sequence;  // the same of the backward rate
  std::optional<FitQuality> fit;
};

/// Scale-up and scale-out speeds as the collective library reaches them; what each means: collective_law.h, FORMAT.md.
struct CollectiveParameters {
  const CollectiveLibrary* library = nullptr;  // nothing: "plain"
  Figure<Bandwidth> scale_up_ring;             // bus bandwidth of a ring over the whole domain, large messages
  Figure<Bandwidth> scale_up_link;             // one way between one pair (equals scale_up_ring when switched)
  Figure<Seconds> base_latency;                // start of a collective under the quick protocol
  Figure<Seconds> scale_up_hop;         // one step of a ring under Simple inside the domain; other steps in proportion
  Figure<double> scale_out_efficiency;  // of the NIC's line rate, large messages
  Figure<Seconds> scale_out_hop;        // one of a tree under LL over the network, one switch on the way
  Figure<Seconds> switch_latency;       // each further switch
  std::optional<Figure<Bandwidth>> scale_up_reduction;  // of a GPU's links while the switches reduce (NVLS)
  std::optional<Figure<Seconds>> pipelining;            // what slices of a large message cost inside the domain
  std::optional<Figure<Seconds>> message_gap;           // between two messages of a ring on one edge of the network
  std::optional<Figure<Seconds>> network_step;          // of a ring inside at least, where it goes on over the network
  std::optional<Figure<Bandwidth>> channel;             // that one channel of the library copies under Simple
  std::optional<Figure<double>> tree_share;             // of the NICs' bandwidth, trees over more than two domains
  std::optional<Figure<double>> all_to_all_share;
};

struct Profile {
  std::string id, gpu, software, date, description;
  std::vector<std::pair<std::string, std::string>> run;  // of a measured one: device, driver, clocks, options
  int compute_units = 0;                                 // SMs or CUs that take GEMM tiles
  std::optional<Figure<Bytes>> last_level_cache;         // shared by all compute dies; needed for GEMM refetching
  int compute_dies = 1;                                  // with a second level of their own
  std::map<Precision, GemmParameters> gemm;
  std::map<int, AttentionParameters> attention;  // by head dimension
  Figure<Bandwidth> memory;                      // bytes read and written by a large copy-like kernel
  Figure<Seconds> memory_start;     // of a memory kernel: half the bandwidth is reached at start x memory bytes
  Figure<Seconds> kernel_gap;       // between two kernels of a stream when launches are ahead (graphs or a deep queue)
  Figure<double> compute_slowdown;  // factor >= 1 on compute while a collective runs beside it
  Figure<double> collective_slowdown;  // factor >= 1 on the collective
  Figure<double> speed_spread;         // relative standard deviation of GPU speed within a fleet
  /// By fabric (infiniband, roce): the library's parameters over it.
  std::map<std::string, CollectiveParameters> collectives;

  /// The parameters over `fabric`; throws InputError that names the fabrics the profile knows.
  [[nodiscard]] const CollectiveParameters& collective(std::string_view fabric) const;
  /// True when a rate of GEMM, attention or memory is assumed; the headline says so.
  [[nodiscard]] bool speed_assumed() const;
  /// What of a product or of a sequence lies outside the samples its law was fitted to, as a sentence; empty when
  /// nothing does, or when the profile tells no range.
  [[nodiscard]] std::string outside_samples(Precision precision, const GemmShape& shape) const;
  [[nodiscard]] std::string outside_samples(int head_dim, std::int64_t sequence) const;
};

/// Throws InputError with every mistake of the file.
[[nodiscard]] Profile read_profile(const YamlDocument& document);
/// Ids of the profiles in a folder, sorted.
[[nodiscard]] std::vector<std::string> profile_names(const std::filesystem::path& folder);
/// Reads folder/id.yaml; throws InputError for an unknown id (with the nearest) and for a file whose `profile` differs.
[[nodiscard]] Profile load_profile(const std::filesystem::path& folder, std::string_view id);

/// The laws at one end of every range. `fast` takes the end that makes things quick.
enum class Speed { slow, typical, fast };

/// The law of products of a precision, its memory being that of the profile; nothing when the profile has no figures.
[[nodiscard]] std::optional<GemmLaw> gemm_law(const Profile& profile, Precision precision, Speed speed);

/// Times of single operators on one GPU. Cheap to copy and call.
class Laws {
 public:
  Laws(const Profile& profile, Speed speed);

  /// C[m,n] = A[m,k] B[k,n]: tile and wave quantisation, memory bound, start; without the kernel gap (gemm_law.h);
  /// corrected by nearby samples when the profile has some.
  /// `output_size` is the bytes of an output element (4 for FP32-accumulating weight gradients). Quantising operands to
  /// FP8 is a memory operator of the workload. Throws InputError when the profile has no figures for the precision.
  [[nodiscard]] Seconds gemm(const GemmShape& shape, Precision precision, Bytes output_size) const;
  /// Factor on the time of a product of the backward pass, 1 where the profile has none.
  [[nodiscard]] double backward_slowdown(Precision precision) const {
    return backward_slowdown_[static_cast<std::size_t>(precision)];
  }
  /// Attention core, `flops` counting only the unmasked part. The rate saturates with `sequence` (the longer of queries
  /// and keys, at least 1). A head dimension between two known ones takes time per score linear in the dimension; above
  /// the largest it runs at that one's rate, below the smallest a score takes as long as there.
  [[nodiscard]] Seconds attention_forward(Flops flops, std::int64_t sequence, int head_dim) const;
  [[nodiscard]] Seconds attention_backward(Flops flops, std::int64_t sequence, int head_dim) const;
  /// A kernel limited by memory traffic: its start, and bytes over the bandwidth. No bytes, no kernel.
  [[nodiscard]] Seconds memory(Bytes traffic) const;
  [[nodiscard]] Seconds kernel_gap() const { return kernel_gap_; }
  [[nodiscard]] double compute_slowdown() const { return compute_slowdown_; }
  [[nodiscard]] double collective_slowdown() const { return collective_slowdown_; }
  [[nodiscard]] double speed_spread() const { return speed_spread_; }

 private:
  /// Rate and half sequence of one direction at one head dimension.
  struct Saturating {
    int head_dim = 0;
    FlopRate rate;
    double half_sequence = 0;
  };
  [[nodiscard]] Seconds attention(const std::vector<Saturating>& known, Flops flops, std::int64_t sequence,
                                  int head_dim) const;

  std::string id_;
  std::array<GemmLaw, all_precisions.size()> gemm_;  // by Precision; no speed: not in the profile
  std::array<NearbySamples, all_precisions.size()> nearby_;
  std::array<double, all_precisions.size()> backward_slowdown_;
  std::vector<Saturating> forward_, backward_;  // by head dimension, rising
  Bandwidth memory_;
  Seconds memory_start_, kernel_gap_;
  double compute_slowdown_ = 1, collective_slowdown_ = 1, speed_spread_ = 0;
};

enum class Collective { all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, send_receive };
[[nodiscard]] std::string_view to_string(Collective collective);

/// Bus bandwidth over algorithm bandwidth for `ranks` ranks (nccl-tests, doc/PERFORMANCE.md). Sizes are those of the
/// larger buffer.
[[nodiscard]] double bus_bandwidth_factor(Collective collective, int ranks);

}  // namespace railyard
