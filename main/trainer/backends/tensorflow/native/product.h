// Matrix products for TensorFlow's operations, in tiles of TILE_ROWS by TILE_VECTORS vectors. Included as
// ../../native/loops.h is.
constexpr int TILE_COLUMNS = TILE_VECTORS * LANES;

// R rows and TILE_COLUMNS columns of a product, of which `width` are stored.
template <int R>
INLINE void tile(const Matrix &a, const float *b, Index stride, Index depth, const float *bias, float *c, Index cStride,
                 Index width) {
  Lanes sums[R][TILE_VECTORS];
  UNROLL for (int r = 0; r < R; r++) {
    UNROLL for (int v = 0; v < TILE_VECTORS; v++) sums[r][v] = bias == nullptr ? Lanes{} : load(bias + v * LANES);
  }
  const float *from = a.at;
  multiply(sums, depth, b, stride, [&](int r) INLINE_LAMBDA { return from[r * a.rowStride]; },
           [&]() INLINE_LAMBDA { from += a.columnStride; });
  storeTile(sums, width, [&](int r) INLINE_LAMBDA { return c + r * cStride; });
}

template <int R>
static void lastTile(Index rows, const Matrix &a, const float *b, Index stride, Index depth, const float *bias, float *c,
                     Index cStride, Index width) {
  if constexpr (R > 0) {
    if (rows == R) tile<R>(a, b, stride, depth, bias, c, cStride, width);
    else lastTile<R - 1>(rows, a, b, stride, depth, bias, c, cStride, width);
  }
}

// c [rows, columns] = a [rows, depth] b [depth, columns] (+ bias), each by the strides that it lies with.
LOOP(product)(const Matrix &a, const Matrix &b, const float *bias, float *c, Index cStride, Index rows, Index depth,
              Index columns) {
  float *packed = scratch(depth * TILE_COLUMNS + TILE_COLUMNS);
  for (Index first = 0; first < columns; first += TILE_COLUMNS) {
    const Index width = columns - first < TILE_COLUMNS ? columns - first : TILE_COLUMNS;
    const float *panel = b.at + first * b.columnStride;
    Index stride = b.rowStride;
    const float *added = bias == nullptr ? nullptr : bias + first;
    if (width < TILE_COLUMNS || b.columnStride != 1) {
      for (Index p = 0; p < depth; p++) {
        float *to = packed + p * TILE_COLUMNS;
        const float *from = panel + p * stride;
        for (Index i = 0; i < width; i++) to[i] = from[i * b.columnStride];
        for (Index i = width; i < TILE_COLUMNS; i++) to[i] = 0;
      }
      if (added != nullptr && width < TILE_COLUMNS) {
        float *margin = packed + depth * TILE_COLUMNS;
        for (Index i = 0; i < TILE_COLUMNS; i++) margin[i] = i < width ? added[i] : 0;
        added = margin;
      }
      panel = packed;
      stride = TILE_COLUMNS;
    }
    Index row = 0;
    for (; row + TILE_ROWS <= rows; row += TILE_ROWS)
      tile<TILE_ROWS>(a.from(row), panel, stride, depth, added, c + row * cStride + first, cStride, width);
    lastTile<TILE_ROWS - 1>(rows - row, a.from(row), panel, stride, depth, added, c + row * cStride + first, cStride,
                            width);
  }
}
