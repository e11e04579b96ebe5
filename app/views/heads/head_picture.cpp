#include "app/views/heads/head_picture.h"

#include <algorithm>

#include "app/views/frame/ui.h"
#include "app/views/shared/pictured.h"

namespace hydra {

std::span<const HeadPicture* const> head_pictures() {
  static constexpr const HeadPicture* kAll[] = {
#define HYDRA_HEAD_PICTURE(key) &head_picture::key,
#include "embedded/head_pictures.inc"
#undef HYDRA_HEAD_PICTURE
  };
  return kAll;
}

const HeadPicture* shown_head_picture(const ViewState& view) {
  if (view.average || view.heads.rollout) return nullptr;
  const auto found = std::ranges::find(head_pictures(), view.heads.picture, &HeadPicture::key);
  return found == head_pictures().end() ? nullptr : *found;
}

void choose_head_picture(const ViewState& view, Outbox& out, const HeadPicture* picture) {
  out.act(chosen(view, view.average, false));
  out.act(chosen(view, view.heads.rollout, {}));
  out.act(chosen(view, view.heads.picture, std::string(picture ? picture->key : "")));
}

Pictured pictured(const Frame& frame, const HeadPicture& picture, int layer, int head) {
  const auto of = [&picture, layer, head](const Source& source) {
    const bool there = layer < int_size(source.trace.layers) && head < source.trace.layer(layer).input.heads;
    return there ? whole(source.derived.head_picture(picture, layer, head)) : Backing{};
  };
  const Backing shown = of(frame.now);
  const float largest = shown.matrix ? frame.derived.max_abs(shown.matrix) : 0;
  const float end = largest > 0 ? real(ui::close_ceiling(largest)) : 1;
  return {
      .name = "heads." + std::string(picture.key) + "." + std::to_string(layer + 1) + "." + std::to_string(head + 1),
      .title = wording(picture.title),
      .shown = shown,
      .scale = picture.is_signed ? ValueScale{diverging(frame), -end, end} : ValueScale{sequential(frame), 0, end},
      .of = of,
      .place = [&tokens = frame.trace.tokens](Index row,
                                              Index col) { return nth(tokens, row) + " → " + nth(tokens, col); },
      .hidden = frame.derived.mask_of({Quantity::attention, layer, head}).hidden};
}

}  // namespace hydra
