// SPDX-License-Identifier: Apache-2.0
// Names of what a device can be asked to do. Device code shares them, also where it is compiled on the machine that
// runs it: so this header includes nothing.
#pragma once

namespace railyard::device {

enum class WorkKind : int { empty, gemm, memory, attention, collective, peer_copy, host_copy, fan_copy };
enum class ElementType : int { bf16, fp16, fp8, tf32, fp32 };
/// How A [m,k] and B [k,n] lie in memory, by rows: the second letter T means that B is stored [n,k] (a layer's x W^T),
/// a first T that A is stored [k,m] (a weight gradient).
enum class Layout : int { nt, nn, tn };
enum class Inputs : int { normal, uniform, integers, zeros };
enum class MemoryKernel : int { copy, read, write, add, triad };
enum class CollectiveKind : int { all_reduce, all_gather, reduce_scatter, all_to_all, broadcast };
/// Whose kernel multiplies: the vendor's library or the plug-in's own.
enum class Library : int { vendor, own };

}  // namespace railyard::device
