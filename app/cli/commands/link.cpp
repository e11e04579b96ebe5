// `hydrascope link`: a document as a link, and where to look at it.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/document_options.h"
#include "app/cli/place_options.h"
#include "app/platform/page.h"
#include "core/files/whole_file.h"
#include "core/io/file.h"
#include "core/io/link.h"

namespace hydra {

namespace {

struct LinkOptions : DocumentOptions {
  LinkPlace place;
  std::optional<std::string> address;  // of the page, before #; without it page_address()
  bool document = false;               // the other way: FILE is a link, and its document is written
};

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

// Throws InputError.
int run_link(const LinkOptions& options) {
  const Document document = asked_document(options);
  const std::string text =
      options.document
          ? document_text(document)
          : link_text(document, place_in(document, options), options.address.value_or(page_address())) + "\n";
  write_whole("-", text);
  return 0;
}

}  // namespace

CliCommand add_link(CLI::App& app) {
  const auto kept = std::make_shared<LinkOptions>();
  LinkOptions& options = *kept;
  CLI::App& command = *app.add_subcommand("link", "Writes a link that holds a document; FILE may be a link itself");
  add_document(command, options);
  command.add_option("--view", options.place.view, "The view that it opens, as for render")->type_name("VIEW");
  command.add_option("--page", options.place.page, "And its page, as for render")->type_name("PAGE");
  command.add_option("--layer", options.place.layer, "The layer in focus, counted from 1")
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 48));
  command.add_option("--head", options.place.head, "The head in focus, counted from 1")
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 128));
  command
      .add_option("--address", options.address,
                  "What stands before #, the address of a page that runs Hydrascope; by default HYDRASCOPE_PAGE")
      ->type_name("URL");
  command.add_flag("--document", options.document, "Writes the document instead, as its file would be");
  return {&command, [kept] { return run_link(*kept); }};
}

}  // namespace hydra
