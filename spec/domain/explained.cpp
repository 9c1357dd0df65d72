#include "spec/domain/explained.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/base.h"

namespace fencepost::spec {
namespace {

using Bool = Explained::Bool;
using Kind = Bool::Kind;

std::string text_of(const Bool& b);

/// The operands of nested operators of one kind, in order.
void flatten(const Bool& b, Kind kind, std::vector<Bool>& list) {
  if (b.kind() != kind) {
    list.push_back(b);
    return;
  }
  for (const Bool& part : b.parts()) flatten(part, kind, list);
}

/// The operands that decide: of a true disjunction the true ones, of a false conjunction the false
/// ones, else all; without constants and repetitions.
std::vector<std::string> deciding(const Bool& b) {
  std::vector<Bool> parts;
  flatten(b, b.kind(), parts);
  const bool some = b.value() == (b.kind() == Kind::kOr);
  std::vector<std::string> texts;
  for (const Bool& part : parts) {
    if (part.kind() == Kind::kConstant && parts.size() > 1) continue;
    if (some && part.value() != b.value()) continue;
    const std::string text = text_of(part);
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

std::string joined(const std::vector<std::string>& texts, std::string_view with) {
  std::string text;
  for (const std::string& one : texts) {
    if (!text.empty()) text += with;
    text += one;
  }
  return text;
}

std::string because(const Bool& b) {
  std::vector<std::string> texts;
  for (const Bool& part : b.parts()) {
    if (part.kind() == Kind::kConstant) continue;
    const std::string text = text_of(part);
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  return texts.empty() ? std::string() : fmt::format(" (picked as {})", joined(texts, ", "));
}

std::string text_of(const Bool& b) {
  switch (b.kind()) {
    case Kind::kConstant:
      return b.value() ? "true" : "what cannot be here";
    case Kind::kComparison:
      return b.text() + because(b);
    case Kind::kNot:
      return fmt::format("not ({})", text_of(b.parts()[0]));
    case Kind::kAnd:
      return joined(deciding(b), " and ");
    case Kind::kOr: {
      const std::vector<std::string> texts = deciding(b);
      return texts.size() == 1 ? texts[0] : fmt::format("({})", joined(texts, " or "));
    }
  }
  return {};
}

}  // namespace

std::string Explained::Num::text(Namer by) const {
  if (sum_) return from_;
  const std::string value = by == nullptr ? fmt::format("{}", value_) : std::string(by(value_));
  return from_.empty() ? value : fmt::format("{} ({})", from_, value);
}

namespace detail {
namespace {

std::vector<Bool> both_because(const Explained::Num& a, const Explained::Num& b) {
  std::vector<Bool> because = a.because();
  because.insert(because.end(), b.because().begin(), b.because().end());
  return because;
}

}  // namespace

Bool compared(bool holds, const Explained::Num& a, const char* how, const Explained::Num& b) {
  // A field compared with an enumerator has its values' names.
  const auto namer = b.namer() != nullptr ? b.namer() : a.namer();
  return {Kind::kComparison, holds, fmt::format("{} {} {}", a.text(namer), how, b.text(namer)),
          both_because(a, b)};
}

Explained::Num combined(unsigned v, const Explained::Num& a, const char* how,
                        const Explained::Num& b) {
  return {v, fmt::format("{} {} {}", a.text(), how, b.text()), both_because(a, b), true};
}

}  // namespace detail

std::vector<std::string> false_conjuncts(const Bool& guard) {
  FP_ASSERT(!guard.value());
  if (guard.kind() == Kind::kAnd) return deciding(guard);
  return {text_of(guard)};
}

}  // namespace fencepost::spec
