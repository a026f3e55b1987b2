#include "threads.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace zigzag {
namespace {

// Work that makes waking a thread worth it.
constexpr double WORTH_WAKING_NS = 1e5;

int64_t threadsWanted() {
  const char *asked = std::getenv("TF_NUM_INTRAOP_THREADS");
  const long number = asked == nullptr ? 0 : std::strtol(asked, nullptr, 10);
  return number > 0 ? number : std::max(1u, std::thread::hardware_concurrency());
}

// Threads that wait for parts. They are never joined: the process ends with them waiting.
class Pool {
 public:
  explicit Pool(int64_t threads) {
    for (int64_t i = 1; i < threads; i++) std::thread([this] { serve(); }).detach();
  }

  void run(int64_t parts, const std::function<void(int64_t)> &part) {
    const std::lock_guard<std::mutex> oneAtATime(running_);
    std::unique_lock<std::mutex> lock(mutex_);
    part_ = &part;
    next_ = 0;
    parts_ = left_ = parts;
    wake_.notify_all();
    takeParts(lock);
    done_.wait(lock, [this] { return left_ == 0; });
    part_ = nullptr;
  }

 private:
  void serve() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return part_ != nullptr && next_ < parts_; });
      takeParts(lock);
    }
  }

  void takeParts(std::unique_lock<std::mutex> &lock) {
    while (part_ != nullptr && next_ < parts_) {
      const int64_t mine = next_++;
      const std::function<void(int64_t)> &part = *part_;
      lock.unlock();
      part(mine);
      lock.lock();
      if (--left_ == 0) done_.notify_one();
    }
  }

  std::mutex running_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(int64_t)> *part_ = nullptr;
  int64_t parts_ = 0;
  int64_t next_ = 0;
  int64_t left_ = 0;
};

}  // namespace

void parallel(int64_t count, double nanoseconds, const std::function<void(int64_t from, int64_t to)> &f) {
  static const int64_t threads = threadsWanted();
  const int64_t parts = std::min({threads, count, static_cast<int64_t>(count * nanoseconds / WORTH_WAKING_NS)});
  if (parts <= 1) {
    if (count > 0) f(0, count);
    return;
  }
  static Pool *const pool = new Pool(threads);
  pool->run(parts, [&](int64_t part) { f(count * part / parts, count * (part + 1) / parts); });
}

}  // namespace zigzag
