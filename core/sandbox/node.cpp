#include "core/sandbox/node.hpp"

#include <fmt/format.h>

#include "core/sandbox/filter_path.hpp"
#include "core/sandbox/handler.hpp"
#include "core/sandbox/media.hpp"

namespace pacenote::sandbox {
namespace {

bool names_index(std::string_view segment) {
  return !segment.empty() && (segment.front() != '_' || segment == "_all");
}

struct Pattern {
  const Route* route;
  std::vector<std::string> segments;
};

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> all = [] {
    std::vector<Pattern> out;
    for (const Route& route : routes()) out.push_back({&route, path_segments(route.path)});
    return out;
  }();
  return all;
}

/// Fills `values` where the path fits the pattern. `literals`: how many segments were no placeholders.
bool fits(const std::vector<std::string>& wanted, const std::vector<std::string>& segments,
          std::map<std::string, std::string, std::less<>>& values, int& literals) {
  if (wanted.size() != segments.size()) return false;
  values.clear();
  literals = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].front() != '{') {
      if (wanted[i] != segments[i]) return false;
      ++literals;
      continue;
    }
    const std::string name = wanted[i].substr(1, wanted[i].size() - 2);
    if (name == "index" && !names_index(segments[i])) return false;
    values[name] = segments[i];
  }
  return true;
}

bool lists(std::string_view methods, std::string_view method) {
  while (!methods.empty()) {
    const std::size_t end = std::min(methods.find(','), methods.size());
    if (methods.substr(0, end) == method) return true;
    methods.remove_prefix(std::min(end + 1, methods.size()));
  }
  return false;
}

/// The best route of each method list; the methods that any fitting route allows.
struct Match {
  const Route* route = nullptr;
  std::map<std::string, std::string, std::less<>> values;
  std::string allowed;
};

Match find_route(const Asked& asked) {
  Match out;
  int best = -1;
  for (const auto& [route, wanted] : patterns()) {
    std::map<std::string, std::string, std::less<>> values;
    int literals = 0;
    if (!fits(wanted, asked.segments, values, literals)) continue;
    if (!lists(route->methods, asked.method)) {
      out.allowed += fmt::format("{}{}", out.allowed.empty() ? "" : ",", route->methods);
    } else if (literals > best) {
      best = literals;
      out.route = route;
      out.values = std::move(values);
    }
  }
  return out;
}

Answer no_route(const Asked& asked, std::string_view allowed) {
  if (allowed.empty())
    return json_answer(
        {{"error", fmt::format("no handler found for uri [{}] and method [{}]", asked.target, asked.method)}},
        400);
  std::string list;
  for (const char c : allowed) list += c == ',' ? std::string(", ") : std::string(1, c);
  Answer answer =
      json_answer({{"error", fmt::format("Incorrect HTTP method for uri [{}] and method [{}], allowed: [{}]",
                                         asked.target, asked.method, list)},
                   {"status", 405}},
                  405);
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

}  // namespace

Node::Node(const Options& options, std::function<Instant()> now, WallTime started)
    : options_(options), now_(std::move(now)), state_(std::make_unique<State>()) {
  state_->flavor = options.as;
  state_->port = options.port;
  state_->cluster_uuid = make_uuid(0);
  state_->started = now_();
  state_->started_ms = started.time_since_epoch().count();
  for (std::uint32_t i = 0; i < std::max(options.data_nodes, 1U); ++i)
    state_->nodes.push_back({make_uuid(1'000'000 + i), fmt::format("sandbox-{}", i + 1), 0, 0, 0});
}

Node::~Node() = default;

void Node::listens_on(std::uint16_t port) {
  const std::lock_guard lock(mutex_);
  state_->port = port;
}

Answer Node::handle(const Asked& asked, const Waited& waited) {
  Answer answer = route(asked, waited);
  if (const std::string* filter = asked.param("filter_path")) keep_only(answer, *filter);
  if (answer.content_type == "application/json") answer.content_type = answer_media(asked, options_.as);
  if (options_.as != Flavor::opensearch_2) answer.headers.emplace_back("X-elastic-product", "Elasticsearch");
  answer.headers.emplace_back("X-Pacenote-Sandbox", "1");
  return answer;
}

Answer Node::route(const Asked& asked, const Waited& waited) {
  if (auto refusal = refuse_media(asked, options_.as)) return *refusal;
  const Match match = find_route(asked);
  if (match.route == nullptr) return no_route(asked, match.allowed);
  Call call{asked, match.values, now_(), waited, now_};
  BulkBody bulk;
  if (match.route->reads_bulk) {
    bulk.text = std::make_shared<const std::string>(asked.body);  // kept documents will point into it
    bulk.parsed = parse_bulk(*bulk.text, call.at("index"), options_.as);
    call.bulk = &bulk;
  }
  const std::lock_guard lock(mutex_);
  for (auto& [name, index] : state_->indices) housekeeping(index, call.now);
  return match.route->handler(*state_, call);
}

}  // namespace pacenote::sandbox
