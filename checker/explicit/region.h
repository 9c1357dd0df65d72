// A stretch of zeroed memory that takes no room before it is touched.
#pragma once

#include <cstddef>

namespace fencepost::checker {

class Region {
 public:
  Region() = default;
  /// Reserves `bytes`, all zero. `ok()` is false if the system refuses.
  explicit Region(std::size_t bytes);
  ~Region();
  Region(Region&& other) noexcept;
  Region& operator=(Region&& other) noexcept;
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  [[nodiscard]] bool ok() const { return data_ != nullptr; }
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace fencepost::checker
