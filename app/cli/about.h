// What the program was made from. It is filled in (about.cpp.in) in the executable alone, so that a new commit links
// the program again and nothing else.
#pragma once

namespace hydra {

struct About {
  const char* version;
  const char* commit;
  const char* build;      // compiler and kind of build
  const char* libraries;  // with their versions
};

extern const About kAbout;

}  // namespace hydra
