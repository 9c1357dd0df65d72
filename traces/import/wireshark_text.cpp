#include "traces/import/wireshark_text.h"

#include <algorithm>
#include <map>
#include <utility>

#include "traces/import/scanner.h"
#include "traces/import/wireshark_fields.h"
#include "traces/import/wireshark_message.h"

namespace fencepost::traces {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// The two halves of an exchange share the request's frame and the correlation id.
using Exchange = std::pair<std::int64_t, std::int64_t>;

struct Addresses {
  std::string broker;
  std::string client;
};

struct Pending {
  Event event;
  std::int64_t order = 0;  // frame number, or that of the frame before
  std::optional<Exchange> exchange;
};

// Calls `use(broker, connection)` for the kinds that have a broker; connection may be null.
template <class Use>
void with_addresses(Payload& payload, Use use) {
  std::visit(
      [&](auto& e) {
        using E = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<E, ProduceRequest> || std::is_same_v<E, ProduceAnswer>) {
          use(e.broker, &e.connection);
        } else if constexpr (std::is_same_v<E, LeaderSeen> || std::is_same_v<E, EpochEnd> ||
                             std::is_same_v<E, RecordsRead>) {
          use(e.broker, nullptr);
        }
      },
      payload);
}

class Reader {
 public:
  Trace read(std::string_view text, const std::string& name) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      ++line_;
      take_line(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    end_frame();
    lend_addresses();
    name_topics();
    std::stable_sort(pending_.begin(), pending_.end(),
                     [](const Pending& a, const Pending& b) { return a.order < b.order; });
    Trace trace;
    trace.inputs.push_back({name, "wireshark-text", "time-of-day"});
    for (const auto& [what, where] : passed_over_) {
      problems_.add(where.second,
                    fmt::format("{} message(s) of {} are not read", where.first, what));
    }
    if (free_text_ != 0) {
      problems_.add(first_free_text_,
                    fmt::format("{} line(s) between frames are free text and passed over: {}{}",
                                free_text_, free_text_lines_, free_text_ > 5 ? ", ..." : ""));
    }
    trace.problems = problems_.take();
    for (Pending& pending : pending_) trace.events.push_back(std::move(pending.event));
    return trace;
  }

 private:
  void take_line(std::string_view raw) {
    const std::string_view line = trim(raw);
    const bool indented = !raw.empty() && (raw.front() == ' ' || raw.front() == '\t');
    if (line.empty()) {
      blank_ = true;
    } else if (line.starts_with("Kafka (")) {
      begin_message(line);
    } else if (!indented && take_layer(line)) {
      return;
    } else if (!indented && is_frame_header(line)) {
      begin_frame(line);
    } else if (indented && in_other_layer_) {
      if (line.starts_with("Arrival Time: ")) take_arrival(line.substr(14));
    } else if (message_ && !(blank_ && !indented)) {
      take_label(line);
    } else {
      take_stray();
    }
    if (!line.empty()) blank_ = false;
  }

  // A layer of the full print-out of a frame.
  bool take_layer(std::string_view line) {
    Scanner scan(line);
    if (scan.maybe("Frame ")) {
      const std::int64_t number = scan.number();
      if (!scan.ok() || !scan.maybe(":")) return false;
      end_frame();
      frame_ = FrameHeader{};
      frame_->frame = order_ = number;
      frame_line_ = line_;
      frame_cited_ = false;
    } else if (scan.maybe("Internet Protocol Version ") && frame_) {
      scan.until("Src: ");
      source_ = scan.until(", Dst: ");
      target_ = scan.rest();
    } else if (scan.maybe("Transmission Control Protocol, Src Port: ") && frame_) {
      const std::int64_t from = scan.number();
      scan.until("Dst Port: ");
      const std::int64_t to = scan.number();
      if (scan.ok()) {
        frame_->from = fmt::format("{}:{}", source_, from);
        frame_->to = fmt::format("{}:{}", target_, to);
      }
    } else if (!scan.maybe("Ethernet II") && !scan.maybe("Linux cooked capture") &&
               !scan.maybe("Null/Loopback") &&
               line.find(" Reassembled TCP Segments") == std::string_view::npos) {
      return false;
    }
    end_message();
    in_other_layer_ = true;
    return true;
  }

  void take_arrival(std::string_view text) {
    const std::size_t comma = text.find(", ");
    if (!frame_ || comma == std::string_view::npos) return;
    std::string_view rest = text.substr(comma + 2);
    const std::size_t space = rest.find(' ');
    if (space == std::string_view::npos) return;
    rest.remove_prefix(space + 1);
    frame_->time_us = parse_clock_time(rest.substr(0, rest.find(' ')));
  }

  void begin_frame(std::string_view line) {
    end_frame();
    frame_ = parse_frame_header(line);
    frame_line_ = line_;
    frame_cited_ = false;
    if (frame_->frame) order_ = *frame_->frame;
    for (const std::string& damage : frame_->damage) {
      const bool address = frame_->from.empty() || frame_->to.empty();
      const std::size_t at =
          problems_.add(here(), fmt::format("damaged frame header: {}; the frame is used", damage));
      if (address) damaged_frames_.emplace_back(pending_.size(), at);
    }
  }

  void begin_message(std::string_view line) {
    // Frames are separated by blank lines; the messages of one frame are not.
    if (message_ && blank_) end_frame();
    end_message();
    in_other_layer_ = false;
    if (!frame_) {
      problems_.add(here(), "a message without a readable frame header; it is used without frame");
    }
    Scanner scan(line);
    scan.expect("Kafka (");
    const std::string_view api = scan.until(" v");
    scan.number();
    const bool request = scan.maybe(" Request");
    if (!scan.ok() || (!request && !scan.maybe(" Response"))) {
      problems_.add(here(), fmt::format("\"{}\" names no API and direction; the message is passed "
                                        "over",
                                        line.substr(0, 60)));
      return;
    }
    spliced_ = frame_ && frame_->request && *frame_->request != request;
    if (spliced_) {
      problems_.add(here(),
                    fmt::format("damaged frame: its header, line {}, says {}, and this is a "
                                "{} {}; the message is used without frame",
                                frame_line_, request ? "Response" : "Request", api,
                                request ? "Request" : "Response"));
    }
    message_.emplace(std::string(api), request, where_of_message(), problems_);
  }

  // A reader looks for the frame: its first message is cited by the line of the header, further
  // ones by their own. What does not belong to the header has neither frame nor time.
  [[nodiscard]] Evidence where_of_message() {
    Evidence where = here();
    if (spliced_) {
      where.frame.reset();
      where.time_us.reset();
    } else if (frame_ && !frame_cited_) {
      where.line = frame_line_;
      frame_cited_ = true;
    }
    return where;
  }

  void take_label(std::string_view line) {
    if (line.starts_with("[") && line.ends_with("]")) line = line.substr(1, line.size() - 2);
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos) {
      message_->take(line.substr(0, colon), trim(line.substr(colon + 2)), line_);
    } else if (line.ends_with(":")) {
      message_->take(line.substr(0, line.size() - 1), "", line_);
    } else {
      message_->take(line, "", line_);
    }
  }

  void take_stray() {
    end_frame();
    if (free_text_++ == 0) first_free_text_ = here();
    if (free_text_ <= 5)
      free_text_lines_ += fmt::format("{}{}", free_text_ == 1 ? "" : ", ", line_);
  }

  [[nodiscard]] Evidence here() const {
    Evidence evidence;
    evidence.line = line_;
    if (frame_) {
      evidence.frame = frame_->frame;
      evidence.time_us = frame_->time_us;
    }
    return evidence;
  }

  void end_message() {
    if (!message_) return;
    WiresharkMessage& message = *message_;
    std::vector<Payload> payloads = message.finish();
    if (!message.is_read()) {
      auto& [count, where] = passed_over_[message.api()];
      if (count++ == 0) where = message.where();
    }
    Addresses addresses;
    if (frame_ && !spliced_) {
      addresses = message.is_request() ? Addresses{frame_->to, frame_->from}
                                       : Addresses{frame_->from, frame_->to};
    }
    const std::optional<std::int64_t> frame =
        message.is_request() ? message.where().frame : message.request_frame();
    std::optional<Exchange> exchange;
    if (frame && message.correlation()) exchange = Exchange(*frame, *message.correlation());
    if (exchange) {
      Addresses& known = exchanges_[*exchange];
      if (known.broker.empty()) known.broker = addresses.broker;
      if (known.client.empty()) known.client = addresses.client;
    }
    for (Payload& payload : payloads) add_event(std::move(payload), addresses, exchange);
    message_.reset();
  }

  void add_event(Payload payload, const Addresses& addresses, std::optional<Exchange> exchange) {
    with_addresses(payload, [&](std::string& broker, std::string* connection) {
      broker = addresses.broker;
      if (connection != nullptr) *connection = addresses.client;
    });
    if (auto* request = std::get_if<ProduceRequest>(&payload)) {
      request->correlation = message_->correlation();
    } else if (auto* answer = std::get_if<ProduceAnswer>(&payload)) {
      answer->correlation = message_->correlation();
      answer->request_frame = message_->request_frame();
    }
    std::string actor = message_->is_request() ? message_->client_id() : addresses.broker;
    pending_.push_back(
        {{std::move(actor), message_->where(), std::move(payload)}, order_, exchange});
  }

  void end_frame() {
    end_message();
    frame_.reset();
    in_other_layer_ = false;
  }

  // An address that a damaged header lost stands in the other half of the exchange.
  void lend_addresses() {
    for (Pending& pending : pending_) {
      if (!pending.exchange) continue;
      const Addresses& known = exchanges_[*pending.exchange];
      with_addresses(pending.event.payload, [&](std::string& broker, std::string* connection) {
        if (broker.empty()) {
          broker = known.broker;
          if (pending.event.actor.empty()) pending.event.actor = known.broker;
        }
        if (connection != nullptr && connection->empty()) *connection = known.client;
      });
    }
    for (const auto& [event, problem] : damaged_frames_) {
      if (event >= pending_.size() || !pending_[event].exchange) continue;
      if (exchanges_[*pending_[event].exchange].broker.empty()) continue;
      problems_.amend(problem, ", with the address from the other half of its exchange");
    }
  }

  // Newer Fetch answers name a topic by id only; Metadata tells the name.
  void name_topics() {
    std::map<std::string, std::string> names;
    for (const Pending& pending : pending_) {
      const auto* seen = std::get_if<LeaderSeen>(&pending.event.payload);
      if (seen != nullptr && seen->topic_id && !seen->topic.empty()) {
        names[*seen->topic_id] = seen->topic;
      }
    }
    for (Pending& pending : pending_) {
      auto* read = std::get_if<RecordsRead>(&pending.event.payload);
      if (read == nullptr || !read->topic.empty() || !read->topic_id) continue;
      const auto found = names.find(*read->topic_id);
      if (found != names.end()) read->topic = found->second;
    }
  }

  std::int64_t line_ = 0;
  bool blank_ = false;
  bool in_other_layer_ = false;
  std::string source_, target_;
  std::optional<FrameHeader> frame_;
  std::int64_t frame_line_ = 0;  // of the header
  bool frame_cited_ = false;     // a message of the frame stands under that line already
  bool spliced_ = false;         // the message at work is none of the frame whose header it follows
  std::int64_t order_ = 0;
  Problems problems_;
  std::optional<WiresharkMessage> message_;
  std::vector<Pending> pending_;
  std::map<Exchange, Addresses> exchanges_;
  std::vector<std::pair<std::size_t, std::size_t>> damaged_frames_;  // first event, problem
  std::map<std::string, std::pair<std::int64_t, Evidence>> passed_over_;
  std::int64_t free_text_ = 0;
  Evidence first_free_text_;
  std::string free_text_lines_;
};

}  // namespace

bool is_wireshark_line(std::string_view raw) {
  const std::string_view line = trim(raw);
  if (line.starts_with("Kafka (")) return true;
  if (!is_frame_header(raw)) return false;
  const FrameHeader header = parse_frame_header(line);
  return header.frame && header.time_us;
}

Trace import_wireshark_text(std::string_view text, const std::string& name) {
  return Reader().read(text, name);
}

}  // namespace fencepost::traces
