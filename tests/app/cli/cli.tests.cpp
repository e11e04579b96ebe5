// The built program as a process: exit codes, the one sentence on standard error, what it writes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "core/io/opening.h"
#include "tests/support/faults.h"
#include "tests/support/program.h"

using namespace hydra;
using Catch::Contains;
using Catch::Matches;
using Catch::StartsWith;
using hydra::test::Program;
using hydra::test::Result;
using test::fault_at;

TEST_CASE("trace command: the trace of the document, from a file, standard input or nothing", "[app][cli]") {
  const Program program;
  const std::string expected = trace_text(*evaluate(default_document()));
  const std::string text = document_text(default_document());
  CHECK(program.run("trace").out == trace_text(*evaluate(opening_document())));
  CHECK(program.run("trace -", text).out == expected);
  CHECK(program.run("trace '" + program.file_with("a.json", text) + "'").out == expected);
  const Result to_file = program.run("trace - --out '" + program.file("t.json") + "'", text);
  CHECK(to_file.code == 0);
  CHECK(to_file.out.empty());
  CHECK(read_whole(program.file("t.json")) == expected);
}

TEST_CASE("trace command: overrides", "[app][cli]") {
  const Program program;
  const std::vector<std::string> sets{"/layers/0/heads=4", "/layers/0/mask=causal", "/sentence=It was tired."};
  const Result result =
      program.run("trace --set /layers/0/heads=4 --set=/layers/0/mask=causal --set '/sentence=It was tired.'");
  CHECK(result.code == 0);
  CHECK(result.out == trace_text(*evaluate(read_document("", sets))));
  CHECK(program.refusal("trace --set /layers/0/heads=x") ==
        "--set /layers/0/heads=x: /layers/0/heads must be a whole number, not the string \"x\"");
  CHECK_THAT(program.refusal("trace --set heads=4"), Contains("must be a JSON pointer"));
}

TEST_CASE("trace command: a token whose words are all known is not named", "[app][cli]") {
  Program program;
  const std::string text =
      R"({"hydrascope": 1, "tokens": ["Ann+apple", "Ann+pear"], "embedding": {"kind": "learned", "vocabulary": ["Ann", "apple"]}})";
  CHECK(program.run("trace -", text).error ==
        "not among the 2 words that this model knows: “Ann+pear”; a vector is drawn from the letters of each\n");
}

TEST_CASE("trace command: words that the vocabulary lacks are named once, and the trace is written", "[app][cli]") {
  const Program program;
  const std::string text =
      R"({"hydrascope": 1, "sentence": "It blorps, it zibs.", "embedding": {"kind": "learned", "vocabulary": ["it", "."]}})";
  const Result result = program.run("trace -", text);
  CHECK(result.code == 0);
  CHECK(
      result.error ==
      "not among the 2 words that this model knows: “blorps”, “,”, “zibs”; a vector is drawn from the letters of each\n"
      "known with other capitals: “It”; read so while the \"case\" of the vocabulary is \"folded\"\n");
  CHECK_THAT(result.out, Contains("\"tokens\""));
  CHECK(program.run("trace - --set '/embedding/vocabulary=[\"It\",\"blorps\",\",\",\"it\",\"zibs\",\".\"]'", text)
            .error.empty());
  CHECK(program.run("trace - --set '/embedding={}'", text).error.empty());
}

TEST_CASE("trace command: tokens past the learned positions, and a mask the wrong way round, are said", "[app][cli]") {
  const Program program;
  const auto text = [](const std::string& mask) {
    return R"({"hydrascope": 1, "d_model": 2, "tokens": ["a", "a", "a"], "layers": [{"heads": 1, "mask": )" + mask +
           R"(}], "embedding": {"kind": "learned", "vocabulary": ["a"], "P": [[1, 2]]}})";
  };
  const Result result = program.run("trace -", text("\"causal\""));
  CHECK(result.code == 0);
  CHECK(result.error ==
        "2 tokens stand past the 1 learned position and have none\n--set /embedding/places=3 gives them one\n");
  CHECK(program.run("trace - --set /embedding/places=3", text("\"causal\"")).error.empty());
  const std::string places = " --set /embedding/places=3";
  CHECK_THAT(program.run("trace -" + places, text("[[0, 1, 1], [0, 0, 1], [0, 0, 0]]")).error,
             Contains("layer 1: the mask lets each token attend only to those after it"));
  CHECK_THAT(program.run("trace -" + places, text("[[0, 0, 0], [0, 0, 0], [0, 0, 0]]")).error,
             Contains("layer 1: the mask hides every pair"));
}

TEST_CASE("trace command: whatever is wrong with the document is one sentence and exit code 2", "[app][cli]") {
  const Program program;
  const std::string folder = program.file("");
  const auto trace_of = [&](std::string_view bytes) {
    return program.refusal("trace '" + program.file_with("lesson.json", bytes) + "'").substr(folder.size());
  };
  CHECK_THAT(
      trace_of(R"({"hydrascope": 1, "d_model": 2, "layers": [{"heads": 1, "weights": {"W_Q": [[1, 2], [3]]}}]})"),
      fault_at("lesson.json: /layers/0/weights/W_Q/1", "1 number where 2"));
  CHECK_THAT(trace_of(""), fault_at("lesson.json", "empty"));
  CHECK_THAT(trace_of("{\"hydrascope\": 1, \"sent"), fault_at("lesson.json: line 1, column 24", "the text ends"));
  CHECK_THAT(trace_of("{\"hydrascope\": 1, \"sentence\": 5}"), fault_at("lesson.json: /sentence", "string"));
  CHECK_THAT(trace_of("{\"hydrascope\": 1, \"layers\": [{\"heads\": NaN}]}"),
             fault_at("lesson.json: line 1, column 40", "stands NaN"));
  CHECK_THAT(trace_of("{\"hydrascope\": 1, \"hydrascope\": 1}"), fault_at("lesson.json: /hydrascope", "twice"));
  CHECK_THAT(trace_of("{\"hydrascope\": 1, \"sentence\": \"\xc3\"}"),
             fault_at("lesson.json: line 1, column 32", "UTF-8"));
  CHECK_THAT(trace_of(std::string(100000, '[')), fault_at("lesson.json", "nested deeper"));
  CHECK_THAT(trace_of("{\"hydrascope\": 1, \"sentence\": \"" + std::string(50u << 20, 'a') + "\"}"),
             fault_at("lesson.json: /sentence", "at most 65536"));
  CHECK_THAT(program.refusal("trace /no/such/file.json"), fault_at("/no/such/file.json", "No such file"));
  CHECK_THAT(program.refusal("trace /tmp"), fault_at("/tmp", "is a directory"));
  CHECK_THAT(program.refusal("trace -"), fault_at("standard input", "empty"));
  CHECK_THAT(program.refusal("trace --out /no/such/folder/t.json"), fault_at("--out", "no folder /no/such/folder"));
  CHECK_THAT(program.refusal("trace --out /dev/full"), fault_at("/dev/full", "No space left"));
  CHECK_THAT(program.refusal("/no/such/file.json"), fault_at("/no/such/file.json", "No such file"));
}

TEST_CASE("link command: a link to the document, which every command opens in the place of a file", "[app][cli]") {
  const Program program;
  ::unsetenv("HYDRASCOPE_PAGE");
  const std::string text = R"({"hydrascope": 1, "sentence": "a b", "d_model": 8})";
  const Document document = parse_document(text, "a");
  const Result made = program.run("link - --view stream --page routing --layer 1 --head 2", text);
  CHECK(made.code == 0);
  CHECK(made.out == link_text(document, {"stream", "routing", 1, 2}) + "\n");
  const std::string link = made.out.substr(0, made.out.size() - 1);
  CHECK(program.run("link '" + link + "' --document").out == document_text(document));
  CHECK(program.run("trace '" + link + "'").out == trace_text(*evaluate(document)));
  CHECK(program.run("trace '" + link + "' --set /layers/0/heads=2").out ==
        trace_text(*evaluate(parse_document(text, "a", {"/layers/0/heads=2"}))));
  CHECK_THAT(program.refusal("trace '" + link.substr(0, 50) + "'"), fault_at("the link", "cut"));
  CHECK_THAT(program.refusal("trace '#url=slices.json'"), fault_at("the link", "slices.json", "open that file"));
  CHECK(program.run("link '" + link + "' --head 3").out == link_text(document, {"stream", "routing", 1, 3}) + "\n");
  CHECK(program.run("link '" + link + "' --view flow").out == link_text(document, {"flow", "", 1, 2}) + "\n");
  for (const char* wrong : {"--view cellar", "--view flow --page routing", "--page attic", "--layer 2", "--head 9"})
    CHECK_THAT(program.refusal(std::string("link '") + link + "' " + wrong),
               StartsWith("--") && Contains("there is no"));
  CHECK(program.run("link").out.size() <
        100);  // of the opening document, whose heads are trained, it says what changed
  std::string weights;
  for (int k = 0; k < 64 * 64; ++k)
    weights += (k == 0 ? "[[" : k % 64 == 0 ? "],[" : ",") + std::to_string(k * 104729 % 100003) + "e-5";
  const std::string large = program.file_with(
      "large.json",
      R"({"hydrascope": 1, "sentence": "a b", "layers": [{"weights": {"kind": "random", "seed": 1, "W_Q": )" + weights +
          "]]}}]}");
  CHECK_THAT(program.refusal("link '" + large + "'"), Contains("give its file instead"));
  const std::string file = program.file_with("#d=1.json", text);
  CHECK(program.run("trace '" + file + "'").out == trace_text(*evaluate(document)));  // a file that is there is a file
}

TEST_CASE("link command: behind the address of a page", "[app][cli]") {
  const Program program;
  const std::string text = R"({"hydrascope": 1, "d_model": 4, "layers": [{"heads": 2}]})";
  const std::string link = link_text(parse_document(text, "a")) + "\n";
  ::setenv("HYDRASCOPE_PAGE", "https://school.example/lab/", 1);
  CHECK(program.run("link -", text).out == "https://school.example/lab/" + link);
  CHECK(program.run("link - --address https://other.example/", text).out == "https://other.example/" + link);
  CHECK(program.run("link - --address ''", text).out == link);
  ::unsetenv("HYDRASCOPE_PAGE");
  CHECK(program.run("link -", text).out == link);
}

TEST_CASE("command line: the help of render lists every view and page that it takes", "[app][cli]") {
  const Program program;
  const std::string help = program.run("render --help").out;
  const auto offered = [&](const std::string& arguments) {  // what the refusal of another name says
    const std::string refusal = program.refusal("render - --out '" + program.file("a.png") + "' " + arguments);
    const std::size_t at = refusal.find("choose one of ");
    REQUIRE(at != std::string::npos);
    return refusal.substr(at + 14, refusal.find('\n', at) - at - 14);
  };
  const std::string views = offered("--view nowhere");
  CHECK_THAT(views, StartsWith("flow, heads, ") && Contains("learn"));
  CHECK_THAT(help, Contains(views));
  for (const char* view : {"heads", "mixing", "stream", "likeness", "tradeoff", "roles", "learn"})
    CHECK_THAT(help,
               Contains(std::string("of ") + view + ": " + offered(std::string("--view ") + view + " --page nowhere")));
}

TEST_CASE("command line: help, version and wrong arguments", "[app][cli]") {
  const Program program;
  for (const char* command : {"", "trace", "analyze", "render", "link"}) {
    const Result help = program.run(std::string(command) + " --help");
    CHECK(help.code == 0);
    CHECK(help.error.empty());
    CHECK_THAT(help.out, Contains("Usage: hydrascope") && Contains("FILE") && Contains("Exit codes"));
  }
  CHECK_THAT(program.run("--version").out, Matches("hydrascope [0-9]+[.][0-9]+[.][0-9]+\\S*\n"
                                                   "commit ([0-9a-f]{40,64}|unknown)\n"
                                                   "build \\S+ [0-9.]+, \\S+\n"
                                                   "libraries .*\n"
                                                   "kernels (plain|avx2|avx512)\n") &&
                                               Contains("Eigen3 3.") && Contains("imgui 1.86"));
  CHECK_THAT(program.refusal("trace --bogus"), fault_at("--bogus", "not expected", "--help"));
  CHECK_THAT(program.refusal("trace a.json b.json"), fault_at("b.json", "not expected"));
  CHECK_THAT(program.refusal("trace --set"), fault_at("--set", "missing"));
  CHECK_THAT(program.refusal("render"), fault_at("render", "--out FILE"));
  CHECK_THAT(program.refusal("a.json trace"), fault_at("a.json", "after the command"));
}

TEST_CASE("trace command: what heads have of their own is set by --set and written", "[app][cli][rules]") {
  const Program program;
  const std::string command = "trace --set '/sentence=a b c d' --set ";
  const std::string text =
      program.run(command + R"('/layers/0/own=[{"head": 1, "mask": "causal", "window": 2, "temperature": 0.5}]')").out;
  CHECK_THAT(text, Contains(R"("own": [{"head": 1, "mask": "causal", "window": 2, "temperature": 0.5}])"));
  CHECK_THAT(program.refusal(command + R"('/layers/0/own=[{"head": 1, "window": 2}]')"),
             fault_at("/layers/0/own/0", "causal mask"));
}

TEST_CASE("render command: a number is selected by its site, or short for it in the focused head", "[app][cli]") {
  const Program program;
  const std::string file = program.file_with("eight.json", R"({"hydrascope": 1})");
  const auto picture = [&](const std::string& select, const std::string& more) {
    const Result result = program.run("render '" + file + "' --size 640x400 --out - --select '" + select + "' " + more);
    CAPTURE(select, result.error);
    CHECK(result.code == 0);
    return result.out;
  };
  const std::string by_site = picture("layers.0.heads.2.attention[7,1]", "--head 3");
  CHECK(by_site.size() > 1000);
  CHECK(by_site == picture("attention:7,1", "--head 3"));
  CHECK(by_site != picture("attention:7,2", "--head 3"));
  const std::string block = "--set /layers/0/feed_forward={}";
  CHECK(picture("layers.0.W_1[2,3]", block) == picture("W_1:2,3", block));
  const auto refused = [&](const std::string& select) {
    return program.refusal("render --out '" + program.file("a.png") + "' --select '" + select + "'");
  };
  CHECK_THAT(refused("layers.1.W_Q[0,0]"), fault_at("--select", "no layers.1.W_Q"));
  CHECK_THAT(refused("layers.0.heads.8.Q[0,0]"), fault_at("--select", "no layers.0.heads.8.Q"));
  CHECK_THAT(refused("layers.0.b_Q[0]"), fault_at("--select", "no layers.0.b_Q"));
  CHECK_THAT(refused("layers.0.W_Q[64,0]"), fault_at("--select", "outside; the matrix is 64 x 64"));
  CHECK_THAT(refused("layers.0.W_Z[0,0]"), fault_at("\"layers.0.W_Z[0,0]\"", "a layer's matrix"));
  CHECK_THAT(refused("W_Z:0,0"), fault_at("--select", "no matrix \"W_Z\"", "attention"));
}

TEST_CASE("render command: of a figure with small text it is said at which width it is not small", "[app][cli]") {
  const Program program;
  const std::string untrained = program.file_with("untrained.json", R"({"hydrascope": 1})");
  for (const std::string& document : {std::string(), "'" + untrained + "'"}) {  // the opening one is trained
    const auto note = [&](const std::string& figure, const std::string& width) {
      const Result result = program.run("render " + document + " --figure " + figure + " --width " + width +
                                        " --out '" + program.file("a.svg") + "'");
      CHECK(result.code == 0);
      return result.error;
    };
    for (const auto& [figure, width] :
         {std::pair{"flow", "85mm"}, {"tradeoff.columns", "85mm"}, {"tradeoff.published", "60mm"}}) {
      const std::string small = note(figure, width), before = "--width ";
      CAPTURE(document, figure, small);
      CHECK_THAT(small, Contains(std::string(figure) + ": its smallest text is of "));
      const std::size_t at = small.find(before);
      REQUIRE(at != std::string::npos);
      CHECK(note(figure, small.substr(at + before.size(), small.find(" it is", at) - at - before.size())).empty());
    }
    CHECK(note("heads.pattern", "85mm").empty());
  }
}

TEST_CASE("render command: the measure, the sentences and the threshold of what is measured", "[app][cli]") {
  const Program program;
  const std::string file = program.file_with(
      "small.json", R"({"hydrascope": 1, "sentence": "The cat sat.", "d_model": 8, "layers": [{"heads": 2}]})");
  const auto picture = [&](const std::string& options) {
    const Result result = program.run("render '" + file + "' --size 800x500 --out - " + options);
    CAPTURE(options, result.error);
    CHECK(result.code == 0);
    return result.out;
  };
  const std::string likeness = picture("--view likeness");
  CHECK(likeness == picture("--view likeness --measure cosine --sentences this"));
  CHECK(likeness != picture("--view likeness --measure ov"));
  CHECK(picture("--view roles") == picture("--view roles --sentences all --threshold 0.5"));
  CHECK(picture("--view roles") != picture("--view roles --sentences this"));
  CHECK(picture("--view roles") != picture("--view roles --threshold 0.9"));
  const auto refused = [&](const std::string& options) {
    return program.refusal("render --out '" + program.file("a.png") + "' " + options);
  };
  CHECK_THAT(refused("--view likeness --measure js"), fault_at("--measure", "\"js\"", "js_bits"));
  CHECK_THAT(refused("--view roles --measure cka"), fault_at("--measure", "of --view likeness"));
  CHECK_THAT(refused("--sentences all"), fault_at("--sentences", "of --view likeness or roles"));
  CHECK_THAT(refused("--view roles --sentences some"), fault_at("--sentences", "choose this or all"));
  CHECK_THAT(refused("--view roles --threshold 2"), fault_at("--threshold", "from 0 to 1"));
}
