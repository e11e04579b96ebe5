// Which of the system's font files has a cluster, asked of fontconfig. system_fonts.cpp's alone.
#pragma once
#include <fontconfig/fontconfig.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hydra {

struct FontFile {
  std::string path;
  int index = 0;  // of the face in the file, as FreeType counts
  bool colored = false;
};

class FontFinder {
 public:
  FontFinder();
  ~FontFinder();
  FontFinder(const FontFinder&) = delete;
  FontFinder& operator=(const FontFinder&) = delete;

  // The number of the best font that has all code points of the cluster (those without a shape of their own need not
  // be there); -1 when there is none. Emoji are looked for in coloured fonts first. Private-use codes mean nothing: no
  // font has them.
  int find(std::string_view cluster);
  const FontFile& file(int number) const { return files_[static_cast<std::size_t>(number)]; }

 private:
  int search(std::string_view cluster) const;

  FcConfig* config_;
  FcFontSet* sorted_ = nullptr;  // by nearness to the interface's face; owned here with the patterns
  std::vector<FontFile> files_;  // of sorted_
  std::unordered_map<std::string, int> found_;
};

}  // namespace hydra
