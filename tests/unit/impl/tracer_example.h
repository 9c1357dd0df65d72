// The example in C, as C++ sees it.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes a small trace as text.
void write_example(char* to, size_t room);
/// Writes a trace whose event does not fit into a line.
void write_long_event(char* to, size_t room);

#ifdef __cplusplus
}
#endif
