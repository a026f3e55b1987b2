// All loops for one instruction set, inside a namespace of its own, after LANES (floats in a vector), TILE_ROWS and
// TILE_VECTORS (the part of a product that is summed up in registers).
#include "../../native/lanes.h"
#include "../../native/loops.h"
#include "product.h"
#undef LANES
#undef TILE_ROWS
#undef TILE_VECTORS
