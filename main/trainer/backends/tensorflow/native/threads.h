#pragma once
#include <cstdint>
#include <functional>

namespace zigzag {

// Calls f(from, to) for parts of [0, count) that cover it, on several threads where the work, so many nanoseconds for each,
// pays for waking them. Every result must be the same however it is cut. As many threads as TensorFlow's own operations
// have: TF_NUM_INTRAOP_THREADS, else one for each processor.
void parallel(int64_t count, double nanoseconds, const std::function<void(int64_t from, int64_t to)> &f);

}  // namespace zigzag
