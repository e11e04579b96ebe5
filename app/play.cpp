#include "app/play.h"

#include <chrono>
#include <thread>

#include "core/error.h"

namespace hydra {

namespace {

constexpr float kSecondsPlayed = 1;  // so long that nothing waits for the eye
constexpr std::chrono::milliseconds kBetweenFrames{1};

void frame(App& app, ImVec2 size) {
  InputQueue no_input;
  app.finish_evaluation();
  app.frame(size, kSecondsPlayed, no_input);
}

void check(App& app, const std::string& place) {
  const Front& front = app.front();
  if (front.question)
    throw InputError(place + ": it would ask \"" + front.question->title + "\", which a list cannot answer");
  if (app.notice().is_error && !app.notice().sentence.empty()) throw InputError(place + ": " + app.notice().sentence);
}

}  // namespace

void play(App& app, const std::vector<ListedAction>& list, ImVec2 size) {
  app.hurry();
  frame(app, size);
  for (const ListedAction& listed : list) {
    app.notice().sentence.clear();
    app.act(listed.action);
    for (bool acts = true; acts;) {
      frame(app, size);
      check(app, listed.place);
      acts = app.is_acting();
      if (acts) std::this_thread::sleep_for(kBetweenFrames);
    }
    frame(app, size);  // what is left to put right in what is chosen
  }
  app.finish_evaluation();
}

}  // namespace hydra
