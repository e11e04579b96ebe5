#include "app/cli/cli.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "app/cli/analyze_command.h"
#include "app/cli/fit_command.h"
#include "app/cli/gradients_command.h"
#include "app/cli/link_command.h"
#include "app/cli/measure_command.h"
#include "app/cli/place_options.h"
#include "app/cli/play_command.h"
#include "app/cli/render_command.h"
#include "app/cli/sweep_command.h"
#include "app/cli/trace_command.h"
#include "app/cli/train_command.h"
#include "app/window_main.h"
#include "core/error.h"
#include "core/files/printable.h"
#include "core/learn/fit_target.h"
#include "core/learn/task.h"
#include "core/linalg/kernels/kernels.h"

namespace hydra {

namespace {

constexpr int kDone = 0, kOurFault = 1, kWrongInput = 2;

struct Options {
  std::string file;
  bool list_commands = false;
  TraceOptions trace;
  AnalyzeOptions analyze;
  RenderOptions render;
  PlayOptions play;
  SweepOptions sweep;
  TrainOptions train;
  MergeOptions merge;
  GradientsOptions gradients;
  FitOptions fit;
  LinkOptions link;
  MeasureOptions measure;
};

void add_document(CLI::App& command, std::string& file, std::vector<std::string>& sets) {
  command
      .add_option("FILE", file,
                  "The document (JSON), or a link to one; - reads standard input; without it the opening document, a "
                  "trained model")
      ->type_name("");
  command.add_option("--set", sets, "Overrides a value of the document, may be given again: --set /layers/0/heads=4")
      ->type_name("POINTER=VALUE")
      ->allow_extra_args(false);
}

CLI::Option* add_out(CLI::App& command, std::string& file, const char* help) {
  return command.add_option("--out", file, help)->type_name("FILE")->check([](const std::string& name) {
    return name.empty() ? "the file to write needs a name" : "";
  });
}

void add_layer(CLI::App& command, int& layer) {
  command.add_option("--layer", layer, "The layer it is about, counted from 1, by default the first")
      ->type_name("NUMBER");
}

void add_trace(CLI::App& app, TraceOptions& options) {
  CLI::App& command = *app.add_subcommand("trace", "Writes everything computed from a document, as JSON");
  add_document(command, options.file, options.sets);
  add_out(command, options.out, "The file to write; - is standard output, the default");
}

void add_analyze(CLI::App& app, AnalyzeOptions& options) {
  CLI::App& command = *app.add_subcommand("analyze", "Writes what each head does, measured and named, as JSON");
  add_document(command, options.file, options.sets);
  command
      .add_option("--sentences", options.sentences,
                  "Measures over marked sentences instead of the document's own: all, or files")
      ->type_name("all|FILE...");
  command
      .add_option("--layer", options.layer,
                  "The layer it is about, counted from 1, by default the first; all: every layer, and all their heads "
                  "beside each other")
      ->type_name("NUMBER|all");
  command
      .add_option("--token", options.token,
                  "Where words are read out: the token whose stream's direct effects are written, counted from 1, by "
                  "default the last")
      ->type_name("NUMBER");
  command.add_option("--threshold", options.threshold, "The least score of a role, from 0 to 1, by default 0.5")
      ->type_name("SCORE");
  add_out(command, options.out, "The file to write; - is standard output, the default");
}

void add_sweep(CLI::App& app, SweepOptions& options) {
  CLI::App& command =
      *app.add_subcommand("sweep", "Writes the same weights cut into several head counts, measured, as JSON");
  add_document(command, options.file, options.sets);
  add_layer(command, options.layer);
  command
      .add_option("--heads", options.heads,
                  "The head counts, divisors of d_model (of h d_k where that is another): 1,2,4,8")
      ->type_name("LIST");
  command.add_option("--head", options.head, "The head whose singular values are written, counted from 1")
      ->type_name("NUMBER");
  command
      .add_option(
          "--seeds", options.seeds,
          "Over how many seeds of the weights every number is spread, the document's own among them; 8, or fewer "
          "where that takes minutes")
      ->type_name("NUMBER");
  add_out(command, options.out, "The file to write; - is standard output, the default");
}

void add_render(CLI::App& app, RenderOptions& options) {
  CLI::App& command = *app.add_subcommand("render", "Draws one frame of the interface into a PNG, without a window");
  add_document(command, options.file, options.sets);
  add_out(command, options.out, "The PNG to write; - is standard output")->required();
  command.add_option("--view", options.view, "The view, by default flow: " + view_names())->type_name("VIEW");
  command
      .add_option(
          "--page", options.page,
          "A page of the view, " + page_names() + ". Timing measures before it draws, width and needed fit heads")
      ->type_name("PAGE");
  command.add_option("--size", options.size, "Width and height in pixels, by default 1600x1000")->type_name("WxH");
  command.add_option("--theme", options.theme, "light (the default) or dark")->type_name("THEME");
  command.add_option("--scale", options.scale, "Size of the text, from 0.5 to 4")->type_name("FACTOR");
  command
      .add_option("--train", options.train,
                  "For --view tradeoff --page trained: trains so many seeds before it draws, 5 seconds each or more")
      ->type_name("SEEDS")
      ->check(CLI::Range(1, 20));
  add_layer(command, options.layer);
  command.add_option("--head", options.head, "The focused head, counted from 1")->type_name("NUMBER");
  command
      .add_option(
          "--select", options.select,
          "The selected number, counted from 0: W_Q:3,4 (in the focused head), or layers.0.heads.2.attention[7,1]")
      ->type_name("MATRIX:ROW,COL");
  command.add_option("--relation", options.relation, "Outlines this relation, where the sentence is marked with it")
      ->type_name("RELATION");
  command.add_option("--measure", options.measure, "For --view likeness: " + likeness_keys())->type_name("MEASURE");
  command
      .add_option("--sentences", options.sentences,
                  "For --view likeness and roles: this, or all, which are the marked ones")
      ->type_name("this|all");
  command.add_option("--threshold", options.threshold, "For --view roles: the least score of a role, from 0 to 1")
      ->type_name("SCORE");
  command.add_flag("--presentation", options.presentation, "As after F5: larger, without the panels");
  command
      .add_option("--do", options.actions,
                  "An action that is performed before it is drawn, as a line of play's list; may be given again")
      ->type_name("ACTION")
      ->allow_extra_args(false);
}

void add_play(CLI::App& app, PlayOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "play", "Performs a list of actions on a document, without a window, and writes the document");
  command.add_option("FILE", options.file, "The document (JSON), or a link to one; - reads standard input")
      ->type_name("")
      ->required();
  command.add_option("ACTIONS", options.actions, "The list, an action a line; - reads standard input")
      ->type_name("")
      ->required();
  command.add_option("--set", options.sets, "Overrides a value of the document before the list begins")
      ->type_name("POINTER=VALUE")
      ->allow_extra_args(false);
  add_out(command, options.out, "The document to write; - is standard output, the default");
  command.add_option("--scene", options.scene, "Writes where it looks at the end, and what is chosen there, as JSON")
      ->type_name("FILE");
  command.add_option("--picture", options.picture, "Draws the window at the end into a PNG")->type_name("PNG");
  command.add_option("--size", options.size, "Of that window, by default 1600x1000")->type_name("WxH");
}

void add_train(CLI::App& app, TrainOptions& options, MergeOptions& joined) {
  CLI::App& command = *app.add_subcommand("train", "Trains a model on a task, and writes how it went, as JSON");
  std::string keys;
  for (const std::string_view key : learn::task_keys()) keys += std::string(key) + ", ";
  command.add_option("--task", options.task, "The task: " + keys + "or text")->type_name("TASK");
  command.add_option("--text", options.text, "For --task text: the file to learn from")->type_name("FILE");
  command.add_flag("--characters", options.characters, "For --task text: the next character, not the next word");
  command.add_option("--heads", options.heads, "Heads of each layer")->type_name("NUMBER");
  command.add_option("--d-model", options.d_model, "Width of the stream")->type_name("NUMBER");
  command.add_option("--layers", options.layers, "Layers")->type_name("NUMBER");
  command.add_option("--batch", options.batch, "Sequences of a step")->type_name("NUMBER");
  command.add_option("--seed", options.seed, "Seed of weights and sequences, by default 0")->type_name("NUMBER");
  command.add_option("--seeds", options.seeds, "So many runs, with seeds from that on")->type_name("NUMBER");
  command.add_option("--steps", options.steps, "Steps")->type_name("NUMBER");
  command.add_option("--optimizer", options.optimizer, "adam, adamw or sgd")->type_name("NAME");
  command.add_option("--rate", options.rate, "The learning rate")->type_name("NUMBER");
  command.add_option("--schedule", options.schedule, "constant or cosine, after the warm-up")->type_name("NAME");
  command.add_option("--warm-up", options.warm_up, "Steps in which the rate grows to its own")->type_name("NUMBER");
  command.add_option("--least", options.least, "What the cosine falls to, as a share of the rate")->type_name("SHARE");
  command.add_option("--clip", options.clip, "The most of the norm of all gradients; 0: any")->type_name("NORM");
  command.add_option("--beta-1", options.beta_1, "Of adam's first moments")->type_name("SHARE");
  command.add_option("--beta-2", options.beta_2, "Of adam's second moments")->type_name("SHARE");
  command.add_option("--epsilon", options.epsilon, "Of adam")->type_name("NUMBER");
  command.add_option("--momentum", options.momentum, "Of sgd")->type_name("SHARE");
  command.add_option("--decay", options.decay, "Of weights, by adamw")->type_name("NUMBER");
  command.add_option("--drophead", options.drop, "How likely a head is silent for a sequence")->type_name("SHARE");
  command.add_option("--noise", options.noise, "Noise in what heads give")->type_name("SIZE");
  command.add_option("--repel", options.repel, "What alike patterns cost")->type_name("WEIGHT");
  command.add_option("--l0", options.gates, "What an open gate of a head costs")->type_name("WEIGHT");
  command.add_flag("--identical", options.identical, "All heads of a layer begin alike");
  command.add_option("--apart", options.apart, "But for noise of this size")->type_name("SIZE");
  command.add_option("--run", options.run, "Instead of all that: a run that Learn has saved, its steps taken again")
      ->type_name("FILE");
  command.add_option("--branch", options.branch, "For --run: its name or number, by default the one looked at")
      ->type_name("NAME");
  command.add_option("--every", options.every, "Steps from point to point of the curve, by default 10")
      ->type_name("NUMBER");
  command
      .add_option("--sentence", options.sentence,
                  "The sentence of the saved document, words of the task between spaces")
      ->type_name("WORDS");
  command.add_option("--save", options.save, "The trained document to write, of the first seed")->type_name("FILE");
  add_out(command, options.out, "The file to write; - is standard output, the default");
  CLI::App& merge = *command.add_subcommand("merge", "Joins what several runs have written, and sums it up by size");
  merge.add_option("FILES", joined.files, "What hydrascope train has written; - is standard input")
      ->type_name("")
      ->required();
  add_out(merge, joined.out, "The file to write; - is standard output, the default");
}

void add_gradients(CLI::App& app, GradientsOptions& options) {
  CLI::App& command =
      *app.add_subcommand("gradients", "Writes the derivatives of a loss by every weight of a document, as JSON");
  add_document(command, options.file, options.sets);
  command.add_option("--loss", options.loss, "mse, the default: mean((Y - T)^2) over the last layer's result")
      ->type_name("LOSS");
  command.add_option("--target", options.target, "T: a JSON file of rows of numbers, one for each token")
      ->type_name("FILE")
      ->required();
  add_out(command, options.out, "The file to write; - is standard output, the default");
}

void add_fit(CLI::App& app, FitOptions& options) {
  CLI::App& command =
      *app.add_subcommand("fit", "Fits heads of several widths to a pattern, or several heads to relations, as JSON");
  add_document(command, options.file, options.sets);
  add_layer(command, options.layer);
  std::string keys;
  for (const learn::FitTargetEntry& entry : learn::fit_targets())
    keys += (keys.empty() ? "" : ", ") + std::string(entry.key);
  command.add_option("--pattern", options.pattern, "What a head is to make, by default previous: " + keys)
      ->type_name("PATTERN");
  command.add_option("--d-k", options.widths, "The widths of the head, by default up to what suffices: 1,2,4,8,16")
      ->type_name("LIST");
  command.add_flag("--no-mask", options.without_mask, "Without the layer's mask");
  command
      .add_option("--heads", options.heads,
                  "How many heads several relations at once take, in a problem of its own: 1,2,4,8,16,32")
      ->type_name("LIST");
  command.add_option("--relations", options.relations, "With --heads: the relations, by default 4")
      ->type_name("NUMBER");
  command.add_option("--tokens", options.tokens, "With --heads: the tokens, by default 16")->type_name("NUMBER");
  command.add_option("--d-model", options.d_model, "With --heads: the width of all heads, by default 32")
      ->type_name("NUMBER");
  command.add_option("--seed", options.seed, "The first seed, by default 0")->type_name("NUMBER");
  command.add_option("--seeds", options.seeds, "So many seeds from that on, by default 5")->type_name("NUMBER");
  add_out(command, options.out, "The file to write; - is standard output, the default");
}

void add_link(CLI::App& app, LinkOptions& options) {
  CLI::App& command = *app.add_subcommand("link", "Writes a link that holds a document; FILE may be a link itself");
  add_document(command, options.file, options.sets);
  command.add_option("--view", options.place.view, "The view that it opens, as for render")->type_name("VIEW");
  command.add_option("--page", options.place.page, "And its page, as for render")->type_name("PAGE");
  command.add_option("--layer", options.place.layer, "The layer in focus, counted from 1")
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 48));
  command.add_option("--head", options.place.head, "The head in focus, counted from 1")
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 128));
  command
      .add_option("--address", options.address,
                  "What stands before #, the address of a page that runs Hydrascope; by default HYDRASCOPE_PAGE")
      ->type_name("URL");
  command.add_flag("--document", options.document, "Writes the document instead, as its file would be");
}

void add_measure(CLI::App& app, MeasureOptions& options) {
  CLI::App& command = *app.add_subcommand("measure", "Times the interface, for scripts/bench");
  command.group("");  // not in the help
  command.add_flag("--window", options.window, "Only the time to the first frame in a window");
  command.add_flag("--views", options.views, "Of every view a frame at rest, of a drag and of a click");
}

// The first line has the name and the version alone.
std::string version_text(const About& about) {
  return std::string("hydrascope ") + about.version + "\ncommit " + about.commit + "\nbuild " + about.build +
         "\nlibraries " + about.libraries + "\nkernels " + kernels::chosen().name;
}

void describe(CLI::App& app, Options& options, const About& about) {
  app.name("hydrascope");
  app.description("A laboratory for multi-head attention. Without a command it opens its window.");
  app.footer("Exit codes: 0 done, 2 the input was wrong (one sentence says where), 1 a fault of the program.");
  app.set_version_flag("--version", [&about] { return version_text(about); });
  app.require_subcommand(0, 1);
  app.add_option("FILE", options.file,
                 "The document (JSON) to open, or a link to one; without it the opening document, a trained model")
      ->type_name("");
  app.add_flag("--commands", options.list_commands, "The names of the commands, for scripts/run")->group("");
  add_trace(app, options.trace);
  add_analyze(app, options.analyze);
  add_sweep(app, options.sweep);
  add_render(app, options.render);
  add_play(app, options.play);
  add_train(app, options.train, options.merge);
  add_gradients(app, options.gradients);
  add_fit(app, options.fit);
  add_link(app, options.link);
  add_measure(app, options.measure);
}

// All that opens no window, one a line.
int list_commands(const CLI::App& app) {
  errno = 0;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    std::cout << command->get_name() << '\n';
  return kDone;
}

// What was printed since errno was 0 has arrived: a full disk shows when the buffer is written.
void check_printed() {
  if (!std::cout.flush())
    throw InputError(std::string("standard output: cannot be written") + (errno != 0 ? ": " : "") +
                     (errno != 0 ? std::strerror(errno) : ""));
}

// A file that a command writes has a folder, and is none that it reads, or writes beside: said before an hour goes by.
void check_output(const CLI::App& command, const std::string& name) {
  const CLI::Option* out = command.get_option_no_throw(name);
  if (out == nullptr || out->empty()) return;
  const std::string& path = out->results().back();
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    throw InputError(name + ": there is no folder " + printable(folder.string(), 200) + " to write " +
                     printable(std::filesystem::path(path).filename().string(), 200) + " into");
  const bool is_there = std::filesystem::is_regular_file(path, ignored);
  for (const CLI::Option* option : command.get_options())
    for (const std::string& other : option->results())
      if (option != out && (is_there ? std::filesystem::equivalent(path, other, ignored)
                                     : option->check_name("--out") && other == path && path != "-"))
        throw InputError(name + ": " + printable(path, 200) +
                         " is another file of this command as well; give it another name");
}

void check_outputs(const CLI::App* command) {
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  for (const char* name : {"--out", "--save", "--scene", "--picture"}) check_output(*command, name);
}

int run(CLI::App& app, const Options& options) {
  if (!app.get_subcommands().empty() && !options.file.empty())
    throw InputError(options.file + ": the document stands after the command, as in hydrascope trace FILE");
  if (options.list_commands) return list_commands(app);
  check_outputs(&app);
  if (app.got_subcommand("trace")) return run_trace(options.trace);
  if (app.got_subcommand("analyze")) return run_analyze(options.analyze);
  if (app.got_subcommand("sweep")) return run_sweep(options.sweep);
  if (app.got_subcommand("render")) return run_render(options.render);
  if (app.got_subcommand("play")) return run_play(options.play);
  if (app.got_subcommand("train"))
    return app.get_subcommand("train")->got_subcommand("merge") ? run_merge(options.merge) : run_train(options.train);
  if (app.got_subcommand("gradients")) return run_gradients(options.gradients);
  if (app.got_subcommand("fit")) return run_fit(options.fit);
  if (app.got_subcommand("link")) return run_link(options.link);
  if (app.got_subcommand("measure")) return run_measure(options.measure);
  return run_window(options.file);
}

int say(int code, const std::string& sentence) {
  std::fprintf(stderr, "%s\n", sentence.c_str());
  return code;
}

}  // namespace

int run_cli(int argc, char** argv, const About& about) {
  CLI::App app;
  Options options;
  try {
    describe(app, options, about);
    int code = kDone;
    try {
      app.parse(argc, argv);
      code = run(app, options);
    } catch (const CLI::Success& asked) {  // --help, --version
      errno = 0;
      app.exit(asked);
    }
    check_printed();
    return code;
  } catch (const CLI::ParseError& fault) {
    return say(kWrongInput, std::string(fault.what()) + "; hydrascope --help shows what is possible");
  } catch (const InputError& fault) {
    return say(kWrongInput, fault.what());
  } catch (const std::exception& fault) {
    return say(kOurFault, std::string("hydrascope failed: ") + fault.what());
  }
}

}  // namespace hydra
