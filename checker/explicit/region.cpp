#include "checker/explicit/region.h"

#include <sys/mman.h>

#include <utility>

namespace fencepost::checker {
namespace {

// Below this a huge page would be mostly unused.
constexpr std::size_t kHugeFrom = std::size_t{8} << 20;

}  // namespace

Region::Region(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) return;
  data_ = data;
#if defined(MADV_HUGEPAGE)
  // Only a hint: random access to a large table is bound by address translation.
  if (bytes >= kHugeFrom) static_cast<void>(madvise(data, bytes, MADV_HUGEPAGE));
#endif
}

Region::~Region() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

Region::Region(Region&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Region& Region::operator=(Region&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace fencepost::checker
