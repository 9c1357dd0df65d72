#include <cstdio>
#include <exception>

#include "checker/cli/commands.h"
#include "checker/cli/options.h"
#include "spec/base.h"

int main(int argc, char** argv) {
  using fencepost::Exit;
  const fencepost::cli::Parsed parsed = fencepost::cli::parse(argc, argv);
  if (!parsed.run) {
    std::fputs(parsed.text.c_str(), parsed.exit_code == 0 ? stdout : stderr);
    return parsed.exit_code;
  }
  try {
    return static_cast<int>(fencepost::cli::run(parsed.arguments));
  } catch (const fencepost::Error& error) {
    std::fprintf(stderr, "fencepost: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::bad_alloc&) {
    std::fputs("fencepost: out of memory: lower --memory or --threads\n", stderr);
    return static_cast<int>(Exit::kInconclusive);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fencepost: internal error: %s\n", error.what());
    return static_cast<int>(Exit::kInternal);
  }
}
