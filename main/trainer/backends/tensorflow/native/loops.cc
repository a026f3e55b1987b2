// The loops of ../../native for every instruction set that this compiler and processor may share, and the choice among
// them.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "loops_table.h"

#define EACH(name) name,
#define TABLE static const Loops LOOPS = {ZIGZAG_LOOPS(EACH)};

namespace zigzag {

float *scratch(Index floats) {
  thread_local std::vector<float> kept;
  if (kept.size() < static_cast<size_t>(floats)) kept.resize(floats);
  return kept.data();
}

namespace plain {
TABLE
}  // namespace plain

// Clang has no such pragma: it compiles the plain loops alone, which are all there is on ARM.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define ZIGZAG_WIDE
#pragma GCC push_options
#pragma GCC target("avx2,fma")
namespace avx2 {
#define LANES 8
#define TILE_ROWS 6
#define TILE_VECTORS 2
#include "instruction_set.h"
TABLE
}  // namespace avx2
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,fma,prefer-vector-width=512")
namespace avx512 {
#define LANES 16
#define TILE_ROWS 12
#define TILE_VECTORS 2
#include "instruction_set.h"
TABLE
}  // namespace avx512
#pragma GCC pop_options
#endif

// ZIGZAG_INSTRUCTIONS names a set that is narrower than what this processor has, to try it.
static const Loops &choose() {
#ifdef ZIGZAG_WIDE
  const char *asked = std::getenv("ZIGZAG_INSTRUCTIONS");
  const auto isAllowed = [asked](const char *name) { return asked == nullptr || strcmp(asked, name) == 0; };
  if (isAllowed("avx512") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return avx512::LOOPS;
  if (isAllowed("avx2") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2::LOOPS;
#endif
  return plain::LOOPS;
}

const Loops &loops() {
  static const Loops &chosen = choose();
  return chosen;
}

}  // namespace zigzag
