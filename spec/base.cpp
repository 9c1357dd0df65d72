#include "spec/base.h"

#include <cstdio>
#include <cstdlib>

namespace fencepost {

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "fencepost: internal check failed: %s (%s:%d)\n", condition, file, line);
  std::_Exit(static_cast<int>(Exit::kInternal));
}

}  // namespace fencepost
