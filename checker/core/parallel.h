// Work on a few threads: numbered pieces, each done once by whichever thread is free.
#pragma once

#include <cstddef>
#include <functional>

namespace fencepost::checker {

/// Calls `work(0)` to `work(count - 1)`, each once, started in this order, on at most `threads`
/// threads of which the calling one is the first; returns when all have ended. Where the system
/// gives fewer threads, those there are do the work. After an exception no further piece is
/// started, and the first one is thrown again here. Requires: `work` may be called by several
/// threads at once.
void for_each_piece(std::size_t count, unsigned threads,
                    const std::function<void(std::size_t)>& work);

}  // namespace fencepost::checker
