// The partitions that outputs go to are interchangeable: no step, property or fairness class
// treats one of them otherwise than the others. All that a state says of one of them makes a
// column; the representative has its columns in ascending order, so that it is the same for all
// states that differ in the numbers of partitions, and columns that are equal may change places
// without a change of the state. The offsets partition stays where it is.
#include <algorithm>
#include <cstring>

#include "spec/base.h"
#include "spec/transactions/model.h"

namespace fencepost::spec::transactions {
namespace {

using State = Model::State;

template <class T>
int compare_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a);
}

/// A request names a partition only where it asks to add one.
bool names(const Concrete::Cell& kind, const Concrete::Cell& partition, int p) {
  return kind.v == static_cast<int>(RequestKind::kAdd) && partition.v == p;
}

int compare_columns(const State& s, const Rules& r, int a, int b) {
  if (const int c = compare_bytes(s.partition[a], s.partition[b]); c != 0) return c;
  for (int i = 0; i < r.instance.producers; ++i) {
    const Producer<Concrete>& q = s.producer[i];
    if (const int c = compare_bytes(q.partition[a], q.partition[b]); c != 0) return c;
    const int names_a = names(q.request, q.request_partition, a) ? 1 : 0;
    const int names_b = names(q.request, q.request_partition, b) ? 1 : 0;
    if (names_a != names_b) return names_a - names_b;
  }
  const Coordinator<Concrete>& c = s.coordinator;
  if (c.added[a].v != c.added[b].v) return int{c.added[a].v} - int{c.added[b].v};
  if (c.pending[a].v != c.pending[b].v) return int{c.pending[a].v} - int{c.pending[b].v};
  for (int k = 0; k < r.instance.late; ++k) {
    const int names_a = names(s.late[k].kind, s.late[k].partition, a) ? 1 : 0;
    const int names_b = names(s.late[k].kind, s.late[k].partition, b) ? 1 : 0;
    if (names_a != names_b) return names_a - names_b;
  }
  return 0;
}

void rename(const Permutations& permutations, int permutation, const Concrete::Cell& kind,
            Concrete::Cell& partition) {
  if (kind.v != static_cast<int>(RequestKind::kAdd)) return;
  partition.v = static_cast<std::uint8_t>(permutations.of(permutation, partition.v));
}

}  // namespace

static_assert(SymmetricSystem<Model>);

void Model::permute(int permutation, State& s) const {
  if (permutation == 0) return;
  const State old = s;
  for (int p = 0; p < permutations_.things(); ++p) {
    const int to = permutations_.of(permutation, p);
    s.partition[to] = old.partition[p];
    s.coordinator.added[to] = old.coordinator.added[p];
    s.coordinator.pending[to] = old.coordinator.pending[p];
    for (int i = 0; i < rules_.instance.producers; ++i) {
      s.producer[i].partition[to] = old.producer[i].partition[p];
    }
  }
  for (int i = 0; i < rules_.instance.producers; ++i) {
    rename(permutations_, permutation, s.producer[i].request, s.producer[i].request_partition);
  }
  for (int k = 0; k < rules_.instance.late; ++k) {
    rename(permutations_, permutation, s.late[k].kind, s.late[k].partition);
  }
}

int Model::canonical(State& s) const {
  const int n = permutations_.things();
  if (n == 1) return 0;
  Permutations::Image order{0, 1, 2};
  // Insertion: stable, and at most three columns.
  for (int x = 1; x < n; ++x) {
    for (int y = x; y > 0; --y) {
      auto& left = order[static_cast<std::size_t>(y - 1)];
      auto& right = order[static_cast<std::size_t>(y)];
      if (compare_columns(s, rules_, left, right) <= 0) break;
      std::swap(left, right);
    }
  }
  Permutations::Image image{};
  for (int x = 0; x < n; ++x)
    image[static_cast<std::size_t>(order[static_cast<std::size_t>(x)])] = x;
  const int permutation = permutations_.number_of(image);
  permute(permutation, s);
  return permutation;
}

std::vector<std::vector<std::size_t>> Model::permuted_actions() const {
  std::vector<std::vector<std::size_t>> all;
  for (int permutation = 0; permutation < permutations_.count(); ++permutation) {
    std::vector<std::size_t>& to = all.emplace_back();
    for (const Action& action : actions_) {
      Action moved = action;
      moved.p = permutations_.of(permutation, action.p);
      const auto found = std::find(actions_.begin(), actions_.end(), moved);
      FP_ASSERT(found != actions_.end());
      to.push_back(static_cast<std::size_t>(found - actions_.begin()));
    }
  }
  return all;
}

}  // namespace fencepost::spec::transactions
