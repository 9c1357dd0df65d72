// Variants, claims and the text of faults: whatever the bytes are, they are read or refused with an
// Error, and what was read of the faults reads back the same.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "checker/gate/claims.h"
#include "spec/base.h"
#include "spec/instance_text.h"
#include "spec/variant.h"

namespace {

namespace fs = std::filesystem;
using namespace fencepost;

const fs::path kData = FENCEPOST_SPEC_DIR;

void read_as_faults(std::string_view text) {
  try {
    const spec::Faults faults = spec::parse_faults(text, 3);
    if (!(spec::parse_faults(spec::faults_text(faults), 3) == faults)) std::abort();
  } catch (const Error&) {
    return;  // refused, as it may be
  }
}

template <class Read>
void read_as_file(const Read& read) {
  try {
    read();
  } catch (const Error&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (size < 200) read_as_faults(text);
  static const fs::path kFile =
      fs::temp_directory_path() / ("fencepost-fuzz-" + std::to_string(::getpid()) + ".json");
  std::ofstream(kFile, std::ios::binary).write(text.data(), static_cast<std::streamsize>(size));
  read_as_file([] { spec::load_variant(kFile.string(), kData / "variants"); });
  read_as_file([] { gate::read_claims(kFile, kData); });
  return 0;
}
