#pragma once
#include <cstdint>

namespace zigzag {

// Where a matrix lies: element (i, j) is at[i * rowStride + j * columnStride].
struct Matrix {
  const float *at;
  int64_t rowStride;
  int64_t columnStride;
  Matrix from(int64_t row) const { return {at + row * rowStride, rowStride, columnStride}; }
  Matrix transposed() const { return {at, columnStride, rowStride}; }
};

// The loops of one instruction set (loops.h).
struct Loops {
  void (*gelu)(const float *x, float *y, int64_t count);
  void (*geluGradient)(const float *dy, const float *x, float *dx, int64_t count);
  void (*reluGradient)(const float *dy, const float *y, float *dx, int64_t count);
  void (*divide)(const float *x, float *y, int64_t count, float by);
  void (*descend)(const float *parameter, float *velocity, const float *gradient, float *next, int64_t count,
                  float momentum, float rate);
  void (*layerNorm)(const float *x, const float *scale, const float *shift, float *y, float *mean, float *inverse,
                    int64_t rows, int64_t width, float epsilon);
  void (*layerNormGradient)(const float *x, const float *dy, const float *scale, const float *mean,
                            const float *inverse, float *dx, float *scaleSums, float *shiftSums, int64_t rows,
                            int64_t width);
  void (*columnSums)(const float *x, float *sums, int64_t rows, int64_t width);
  void (*softmax)(const float *x, float *y, int64_t rows, int64_t width);
  void (*softmaxGradient)(const float *y, const float *dy, float *dx, int64_t rows, int64_t width);
  void (*hideLater)(const float *x, float *y, int64_t first, int64_t rows, int64_t width, float hidden);
  void (*attentionShares)(const float *x, float *y, float *logarithms, int64_t first, int64_t rows, int64_t width,
                          bool causal, float divisor);
  void (*attentionSharesAgain)(const float *x, const float *logarithms, float *y, int64_t first, int64_t rows,
                               int64_t width, bool causal, float divisor);
  void (*attentionScoresGradient)(const float *p, const float *dp, const float *slopes, float *ds, int64_t rows,
                                  int64_t width, float divisor);
  void (*product)(const Matrix &a, const Matrix &b, const float *bias, float *c, int64_t cStride, int64_t rows,
                  int64_t depth, int64_t columns);
};

// The widest that this processor runs.
const Loops &loops();

}  // namespace zigzag
