// Any text is imported as a librdkafka log without throwing, and can be explained.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/fuzz_explain.h"
#include "traces/import/librdkafka_log.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fencepost::fuzz::explain_trace(fencepost::traces::import_librdkafka_log(text, "fuzz"));
  return 0;
}
