#include "checker/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace fencepost::checker {
namespace {

class Pieces {
 public:
  Pieces(std::size_t count, const std::function<void(std::size_t)>& work)
      : count_(count), work_(work) {}

  /// Takes pieces until there are none left. An exception that left a thread would end the program,
  /// so it is kept.
  void take() {
    try {
      for (std::size_t piece = next_++; piece < count_; piece = next_++) work_(piece);
    } catch (...) {
      next_ = count_;
      const std::lock_guard lock(mutex_);
      if (!failed_) failed_ = std::current_exception();
    }
  }
  /// Requires: no thread takes pieces any more.
  void rethrow() const {
    if (failed_) std::rethrow_exception(failed_);
  }

 private:
  const std::size_t count_;
  const std::function<void(std::size_t)>& work_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::exception_ptr failed_;
};

}  // namespace

void for_each_piece(std::size_t count, unsigned threads,
                    const std::function<void(std::size_t)>& work) {
  Pieces pieces(count, work);
  {
    std::vector<std::jthread> others;
    const std::size_t most = std::min<std::size_t>(threads, count);
    try {
      for (std::size_t i = 1; i < most; ++i) others.emplace_back([&pieces] { pieces.take(); });
    } catch (const std::system_error&) {
      // No more threads are to be had: those that started do the work.
    }
    pieces.take();
  }
  pieces.rethrow();
}

}  // namespace fencepost::checker
