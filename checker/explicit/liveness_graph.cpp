// Boost.Graph's strong_components is Tarjan's algorithm on an explicit stack (recursive only if
// BOOST_RECURSIVE_DFS is defined), so millions of states do not overflow ours. The graph is not
// copied into a Boost container: an edge is described by its source and its position. The algorithm
// has no place to look at the clock, but it asks for the edges of each state once: there it is
// stopped, by an exception that unwinds its stack.
#include "checker/explicit/liveness_graph.h"

#include <algorithm>
#include <boost/graph/graph_traits.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/property_map/property_map.hpp>
#include <utility>

#if defined(BOOST_RECURSIVE_DFS)
#error "the depth of a state graph has no bound that a call stack could meet"
#endif

namespace fencepost::checker {

struct StateEdge {
  StateIndex source = 0;
  std::uint64_t position = 0;
  friend bool operator==(const StateEdge&, const StateEdge&) = default;
};

// `iterator_facade` wants edges by value, as the standard's counting iterators give numbers.
class OutEdges
    : public boost::iterator_facade<OutEdges, StateEdge, boost::forward_traversal_tag, StateEdge> {
 public:
  OutEdges() = default;
  explicit OutEdges(StateEdge edge) : edge_(edge) {}

 private:
  friend class boost::iterator_core_access;
  [[nodiscard]] StateEdge dereference() const { return edge_; }
  [[nodiscard]] bool equal(const OutEdges& other) const {
    return edge_.position == other.edge_.position;
  }
  void increment() { ++edge_.position; }

  StateEdge edge_;
};

/// A graph, and who may stop the work on it.
struct WatchedGraph {
  const StateGraph& graph;
  const std::function<bool()>& stopped;
  mutable std::size_t asked = 0;

  void poll() const {
    constexpr std::size_t kBetween = 4096;  // the clock costs more than a state
    if (asked++ % kBetween == 0 && stopped()) throw LivenessStopped();
  }
};

}  // namespace fencepost::checker

template <>
struct boost::graph_traits<fencepost::checker::WatchedGraph> {
  using vertex_descriptor = fencepost::checker::StateIndex;
  using edge_descriptor = fencepost::checker::StateEdge;
  using directed_category = boost::directed_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  struct traversal_category : boost::incidence_graph_tag, boost::vertex_list_graph_tag {};
  using vertices_size_type = fencepost::checker::StateIndex;
  using edges_size_type = std::uint64_t;
  using degree_size_type = std::uint64_t;
  using vertex_iterator = boost::counting_iterator<vertex_descriptor>;
  using out_edge_iterator = fencepost::checker::OutEdges;
  static vertex_descriptor null_vertex() { return fencepost::checker::kNoState; }
};

namespace fencepost::checker {

// What Boost.Graph asks of a graph, found by argument-dependent lookup.
using Traits = boost::graph_traits<WatchedGraph>;

[[maybe_unused]] static std::pair<Traits::vertex_iterator, Traits::vertex_iterator> vertices(
    const WatchedGraph& watched) {
  return {Traits::vertex_iterator(0), Traits::vertex_iterator(watched.graph.size())};
}
[[maybe_unused]] static StateIndex num_vertices(const WatchedGraph& watched) {
  return watched.graph.size();
}
[[maybe_unused]] static std::pair<OutEdges, OutEdges> out_edges(StateIndex state,
                                                                const WatchedGraph& watched) {
  watched.poll();
  return {OutEdges({state, watched.graph.offsets[state]}),
          OutEdges({state, watched.graph.offsets[std::size_t{state} + 1]})};
}
[[maybe_unused]] static std::uint64_t out_degree(StateIndex state, const WatchedGraph& watched) {
  return watched.graph.successors(state).size();
}
[[maybe_unused]] static StateIndex source(const StateEdge& edge, const WatchedGraph& /*watched*/) {
  return edge.source;
}
[[maybe_unused]] static StateIndex target(const StateEdge& edge, const WatchedGraph& watched) {
  return watched.graph.targets[edge.position];
}

Components strong_components(const StateGraph& graph, const std::function<bool()>& stopped) {
  Components components;
  components.of.resize(graph.size());
  if (graph.size() == 0) return components;
  std::vector<StateIndex> root(graph.size());
  std::vector<StateIndex> discovered(graph.size());
  std::vector<boost::default_color_type> color(graph.size());
  const boost::typed_identity_property_map<StateIndex> index;
  const auto map = [&index](auto& values) {
    return boost::make_iterator_property_map(values.begin(), index);
  };
  components.count = boost::strong_components(WatchedGraph{graph, stopped}, map(components.of),
                                              boost::root_map(map(root))
                                                  .discover_time_map(map(discovered))
                                                  .color_map(map(color))
                                                  .vertex_index_map(index));
  return components;
}

std::vector<bool> cyclic(const StateGraph& graph, const Components& components) {
  std::vector<bool> inside(components.count);
  for (StateIndex state = 0; state < graph.size(); ++state) {
    for (const StateIndex next : graph.successors(state)) {
      if (components.of[next] == components.of[state]) inside[components.of[state]] = true;
    }
  }
  return inside;
}

std::uint64_t liveness_bytes(std::uint64_t states, std::uint64_t edges,
                             std::uint64_t fairness_classes, int permutations) {
  // All the time: offset and component.
  constexpr std::uint64_t kGraph = 8 + 4;
  // For the components: root, discovery time, colour, Tarjan's stack, and one entry of the search
  // stack.
  constexpr std::uint64_t kTarjan = 4 + 4 + 4 + 8 + 64;
  // After that, at worst, each state is a component with a loop: its row, and which classes it
  // meets, as a vector of bits on the heap.
  const std::uint64_t bits = std::max<std::uint64_t>(32, (fairness_classes + 63) / 64 * 8 + 16);
  const std::uint64_t met = 4 + 2 + sizeof(std::vector<bool>) + bits;
  // At last the queue of the search for a loop, and which states it saw.
  constexpr std::uint64_t kWay = 32 + 1;
  const auto real = static_cast<std::uint64_t>(permutations);
  // With symmetry a frame for each state, a turn for each edge, a group for each component, and the
  // states on the stack of the search for frames.
  const std::uint64_t frames = real > 1 ? 1 + 1 + 4 : 0;
  const std::uint64_t turns = real > 1 ? 1 : 0;
  return states * (kGraph + frames + std::max({kTarjan, met, kWay * real})) +
         edges * (sizeof(StateIndex) + turns);
}

}  // namespace fencepost::checker
