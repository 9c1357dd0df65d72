// Emits what the state machines do as trace events, at the point where each thing takes effect.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "impl/cluster.h"
#include "impl/tracer/fencepost_tracer.h"

namespace fencepost::impl {

/// Writes events through the C tracer. Requires: the tracer is open and outlives the observer.
/// Without a tracer it writes nothing.
class TraceObserver : public NoObserver {
 public:
  explicit TraceObserver(fp_tracer* tracer, int brokers);

  template <class B>
  void send(int p, const B& batch) {
    const int b = batch.broker - 1;
    auto& sent = connections_[static_cast<std::size_t>(b)];
    const auto n = begin(producer_, "send", p);
    sent.push_back({n, 0, false});
    if (tracer_ == nullptr) return;
    number("broker", b);
    number("message_id", batch.first_id());
    number("count", batch.count());
    number("epoch", batch.epoch);
    number("sequence", batch.sequence);
    fp_end(tracer_);
  }
  template <class W>
  void appended(int p, int b, const W& wire, const Appended& done, bool late) {
    if (tracer_ == nullptr) return;
    begin(broker(b), done.duplicate ? "recognised" : "appended", p);
    if (late) {
      fp_bool(tracer_, "late", 1);
    } else {
      after_request(b);
    }
    number("offset", done.offset);
    number("message_id", wire.id);
    number("count", wire.count);
    number("epoch", wire.epoch);
    number("sequence", wire.sequence);
    fp_end(tracer_);
  }
  template <class R>
  void answered(int b, const R& request) {
    const auto n = begin(broker(b), "answer", request.partition);
    Sent* oldest = unanswered(b);
    if (oldest != nullptr && tracer_ != nullptr) fp_after(tracer_, &producer_, oldest->sent);
    if (oldest != nullptr) *oldest = {oldest->sent, n, true};
    if (tracer_ == nullptr) return;
    text("error", name_of(static_cast<ErrorCode>(int{request.error})));
    fp_bool(tracer_, "offset_valid", request.has_offset == 1);
    fp_end(tracer_);
  }
  template <class R>
  void received(int b, const R& request) {
    auto& sent = connections_[static_cast<std::size_t>(b)];
    const unsigned long long answer = sent.front().answer;
    sent.pop_front();
    if (tracer_ == nullptr) return;
    begin(producer_, "receive", request.partition);
    fp_after(tracer_, &broker(b), answer);
    number("broker", b);
    text("error", name_of(static_cast<ErrorCode>(int{request.error})));
    fp_bool(tracer_, "offset_valid", request.has_offset == 1);
    fp_end(tracer_);
  }
  template <class M>
  void delivered(int p, const M& message, bool implicit) {
    if (tracer_ == nullptr) return;
    begin(producer_, "delivered", p);
    number("message_id", message.id);
    if (implicit) fp_bool(tracer_, "implicit", 1);
    fp_end(tracer_);
  }
  template <class M>
  void failed(int p, const M& message, Why why, ErrorCode error) {
    if (tracer_ == nullptr) return;
    begin(producer_, "failed", p);
    number("message_id", message.id);
    text("error", why == Why::kRetriesExhausted ? "retries exhausted" : name_of(error));
    fp_bool(tracer_, "possibly_persisted", message.possibly == 1);
    fp_end(tracer_);
  }
  void drain(int p, int epoch);
  void bumped(int id, int epoch);
  void renumbered(int p, int epoch, int base);
  void partition_drain(int p);
  void fatal(int p);
  void closed(int b, bool late);
  void elected(int p, int b, int epoch, int lost);
  void leader_lost(int p, int b);
  void leadership(int p, int b, bool knows);
  void advanced(int p, int b, int watermark);
  void replicated(int p, int b, int end);
  void truncated(int p, int b, int end);
  void learnt(int p, int b, int epoch);
  void produced(int p, int id);
  void state_lost(int p, bool expired);
  void records_lost(int p, int b, int end);

 private:
  /// A request on a connection: the events that sent and answered it.
  struct Sent {
    unsigned long long sent = 0;
    unsigned long long answer = 0;
    bool answered = false;
  };

  [[nodiscard]] fp_actor& broker(int b) { return brokers_[static_cast<std::size_t>(b)]; }
  unsigned long long begin(fp_actor& actor, const char* event, int partition);
  void number(const char* key, int value) { fp_int(tracer_, key, value); }
  void text(const char* key, std::string_view value) { fp_text(tracer_, key, value.data()); }
  Sent* unanswered(int b);
  void after_request(int b);

  fp_tracer* tracer_;
  std::vector<std::string> names_;
  std::vector<fp_actor> brokers_;
  std::vector<std::deque<Sent>> connections_;
  fp_actor producer_;
  fp_actor controller_;
  fp_actor network_;
};

}  // namespace fencepost::impl
