// SPDX-License-Identifier: Apache-2.0
// A hundred megabytes of noise: no crash, no hang, bounded memory.
#include <sys/resource.h>

#include <chrono>
#include <random>
#include <string>

#include "calibrate/import/import.h"
#include "tests/catch.h"
#include "tests/import/fixture.h"

namespace railyard {
namespace {

constexpr std::size_t size = 100'000'000;

// Pieces of real tables in any order, between random bytes: every importer finds something to chew on.
std::string shuffled_pieces(std::uint64_t seed) {
  const std::string pieces[] = {
      fixture::settings(),
      fixture::device(0, 1, 0, "0000:10:00"),
      fixture::header(),
      fixture::row(33554432, 182.87, 1.75),
      fixture::row(8, 100000, 1.75),
      fixture::footer(),
      "Running device_to_device_memcpy_read_ce.\nmemcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)\n",
      "           0         1\n 0    1.00    2.00\nSUM device_to_device_memcpy_read_ce 3\n",
      "TransferBench v1\nTest 1:\n",
      " Transfer 00 | 1.0 GB/s | 4.7 ms | 26 bytes | G0 -> G0 -> G1\n",
      "BabelStream\nCopy 1 2 3 4\n",
      "transA,transB,m,n,k,a_type,hipblaslt-Gflops,us\nN,N,1,2,3,f,4,5\n",
      "12.0TFLOPS @ 1x2x3 (MxNxK)\n",
      "RDMA BW Test\n#bytes #iterations BW peak[Gb/sec] BW average[Gb/sec]\n",
      " 2 100 3.0 4.0 5.0\n",
      "GPU0 GPU1 CPU Affinity\nGPU0 X NV1\nGPU1 NV1 X\n",
      "LINK TYPE TABLE:\n0000:0c:00.0 0000:22:00.0\n",
      "[{\"m\":1,\"n\":2,\"k\":3,\"ms\":1}, ",
      "{\"a\":[[[[[[",
      "STREAM_COPY_a_buffer_8_block_1 1 2\n",
      "\x1b[31m",
      "\r",
      "\n"};
  std::mt19937_64 random(seed);
  std::string text;
  text.reserve(size + 1000);
  while (text.size() < size) {
    text += pieces[random() % std::size(pieces)];
    for (std::uint64_t i = random() % 8; i > 0; --i) text += static_cast<char>(random());
  }
  return text;
}

std::string random_bytes(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text(size, '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

// Peak resident memory of the process, in bytes.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// The text itself, and what is kept of it: 160 MB together when this was written.
void check_bounds(const std::string& text) {
  const auto start = std::chrono::steady_clock::now();
  const ImportedFile file = import_log(text, "noise");
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  CHECK(time.count() < 120);
  CHECK(peak_memory() < 400e6);
  std::size_t samples = 0;
  for (const ImportedRun& run : file.runs) {
    samples += run.collectives.size() + run.gemms.size() + run.memory.size() + run.links.size();
  }
  CHECK(samples < 22 * 250'000);
}

TEST_CASE("noise: 100 MB of random bytes are refused in bounded memory", "[import][slow]") {
  check_bounds(random_bytes(1));
}

TEST_CASE("noise: 100 MB of shuffled table pieces are read in bounded memory", "[import][slow]") {
  check_bounds(shuffled_pieces(2));
}

TEST_CASE("noise: 100 MB of rows keep no more than the limit of samples", "[import][slow]") {
  std::string text = fixture::header();
  text.reserve(size + 1000);
  for (long bytes = 4096; text.size() < size; bytes += 4096)
    text += fixture::row(bytes, 1e-4 * static_cast<double>(bytes), 1.75);
  check_bounds(text);
  CHECK(import_log(text, "noise").runs[0].collectives.size() <= 250'000);
}

}  // namespace
}  // namespace railyard
