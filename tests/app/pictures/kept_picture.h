// What a picture of the program looked like: the means of its blocks of 4 x 4 pixels, a small PNG beside the tests.
// What another machine's OpenGL rounds otherwise does not move a mean by more than kTolerance; a pixel of a letter or a
// line that came or went does.
#pragma once
#include <optional>
#include <string>

#include "app/gl/framebuffer.h"

namespace hydra::testing {

inline constexpr int kBlock = 4;      // pixels a side
inline constexpr int kTolerance = 2;  // of 255, of each channel of a block's mean

Image block_means(const Image& picture);  // sides cut to whole blocks

// Blocks that are not the same; all of them where the sizes differ.
int count_other_blocks(const Image& kept, const Image& now);
// The picture with a frame around every block that is not the same, and the kept one under it.
Image difference(const Image& picture, const Image& kept);

std::optional<Image> read_png(const std::string& path);  // none: there is no such picture

// Fails the test, and leaves NAME.png and NAME.difference.png in the build's folder "pictures", where the picture is
// another than the kept one; with HYDRA_KEEP_PICTURES set it is kept from now on. To FOLDER of HYDRA_TEST_PICTURES goes
// every picture, as it is.
void check_picture(const Image& picture, const std::string& name);

}  // namespace hydra::testing
