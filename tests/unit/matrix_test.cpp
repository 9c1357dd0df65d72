// The matrix over a checker that invents its results: which pairs are searched, where a verdict
// stands, what is said of those that have none.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "checker/gate/matrix.h"
#include "spec/instance_text.h"
#include "spec/model/model.h"

namespace fencepost::testing {
namespace {

spec::Variant named(const std::string& name, spec::VariantKind kind, int cache) {
  spec::Variant variant;
  variant.name = name;
  variant.kind = kind;
  variant.behaviour.cache_size = cache;
  return variant;
}

gate::MatrixRequest request() {
  gate::MatrixRequest r;
  r.clients = {named("one", spec::VariantKind::kClient, 5),
               named("two", spec::VariantKind::kClient, 5)};
  r.clients[1].behaviour.retry_only_lowest = true;
  r.brokers = {named("new", spec::VariantKind::kBroker, 5),
               named("old", spec::VariantKind::kBroker, 1)};
  r.instance.messages = 1;
  r.faults = "none";
  r.properties = {spec::Property::kNoDuplicate, spec::Property::kInOrder};
  return r;
}

gate::Matrix matrix_of(const gate::MatrixRequest& asked, const gate::Checker& checker) {
  gate::GateOptions options;
  options.parallel = 1;
  return gate::run_matrix(asked, checker, options);
}

/// The old broker runs into a bound.
gate::TaskResult invented(const gate::Task& task) {
  gate::TaskResult result;
  result.stats.distinct = 7;
  result.stats.depth = 3;
  if (task.behaviour.cache_size == 1) result.stats.bound_hits[0] = 2;
  return result;
}

TEST(Matrix, SearchesEveryPairOnceAndSaysWhyACellHasNoVerdict) {
  int searches = 0;
  const gate::Matrix matrix = matrix_of(request(), [&searches](const gate::Task& task) {
    ++searches;
    EXPECT_TRUE(task.asks(spec::Property::kNoDuplicate));
    EXPECT_TRUE(task.asks(spec::Property::kInOrder));
    return invented(task);
  });
  EXPECT_EQ(searches, 4);
  const std::string text = gate::matrix_text(matrix);
  EXPECT_NE(text.find("no-duplicate  new           old\n"
                      "one           exhausted     unknown\n"
                      "two           exhausted     unknown\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("one on old: unknown, "), std::string::npos) << text;
}

TEST(Matrix, NamesThePairsThatAreRefused) {
  gate::MatrixRequest asked = request();
  asked.refuse = [](const spec::Behaviour& b, const spec::Instance&) {
    return std::string(b.retry_only_lowest ? "nobody builds that" : "");
  };
  const gate::Matrix matrix = matrix_of(asked, invented);
  const std::string text = gate::matrix_text(matrix);
  EXPECT_NE(text.find("two           not searched  not searched\n"), std::string::npos) << text;
  EXPECT_NE(text.find("two on new: refused, nobody builds that\n"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(gate::matrix_json(matrix));
  EXPECT_EQ(json["cells"].size(), 4U);
  EXPECT_EQ(json["cells"][0]["verdict"], "exhausted");
  EXPECT_EQ(json["refused"].size(), 2U);
  EXPECT_EQ(json["refused"][0]["reason"], "nobody builds that");
}

/// As if, of the allowed faults, only purges had ever happened.
gate::TaskResult only_purged(const gate::Task& task) {
  gate::TaskResult result = invented(task);
  const spec::Model model(task.behaviour, task.instance);
  for (std::size_t a = 0; a < model.action_count(); ++a) {
    result.stats.fired.push_back(model.action(a).kind == spec::ActionKind::kPurge ? 1 : 0);
  }
  return result;
}

TEST(Matrix, SaysOnceWhatNeverHappenedWhereSomethingHolds) {
  gate::MatrixRequest asked = request();
  asked.instance.faults = spec::parse_faults("purge,disconnect", 1);
  const std::string remark = "never happened, so not covered: disconnect\n";
  const std::string text = gate::matrix_text(matrix_of(asked, only_purged));
  // Two properties of each pair hold; on the old broker nothing is decided.
  EXPECT_NE(text.find("\n\none on new, two on new: " + remark), std::string::npos) << text;
  EXPECT_EQ(text.find("never happened"), text.rfind("never happened")) << text;

  asked.clients.clear();
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    asked.clients.push_back(named(name, spec::VariantKind::kClient, 5));
  }
  const std::string many = gate::matrix_text(matrix_of(asked, only_purged));
  EXPECT_NE(many.find("\n\n5 pairs: " + remark), std::string::npos) << many;
}

TEST(Matrix, OfARefutedCellNoFaultIsNamed) {
  gate::MatrixRequest asked = request();
  asked.brokers.pop_back();
  asked.instance.faults = spec::parse_faults("purge,disconnect", 1);
  const gate::Matrix matrix = matrix_of(asked, [](const gate::Task& task) {
    gate::TaskResult result = only_purged(task);
    for (const spec::Property property : {spec::Property::kNoDuplicate, spec::Property::kInOrder}) {
      result.findings.push_back({property, 0, {}, {}});
    }
    return result;
  });
  const std::string text = gate::matrix_text(matrix);
  EXPECT_NE(text.find("one           refuted 0\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("never happened"), std::string::npos) << text;
}

}  // namespace
}  // namespace fencepost::testing
