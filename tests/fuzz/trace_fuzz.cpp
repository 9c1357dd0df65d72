// Any text is a trace or refused with an Error; a trace that was read is written and read again.
#include <cstddef>
#include <cstdint>

#include "spec/base.h"
#include "tests/fuzz/fuzz_explain.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace traces = fencepost::traces;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const traces::RawTrace raw = traces::read_trace(text, "fuzz");
    const traces::Trace trace = traces::from_raw(raw, "fuzz");
    const std::string written = traces::write_trace(traces::to_raw(trace));
    if (traces::from_raw(traces::read_trace(written, "again"), "again") != trace) __builtin_trap();
    fencepost::fuzz::explain_trace(trace);
  } catch (const fencepost::Error&) {
    return 0;  // refused in a sentence
  }
  return 0;
}
