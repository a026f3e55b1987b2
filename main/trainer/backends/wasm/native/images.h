// Copies and pools of images, and the normalisation of their channels.

LOOP(add)(const float *a, const float *b, float *out, Index count) {
  each(count, out, [](Lanes a, Lanes b) INLINE_LAMBDA { return a + b; }, a, b);
}

LOOP(relu)(const float *x, float *out, Index count) {
  each(count, out, [](Lanes x) INLINE_LAMBDA { return higher(Lanes{}, x); }, x);
}

// scale Σ (x - mean)², column by column
LOOP(columnSquares)(const float *x, const float *mean, float *out, Index rows, Index columns, float scale) {
  sumColumns(out, rows, columns, scale, [=](Index row, Index column, auto part) INLINE_LAMBDA {
    const Lanes distance = load(x + row * columns + column, part) - load(mean + column, part);
    return distance * distance;
  });
}

// scale Σ dy (x - mean), column by column
LOOP(columnProducts)(const float *x, const float *dy, const float *mean, float *out, Index rows, Index columns,
                     float scale) {
  sumColumns(out, rows, columns, scale, [=](Index row, Index column, auto part) INLINE_LAMBDA {
    const Index i = row * columns + column;
    return load(dy + i, part) * (load(x + i, part) - load(mean + column, part));
  });
}

// (x - mean) factor + shift, each a number a column
LOOP(normalise)(const float *x, const float *mean, const float *factor, const float *shift, float *out, Index rows,
                Index columns) {
  for (Index row = 0; row < rows; row++, x += columns, out += columns) {
    each(columns, out, [](Lanes x, Lanes mean, Lanes factor, Lanes shift) INLINE_LAMBDA {
      return (x - mean) * factor + shift;
    }, x, mean, factor, shift);
  }
}

// (dy - base - (x - mean) slope) factor. Means are subtracted first: if a channel has few rows, little is left, and
// rounded factors would show.
LOOP(normaliseGradient)(const float *x, const float *dy, const float *mean, const float *base, const float *slope,
                        const float *factor, float *out, Index rows, Index columns) {
  for (Index row = 0; row < rows; row++, x += columns, dy += columns, out += columns) {
    each(columns, out, [](Lanes x, Lanes dy, Lanes mean, Lanes base, Lanes slope, Lanes factor) INLINE_LAMBDA {
      return (dy - base - (x - mean) * slope) * factor;
    }, x, dy, mean, base, slope, factor);
  }
}

INLINE void copyRow(const float *from, float *to, Index width) {
  each(width, to, [](Lanes x) INLINE_LAMBDA { return x; }, from);
}

// Copies rows of `width` floats from every `stride` bytes to every `step`.
LOOP(copyRows)(const float *from, float *to, Index rows, Index width, uint32_t stride, uint32_t step) {
  for (; rows > 0; rows--, from = at(from, stride), to = at(to, step)) copyRow(from, to, width);
}

// Copies the rows of `width` floats that the numbers at `places` name.
LOOP(gatherRows)(const float *table, const int32_t *places, float *to, Index rows, Index width) {
  for (Index row = 0; row < rows; row++, to += width) copyRow(table + width * places[row], to, width);
}

// Copies images with zeros around them; all extents but the two counts in bytes.
LOOP(pad)(const char *from, char *to, Index images, Index height, uint32_t row, uint32_t top, uint32_t bottom,
          uint32_t left, uint32_t right) {
  const auto zeros = [&to](uint32_t bytes) INLINE_LAMBDA {
    __builtin_memset(to, 0, bytes);
    to += bytes;
  };
  for (; images > 0; images--) {
    zeros(top);
    for (Index y = 0; y < height; y++, from += row) {
      zeros(left);
      __builtin_memcpy(to, from, row);
      to += row;
      zeros(right);
    }
    zeros(bottom);
  }
}

// Gradient of one max pool's image, [H, W, C], to be zeros before: each window's gradient goes to its first maximum.
// `found` has room for a number for every channel.
LOOP(maxPoolGradient)(const float *x, const float *y, const float *dy, float *dx, float *found, Index height,
                      Index width, Index channels, Index outHeight, Index outWidth, Index kernelHeight,
                      Index kernelWidth, Index down, Index along, Index top, Index left) {
  for (Index i = 0; i < outHeight; i++) {
    for (Index j = 0; j < outWidth; j++, y += channels, dy += channels) {
      fill(found, 0, channels, 0);
      for (Index k = 0; k < kernelHeight; k++) {
        const Index row = i * down + k - top;
        if (row < 0 || row >= height) continue;
        for (Index l = 0; l < kernelWidth; l++) {
          const Index column = j * along + l - left, place = (row * width + column) * channels;
          if (column < 0 || column >= width) continue;
          sweep(channels, [=](Index c, auto part) INLINE_LAMBDA {
            const Lanes before = load(found + c, part);
            const Whole isHere = (load(x + place + c, part) == load(y + c, part)) & (before == 0.0f);
            store(dx + place + c, load(dx + place + c, part) + only(isHere, load(dy + c, part)), part);
            store(found + c, before + only(isHere, all(1)), part);
          });
        }
      }
    }
  }
}
