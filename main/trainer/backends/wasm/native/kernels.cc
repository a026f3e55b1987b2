// The kernels of the `wasm` backend, which work on the heap of TensorFlow.js's module: no stack, no data, no library.
// app/start/kernels.mjs compiles them to ../kernels.wasm.
#include <stdint.h>

typedef __PTRDIFF_TYPE__ Index;
#define INLINE inline __attribute__((always_inline))
#define INLINE_LAMBDA __attribute__((always_inline))
#define UNROLL _Pragma("unroll")
#define LOOP(name) extern "C" __attribute__((export_name(#name))) void name
#define LANES 4

#include "../../native/lanes.h"
#include "../../native/loops.h"
#include "products.h"
#include "winograd.h"
#include "images.h"
