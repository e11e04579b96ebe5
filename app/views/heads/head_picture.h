// A matrix of pairs that is worked out of a layer for one of its heads, as the large pattern of the Heads view. One
// that is added is a file in views/heads/pictures, named as its key, and its texts: the build finds it. Its chip, its
// page (render --page KEY), its figure (heads.KEY), selection, marks of change, copying, the status line and
// withholding follow, and the tests that go through all pages and figures.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "app/views/shared/pictured.h"

namespace hydra {

struct HeadPicture {
  const char* key;
  // Texts: of its chip and its figure ("heads:picture.KEY"); what it says and where it comes from; over it.
  const char *title, *tip, *formula;
  // [n x n] from the stages of a layer that is whole, and from nothing else: it is kept under the stamp of what leaves
  // the layer.
  Mat<float> (*of)(const LayerTrace<float>& layer, Index head);
  // Of a number its arithmetic, in words.
  std::string (*told)(const LayerTrace<float>& layer, Index head, Index row, Index col);
  // The matrix of the model that it is, which the thumbnails then show of all heads; none: they show A.
  std::optional<Quantity> quantity = {};
  bool is_signed = false;                               // else its numbers are from 0 on
  bool (*offered)(const LayerInput<float>&) = nullptr;  // whether its chip is there; null: in every layer
};

namespace head_picture {
#define HYDRA_HEAD_PICTURE(key) extern const HeadPicture key;
#include "embedded/head_pictures.inc"
#undef HYDRA_HEAD_PICTURE
}  // namespace head_picture

std::span<const HeadPicture* const> head_pictures();  // in the order of their keys
// The one that is large; null: none is.
const HeadPicture* shown_head_picture(const ViewState& view);
// To that one, from whatever is large; null: back to the pattern.
void choose_head_picture(const ViewState& view, Outbox& out, const HeadPicture* picture);

Pictured pictured(const Frame& frame, const HeadPicture& picture, int layer, int head);

}  // namespace hydra
