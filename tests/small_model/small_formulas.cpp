#include "tests/small_model/small_formulas.h"

#include <fmt/format.h>

#include "tests/small_model/small_lemmas.h"

namespace fencepost::small_model {
namespace {

using checker::Symbolic;

// Calls `f(cell, name, max)` for every cell that the parameters use, in a fixed order.
template <class S, class F>
void visit(S& s, const Parameters& p, F&& f) {
  const int last = p.messages - 1;
  for (int i = 0; i < p.partitions; ++i) {
    auto& part = s.partition[i];
    const auto cell = [&](auto& c, const char* field, int k, int max) {
      f(c, fmt::format("p{}_{}_{}", i, field, k), static_cast<unsigned>(max));
    };
    for (int m = 0; m < p.messages; ++m) {
      cell(part.status[m], "status", m, 2);
      cell(part.possibly[m], "possibly", m, 1);
      cell(part.sequence[m], "sequence", m, last);
    }
    for (int k = 0; k < p.in_flight; ++k) {
      cell(part.message[k], "message", k, last);
      cell(part.stage[k], "stage", k, 5);
    }
    cell(part.epoch, "epoch", 0, p.epochs);
    cell(part.next, "next", 0, p.messages);
    cell(part.length, "length", 0, p.messages + 1);
    for (int k = 0; k <= p.messages; ++k) cell(part.log[k], "log", k, last);
  }
  f(s.epoch, std::string("epoch"), static_cast<unsigned>(p.epochs));
  f(s.drain, std::string("drain"), 1U);
  f(s.changes, std::string("changes"), static_cast<unsigned>(p.leader_changes));
  f(s.fatal, std::string("fatal"), 1U);
}

State<Symbolic> load(const checker::Values& values, const Parameters& p) {
  State<Symbolic> s;
  std::size_t i = 0;
  visit(s, p, [&](Symbolic::Cell& cell, const std::string&, unsigned max) {
    cell.value = values[i++];
    cell.max = max;
  });
  return s;
}

}  // namespace

SmallFormulas::SmallFormulas(const Parameters& parameters, bool lemmas)
    : p_(parameters), model_(parameters) {
  State<Symbolic> s;
  visit(s, p_, [&](Symbolic::Cell&, const std::string& name, unsigned max) {
    const bool of_partition = name[0] == 'p';
    cells_.push_back({name, max, of_partition ? name[1] - '0' : -1, name == "changes"});
  });
  for (int p = 0; p < p_.partitions; ++p) {
    for (const LemmaText& text : kLemmaTexts) {
      if (lemmas) facts_.push_back({std::string(text.name), std::string(text.says), p, -1});
    }
  }
  for (int p = 0; p < p_.partitions; ++p) {
    facts_.push_back({"no-duplicate", "no log holds an id twice", p, 0});
  }
  facts_.push_back({"never-fatal", "the client never gives up", -1, 1});
}

std::vector<unsigned> SmallFormulas::initial() const {
  State<Symbolic> s;
  std::vector<unsigned> values;
  for (const checker::CellInfo& cell : cells_) {
    // A message's sequence is its number at the start; all else is zero.
    const auto at = cell.name.find("_sequence_");
    const bool sequence = at != std::string::npos;
    values.push_back(sequence ? static_cast<unsigned>(std::stoi(cell.name.substr(at + 10))) : 0U);
  }
  return values;
}

std::size_t SmallFormulas::action_count() const {
  return static_cast<std::size_t>(model_.actions());
}

std::string SmallFormulas::action_text(std::size_t a) const {
  static constexpr const char* kNames[] = {
      "send", "deliver", "leader-change", "late-leader-change", "receive", "lose"};
  if (static_cast<int>(a) == model_.bump()) return "bump";
  if (static_cast<int>(a) == model_.safe_bump()) return "safe-bump";
  constexpr auto kKinds = static_cast<std::size_t>(Kind::kCount);
  return fmt::format("{} partition={}", kNames[a % kKinds], a / kKinds);
}

int SmallFormulas::action_partition(std::size_t a) const {
  if (static_cast<int>(a) >= model_.bump()) return -1;
  return static_cast<int>(a) / static_cast<int>(Kind::kCount);
}

checker::FormulaStep SmallFormulas::step(std::size_t a, const checker::Values& values) const {
  Symbolic d;
  State<Symbolic> s = load(values, p_);
  checker::FormulaStep step{Symbolic::Bool(false), {}, Symbolic::Bool(false), {}};
  step.guard = model_.guard(d, static_cast<int>(a), s);
  model_.effect(d, static_cast<int>(a), s);
  step.bounds = {d.bound_hit(0)};
  step.overflow = d.overflow();
  visit(s, p_, [&](Symbolic::Cell& cell, const std::string&, unsigned) {
    step.next.push_back(cell.value);
  });
  return step;
}

Symbolic::Bool SmallFormulas::holds(std::size_t fact, const checker::Values& values) const {
  const State<Symbolic> s = load(values, p_);
  const checker::Fact& f = facts_[fact];
  if (f.property == 0) {
    // The model asks it of all partitions: an empty log has no duplicate.
    State<Symbolic> one = s;
    for (int p = 0; p < p_.partitions; ++p) {
      if (p != f.partition) one.partition[p].length.value = 0;
    }
    return !model_.duplicate(one);
  }
  if (f.property == 1) return s.fatal == 0;
  return SmallLemmas<Symbolic>{p_, s}.holds(fact % kLemmaTexts.size(), f.partition);
}

std::vector<std::size_t> SmallFormulas::all() const {
  std::vector<std::size_t> facts(facts_.size());
  for (std::size_t i = 0; i < facts.size(); ++i) facts[i] = i;
  return facts;
}

}  // namespace fencepost::small_model
