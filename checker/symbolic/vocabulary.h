// What the cells of a system are about, for the grammar of lemmas (grammar.h): which cells are the
// elements of one array, which of them are in use, what can be compared with what, and how all of
// it is called. The only part of the search for lemmas that knows a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fencepost::checker {

/// What an array has an element for.
enum class Over : std::uint8_t { kNothing, kMessage, kRequest, kEntry };
inline constexpr int kOvers = 4;

/// Values are compared with values of their own sort.
enum class Sort : std::uint8_t {
  kNumber,  ///< messages, sequences and positions: they are counted alike
  kEpoch,
  kBroker,  ///< equal or not
  kChoice,  ///< one of `Field::choices`, in their order
};

struct Field {
  std::string name;  ///< in formulas: "stage"
  std::string says;  ///< in sentences, "{}" being the element: "the stage of {}"
  Over over = Over::kNothing;
  Sort sort = Sort::kNumber;
  unsigned max = 0;                                  ///< the greatest value; 0: not in use
  std::vector<std::string> choices = {};             ///< names of its first values
  bool names_message = false;                        ///< the number of a message
  std::vector<std::vector<std::size_t>> cells = {};  ///< by partition and element; see `cell`

  /// The producer's cells are the same for every partition.
  [[nodiscard]] std::size_t cell(int partition, int element) const {
    return cells[static_cast<std::size_t>(partition)][static_cast<std::size_t>(element)];
  }
};

/// The elements of one kind: how many, and which of them are in use.
struct Elements {
  int count = 0;
  /// A field over nothing that says how many there are, or one over these elements that is not 0
  /// if the element is in use. None: all are.
  std::optional<std::size_t> used;
  std::string says;  ///< "request in flight"
};

/// A sum of two numbers that means something, such as base + sequence: a message.
struct Sum {
  static constexpr int kMessageItself = -1;
  int a = 0;  ///< a field, or the number of the message
  int b = 0;
  bool names_message = false;
};

/// "Some element in use, before `end` if given, carries this message."
struct Standing {
  std::string name;                     ///< in formulas: "committed"
  std::string says;                     ///< in sentences: "in the log"
  std::size_t field = 0;                ///< over requests or entries, and names a message
  std::optional<std::size_t> end = {};  ///< a field over nothing
};

struct Vocabulary {
  int partitions = 1;
  std::vector<Field> fields;
  Elements elements[kOvers];  ///< by `Over`; the first is not in use
  std::vector<Sum> sums;
  std::vector<Standing> standings;

  [[nodiscard]] const Elements& of(Over over) const {
    return elements[static_cast<std::size_t>(over)];
  }
};

}  // namespace fencepost::checker
