// The rules themselves, on samples: each finds what it should and nothing else.
#include "tests/tidy/rules.h"

#include <gtest/gtest.h>

#include "tests/tidy/source_text.h"

namespace fencepost::tidy {
namespace {

using Strings = std::vector<std::string>;

TEST(SourceText, BlanksCommentsLiteralsAndPreprocessor) {
  EXPECT_EQ(code_only("a // b {\nc"), "a       \nc");
  EXPECT_EQ(code_only("a /* {\n} */ b"), "a     \n     b");
  EXPECT_EQ(code_only("f(\"{\\\"\", '{')"), "f(0    , 0  )");
  EXPECT_EQ(code_only("x = R\"a({\n\")a\";"), "x = 0    \n    ;");
  EXPECT_EQ(code_only("1'000 {"), "1'000 {");
  EXPECT_EQ(code_only("#define F \\\n  {\nx"), "           \n   \nx");
}

std::vector<std::pair<int, int>> spans(std::string_view source) {
  std::vector<std::pair<int, int>> found;
  for (const FunctionSpan& span : functions(source)) {
    found.emplace_back(span.first_line, span.last_line);
  }
  return found;
}

using Spans = std::vector<std::pair<int, int>>;

TEST(SourceText, FindsFunctionsAtNamespaceAndClassScope) {
  EXPECT_EQ(spans("namespace a {\nint f(int x) {\n  if (x) {\n  }\n  return x;\n}\n}\n"),
            (Spans{{2, 6}}));
  EXPECT_EQ(spans("class A : public B {\n public:\n  int f() const {\n    return 1;\n  }\n};\n"),
            (Spans{{3, 5}}));
  EXPECT_EQ(spans("template <class T>\nT f(T a,\n    T b) {\n  return a;\n}\n"), (Spans{{1, 5}}));
  EXPECT_EQ(spans("TEST(A, B) {\n}\n\nTEST(A, C) {\n}\n"), (Spans{{1, 2}, {4, 5}}));
  EXPECT_EQ(spans("auto f() -> int {\n}\nbool operator==(A a) {\n}\n"), (Spans{{1, 2}, {3, 4}}));
}

TEST(SourceText, CountsLambdasAndLocalTypesAsPartOfTheirFunction) {
  EXPECT_EQ(spans("void f() {\n  auto g = [](int x) {\n  };\n  struct S {\n    int h() {\n    }\n"
                  "  };\n}\n"),
            (Spans{{1, 8}}));
}

TEST(SourceText, TellsInitialisersFromFunctions) {
  EXPECT_EQ(spans("const int k[] = {\n1,\n};\nstruct S {\n  int a{1};\n};\n"), Spans{});
  EXPECT_EQ(spans("enum class E : int {\n  kA,\n};\n"), Spans{});
  EXPECT_EQ(spans("A::A(int x)\n    : a_{x}, b_(x), c_{\n    1} {\n  run();\n}\n"),
            (Spans{{1, 5}}));
  EXPECT_EQ(spans("void f(A a = {},\n       B b = {}) {\n}\n"), (Spans{{1, 3}}));
  EXPECT_EQ(spans("void f(A a = {});\nvoid g() {\n}\n"), (Spans{{2, 3}}));
  EXPECT_EQ(spans("template <class S>\nconcept C = requires(S s) {\n  s.f();\n};\n"), Spans{});
}

SourceFile file(const std::string& path, const std::string& text) { return {path, text}; }

TEST(Shape, LongLinesFunctionsAndFiles) {
  EXPECT_EQ(check_shape(file("a.cpp", std::string(100, 'x') + "\n")), Strings{});
  EXPECT_EQ(check_shape(file("a.cpp", "\n" + std::string(101, 'x') + "\n")),
            Strings{"a.cpp:2: longer than 100 columns"});
  std::string body;
  for (int i = 0; i < 58; ++i) body += "  g();\n";
  EXPECT_EQ(check_shape(file("a.cpp", "void f() {\n" + body + "}\n")), Strings{});
  EXPECT_EQ(check_shape(file("a.cpp", "void f() {\n" + body + "  g();\n}\n")),
            Strings{"a.cpp:1: a function of 61 lines, more than 60"});
  std::string big;
  for (int i = 0; i < 501; ++i) big += "int x;\n";
  EXPECT_EQ(check_shape(file("a.h", big)), Strings{"a.h:1: 501 lines, more than 500"});
}

TEST(Shape, TabsBlanksAndMarks) {
  EXPECT_EQ(check_shape(file("a.h", "\tint x;\n")), Strings{"a.h:1: a tab"});
  EXPECT_EQ(check_shape(file("a.h", "int x; \n")), Strings{"a.h:1: blanks at the end"});
  EXPECT_EQ(check_shape(file("a.h", std::string("// TO") + "DO: x\n")).size(), 1U);
}

TEST(Headers, GuardAndOwnHeaderFirst) {
  const std::vector<SourceFile> tree{file("spec/a.h", "// What.\n#pragma once\n")};
  EXPECT_EQ(check_header_rules(tree[0], tree), Strings{});
  EXPECT_EQ(check_header_rules(file("b.h", "#include <a>\n#pragma once\n"), tree).size(), 1U);
  EXPECT_EQ(check_header_rules(file("spec/a.cpp", "#include \"spec/a.h\"\n"), tree), Strings{});
  EXPECT_EQ(
      check_header_rules(file("spec/a.cpp", "#include <x>\n#include \"spec/a.h\"\n"), tree).size(),
      1U);
  EXPECT_EQ(check_header_rules(file("spec/b.cpp", "#include <x>\n"), tree), Strings{});
}

TEST(Includes, OfOurFolders) {
  const auto complains = [](const std::string& path, const std::string& included) {
    return !check_includes(file(path, "#include " + included + "\n")).empty();
  };
  EXPECT_FALSE(complains("spec/a.h", "\"spec/b.h\""));
  EXPECT_TRUE(complains("spec/a.h", "\"traces/b.h\""));
  EXPECT_TRUE(complains("spec/a.h", "\"checker/core/search.h\""));
  EXPECT_TRUE(complains("checker/core/a.h", "\"checker/explicit/b.h\""));
  EXPECT_FALSE(complains("checker/cli/a.h", "\"checker/gate/b.h\""));
  EXPECT_TRUE(complains("checker/new/a.h", "\"spec/b.h\""));
  EXPECT_FALSE(complains("tests/unit/a.cpp", "\"checker/cli/b.h\""));
}

TEST(Includes, OfLibraries) {
  const auto complains = [](const std::string& path, const std::string& included) {
    return !check_includes(file(path, "#include " + included + "\n")).empty();
  };
  EXPECT_TRUE(complains("spec/variant.cpp", "<nlohmann/json.hpp>"));
  EXPECT_FALSE(complains("spec/located_json.cpp", "<nlohmann/json.hpp>"));
  EXPECT_TRUE(complains("checker/core/a.cpp", "<boost/graph/x.hpp>"));
  EXPECT_FALSE(complains("checker/explicit/liveness_graph.cpp", "<boost/graph/x.hpp>"));
  EXPECT_TRUE(complains("checker/explicit/a.cpp", "<z3++.h>"));
  EXPECT_TRUE(complains("checker/symbolic/bounded.cpp", "<cadical.hpp>"));
  EXPECT_FALSE(complains("checker/symbolic/sat_solver.cpp", "<cadical.hpp>"));
  EXPECT_TRUE(complains("checker/cli/main.cpp", "<CLI/CLI.hpp>"));
  EXPECT_FALSE(complains("checker/core/a.cpp", "<vector>"));
}

TEST(Build, EverySourceIsNamedAsAWord) {
  const std::vector<SourceFile> tree{file("CMakeLists.txt", "add_subdirectory(spec)\n"),
                                     file("spec/CMakeLists.txt", "f(a.cpp model/b.cpp ab.cpp)\n")};
  EXPECT_EQ(check_is_built(file("spec/a.cpp", ""), tree), Strings{});
  EXPECT_EQ(check_is_built(file("spec/model/b.cpp", ""), tree), Strings{});
  EXPECT_EQ(check_is_built(file("spec/b.cpp", ""), tree),
            Strings{"spec/b.cpp:1: named in no CMakeLists.txt"});
}

TEST(Links, MustLeadSomewhere) {
  const std::filesystem::path root = FENCEPOST_SOURCE_DIR;
  const auto complaints = [&](const std::string& text) {
    return check_links(file("spec/README.md", text), root);
  };
  EXPECT_EQ(complaints("[a](model/state.h) and [b](../README.md#two-commands), [c](variants/)"),
            Strings{});
  EXPECT_EQ(complaints("[web](https://example.org/x) [here](#actors)"), Strings{});
  EXPECT_EQ(complaints("`[a](nowhere)`\n```\n[b](nowhere)\n```\n"), Strings{});
  EXPECT_EQ(complaints("x\n[a](README.md), [b](none.md#part)\n"),
            Strings{"spec/README.md:2: links to none.md, which is not there"});
}

}  // namespace
}  // namespace fencepost::tidy
