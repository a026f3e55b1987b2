// Loops over floats, included once for each instruction set, inside a namespace of its own that says LANES (floats in a
// vector), TILE_ROWS and TILE_VECTORS (what of a product is summed up in registers). Nothing here depends on how many
// threads there are.

typedef float Lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t Whole __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

INLINE Lanes load(const float *from) { return *reinterpret_cast<const Lanes *>(from); }
INLINE void store(float *to, Lanes x) { *reinterpret_cast<Lanes *>(to) = x; }
INLINE Lanes all(float x) { return Lanes{} + x; }

// The first few lanes, the others 0.
INLINE Lanes loadPart(const float *from, int64_t count) {
  Lanes x{};
  memcpy(&x, from, 4 * count);
  return x;
}
INLINE void storePart(float *to, Lanes x, int64_t count) { memcpy(to, &x, 4 * count); }

INLINE float sum(Lanes x) {
  float total = 0;
  for (int i = 0; i < LANES; i++) total += x[i];
  return total;
}

// e to the power of x, within 2 units in the last place; exactly 0 below the least normal number, like a hidden score's.
INLINE Lanes exponential(Lanes x) {
  const Lanes lowest = all(-87.33f), highest = all(88.37f), shift = all(12582912.0f);
  const Lanes raised = x < lowest ? lowest : x;
  const Lanes bounded = raised > highest ? highest : raised;
  // Adding 1.5 * 2^23 leaves a whole number in the low bits.
  const Lanes whole = (bounded * 1.44269504f + shift) - shift;
  const Lanes rest = (bounded - whole * 0.693359375f) - whole * -2.12194440e-4f;
  Lanes y = rest * 1.9875691500e-4f + 1.3981999507e-3f;
  y = y * rest + 8.3334519073e-3f;
  y = y * rest + 4.1665795894e-2f;
  y = y * rest + 1.6666665459e-1f;
  y = y * rest + 5.0000001201e-1f;
  y = y * rest * rest + rest + 1.0f;
  const Whole bits = (__builtin_convertvector(whole, Whole) + 127) << 23;
  Lanes power;
  memcpy(&power, &bits, sizeof power);
  return x < lowest ? Lanes{} : y * power;
}

// out[i] = f(a[i], b[i])
template <class F>
INLINE void each(const float *a, const float *b, float *out, int64_t count, F f) {
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES) store(out + i, f(load(a + i), load(b + i)));
  if (i < count) storePart(out + i, f(loadPart(a + i, count - i), loadPart(b + i, count - i)), count - i);
}

// Of f(i, lanes), whose lanes past the end must be 0.
template <class F>
INLINE float total(int64_t count, F f) {
  Lanes sums{};
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES) sums += f(i, int64_t{LANES});
  if (i < count) sums += f(i, count - i);
  return sum(sums);
}

INLINE Lanes loadAny(const float *from, int64_t lanes) {
  return lanes == LANES ? load(from) : loadPart(from, lanes);
}

// The approximation of GELU, x σ(2u) for u = SLOPE (x + CUBE x³), since (1 + tanh u) / 2 = σ(2u).
constexpr float TWICE_SLOPE = 1.5957691216057308f, CUBE = 0.044715f;

static void gelu(const float *x, float *y, int64_t count) {
  each(x, x, y, count, [](Lanes x, Lanes) INLINE_LAMBDA {
    const Lanes twice = x * (TWICE_SLOPE + TWICE_SLOPE * CUBE * (x * x));
    return x / (1.0f + exponential(-twice));
  });
}

// dy (σ(2u) + x 2u' σ(2u) (1 - σ(2u)))
static void geluGradient(const float *dy, const float *x, float *dx, int64_t count) {
  each(dy, x, dx, count, [](Lanes dy, Lanes x) INLINE_LAMBDA {
    const Lanes square = x * x;
    const Lanes twice = x * (TWICE_SLOPE + TWICE_SLOPE * CUBE * square);
    const Lanes share = 1.0f / (1.0f + exponential(-twice));
    const Lanes slope = x * (TWICE_SLOPE + 3 * TWICE_SLOPE * CUBE * square);
    return dy * (share + slope * share * (1.0f - share));
  });
}

static void reluGradient(const float *dy, const float *y, float *dx, int64_t count) {
  each(dy, y, dx, count, [](Lanes dy, Lanes y) INLINE_LAMBDA { return y > 0.0f ? dy : Lanes{}; });
}

static void divide(const float *x, float *y, int64_t count, float by) {
  each(x, x, y, count, [by](Lanes x, Lanes) INLINE_LAMBDA { return x / by; });
}

// velocity = momentum velocity + gradient, in place; next = parameter - rate velocity
static void descend(const float *parameter, float *velocity, const float *gradient, float *next, int64_t count,
                    float momentum, float rate) {
  each(velocity, gradient, velocity, count,
       [momentum](Lanes velocity, Lanes gradient) INLINE_LAMBDA { return momentum * velocity + gradient; });
  each(parameter, velocity, next, count,
       [rate](Lanes parameter, Lanes velocity) INLINE_LAMBDA { return parameter - rate * velocity; });
}

static void layerNorm(const float *x, const float *scale, const float *shift, float *y, float *mean, float *inverse,
                      int64_t rows, int64_t width, float epsilon) {
  for (int64_t row = 0; row < rows; row++, x += width, y += width) {
    const float middle =
        total(width, [x](int64_t i, int64_t lanes) INLINE_LAMBDA { return loadAny(x + i, lanes); }) / width;
    const float variance = total(width, [x, middle](int64_t i, int64_t lanes) INLINE_LAMBDA {
                             Lanes distance = loadAny(x + i, lanes) - middle;
                             for (int64_t past = lanes; past < LANES; past++) distance[past] = 0;
                             return distance * distance;
                           }) / width;
    const float factor = 1.0f / sqrtf(variance + epsilon);
    mean[row] = middle;
    inverse[row] = factor;
    for (int64_t i = 0; i < width; i += LANES) {
      const int64_t lanes = width - i < LANES ? width - i : LANES;
      const Lanes normal = (loadAny(x + i, lanes) - middle) * factor;
      const Lanes out = normal * loadAny(scale + i, lanes) + loadAny(shift + i, lanes);
      if (lanes == LANES) store(y + i, out);
      else storePart(y + i, out, lanes);
    }
  }
}

// Adds to the sums of scale and shift.
static void layerNormGradient(const float *x, const float *dy, const float *scale, const float *mean,
                              const float *inverse, float *dx, float *scaleSums, float *shiftSums, int64_t rows,
                              int64_t width) {
  for (int64_t row = 0; row < rows; row++, x += width, dy += width, dx += width) {
    const float middle = mean[row], factor = inverse[row];
    Lanes slopes{}, sums{};
    for (int64_t i = 0; i < width; i += LANES) {
      const int64_t lanes = width - i < LANES ? width - i : LANES;
      const Lanes gradient = loadAny(dy + i, lanes);
      const Lanes product = gradient * ((loadAny(x + i, lanes) - middle) * factor);
      const Lanes weight = loadAny(scale + i, lanes);
      slopes += product * weight;
      sums += gradient * weight;
      if (lanes == LANES) {
        store(scaleSums + i, load(scaleSums + i) + product);
        store(shiftSums + i, load(shiftSums + i) + gradient);
      } else {
        storePart(scaleSums + i, loadPart(scaleSums + i, lanes) + product, lanes);
        storePart(shiftSums + i, loadPart(shiftSums + i, lanes) + gradient, lanes);
      }
    }
    const float slope = sum(slopes) / width, base = sum(sums) / width;
    for (int64_t i = 0; i < width; i += LANES) {
      const int64_t lanes = width - i < LANES ? width - i : LANES;
      const Lanes normal = (loadAny(x + i, lanes) - middle) * factor;
      const Lanes out = (loadAny(dy + i, lanes) * loadAny(scale + i, lanes) - base - normal * slope) * factor;
      if (lanes == LANES) store(dx + i, out);
      else storePart(dx + i, out, lanes);
    }
  }
}

// Adds rows of a matrix to their sums.
static void columnSums(const float *x, float *sums, int64_t rows, int64_t width) {
  for (int64_t row = 0; row < rows; row++, x += width) {
    each(sums, x, sums, width, [](Lanes sum, Lanes x) INLINE_LAMBDA { return sum + x; });
  }
}

INLINE float highestOf(const float *x, int64_t count) {
  Lanes highest = all(x[0]);
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES) {
    const Lanes next = load(x + i);
    highest = next > highest ? next : highest;
  }
  float top = highest[0];
  for (int lane = 1; lane < LANES; lane++) top = highest[lane] > top ? highest[lane] : top;
  for (; i < count; i++) top = x[i] > top ? x[i] : top;
  return top;
}

// y = e^(x factor - top); its sum is returned.
INLINE float exponentials(const float *x, float *y, int64_t count, float factor, float top) {
  Lanes sums{};
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES) {
    const Lanes power = exponential(load(x + i) * factor - top);
    store(y + i, power);
    sums += power;
  }
  float total = sum(sums);
  if (i < count) {
    const Lanes power = exponential(loadPart(x + i, count - i) * factor - top);
    storePart(y + i, power, count - i);
    for (int64_t lane = 0; lane < count - i; lane++) total += power[lane];
  }
  return total;
}

static void softmax(const float *x, float *y, int64_t rows, int64_t width) {
  for (int64_t row = 0; row < rows; row++, x += width, y += width) {
    const float share = 1.0f / exponentials(x, y, width, 1.0f, highestOf(x, width));
    each(y, y, y, width, [share](Lanes y, Lanes) INLINE_LAMBDA { return y * share; });
  }
}

// y (dy - Σ dy y)
static void softmaxGradient(const float *y, const float *dy, float *dx, int64_t rows, int64_t width) {
  for (int64_t row = 0; row < rows; row++, y += width, dy += width, dx += width) {
    const float slope = total(width, [y, dy](int64_t i, int64_t lanes) INLINE_LAMBDA {
      return loadAny(y + i, lanes) * loadAny(dy + i, lanes);
    });
    each(y, dy, dx, width, [slope](Lanes y, Lanes dy) INLINE_LAMBDA { return y * (dy - slope); });
  }
}

// Rows of square matrices, from row `first` of them all: what lies after the diagonal is hidden.
static void hideLater(const float *x, float *y, int64_t first, int64_t rows, int64_t width, float hidden) {
  for (int64_t row = first; row < first + rows; row++, x += width, y += width) {
    const int64_t seen = row % width + 1;
    memcpy(y, x, 4 * seen);
    for (int64_t i = seen; i < width; i++) y[i] = hidden;
  }
}

// Shares of the scores x / divisor, and the logarithm of every row's sum of exponentials.
static void attentionShares(const float *x, float *y, float *logarithms, int64_t first, int64_t rows, int64_t width,
                            bool causal, float divisor) {
  for (int64_t row = 0; row < rows; row++, x += width, y += width) {
    const int64_t seen = causal ? (first + row) % width + 1 : width;
    const float factor = 1.0f / divisor, top = highestOf(x, seen) * factor;
    const float sum = exponentials(x, y, seen, factor, top);
    const float share = 1.0f / sum;
    each(y, y, y, seen, [share](Lanes y, Lanes) INLINE_LAMBDA { return y * share; });
    for (int64_t i = seen; i < width; i++) y[i] = 0;
    logarithms[row] = top + logf(sum);
  }
}

static void attentionSharesAgain(const float *x, const float *logarithms, float *y, int64_t first, int64_t rows,
                                 int64_t width, bool causal, float divisor) {
  for (int64_t row = 0; row < rows; row++, x += width, y += width) {
    const int64_t seen = causal ? (first + row) % width + 1 : width;
    exponentials(x, y, seen, 1.0f / divisor, logarithms[row]);
    for (int64_t i = seen; i < width; i++) y[i] = 0;
  }
}

// p (dp - slope of the row) / divisor
static void attentionScoresGradient(const float *p, const float *dp, const float *slopes, float *ds, int64_t rows,
                                    int64_t width, float divisor) {
  const float factor = 1.0f / divisor;
  for (int64_t row = 0; row < rows; row++, p += width, dp += width, ds += width) {
    const float slope = slopes[row];
    each(p, dp, ds, width, [slope, factor](Lanes p, Lanes dp) INLINE_LAMBDA { return p * (dp - slope) * factor; });
  }
}

constexpr int TILE_COLUMNS = TILE_VECTORS * LANES;

// R rows and TILE_COLUMNS columns of a product, of which `width` are stored.
template <int R>
INLINE void tile(const Matrix &a, const float *b, int64_t stride, int64_t depth, const float *bias, float *c,
                 int64_t cStride, int64_t width) {
  Lanes sums[R][TILE_VECTORS];
#pragma GCC unroll 16
  for (int r = 0; r < R; r++) {
#pragma GCC unroll 4
    for (int v = 0; v < TILE_VECTORS; v++) sums[r][v] = bias == nullptr ? Lanes{} : load(bias + v * LANES);
  }
  const float *from = a.at;
  for (int64_t p = 0; p < depth; p++, from += a.columnStride, b += stride) {
    Lanes right[TILE_VECTORS];
#pragma GCC unroll 4
    for (int v = 0; v < TILE_VECTORS; v++) right[v] = load(b + v * LANES);
#pragma GCC unroll 16
    for (int r = 0; r < R; r++) {
      const float left = from[r * a.rowStride];
#pragma GCC unroll 4
      for (int v = 0; v < TILE_VECTORS; v++) sums[r][v] += left * right[v];
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; r++, c += cStride) {
#pragma GCC unroll 4
    for (int v = 0; v < TILE_VECTORS; v++) {
      const int64_t left = width - v * LANES;
      if (left >= LANES) store(c + v * LANES, sums[r][v]);
      else if (left > 0) storePart(c + v * LANES, sums[r][v], left);
    }
  }
}

template <int R>
static void lastTile(int64_t rows, const Matrix &a, const float *b, int64_t stride, int64_t depth, const float *bias,
                     float *c, int64_t cStride, int64_t width) {
  if constexpr (R > 0) {
    if (rows == R) tile<R>(a, b, stride, depth, bias, c, cStride, width);
    else lastTile<R - 1>(rows, a, b, stride, depth, bias, c, cStride, width);
  }
}

// c [rows, columns] = a [rows, depth] b [depth, columns] (+ bias), each by the strides that it lies with.
static void product(const Matrix &a, const Matrix &b, const float *bias, float *c, int64_t cStride, int64_t rows,
                    int64_t depth, int64_t columns) {
  float *packed = scratch(depth * TILE_COLUMNS + TILE_COLUMNS);
  for (int64_t first = 0; first < columns; first += TILE_COLUMNS) {
    const int64_t width = columns - first < TILE_COLUMNS ? columns - first : TILE_COLUMNS;
    const float *panel = b.at + first * b.columnStride;
    int64_t stride = b.rowStride;
    const float *added = bias == nullptr ? nullptr : bias + first;
    if (width < TILE_COLUMNS || b.columnStride != 1) {
      for (int64_t p = 0; p < depth; p++) {
        float *to = packed + p * TILE_COLUMNS;
        const float *from = panel + p * stride;
        for (int64_t i = 0; i < width; i++) to[i] = from[i * b.columnStride];
        for (int64_t i = width; i < TILE_COLUMNS; i++) to[i] = 0;
      }
      if (added != nullptr && width < TILE_COLUMNS) {
        float *margin = packed + depth * TILE_COLUMNS;
        for (int64_t i = 0; i < TILE_COLUMNS; i++) margin[i] = i < width ? added[i] : 0;
        added = margin;
      }
      panel = packed;
      stride = TILE_COLUMNS;
    }
    int64_t row = 0;
    for (; row + TILE_ROWS <= rows; row += TILE_ROWS)
      tile<TILE_ROWS>(a.from(row), panel, stride, depth, added, c + row * cStride + first, cStride, width);
    lastTile<TILE_ROWS - 1>(rows - row, a.from(row), panel, stride, depth, added, c + row * cStride + first, cStride,
                            width);
  }
}

static const Loops LOOPS = {
    gelu,      geluGradient,    reluGradient,         divide,     descend,
    layerNorm, layerNormGradient, columnSums,         softmax,    softmaxGradient,
    hideLater, attentionShares, attentionSharesAgain, attentionScoresGradient, product,
};
