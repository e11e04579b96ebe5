// Linked into every program of a build with the address sanitizer. The GL driver keeps some blocks in variables of its
// own; once it is unloaded they look like leaks, from an unknown module. So nothing is unloaded.
extern "C" int dlclose(void*) { return 0; }
