// CLI11 says what it could not match; people want to know what they could have written. The pieces
// of the sentences are its errors' kinds and texts ("OPTION: ...", "...: OPTION = VALUE", as of
// 2.1), the rest comes from the description of the options. An error of a kind that is not known
// here is told in CLI11's words.
#include "checker/cli/usage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "spec/located_json.h"

namespace fencepost::cli {
namespace {

const CLI::App* command_of(const CLI::App& app) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  return given.empty() ? nullptr : given.front();
}

/// "--budget", "-h": the names of an app's options as they are written.
std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  return spec::suggestion(word, std::vector<std::string_view>(known.begin(), known.end()));
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// Commands that have an option of this name.
std::vector<std::string> commands_with(const CLI::App& app, const std::string& option) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::vector<std::string> options = options_of(*command);
    if (std::find(options.begin(), options.end(), option) == options.end()) continue;
    names.push_back(command->get_name());
  }
  return names;
}

std::string unknown_option(const CLI::App& app, const CLI::App* command, const std::string& word) {
  const std::string option = word.substr(0, word.find('='));
  const std::vector<std::string> others = commands_with(app, option);
  if (command == nullptr && !others.empty()) {
    return fmt::format("\"{}\" is an option of {}: name the command first", option,
                       fmt::join(others, ", "));
  }
  std::vector<std::string> known = options_of(command == nullptr ? app : *command);
  std::string says = suggestion(option, known);
  if (!others.empty())
    says = fmt::format("; {} {} it", fmt::join(others, ", "), others.size() == 1 ? "has" : "have");
  return fmt::format("{} has no option \"{}\"{}",
                     command == nullptr ? app.get_name() : command->get_name(), option, says);
}

bool takes_files(const CLI::App& command) {
  const std::vector<const CLI::Option*> options = command.get_options();
  return std::any_of(options.begin(), options.end(),
                     [](const CLI::Option* option) { return option->get_positional(); });
}

/// What was left over, or that nothing was given.
std::string unexpected(const CLI::App& app) {
  const CLI::App* command = command_of(app);
  const std::vector<std::string> left = app.remaining(true);
  if (left.empty()) {
    return fmt::format("no command is given; known: {}", fmt::join(commands_of(app), ", "));
  }
  const auto option = std::find_if(left.begin(), left.end(),
                                   [](const std::string& word) { return word.starts_with('-'); });
  if (command == nullptr && left.front().front() != '-') {
    return fmt::format("there is no command \"{}\"{}", left.front(),
                       suggestion(left.front(), commands_of(app)));
  }
  if (option != left.end()) return unknown_option(app, command, *option);
  return fmt::format("{} takes no {}argument \"{}\"", command->get_name(),
                     takes_files(*command) ? "further " : "", left.front());
}

/// The option that the error's text begins with, or "".
std::string option_of(const std::string& text) {
  return text.starts_with('-') ? text.substr(0, text.find(':')) : std::string();
}

std::string wrong_count(const CLI::App* command, const std::string& text) {
  const std::string option = option_of(text);
  if (text.find("At Most") != std::string::npos) return option + " is given twice";
  std::string kind;
  const CLI::Option* known = command == nullptr ? nullptr : command->get_option_no_throw(option);
  if (known != nullptr) kind = fmt::format(" ({})", known->get_type_name());
  return fmt::format("{} needs a value{}", option, kind);
}

/// "Could not convert: --all = maybe"
std::string not_converted(const std::string& text) {
  const auto colon = text.find(": ");
  const auto equals = text.find(" = ");
  if (colon == std::string::npos || equals == std::string::npos || equals < colon) return text;
  return fmt::format("{} cannot be \"{}\"", text.substr(colon + 2, equals - colon - 2),
                     text.substr(equals + 3));
}

std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = command_of(app);
  const std::string text = error.what();
  // By the code: the name of an error is sometimes that of the command.
  const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
  if (kind == CLI::ExitCodes::ExtrasError ||
      (kind == CLI::ExitCodes::RequiredError && command == nullptr)) {
    return unexpected(app);
  }
  if (kind == CLI::ExitCodes::RequiredError) {
    return fmt::format("{} needs a file: {} {} FILE", command->get_name(), app.get_name(),
                       command->get_name());
  }
  if (kind == CLI::ExitCodes::ArgumentMismatch) return wrong_count(command, text);
  if (kind == CLI::ExitCodes::ConversionError) return not_converted(text);
  // Of our own validators: "--format: cannot be ...".
  const std::string option = option_of(text);
  const bool ours = kind == CLI::ExitCodes::ValidationError && text.size() > option.size() + 2;
  return ours ? option + " " + text.substr(option.size() + 2) : text;
}

template <class Number>
CLI::Validator in_range(const std::string& what, Number low, Number high) {
  const auto check = [what, low, high](const std::string& text) -> std::string {
    Number value{};
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = wrong == std::errc() && end == text.data() + text.size();
    if (whole && value >= low && value <= high) return {};
    return fmt::format("must be a {} from {} to {}, not \"{}\"", what, low, high, text);
  };
  return CLI::Validator(check, "");
}

}  // namespace

CLI::Validator one_of(std::vector<std::string> names) {
  const auto check = [names = std::move(names)](std::string& text) -> std::string {
    const std::string lower = CLI::detail::to_lower(text);
    if (std::find(names.begin(), names.end(), lower) == names.end()) {
      return fmt::format("cannot be \"{}\"{}", text, suggestion(text, names));
    }
    text = lower;
    return {};
  };
  return CLI::Validator(check, "");
}

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  return in_range<std::uint64_t>("whole number", low, high);
}

CLI::Validator number(double low, double high) { return in_range<double>("number", low, high); }

std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = command_of(app);
  return fmt::format(
      "{} ({} --help lists {})", what_is_wrong(app, error),
      command == nullptr ? app.get_name() : app.get_name() + " " + command->get_name(),
      command == nullptr ? "the commands" : "its options");
}

}  // namespace fencepost::cli
