// Loops over floats that both backends have. LOOP(name) begins the definition of each: a static function for
// TensorFlow's operations, an export of the WebAssembly module. Nothing here depends on how many threads there are.

// GPT-2's GELU, x σ(2u) for u = SLOPE (x + CUBE x³), since (1 + tanh u) / 2 = σ(2u).
constexpr float TWICE_SLOPE = 1.5957691216057308f, CUBE = 0.044715f;

LOOP(gelu)(const float *x, float *y, Index count) {
  each(count, y, [](Lanes x) INLINE_LAMBDA {
    const Lanes twice = x * (TWICE_SLOPE + TWICE_SLOPE * CUBE * (x * x));
    return x / (1.0f + exponential(-twice));
  }, x);
}

// dy (σ(2u) + x 2u' σ(2u) (1 - σ(2u)))
LOOP(geluGradient)(const float *dy, const float *x, float *dx, Index count) {
  each(count, dx, [](Lanes dy, Lanes x) INLINE_LAMBDA {
    const Lanes square = x * x;
    const Lanes twice = x * (TWICE_SLOPE + TWICE_SLOPE * CUBE * square);
    const Lanes share = 1.0f / (1.0f + exponential(-twice));
    const Lanes slope = x * (TWICE_SLOPE + 3 * TWICE_SLOPE * CUBE * square);
    return dy * (share + slope * share * (1.0f - share));
  }, dy, x);
}

LOOP(reluGradient)(const float *dy, const float *y, float *dx, Index count) {
  each(count, dx, [](Lanes dy, Lanes y) INLINE_LAMBDA { return only(y > 0.0f, dy); }, dy, y);
}

LOOP(divide)(const float *x, float *y, Index count, float by) {
  each(count, y, [by](Lanes x) INLINE_LAMBDA { return x / by; }, x);
}

// Momentum as PyTorch's: velocity = momentum velocity + gradient, in place; next = parameter - rate velocity
LOOP(descend)(const float *parameter, float *velocity, const float *gradient, float *next, Index count, float momentum,
              float rate) {
  sweep(count, [=](Index i, auto part) INLINE_LAMBDA {
    const Lanes before = load(parameter + i, part);
    const Lanes fast = load(velocity + i, part) * momentum + load(gradient + i, part);
    store(next + i, before - fast * rate, part);
    store(velocity + i, fast, part);
  });
}

LOOP(layerNorm)(const float *x, const float *scale, const float *shift, float *y, float *mean, float *inverse,
                Index rows, Index width, float epsilon) {
  for (Index row = 0; row < rows; row++, x += width, y += width) {
    const float middle = total(width, [=](Index i, auto part) INLINE_LAMBDA { return load(x + i, part); }) / width;
    const float variance = total(width, [=](Index i, auto part) INLINE_LAMBDA {
      const Lanes distance = keep(load(x + i, part) - middle, part);
      return distance * distance;
    }) / width;
    const float factor = 1.0f / __builtin_sqrtf(variance + epsilon);
    mean[row] = middle;
    inverse[row] = factor;
    each(width, y, [=](Lanes x, Lanes scale, Lanes shift) INLINE_LAMBDA {
      return (x - middle) * factor * scale + shift;
    }, x, scale, shift);
  }
}

// With x̂ = (x - mean) inverse and g = scale dy: dx = (g - mean(g) - x̂ mean(g x̂)) inverse; adds Σ dy x̂ and Σ dy over all
// rows to the sums of scale and shift.
LOOP(layerNormGradient)(const float *x, const float *dy, const float *scale, const float *mean, const float *inverse,
                        float *dx, float *scaleSums, float *shiftSums, Index rows, Index width) {
  for (Index row = 0; row < rows; row++, x += width, dy += width, dx += width) {
    const float middle = mean[row], factor = inverse[row];
    Lanes slopes{}, sums{};
    sweep(width, [&](Index i, auto part) INLINE_LAMBDA {
      const Lanes gradient = load(dy + i, part), normal = (load(x + i, part) - middle) * factor;
      const Lanes scaled = gradient * load(scale + i, part);
      sums += scaled;
      slopes += scaled * normal;
      store(scaleSums + i, load(scaleSums + i, part) + gradient * normal, part);
      store(shiftSums + i, load(shiftSums + i, part) + gradient, part);
    });
    const float slope = sum(slopes) / width, base = sum(sums) / width;
    each(width, dx, [=](Lanes x, Lanes dy, Lanes scale) INLINE_LAMBDA {
      return (dy * scale - base - (x - middle) * factor * slope) * factor;
    }, x, dy, scale);
  }
}

// Rows that are added up before their sum joins the others', so that long sums keep their digits.
constexpr Index RUN = 128;

// Sums VECTORS vectors of columns side by side.
template <int VECTORS, class Extent, class F>
INLINE void sumBlock(float *out, Index rows, float scale, Extent part, F term) {
  Lanes totals[VECTORS] = {};
  for (Index first = 0; first < rows; first += RUN) {
    const Index last = rows - first < RUN ? rows : first + RUN;
    Lanes sums[VECTORS] = {};
    Index row = first;
    // In pairs: half the roundings, and no waiting for the sum before.
    for (; row + 4 <= last; row += 4) {
      UNROLL for (int v = 0; v < VECTORS; v++) {
        const Lanes even = term(row, v * LANES) + term(row + 1, v * LANES);
        sums[v] += even + (term(row + 2, v * LANES) + term(row + 3, v * LANES));
      }
    }
    for (; row < last; row++) {
      UNROLL for (int v = 0; v < VECTORS; v++) sums[v] += term(row, v * LANES);
    }
    UNROLL for (int v = 0; v < VECTORS; v++) totals[v] += sums[v];
  }
  UNROLL for (int v = 0; v < VECTORS; v++) store(out + v * LANES, totals[v] * scale, part);
}

// Vectors that are read side by side: a cache line of four.
constexpr int WIDE = 4;

// scale times the sum of term(row, column, part) over all rows, column by column.
template <class F>
INLINE void sumColumns(float *out, Index rows, Index columns, float scale, F term) {
  Index column = 0;
  for (; column + WIDE * LANES <= columns; column += WIDE * LANES)
    sumBlock<WIDE>(out + column, rows, scale, Full{},
                   [&](Index row, Index at) INLINE_LAMBDA { return term(row, column + at, Full{}); });
  sweep(columns - column, [&](Index at, auto part) INLINE_LAMBDA {
    sumBlock<1>(out + column + at, rows, scale, part,
                [&](Index row, Index) INLINE_LAMBDA { return term(row, column + at, part); });
  });
}

LOOP(columnSum)(const float *x, float *out, Index rows, Index columns, float scale) {
  sumColumns(out, rows, columns, scale, [=](Index row, Index column, auto part) INLINE_LAMBDA {
    return load(x + row * columns + column, part);
  });
}

INLINE float highestOf(const float *x, Index count) {
  Lanes highest = all(x[0]);
  const Index whole = count & -LANES;
  for (Index i = 0; i < whole; i += LANES) highest = higher(highest, load(x + i));
  float top = highest[0];
  UNROLL for (int lane = 1; lane < LANES; lane++) top = highest[lane] > top ? highest[lane] : top;
  for (Index i = whole; i < count; i++) top = x[i] > top ? x[i] : top;
  return top;
}

// y = e^(x / divisor - top); returns the sum.
INLINE float exponentials(const float *x, float *y, Index count, Divisor divisor, float top) {
  return total(count, [=](Index i, auto part) INLINE_LAMBDA {
    const Lanes power = exponential(divisor.of(load(x + i, part)) - top);
    store(y + i, power, part);
    return keep(power, part);
  });
}

INLINE void divideBy(float sum, float *y, Index count) {
  const Divisor divisor(sum);
  each(count, y, [=](Lanes y) INLINE_LAMBDA { return divisor.of(y); }, y);
}

LOOP(softmax)(const float *x, float *y, Index rows, Index width) {
  for (Index row = 0; row < rows; row++, x += width, y += width)
    divideBy(exponentials(x, y, width, Divisor(1), highestOf(x, width)), y, width);
}

// y (dy - Σ dy y)
LOOP(softmaxGradient)(const float *y, const float *dy, float *dx, Index rows, Index width) {
  for (Index row = 0; row < rows; row++, y += width, dy += width, dx += width) {
    const float slope = total(width, [=](Index i, auto part) INLINE_LAMBDA {
      return load(y + i, part) * load(dy + i, part);
    });
    each(width, dx, [=](Lanes y, Lanes dy) INLINE_LAMBDA { return y * (dy - slope); }, y, dy);
  }
}

// Columns that row `row` of square matrices sees: none after the diagonal.
INLINE Index seenBy(Index row, Index width) { return row % width + 1; }

INLINE void fill(float *y, Index from, Index to, float value) {
  _Pragma("clang loop vectorize(enable)") for (Index i = from; i < to; i++) y[i] = value;
}

// Rows of square matrices, from row `first` of them all, with `hidden` after the diagonal.
LOOP(hideLater)(const float *x, float *y, Index first, Index rows, Index width, float hidden) {
  for (Index row = first; row < first + rows; row++, x += width, y += width) {
    const Index seen = seenBy(row, width);
    each(seen, y, [](Lanes x) INLINE_LAMBDA { return x; }, x);
    fill(y, seen, width, hidden);
  }
}

// Shares of the scores x / divisor; each row's highest score and its sum of exponentials.
LOOP(attentionShares)(const float *x, float *y, float *tops, float *sums, Index first, Index rows, Index width,
                      bool causal, float by) {
  const Divisor divisor(by);
  for (Index row = 0; row < rows; row++, x += width, y += width) {
    const Index seen = causal ? seenBy(first + row, width) : width;
    tops[row] = divisor.of(highestOf(x, seen));
    sums[row] = exponentials(x, y, seen, divisor, tops[row]);
    divideBy(sums[row], y, seen);
    fill(y, seen, width, 0);
  }
}

// The same shares from the logarithm of every row's sum of exponentials.
LOOP(attentionSharesAgain)(const float *x, const float *logarithms, float *y, Index first, Index rows, Index width,
                           bool causal, float by) {
  const Divisor divisor(by);
  for (Index row = 0; row < rows; row++, x += width, y += width) {
    const Index seen = causal ? seenBy(first + row, width) : width;
    exponentials(x, y, seen, divisor, logarithms[row]);
    fill(y, seen, width, 0);
  }
}

// p (dp - slope of the row) / divisor
LOOP(attentionScoresGradient)(const float *p, const float *dp, const float *slopes, float *ds, Index rows, Index width,
                              float by) {
  const Divisor divisor(by);
  for (Index row = 0; row < rows; row++, p += width, dp += width, ds += width) {
    const float slope = slopes[row];
    each(width, ds, [=](Lanes p, Lanes dp) INLINE_LAMBDA { return divisor.of(p * (dp - slope)); }, p, dp);
  }
}

// Each of R rows of V vectors of sums gains left(row) times a row of the right side, for all of the depth; next() moves
// the left side on.
template <int R, int V, class Left, class Next>
INLINE void multiply(Lanes (&sums)[R][V], Index depth, const float *right, Index stride, Left left, Next next) {
  for (; depth > 0; depth--, right += stride, next()) {
    Lanes columns[V];
    UNROLL for (int v = 0; v < V; v++) columns[v] = load(right + v * LANES);
    UNROLL for (int r = 0; r < R; r++) {
      const float factor = left(r);
      UNROLL for (int v = 0; v < V; v++) sums[r][v] += factor * columns[v];
    }
  }
}

// Stores `width` columns of the sums in the rows at to(r). The last comes first: rows that are not there may share the
// place of the last one that is.
template <int R, int V, class To>
INLINE void storeTile(const Lanes (&sums)[R][V], Index width, To to) {
  UNROLL for (int r = R - 1; r >= 0; r--) {
    UNROLL for (int v = 0; v < V; v++) {
      const Index left = width - v * LANES;
      if (left >= LANES) store(to(r) + v * LANES, sums[r][v]);
      else if (left > 0) storePart(to(r) + v * LANES, sums[r][v], left);
    }
  }
}
