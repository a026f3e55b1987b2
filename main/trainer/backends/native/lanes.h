// Vectors of floats and passes over them. Included once for each instruction set, inside a namespace of its own, after
// LANES (floats in a vector). The loops of this folder are compiled twice: by g++ for TensorFlow's operations
// (tensorflow/native/loops.cc) and by clang for WebAssembly (wasm/native/kernels.cc), where nothing may lie on a stack:
// the memory is TensorFlow.js's.

typedef float Lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t Whole __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

INLINE Lanes load(const float *from) { return *reinterpret_cast<const Lanes *>(from); }
INLINE void store(float *to, Lanes x) { *reinterpret_cast<Lanes *>(to) = x; }
INLINE Lanes all(float x) { return Lanes{} + x; }

// The first few lanes, the others 0. g++ would keep the sums of a product in memory for the sake of an inlined memcpy.
#ifdef __wasm__
INLINE Lanes loadPart(const float *from, Index count) {
  Lanes x{};
  UNROLL for (int i = 0; i < LANES; i++) if (i < count) x[i] = from[i];
  return x;
}
INLINE void storePart(float *to, Lanes x, Index count) {
  UNROLL for (int i = 0; i < LANES; i++) if (i < count) to[i] = x[i];
}
#else
INLINE Lanes loadPart(const float *from, Index count) {
  Lanes x{};
  __builtin_memcpy(&x, from, 4 * count);
  return x;
}
__attribute__((noinline)) static void storePart(float *to, Lanes x, Index count) {
  __builtin_memcpy(to, &x, 4 * count);
}
#endif

// The higher and the lower of two, and x or 0. A number that is none stays in the first two where it is `a`.
#ifdef __wasm__
INLINE Lanes higher(Lanes a, Lanes b) { return __builtin_wasm_pmax_f32x4(a, b); }
INLINE Lanes lower(Lanes a, Lanes b) { return __builtin_wasm_pmin_f32x4(a, b); }
INLINE Lanes only(Whole mask, Lanes x) { return reinterpret_cast<Lanes>(mask & reinterpret_cast<Whole>(x)); }
#else
INLINE Lanes higher(Lanes a, Lanes b) { return a < b ? b : a; }
INLINE Lanes lower(Lanes a, Lanes b) { return b < a ? b : a; }
INLINE Lanes only(Whole mask, Lanes x) { return mask ? x : Lanes{}; }
#endif

// A whole vector, and the few floats after the last one.
struct Full {};
struct Part {
  Index count;
};
INLINE Lanes load(const float *from, Full) { return load(from); }
INLINE Lanes load(const float *from, Part part) { return loadPart(from, part.count); }
INLINE void store(float *to, Lanes x, Full) { store(to, x); }
INLINE void store(float *to, Lanes x, Part part) { storePart(to, x, part.count); }
// 0 in the lanes that are not there.
INLINE Lanes keep(Lanes x, Full) { return x; }
INLINE Lanes keep(Lanes x, Part part) {
  UNROLL for (int i = 0; i < LANES; i++) if (i >= part.count) x[i] = 0;
  return x;
}

// f(i, Full or Part) for all of `count` floats. WebAssembly takes the last ones one by one, in the first lane, and so
// adds them up in this order.
#ifdef __wasm__
constexpr Index LAST = 1;
#else
constexpr Index LAST = LANES;
#endif
template <class F>
INLINE void sweep(Index count, F f) {
  const Index whole = count & -LANES;
  for (Index i = 0; i < whole; i += LANES) f(i, Full{});
  for (Index i = whole; i < count; i += LAST) f(i, Part{LAST == 1 ? 1 : count - i});
}

// out[i] = f(lanes of from[i], ...)
template <class F, class... From>
INLINE void each(Index count, float *out, F f, From... from) {
  sweep(count, [&](Index i, auto part) INLINE_LAMBDA { store(out + i, f(load(from + i, part)...), part); });
}

// In pairs: (0 + 1) + (2 + 3)
INLINE float sum(Lanes x) {
  UNROLL for (int step = 1; step < LANES; step *= 2) {
    UNROLL for (int i = 0; i < LANES; i += 2 * step) x[i] += x[i + step];
  }
  return x[0];
}

// The sum of f(i, part), whose lanes are 0 where there is no float.
template <class F>
INLINE float total(Index count, F f) {
  Lanes sums{};
  sweep(count, [&](Index i, auto part) INLINE_LAMBDA { sums += f(i, part); });
  return sum(sums);
}

// A number that many are divided by. Processors multiply faster than they divide; WebAssembly keeps the bits that it
// has always computed.
struct Divisor {
#ifdef __wasm__
  float by;
  explicit Divisor(float by) : by(by) {}
  template <class X>
  INLINE X of(X x) const { return x / by; }
#else
  float factor;
  explicit Divisor(float by) : factor(1.0f / by) {}
  template <class X>
  INLINE X of(X x) const { return x * factor; }
#endif
};

// e to the power of x, within 2 units in the last place; exactly 0 below the least normal number, like a hidden score's.
// Moshier's Cephes library, expf.
INLINE Lanes exponential(Lanes x) {
  const Lanes lowest = all(-87.33654f), highest = all(88.37626f), shift = all(12582912.0f);
  const Lanes bounded = lower(higher(x, lowest), highest);
  // Adding 1.5 * 2^23 leaves a whole number in the low bits.
  const Lanes whole = (bounded * 1.44269504f + shift) - shift;
  // ln 2 in two parts: the first loses nothing when it is multiplied by a whole number.
  const Lanes rest = (bounded - whole * 0.693359375f) - whole * -2.12194440e-4f;
  Lanes y = rest * 1.9875691500e-4f + 1.3981999507e-3f;
  y = y * rest + 8.3334519073e-3f;
  y = y * rest + 4.1665795894e-2f;
  y = y * rest + 1.6666665459e-1f;
  y = y * rest + 5.0000001201e-1f;
  y = y * rest * rest + rest + 1.0f;
  const Whole bits = (__builtin_convertvector(whole, Whole) + 127) << 23;
  return only(~(x < lowest), y * reinterpret_cast<Lanes>(bits));
}
