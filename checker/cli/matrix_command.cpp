// `fencepost matrix`: clients x brokers x properties.
#include <fmt/format.h>

#include "checker/cli/commands.h"
#include "checker/cli/terminal.h"
#include "checker/gate/matrix.h"
#include "checker/refinement/check_impl.h"
#include "checker/refinement/impl_system.h"
#include "spec/instance_text.h"
#include "spec/located_json.h"

namespace fencepost::cli {
namespace {

/// The variants of the names given, in their order, or all of the folder.
std::vector<spec::Variant> variants_of(const std::vector<std::string>& names,
                                       const std::filesystem::path& folder,
                                       spec::VariantKind kind) {
  if (names.empty()) return spec::load_variants(folder);
  std::vector<spec::Variant> variants;
  for (const std::string& name : names) {
    spec::Variant variant = spec::load_variant(name, folder);
    if (variant.kind != kind) {
      const bool client = kind == spec::VariantKind::kClient;
      throw Error(Exit::kUsage,
                  fmt::format("\"{}\" is a {}, not a {}", name, client ? "broker" : "client",
                              client ? "client" : "broker"));
    }
    for (const spec::Variant& other : variants) {
      if (other.name == variant.name) {
        throw Error(Exit::kUsage, fmt::format("\"{}\" stands twice", variant.name));
      }
    }
    variants.push_back(std::move(variant));
  }
  return variants;
}

std::vector<spec::Property> properties_of(const std::vector<std::string>& names) {
  std::vector<spec::Property> list;
  for (int k = 0; k < spec::kProperties && names.empty(); ++k) {
    list.push_back(static_cast<spec::Property>(k));
  }
  for (const std::string& name : names) {
    const auto property = spec::property_named(name);
    if (!property) {
      std::vector<std::string_view> known;
      for (const spec::PropertyInfo& info : spec::properties()) known.push_back(info.name);
      throw Error(Exit::kUsage,
                  fmt::format("unknown property \"{}\"{}", name, spec::suggestion(name, known)));
    }
    list.push_back(*property);
  }
  return list;
}

gate::MatrixRequest request_of(const Arguments& arguments) {
  const MatrixArguments& m = arguments.matrix;
  const std::filesystem::path data = spec_folder(arguments);
  gate::MatrixRequest request;
  request.clients = variants_of(m.clients, data / "variants", spec::VariantKind::kClient);
  request.brokers = variants_of(m.brokers, data / "brokers", spec::VariantKind::kBroker);
  request.properties = properties_of(m.properties);
  request.instance = m.instance;
  request.instance.warm = m.cold ? 0 : 1;
  request.instance.faults = spec::parse_faults(m.faults, m.budget);
  request.faults = m.faults;
  spec::require_checkable(request.instance);
  if (m.on == "impl") request.refuse = refinement::impl_instance_fault;
  return request;
}

}  // namespace

Exit run_matrix(const Arguments& arguments) {
  const bool on_impl = arguments.matrix.on == "impl";
  gate::GateOptions options;
  options.limits = limits_of(arguments, 1);
  options.parallel = threads_of(arguments);
  options.on = arguments.matrix.on;
  ProgressLine line;
  options.on_search = [&line](const gate::GateProgress& p) {
    line.show(fmt::format("{} of {} pairs, {:.1f} M states", p.searches_done, p.searches,
                          static_cast<double>(p.states) / 1e6));
  };
  const gate::Checker checker =
      on_impl ? gate::Checker(refinement::check_on_impl) : gate::Checker(gate::check_explicitly);
  const gate::Matrix matrix = gate::run_matrix(request_of(arguments), checker, options);
  print(arguments.format == Format::kJson ? gate::matrix_json(matrix) : gate::matrix_text(matrix));
  for (const gate::RowResult& row : matrix.result.rows) {
    if (row.answer.verdict == checker::Verdict::kError) return Exit::kInternal;
  }
  return matrix.result.interrupted ? Exit::kInconclusive : Exit::kOk;
}

}  // namespace fencepost::cli
