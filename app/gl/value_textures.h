// Matrices as float textures, each uploaded once for as long as it is drawn. Layers of R32F texture arrays, one set of
// arrays ("pages") per matrix shape; the smaller levels are built when a picture first needs them.
#pragma once
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/gl/handle.h"
#include "core/linalg/array.h"

namespace hydra::gl {

class ValueTextures {
 public:
  struct Place {
    int page = 0;
    int layer = 0;
    bool finite = false;        // no value is NaN or infinite
    float least = 0, most = 0;  // then
  };
  struct Stats {
    int pages = 0, layers = 0;  // allocated; layers in use
    std::size_t bytes = 0;      // of all pages, with their levels
    std::uint64_t uploads = 0;  // matrices uploaded since the start
    std::uint64_t allocations = 0;
  };

  // Starts a frame: lets go of matrices not drawn for a while.
  void begin_frame();
  // Where the matrix is, uploaded if this is its first sight; nothing when there is no memory for it. levels: the
  // smaller levels are needed too. The pointer is kept, so its address cannot come to mean another matrix while it is
  // cached. Valid for this frame.
  std::optional<Place> place(const Array<float>& matrix, bool levels);
  // Whether the matrix had no place when it was last asked for, in the last frame or this one.
  bool lacks_memory(const Array<float>& matrix) const { return refused_.contains(matrix.stamp()); }
  bool take_refusals_changed() { return std::exchange(refusals_changed_, false); }
  GLuint texture(int page) const { return pages_[static_cast<std::size_t>(page)].texture.id(); }
  Stats stats() const;

 private:
  struct Layer {
    Stamp matrix;  // of nothing: free
    std::uint64_t drawn = 0;
    bool has_levels = false;
    bool finite = false;
    float least = 0, most = 0;
  };
  struct Page {
    Texture texture;  // empty: the page was given back
    Index rows = 0, cols = 0;
    std::size_t bytes = 0;
    std::vector<Layer> layers;
    bool tried = false;  // a matrix was put there without an error
  };

  std::optional<Place> find_layer(Index rows, Index cols);
  std::optional<int> add_page(Index rows, Index cols);
  bool upload(Place at, const Array<float>& matrix);
  void upload_levels(Place at, const Array<float>& matrix);
  std::optional<Place> refuse(const Array<float>& matrix);
  Layer& layer(Place at) {
    return pages_[static_cast<std::size_t>(at.page)].layers[static_cast<std::size_t>(at.layer)];
  }

  std::vector<Page> pages_;
  std::unordered_map<Stamp, Place> places_;
  std::unordered_set<Stamp> refused_, refused_before_;
  bool refusals_changed_ = false;
  std::uint64_t frame_ = 0, uploads_ = 0, allocations_ = 0;
};

}  // namespace hydra::gl
