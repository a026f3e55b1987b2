// Transforms of Winograd's minimal filtering F(2x2, 3x3) (Lavin and Gray 2016, Fast Algorithms for Convolutional Neural
// Networks, section 4.1): 16 products in place of 36 for four outputs of a 3x3 filter. Each is a small matrix T applied
// from both sides, T x Tᵀ, to numbers that lie in a grid, for all channels.

// So many bytes on, computed at this place: the compiler would compute all places of a grid before the loop, more than
// there are registers.
template <class Float>
INLINE Float *step(Float *from, uint32_t bytes) {
  Float *next = at(from, bytes);
  __asm__("" : "+r"(next));
  return next;
}

// One grid: element (i, j) is `count` floats at i row + j column; `count` is a multiple of 4. Not inlined, so that the
// numbers of the loops around it leave the registers to the grid.
template <int FROM, int TO, class Transform>
__attribute__((noinline)) static void transformGrid(const float *from, uint32_t fromRow, uint32_t fromColumn, float *to,
                                                    uint32_t toRow, uint32_t toColumn, Index count) {
  const Transform transform{};
  for (; count > 0; count -= LANES, from += LANES, to += LANES) {
    Lanes x[FROM][FROM], half[TO][FROM], y[TO];
    const float *read = from;
    UNROLL for (int i = 0; i < FROM; i++, read = step(read, fromRow)) {
      const float *place = read;
      UNROLL for (int j = 0; j < FROM; j++, place = step(place, fromColumn)) x[j][i] = load(place);
    }
    UNROLL for (int j = 0; j < FROM; j++) {
      transform(x[j], y);
      UNROLL for (int i = 0; i < TO; i++) half[i][j] = y[i];
    }
    float *write = to;
    UNROLL for (int i = 0; i < TO; i++, write = step(write, toRow)) {
      transform(half[i], y);
      float *place = write;
      UNROLL for (int j = 0; j < TO; j++, place = step(place, toColumn)) store(place, y[j]);
    }
  }
}

// The grids of some images, which start at distances of their own on either side; in bytes.
#define TRANSFORM(name, FROM, TO, ...)                                                                                 \
  struct name##Transform {                                                                                             \
    INLINE void operator()(const Lanes (&x)[FROM], Lanes (&y)[TO]) const __VA_ARGS__                                   \
  };                                                                                                                   \
  LOOP(name)(const float *from, uint32_t fromImage, uint32_t fromDown, uint32_t fromAlong, uint32_t fromRow,           \
             uint32_t fromColumn, float *to, uint32_t toImage, uint32_t toDown, uint32_t toAlong, uint32_t toRow,      \
             uint32_t toColumn, Index images, Index down, Index along, Index count) {                                  \
    for (Index image = 0; image < images; image++)                                                                     \
      for (Index i = 0; i < down; i++)                                                                                 \
        for (Index j = 0; j < along; j++)                                                                              \
          transformGrid<FROM, TO, name##Transform>(                                                                    \
              at(from, image * fromImage + i * fromDown + j * fromAlong), fromRow, fromColumn,                         \
              at(to, image * toImage + i * toDown + j * toAlong), toRow, toColumn, count);                             \
  }

// Bᵀ
TRANSFORM(tilesOf, 4, 4, {
  y[0] = x[0] - x[2];
  y[1] = x[1] + x[2];
  y[2] = x[2] - x[1];
  y[3] = x[1] - x[3];
})
// Aᵀ
TRANSFORM(outputsOf, 4, 2, {
  y[0] = x[0] + x[1] + x[2];
  y[1] = x[1] - x[2] - x[3];
})
// G
TRANSFORM(filtersOf, 3, 4, {
  const Lanes outer = x[0] + x[2];
  y[0] = x[0];
  y[1] = (outer + x[1]) * 0.5f;
  y[2] = (outer - x[1]) * 0.5f;
  y[3] = x[2];
})
// A, for gradients
TRANSFORM(outputGradientsOf, 2, 4, {
  y[0] = x[0];
  y[1] = x[0] + x[1];
  y[2] = x[0] - x[1];
  y[3] = -x[1];
})
// Gᵀ
TRANSFORM(filterGradientsOf, 4, 3, {
  const Lanes both = (x[1] + x[2]) * 0.5f;
  y[0] = x[0] + both;
  y[1] = (x[1] - x[2]) * 0.5f;
  y[2] = both + x[3];
})
