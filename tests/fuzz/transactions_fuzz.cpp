// Variants, instances and faults of the transactional model: whatever the bytes are, they are read
// or refused with an Error; a variant that is read runs with itself or is refused with the reason.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "checker/transactions/shape.h"
#include "checker/transactions/variant_claims.h"
#include "spec/base.h"
#include "spec/transactions/variant.h"

namespace {

namespace fs = std::filesystem;
namespace model = fencepost::spec::transactions;
using namespace fencepost;

const fs::path kSpec = FENCEPOST_SPEC_DIR;

template <class Read>
void read_or_refuse(const Read& read) {
  try {
    read();
  } catch (const Error&) {
    return;
  }
}

void read_as_variant(model::VariantKind kind, const std::string& file) {
  const fs::path data = kSpec / "transactions";
  const model::Variant read = model::load_variant(kind, file, data);
  const auto part = [&](model::VariantKind other, const char* usual) {
    return other == kind ? read : model::load_variant(other, usual, data);
  };
  static_cast<void>(model::combine(part(model::VariantKind::kClient, "java-3.9"),
                                   part(model::VariantKind::kCoordinator, "kip-360"),
                                   part(model::VariantKind::kBroker, "kafka-2.5")));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (size < 200) {
    read_or_refuse([&] { static_cast<void>(model::parse_faults(text, 3)); });
    read_or_refuse([&] {
      model::Instance instance;
      transactions::apply_shape(text, instance);
      static_cast<void>(model::instance_fault(instance));
    });
  }
  static const fs::path kFile =
      fs::temp_directory_path() / ("fencepost-txn-fuzz-" + std::to_string(::getpid()) + ".json");
  std::ofstream(kFile, std::ios::binary).write(text.data(), static_cast<std::streamsize>(size));
  for (int k = 0; k < model::kVariantKinds; ++k) {
    read_or_refuse([&] { read_as_variant(static_cast<model::VariantKind>(k), kFile.string()); });
  }
  read_or_refuse([] { static_cast<void>(transactions::variant_named(kFile.string(), kSpec)); });
  return 0;
}
