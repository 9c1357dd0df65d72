// Collects what an importer could not understand, bounded: a wholly damaged file must not be
// answered with as many sentences as it has lines.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "traces/event_json.h"

namespace fencepost::traces {

class Problems {
 public:
  /// The most sentences kept for one input.
  static constexpr std::size_t kMost = 200;

  /// Returns the index of the problem, or kMost when it was only counted.
  std::size_t add(const Evidence& where, std::string what) {
    if (list_.size() == kMost) {
      ++more_;
      return kMost;
    }
    list_.push_back({where, std::move(what)});
    return list_.size() - 1;
  }

  /// Adds to the sentence of a problem kept earlier.
  void amend(std::size_t index, std::string_view more) {
    if (index < list_.size()) list_[index].what += more;
  }

  /// All problems by line; the last one counts those left out.
  std::vector<Problem> take() {
    if (more_ != 0) {
      list_.push_back({list_.back().where, fmt::format("{} more such lines follow", more_)});
    }
    std::stable_sort(list_.begin(), list_.end(), [](const Problem& a, const Problem& b) {
      return a.where.line < b.where.line;
    });
    return std::move(list_);
  }

 private:
  std::vector<Problem> list_;
  std::size_t more_ = 0;
};

}  // namespace fencepost::traces
