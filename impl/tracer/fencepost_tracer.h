/* Writes fencepost traces from any C or C++ program: one header, no dependency but the C library.
 *
 * A trace is JSON lines. Each event says who did what, and only what changed. It carries three
 * orders: "i", its place in the file; "n", its place among its actor's events; and "after", the
 * event of another actor that must have come before it, if there is one. A program with several
 * threads gives each its own actor and serialises the calls of one tracer.
 *
 *   fp_tracer t;
 *   fp_actor producer = FP_ACTOR("producer");
 *   fp_trace_open(&t, to_file, file, "client");
 *   fp_event(&t, &producer, "send");
 *   fp_int(&t, "partition", 0);
 *   fp_end(&t);
 *
 * traces/TRACER.md lists the events and their fields; `fencepost trace` checks a file.
 * Names must not need escaping in JSON; texts are escaped. No call fails: what does not fit into
 * the line buffer is dropped from the event, which then carries "cut": true.
 */
#ifndef FENCEPOST_TRACER_H
#define FENCEPOST_TRACER_H

#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FP_LINE_BYTES 512
#define FP_TRACE_VERSION 1

/* Takes one whole line, line end included. */
typedef void (*fp_write)(void* context, const char* line, size_t length);

typedef struct fp_actor {
  const char* name;
  unsigned long long count; /* events so far */
} fp_actor;

#define FP_ACTOR(actor_name) \
  { actor_name, 0 }

typedef struct fp_tracer {
  fp_write write;
  void* context;
  unsigned long long count;
  size_t length;
  int cut;
  char line[FP_LINE_BYTES];
} fp_tracer;

/* Room is kept for the end of the line. */
static inline void fp_raw(fp_tracer* t, const char* text, size_t length) {
  if (t->length + length + 16 > FP_LINE_BYTES) {
    t->cut = 1;
    return;
  }
  memcpy(t->line + t->length, text, length);
  t->length += length;
}

static inline size_t fp_digits(char* out, long long value) {
  char reversed[24];
  size_t n = 0;
  size_t i = 0;
  unsigned long long rest =
      value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
  do {
    reversed[n++] = (char)('0' + (int)(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (value < 0) reversed[n++] = '-';
  for (; i < n; ++i) out[i] = reversed[n - 1 - i];
  return n;
}

/* ,"key":value in one piece, so that a line that is full loses whole fields. */
static inline void fp_field(fp_tracer* t, const char* key, const char* value, size_t length) {
  const size_t before = t->length;
  const int cut = t->cut;
  t->cut = 0;
  fp_raw(t, ",\"", 2);
  fp_raw(t, key, strlen(key));
  fp_raw(t, "\":", 2);
  fp_raw(t, value, length);
  if (t->cut) t->length = before;
  t->cut |= cut;
}

/* An integer field. */
static inline void fp_int(fp_tracer* t, const char* key, long long value) {
  char digits[24];
  fp_field(t, key, digits, fp_digits(digits, value));
}

/* A field that is true or false. */
static inline void fp_bool(fp_tracer* t, const char* key, int value) {
  fp_field(t, key, value ? "true" : "false", value ? 4 : 5);
}

/* A text field; control characters become spaces. */
static inline void fp_text(fp_tracer* t, const char* key, const char* value) {
  char quoted[FP_LINE_BYTES];
  size_t n = 0;
  quoted[n++] = '"';
  for (; *value != '\0' && n + 3 < sizeof quoted; ++value) {
    if (*value == '"' || *value == '\\') quoted[n++] = '\\';
    quoted[n++] = (unsigned char)*value < 0x20 ? ' ' : *value;
  }
  quoted[n++] = '"';
  fp_field(t, key, quoted, n);
}

/* Begins an event of `actor`; fields and fp_end follow. Returns the event's "n". */
static inline unsigned long long fp_event(fp_tracer* t, fp_actor* actor, const char* name) {
  char digits[24];
  t->length = 0;
  t->cut = 0;
  fp_raw(t, "{\"i\":", 5);
  fp_raw(t, digits, fp_digits(digits, (long long)t->count++));
  fp_raw(t, ",\"actor\":\"", 10);
  fp_raw(t, actor->name, strlen(actor->name));
  fp_raw(t, "\",\"event\":\"", 11);
  fp_raw(t, name, strlen(name));
  fp_raw(t, "\"", 1);
  fp_int(t, "n", (long long)actor->count);
  return actor->count++;
}

/* The event comes after event `n` of `other`. At most one of these an event. */
static inline void fp_after(fp_tracer* t, const fp_actor* other, unsigned long long n) {
  fp_text(t, "after", other->name);
  fp_int(t, "after_n", (long long)n);
}

static inline void fp_end(fp_tracer* t) {
  if (t->cut) {
    memcpy(t->line + t->length, ",\"cut\":true", 11);
    t->length += 11;
  }
  memcpy(t->line + t->length, "}\n", 2);
  t->length += 2;
  t->write(t->context, t->line, t->length);
}

/* Begins a trace. `source` says what writes it, for example the client and its version. More header
 * fields may follow; fp_end ends the header. */
static inline void fp_trace_open(fp_tracer* t, fp_write write, void* context, const char* source) {
  t->write = write;
  t->context = context;
  t->count = 0;
  t->length = 0;
  t->cut = 0;
  fp_raw(t, "{\"schema\":\"fencepost-trace\"", 27);
  fp_int(t, "version", FP_TRACE_VERSION);
  fp_text(t, "source", "tracer");
  fp_text(t, "by", source);
}

#ifdef __cplusplus
}
#endif

#endif
