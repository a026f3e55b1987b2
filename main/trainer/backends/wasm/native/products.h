// Matrix products in tiles of 4 rows by 8 columns: eight sums, two vectors of the right matrix and one number of the
// left fill the sixteen registers (Goto et al. 2008, Anatomy of High-Performance Matrix Multiplication).
// Eight columns of the right matrix, a panel, are packed row by row, so that it is read in one stream; the left one is
// read where it lies, through the addresses of its rows, which is what makes a convolution a product (Dukhan 2019, The
// Indirect Convolution Algorithm). Each sum is added up in one order whatever the other extents are.
constexpr int ROWS = 4, COLUMNS = 8, HALVES = COLUMNS / LANES;

INLINE Index min(Index a, Index b) { return a < b ? a : b; }

// Floats so many bytes on; the heap has up to 4 GiB.
INLINE const float *at(const float *from, uint32_t bytes) {
  return reinterpret_cast<const float *>(reinterpret_cast<const char *>(from) + bytes);
}
INLINE float *at(float *from, uint32_t bytes) {
  return reinterpret_cast<float *>(reinterpret_cast<char *>(from) + bytes);
}

// Packs `depth` rows of `n` columns, one every `stride` bytes; columns that are missing are 0.
INLINE void pack(const float *from, uint32_t stride, Index depth, Index n, float *to) {
  if (n >= COLUMNS) {
    for (; depth > 0; depth--, from = at(from, stride), to += COLUMNS) {
      UNROLL for (int h = 0; h < HALVES; h++) store(to + h * LANES, load(from + h * LANES));
    }
  } else {
    for (; depth > 0; depth--, from = at(from, stride), to += COLUMNS) {
      UNROLL for (int h = 0; h < HALVES; h++) store(to + h * LANES, Lanes{});
      for (Index j = 0; j < n; j++) to[j] = from[j];
    }
  }
}

// The same of a matrix that lies transposed: its columns are `depth` numbers long, one every `stride` bytes.
INLINE void packTransposed(const float *from, uint32_t stride, Index depth, Index n, float *to) {
  const float *columns[COLUMNS];
  UNROLL for (int j = 0; j < COLUMNS; j++) columns[j] = at(from, stride * min(j, n - 1));
  Index k = 0;
  for (; k + 4 <= depth; k += 4, to += 4 * COLUMNS) {
    UNROLL for (int h = 0; h < HALVES; h++) {
      Lanes v[4];
      UNROLL for (int j = 0; j < 4; j++) v[j] = load(columns[4 * h + j] + k);
      UNROLL for (int half = 0; half < 2; half++) {
        const Lanes a = half == 0 ? __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5)
                                  : __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
        const Lanes b = half == 0 ? __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5)
                                  : __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
        float *row = to + 2 * half * COLUMNS + 4 * h;
        store(row, __builtin_shufflevector(a, b, 0, 1, 4, 5));
        store(row + COLUMNS, __builtin_shufflevector(a, b, 2, 3, 6, 7));
      }
    }
  }
  for (; k < depth; k++, to += COLUMNS) {
    UNROLL for (int j = 0; j < COLUMNS; j++) to[j] = columns[j][k];
  }
}

// How many bytes a tap of a convolution lies from every row of the left side, and from the right side or the result.
struct Tap {
  uint32_t left, other;
};

// The products of all rows with one panel, at `packed`: first what the sums start from, then its rows. A tile that has
// too few rows computes the last one several times.
INLINE void panel(const float *left, const uint32_t *leftRows, Index m, const Tap *taps, Index tapCount, Index depth,
                  const float *packed, Index n, float *out, const uint32_t *outRows) {
  for (Index i = 0; i < m; i += ROWS) {
    Lanes sums[ROWS][HALVES];
    const float *rows[ROWS];
    UNROLL for (int r = 0; r < ROWS; r++) {
      rows[r] = at(left, leftRows[min(i + r, m - 1)]);
      UNROLL for (int h = 0; h < HALVES; h++) sums[r][h] = load(packed + h * LANES);
    }
    const float *right = packed + COLUMNS;
    for (Index t = 0; t < tapCount; t++, right += depth * COLUMNS) {
      const float *from[ROWS];
      UNROLL for (int r = 0; r < ROWS; r++) from[r] = at(rows[r], taps[t].left);
      Index k = 0;
      multiply(sums, depth, right, COLUMNS, [&](int r) INLINE_LAMBDA { return from[r][k]; },
               [&]() INLINE_LAMBDA { k++; });
    }
    storeTile(sums, n, [&](int r) INLINE_LAMBDA { return at(out, outRows[min(i + r, m - 1)]); });
  }
}

// out[i, j] = bias[j] + Σ over taps t and depth k of left[i, t, k] right[t, k, j]. `leftRows` and `outRows` hold the
// place of every row in bytes. Without a bias its address is 0. `packed` has room for (1 + taps * depth) * 8 floats.
LOOP(product)(const float *left, const uint32_t *leftRows, Index m, const Tap *taps, Index tapCount, Index depth,
              const float *right, uint32_t stride, bool isTransposed, const float *bias, Index columns, float *packed,
              float *out, const uint32_t *outRows) {
  for (Index j = 0; j < columns; j += COLUMNS) {
    const Index n = min(COLUMNS, columns - j);
    UNROLL for (int h = 0; h < HALVES; h++) store(packed + h * LANES, Lanes{});
    if (bias != nullptr) pack(bias + j, 0, 1, n, packed);
    float *to = packed + COLUMNS;
    for (Index t = 0; t < tapCount; t++, to += depth * COLUMNS) {
      const float *from = at(right, taps[t].other);
      if (isTransposed) packTransposed(at(from, stride * j), stride, depth, n, to);
      else pack(from + j, stride, depth, n, to);
    }
    panel(left, leftRows, m, taps, tapCount, depth, packed, n, out + j, outRows);
  }
}

// out[t, r, j] = Σ over places i of left[i, t, r] right[i, j]: the gradient of a product by its right side. `leftRows`
// and `taps` as in `product`, but a tap's second number is its place in `out`, whose rows lie `outStride` bytes apart.
// `packed` has room for places * (8 * ceil(columns / 8) + 4) floats. If this is not the first part of the places, the
// sums are added to `out`. Up to three numbers after a row's end are read, and come to nothing; the allocator's own
// words lie after the last block, so they are there.
LOOP(outerProduct)(const float *left, const uint32_t *leftRows, Index m, const Tap *taps, Index tapCount, Index rows,
                   const float *right, uint32_t stride, Index columns, float *packed, float *out, uint32_t outStride,
                   bool isFirst) {
  float *to = packed + m * ROWS;
  for (Index j = 0; j < columns; j += COLUMNS, to += m * COLUMNS)
    pack(right + j, stride, m, min(COLUMNS, columns - j), to);
  for (Index t = 0; t < tapCount; t++) {
    float *base = at(out, taps[t].other);
    const float *from = at(left, taps[t].left);
    for (Index r = 0; r < rows; r += ROWS) {
      for (Index i = 0; i < m; i++) store(packed + i * ROWS, load(at(from + r, leftRows[i])));
      const float *panel = packed + m * ROWS;
      for (Index j = 0; j < columns; j += COLUMNS, panel += m * COLUMNS) {
        float *places[ROWS];
        Lanes sums[ROWS][HALVES] = {};
        UNROLL for (int row = 0; row < ROWS; row++) {
          places[row] = at(base + j, outStride * min(r + row, rows - 1));
          if (isFirst) continue;
          UNROLL for (int h = 0; h < HALVES; h++) sums[row][h] = load(places[row] + h * LANES);
        }
        const float *place = packed;
        multiply(sums, m, panel, COLUMNS, [&](int row) INLINE_LAMBDA { return place[row]; },
                 [&]() INLINE_LAMBDA { place += ROWS; });
        storeTile(sums, min(COLUMNS, columns - j), [&](int row) INLINE_LAMBDA { return places[row]; });
      }
    }
  }
}
