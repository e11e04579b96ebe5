#include "app/cli/link_command.h"

#include "app/cli/place_options.h"
#include "app/platform/page.h"
#include "core/document/file.h"
#include "core/files/whole_file.h"

namespace hydra {

namespace {

// A link that is made from a link goes where that one does, but for what is asked for here.
LinkPlace place_in(const Document& document, const LinkOptions& options) {
  const LinkPlace& asked = options.place;
  LinkPlace place = names_link(options.file) ? parse_link(options.file).place : LinkPlace{};
  if (!asked.view.empty()) place.view = asked.view, place.page.clear();
  if (!asked.page.empty()) page_of(asked.page, view_of(place.view.empty() ? "flow" : place.view));
  if (!asked.view.empty()) view_of(asked.view);
  if (!asked.page.empty()) place.page = asked.page;
  if (asked.layer) place.layer = asked.layer;
  const int layer = asked.layer ? layer_index(*asked.layer, document) : 0;
  if (asked.head) head_index(*asked.head, document.layer(layer));
  if (asked.head) place.head = asked.head;
  return place;
}

}  // namespace

int run_link(const LinkOptions& options) {
  const Document document = read_document(options.file, options.sets);
  const std::string text =
      options.document
          ? document_text(document)
          : link_text(document, place_in(document, options), options.address.value_or(page_address())) + "\n";
  write_whole("-", text);
  return 0;
}

}  // namespace hydra
