#pragma once
#include <cstddef>
#include <cstdint>

#define INLINE inline __attribute__((always_inline))
#define INLINE_LAMBDA __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")
#define LOOP(name) static void name

namespace zigzag {

using Index = std::ptrdiff_t;

// A matrix in memory: element (i, j) is at[i * rowStride + j * columnStride].
struct Matrix {
  const float *at;
  Index rowStride;
  Index columnStride;
  Matrix from(Index row) const { return {at + row * rowStride, rowStride, columnStride}; }
  Matrix transposed() const { return {at, columnStride, rowStride}; }
};

// Memory of one thread, until it asks again.
float *scratch(Index floats);

// For every processor that this compiler knows.
namespace plain {
#define LANES 4
#define TILE_ROWS 6
#define TILE_VECTORS 2
#include "instruction_set.h"
}  // namespace plain

#define ZIGZAG_LOOPS(EACH)                                                                                           \
  EACH(gelu) EACH(geluGradient) EACH(reluGradient) EACH(divide) EACH(descend) EACH(layerNorm)                        \
  EACH(layerNormGradient) EACH(columnSum) EACH(softmax) EACH(softmaxGradient) EACH(hideLater) EACH(attentionShares)  \
  EACH(attentionSharesAgain) EACH(attentionScoresGradient) EACH(product)

// The loops of one instruction set.
struct Loops {
#define EACH(name) decltype(&plain::name) name;
  ZIGZAG_LOOPS(EACH)
#undef EACH
};

// The widest that this processor runs.
const Loops &loops();

}  // namespace zigzag
