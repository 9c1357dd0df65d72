/* What a client in C does to write a trace: compiled as C, linked into a test. */
#include "tests/unit/impl/tracer_example.h"

#include "impl/tracer/fencepost_tracer.h"

struct text {
  char* to;
  size_t room;
  size_t length;
};

static void append(void* context, const char* line, size_t length) {
  struct text* text = (struct text*)context;
  if (text->length + length >= text->room) return;
  memcpy(text->to + text->length, line, length);
  text->length += length;
  text->to[text->length] = '\0';
}

void write_example(char* to, size_t room) {
  struct text text = {to, room, 0};
  fp_tracer tracer;
  fp_actor producer = FP_ACTOR("producer");
  fp_actor broker = FP_ACTOR("broker 0");
  unsigned long long sent;
  fp_trace_open(&tracer, append, &text, "a client in C, with \"quotes\"");
  fp_end(&tracer);
  sent = fp_event(&tracer, &producer, "send");
  fp_int(&tracer, "partition", 0);
  fp_int(&tracer, "broker", 0);
  fp_int(&tracer, "message_id", 1);
  fp_int(&tracer, "count", 1);
  fp_int(&tracer, "epoch", 0);
  fp_int(&tracer, "sequence", 0);
  fp_end(&tracer);
  fp_event(&tracer, &broker, "answer");
  fp_after(&tracer, &producer, sent);
  fp_int(&tracer, "partition", 0);
  fp_text(&tracer, "error", "NOT_LEADER_OR_FOLLOWER");
  fp_bool(&tracer, "offset_valid", 1);
  fp_end(&tracer);
}

void write_long_event(char* to, size_t room) {
  struct text text = {to, room, 0};
  fp_tracer tracer;
  fp_actor producer = FP_ACTOR("producer");
  char long_text[FP_LINE_BYTES];
  memset(long_text, 'x', sizeof long_text - 1);
  long_text[sizeof long_text - 1] = '\0';
  fp_trace_open(&tracer, append, &text, "a client in C");
  fp_end(&tracer);
  fp_event(&tracer, &producer, "failed");
  fp_int(&tracer, "partition", -1);
  fp_text(&tracer, "error", long_text);
  fp_bool(&tracer, "possibly_persisted", 0);
  fp_end(&tracer);
}
