// Calls a function of the program with a text, which is in the program's memory as long as that takes.
export function withText(module, text, use) {
  const size = module.lengthBytesUTF8(text) + 1;
  const pointer = module._malloc(size);
  module.stringToUTF8(text, pointer, size);
  use(pointer);
  module._free(pointer);
}
