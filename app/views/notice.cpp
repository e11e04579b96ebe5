#include "app/views/notice.h"

#include <imgui.h>

#include <utility>

namespace hydra {

namespace {
constexpr double kSeconds = 12;
}

void say(ViewState& view, std::string sentence) {
  refuse(view, std::move(sentence));
  view.notice_is_error = view.notice_is_refusal = false;
}

void refuse(ViewState& view, std::string sentence) {
  view.notice = std::move(sentence);
  view.notice_is_error = view.notice_is_refusal = true;
  view.notice_insists = false;
  view.notice_until = ImGui::GetTime() + kSeconds;
}

void forget_refusal(ViewState& view) {
  if (view.notice_is_refusal && view.notice_is_error) view.notice.clear();
  view.notice_is_refusal = false;
}

}  // namespace hydra
