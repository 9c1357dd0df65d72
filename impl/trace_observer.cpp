#include "impl/trace_observer.h"

namespace fencepost::impl {

TraceObserver::TraceObserver(fp_tracer* tracer, int brokers)
    : tracer_(tracer),
      connections_(static_cast<std::size_t>(brokers)),
      producer_ FP_ACTOR("producer"),
      controller_ FP_ACTOR("controller"),
      network_ FP_ACTOR("network") {
  for (int b = 0; b < brokers; ++b) names_.push_back("broker " + std::to_string(b));
  for (const std::string& name : names_) brokers_.push_back(FP_ACTOR(name.c_str()));
}

unsigned long long TraceObserver::begin(fp_actor& actor, const char* event, int partition) {
  if (tracer_ == nullptr) return 0;
  const unsigned long long n = fp_event(tracer_, &actor, event);
  if (partition >= 0) fp_int(tracer_, "partition", partition);
  return n;
}

TraceObserver::Sent* TraceObserver::unanswered(int b) {
  for (Sent& sent : connections_[static_cast<std::size_t>(b)]) {
    if (!sent.answered) return &sent;
  }
  return nullptr;
}

void TraceObserver::after_request(int b) {
  const Sent* oldest = unanswered(b);
  if (oldest != nullptr) fp_after(tracer_, &producer_, oldest->sent);
}

void TraceObserver::drain(int p, int epoch) {
  if (tracer_ == nullptr) return;
  begin(producer_, "drain", p);
  number("epoch", epoch);
  fp_end(tracer_);
}

void TraceObserver::bumped(int id, int epoch) {
  if (tracer_ == nullptr) return;
  begin(producer_, "bump", -1);
  number("producer_id", id);
  number("epoch", epoch);
  fp_end(tracer_);
}

void TraceObserver::renumbered(int p, int epoch, int base) {
  if (tracer_ == nullptr) return;
  begin(producer_, "renumber", p);
  number("epoch", epoch);
  number("message_id", base);
  fp_end(tracer_);
}

void TraceObserver::partition_drain(int p) {
  if (tracer_ == nullptr) return;
  begin(producer_, "partition-drain", p);
  fp_end(tracer_);
}

void TraceObserver::fatal(int p) {
  if (tracer_ == nullptr) return;
  begin(producer_, "fatal", p);
  fp_end(tracer_);
}

void TraceObserver::closed(int b, bool late) {
  connections_[static_cast<std::size_t>(b)].clear();
  if (tracer_ == nullptr) return;
  begin(network_, "connection-closed", -1);
  number("broker", b);
  fp_bool(tracer_, "late", late);
  fp_end(tracer_);
}

void TraceObserver::elected(int p, int b, int epoch, int lost) {
  if (tracer_ == nullptr) return;
  begin(controller_, "elect", p);
  number("broker", b);
  number("leader_epoch", epoch);
  number("lost", lost);
  fp_end(tracer_);
}

void TraceObserver::leader_lost(int p, int b) {
  if (tracer_ == nullptr) return;
  begin(controller_, "leader-lost", p);
  number("broker", b);
  fp_end(tracer_);
}

void TraceObserver::leadership(int p, int b, bool knows) {
  if (tracer_ == nullptr) return;
  begin(broker(b), knows ? "leads" : "stale", p);
  fp_end(tracer_);
}

void TraceObserver::advanced(int p, int b, int watermark) {
  if (tracer_ == nullptr) return;
  begin(broker(b), "watermark", p);
  number("offset", watermark);
  fp_end(tracer_);
}

void TraceObserver::replicated(int p, int b, int end) {
  if (tracer_ == nullptr) return;
  begin(broker(b), "replicated", p);
  number("end", end);
  fp_end(tracer_);
}

void TraceObserver::truncated(int p, int b, int end) {
  if (tracer_ == nullptr) return;
  begin(broker(b), "truncated", p);
  number("end", end);
  fp_end(tracer_);
}

void TraceObserver::learnt(int p, int b, int epoch) {
  if (tracer_ == nullptr) return;
  begin(producer_, "leader", p);
  number("broker", b);
  number("leader_epoch", epoch);
  fp_end(tracer_);
}

void TraceObserver::produced(int p, int id) {
  if (tracer_ == nullptr) return;
  begin(producer_, "produce", p);
  number("message_id", id);
  fp_end(tracer_);
}

void TraceObserver::state_lost(int p, bool expired) {
  if (tracer_ == nullptr) return;
  begin(controller_, expired ? "expired" : "reloaded", p);
  fp_end(tracer_);
}

void TraceObserver::records_lost(int p, int b, int end) {
  if (tracer_ == nullptr) return;
  begin(controller_, "records-lost", p);
  number("broker", b);
  number("end", end);
  fp_end(tracer_);
}

}  // namespace fencepost::impl
