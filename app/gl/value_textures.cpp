#include "app/gl/value_textures.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "core/linalg/strongest.h"

namespace hydra::gl {
namespace {

constexpr std::size_t kPageBytes = 32u << 20;  // a page is about this large, if its layers are not larger
constexpr std::size_t kGrowFreely =
    192u << 20;  // below this, a matrix gone from the screen keeps its layer for a while
constexpr std::uint64_t kKeepFrames = 30;
constexpr Index kMostLayers = 256;  // what OpenGL 3.3 promises

std::size_t layer_bytes(Index rows, Index cols) {
  std::size_t cells = 0;
  for (int level = 0; level < level_count(rows, cols); ++level) {
    cells += static_cast<std::size_t>(level_size(rows, level)) * static_cast<std::size_t>(level_size(cols, level));
  }
  return cells * sizeof(float);
}

void forget_errors() {
  while (glGetError() != GL_NO_ERROR) {
  }
}

// Empty when there is no memory for it, or it is larger than the driver allows.
Texture allocate(Index rows, Index cols, Index layers) {
  Texture texture = Texture::make();
  forget_errors();
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture.id());
  const int levels = level_count(rows, cols);
  for (int level = 0; level < levels; ++level) {
    glTexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_R32F, level_size(cols, level), level_size(rows, level),
                 static_cast<GLsizei>(layers), 0, GL_RED, GL_FLOAT, nullptr);
  }
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, levels - 1);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  if (glGetError() != GL_NO_ERROR) return {};
  return texture;
}

}  // namespace

void ValueTextures::begin_frame() {
  ++frame_;
  refused_before_ = std::exchange(refused_, {});
  refusals_changed_ = refusals_changed_ || !refused_before_.empty();
  for (Page& page : pages_) {
    bool used = false;
    for (Layer& layer : page.layers) {
      if (layer.matrix && layer.drawn + kKeepFrames < frame_) {
        places_.erase(layer.matrix);
        layer = Layer{};
      }
      used = used || bool(layer.matrix);
    }
    if (!used) page = Page{};
  }
}

std::optional<ValueTextures::Place> ValueTextures::refuse(const Array<float>& matrix) {
  refused_.insert(matrix.stamp());
  if (!refused_before_.contains(matrix.stamp())) refusals_changed_ = true;
  return std::nullopt;
}

std::optional<ValueTextures::Place> ValueTextures::place(const Array<float>& matrix, bool levels) {
  assert(matrix && matrix->size() > 0);
  const auto known = places_.find(matrix.stamp());
  const bool is_new = known == places_.end();
  const std::optional<Place> found = is_new ? find_layer(matrix->rows(), matrix->cols()) : std::optional(known->second);
  if (!found || (is_new && !upload(*found, matrix))) return refuse(matrix);
  Place at = *found;
  if (levels && !layer(at).has_levels) upload_levels(at, matrix);
  layer(at).drawn = frame_;
  at.finite = layer(at).finite;
  at.least = layer(at).least;
  at.most = layer(at).most;
  return at;
}

// A free layer of a page of this shape; else, when much memory is in use, the one not drawn for longest; else a new
// page; where there is no memory for one, the one not drawn for longest, if there is any.
std::optional<ValueTextures::Place> ValueTextures::find_layer(Index rows, Index cols) {
  std::optional<Place> oldest;
  std::uint64_t oldest_frame = frame_;
  for (std::size_t p = 0; p < pages_.size(); ++p) {
    const Page& page = pages_[p];
    if (!page.texture || page.rows != rows || page.cols != cols) continue;
    for (std::size_t l = 0; l < page.layers.size(); ++l) {
      const Place here{static_cast<int>(p), static_cast<int>(l)};
      if (!page.layers[l].matrix) return here;
      if (page.layers[l].drawn < oldest_frame) {
        oldest = here;
        oldest_frame = page.layers[l].drawn;
      }
    }
  }
  if (!oldest || stats().bytes <= kGrowFreely)
    if (const std::optional<int> page = add_page(rows, cols)) return Place{*page, 0};
  if (!oldest) return std::nullopt;
  places_.erase(layer(*oldest).matrix);
  layer(*oldest) = Layer{};
  return *oldest;
}

// Fewer layers where there is no memory for a whole page; nothing where there is none for a layer.
std::optional<int> ValueTextures::add_page(Index rows, Index cols) {
  const std::size_t each = layer_bytes(rows, cols);
  Index layers = std::clamp(static_cast<Index>(kPageBytes / each), Index{1}, kMostLayers);
  Page page;
  for (;; layers /= 2) {
    if (layers == 0) return std::nullopt;
    page.texture = allocate(rows, cols, layers);
    if (page.texture) break;
  }
  page.rows = rows;
  page.cols = cols;
  page.bytes = each * static_cast<std::size_t>(layers);
  page.layers.resize(static_cast<std::size_t>(layers));
  ++allocations_;
  const auto gap = std::find_if(pages_.begin(), pages_.end(), [](const Page& p) { return !p.texture; });
  if (gap == pages_.end()) {
    pages_.push_back(std::move(page));
    return static_cast<int>(pages_.size()) - 1;
  }
  *gap = std::move(page);
  return static_cast<int>(gap - pages_.begin());
}

bool ValueTextures::upload(Place at, const Array<float>& matrix) {
  bool& tried = pages_[static_cast<std::size_t>(at.page)].tried;
  if (!tried) forget_errors();
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture(at.page));
  glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(matrix->outerStride()));
  glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, at.layer, static_cast<GLsizei>(matrix.cols()),
                  static_cast<GLsizei>(matrix.rows()), 1, GL_RED, GL_FLOAT, matrix->data());
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  // Some drivers take a page's memory only here. Asked once a page: to ask is to wait for all that was drawn so far.
  if (!tried && glGetError() != GL_NO_ERROR) return false;
  tried = true;
  layer(at) = Layer{matrix.stamp(), frame_, false, matrix->allFinite(), matrix->minCoeff(), matrix->maxCoeff()};
  places_[matrix.stamp()] = at;
  ++uploads_;
  return true;
}

void ValueTextures::upload_levels(Place at, const Array<float>& matrix) {
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture(at.page));
  Mat<float> values;
  for (int level = 1; level < level_count(matrix.rows(), matrix.cols()); ++level) {
    values = level == 1 ? reduce(*matrix) : reduce(values);
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, 0, at.layer, static_cast<GLsizei>(values.cols()),
                    static_cast<GLsizei>(values.rows()), 1, GL_RED, GL_FLOAT, values.data());
  }
  layer(at).has_levels = true;
}

ValueTextures::Stats ValueTextures::stats() const {
  Stats stats;
  for (const Page& page : pages_) {
    stats.pages += page.texture ? 1 : 0;
    stats.bytes += page.bytes;
    for (const Layer& layer : page.layers) stats.layers += layer.matrix ? 1 : 0;
  }
  stats.uploads = uploads_;
  stats.allocations = allocations_;
  return stats;
}

}  // namespace hydra::gl
