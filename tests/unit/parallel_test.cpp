#include "checker/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

namespace fencepost::checker {
namespace {

TEST(ForEachPiece, DoesEachPieceOnce) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::vector<std::atomic<int>> done(100);
    for_each_piece(done.size(), threads, [&](std::size_t i) { ++done[i]; });
    for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(ForEachPiece, OfNothingDoesNothing) {
  for_each_piece(0, 4, [](std::size_t) { FAIL(); });
}

TEST(ForEachPiece, OneThreadIsTheCallersAndKeepsTheOrder) {
  const std::thread::id here = std::this_thread::get_id();
  std::vector<std::size_t> order;
  const auto work = [&](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    order.push_back(i);
  };
  for_each_piece(4, 1, work);
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
  order.clear();
  for_each_piece(1, 8, work);  // one piece needs no second thread
  EXPECT_EQ(order, std::vector<std::size_t>{0});
}

// Each of two pieces waits for the other to have started: one thread alone would never end.
TEST(ForEachPiece, ThreadsWorkAtTheSameTime) {
  std::mutex mutex;
  std::condition_variable both;
  int started = 0;
  for_each_piece(2, 2, [&](std::size_t) {
    std::unique_lock lock(mutex);
    ++started;
    both.notify_all();
    both.wait(lock, [&] { return started == 2; });
  });
  EXPECT_EQ(started, 2);
}

TEST(ForEachPiece, AnExceptionEndsTheWorkAndIsThrownAgain) {
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<std::size_t> done = 0;
    const auto work = [&](std::size_t i) {
      if (i == 5) throw std::runtime_error("piece 5");
      if (i > 5) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++done;
    };
    try {
      for_each_piece(10000, threads, work);
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "piece 5");
    }
    EXPECT_LT(done, 9999U);
  }
  EXPECT_THROW(for_each_piece(3, 2, [](std::size_t) { throw std::bad_alloc(); }), std::bad_alloc);
}

}  // namespace
}  // namespace fencepost::checker
