#include "app/views/tradeoff/tradeoff_parts.h"

#include "app/views/frame/ui.h"
#include "app/views/shared/token_in_view.h"

namespace hydra::tradeoff {

namespace {
Index width_of_heads(const Frame& frame) { return document_layer(frame).concat_width(frame.document.d_model); }

// Whether the entry is of the document's own sizes, but for how many heads share.
bool has_heads_of(const Frame& frame, const SweepEntry& entry) {
  return entry.heads == document_layer(frame).heads && entry.heads * entry.d_k == width_of_heads(frame);
}
}  // namespace

bool is_present(const Frame& frame, const SweepTable& table, const SweepEntry& entry) {
  const bool kv = table.swept == Swept::heads || (entry.kv_heads == table.own_kv_heads && !entry.rescaled);
  return kv && has_heads_of(frame, entry);
}

bool shares_keys(const SweepTable& table) {
  return std::any_of(table.entries.begin(), table.entries.end(),
                     [](const SweepEntry& entry) { return entry.kv_heads < entry.heads; });
}

bool has_own_width(const SweepTable& table) {
  const LayerSizes& sizes = table.entries.front().sizes;
  return sizes.heads * sizes.d_k != sizes.d_model;
}

std::string cut_text(const SweepTable& table) {
  const LayerSizes& sizes = table.entries.front().sizes;
  return "d_k = " + (has_own_width(table) ? ui::number(sizes.heads * sizes.d_k, As::axis) : std::string("d_model")) +
         " / h";
}

const char* weights_formula(const SweepTable& table) { return has_own_width(table) ? "4 d_model h d_k" : "4 d_model²"; }

bool are_slices(const SweepTable& table) { return table.entries.front().sizes.read > 0; }

std::string name_in(const SweepTable& table, const char* part, const SweepEntry& entry) {
  const bool heads = table.swept == Swept::heads;
  return ui::words(heads ? "tradeoff/" : "tradeoff/kv/", part, "/", heads ? entry.heads : entry.kv_heads,
                   entry.rescaled ? "/norm" : "");
}

void apply_kv_heads(Frame& frame, const SweepTable& table, const SweepEntry& entry) {
  const bool older = !has_heads_of(frame, table.entries.front());  // than the document, which has other sizes
  if (older || entry.kv_heads == document_layer(frame).kv_heads()) return;
  frame.out.apply(SetKvHeads{entry.kv_heads, entry.rescaled});
}

void apply_heads(Frame& frame, const SweepTable& table, Index heads) {
  const SweepEntry& first = table.entries.front();
  const bool older = first.heads * first.d_k != width_of_heads(frame);  // than the document, which has another width
  if (older || heads == document_layer(frame).heads) return;
  // The columns stay: without a choice of the user's the document's own head count is one of them.
  HeadCounts kept{width_of_heads(frame), {}};
  for (const SweepEntry& entry : table.entries) kept.counts.push_back(entry.heads);
  frame.choose(frame.view.tradeoff.counts, std::move(kept));
  frame.out.apply(SetHeads{heads});
}

const std::vector<std::string>& tokens_of(const SweepTable& table) { return table.entries.front().trace->tokens; }

const Spread* over_seeds(const SweepTable& table, const SweepEntry& entry, SweptNumber number) {
  if (table.over_seeds.seeds.size() < 2) return nullptr;
  return &table.over_seeds.of(static_cast<std::size_t>(&entry - table.entries.data()), number);
}

std::string seeds_note(const SweepTable& table) {
  if (!table.has_seeds) return wording("tradeoff:seeds.none");
  const std::vector<std::uint64_t>& seeds = table.over_seeds.seeds;
  if (seeds.size() < 2) return wording("tradeoff:seeds.one");
  return wording("tradeoff:seeds.range", {{"n", seeds.size()}, {"first", seeds.front()}, {"last", seeds.back()}});
}

std::string in_words(const Spread& spread, As style) {
  const auto text = [&](double value) { return ui::number(value, style); };
  if (spread.count == 0) return wording("tradeoff:none");
  if (text(spread.least) == text(spread.most)) return text(spread.median);
  return wording("tradeoff:spread",
                 {{"least", text(spread.least)}, {"most", text(spread.most)}, {"median", text(spread.median)}});
}

Index shown_query(const Frame& frame, const SweepTable& table) {
  const auto n = static_cast<Index>(tokens_of(table).size());
  const std::optional<Cell>& hover = frame.was.cell;  // in the inspector, perhaps
  if (hover && is_pair(hover->site.quantity) && hover->row < n && !frame.view.tradeoff.query) return hover->row;
  return asked_query(frame, n);
}

std::optional<Index> chosen_query(const Frame& frame) {
  return frame.view.tradeoff.query ? frame.view.tradeoff.query : frame.hands.of<PointedQuery>().last;
}

Index asked_query(const Frame& frame, Index n) {
  if (const std::optional<Index> chosen = chosen_query(frame); chosen && *chosen < n) return *chosen;
  return std::min(token_in_view(frame.view, frame.now), n - 1);
}

std::string quoted(const Frame& frame, const std::string& token) {
  return spelled(frame, wording("tradeoff:quoted", {{"token", token}}));
}

namespace {
std::string scaled(double value, double step, const char* const* names, int count) {
  int k = 0;
  while (k + 1 < count && value >= 0.9995 * step) value /= step, ++k;
  return ui::number(value, value >= 1000 ? As::reading : As::value) + (*names[k] ? std::string(" ") + names[k] : "");
}
}  // namespace

std::string brief_number(double value) {
  if (value < 10000) return ui::number(std::round(value), As::axis);
  constexpr const char* kNames[] = {"", "k", "M", "G", "T", "P"};
  return scaled(value, 1000, kNames, 6);
}

std::string axis_number(double value) {
  constexpr const char* kNames[] = {"", " k", " M", " G", " T", " P"};
  int k = 0;
  for (const bool large = value >= 10000; large && k < 5 && value >= 1000; ++k) value /= 1000;
  return ui::number(value, As::axis) + kNames[k];
}

std::string bytes_text(double bytes) {
  constexpr const char* kNames[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  return bytes < 1024 ? ui::number(bytes, As::axis) + " B" : scaled(bytes, 1024, kNames, 6);
}

void in_room(Frame& frame, const char* name, ImVec2 pos, ImVec2 size, float least,
             const std::function<void(ImVec2 pos, ImVec2 size)>& draw) {
  const bool scrolls = size.y < least;
  ui::room(frame.canvas, name, pos, size, scrolls, [&](ImVec2 corner) {
    const float width = ImGui::GetContentRegionAvail().x - (scrolls ? frame.unit : 0);
    draw(corner, {width, std::max(size.y, least)});
    return std::max(size.y, least);
  });
}

std::string heads_text(const SweepEntry& entry) { return wording("tradeoff:heads", {{"n", entry.heads}}); }

std::string pattern_bound(const SweepEntry& entry) {
  const LayerSettings& settings = entry.layer().input.settings;
  if (settings.talking_heads != TalkingHeads::none) return wording("tradeoff:bound.talking");
  if (settings.differential) return wording("tradeoff:bound.differential");
  if (settings.sink != SinkKind::none) return wording("tradeoff:bound.sink");
  if (settings.soft_cap > 0) return wording("tradeoff:bound.soft_cap");
  if (settings.qk_norm) return wording("tradeoff:bound.qk_norm");
  return "";
}

std::string possible_text(const SweepEntry& entry) {
  const auto n = std::ssize(entry.trace->tokens);
  const Index d_k = entry.d_k, least = n - 1;
  const bool known = entry.any_pattern != AnyPattern::unknown;
  if (entry.any_pattern == AnyPattern::yes)
    return !entry.layer().input.masks(entry.head)
               ? wording("tradeoff:possible.any", {{"d_k", d_k}, {"least", least}})
               : wording("tradeoff:possible.any.masked", {{"d_k", d_k}, {"least", least}});
  if (const std::string bound = pattern_bound(entry); !bound.empty())
    return wording("tradeoff:possible.bound", {{"bound", bound}});
  if (d_k >= least)
    return known ? wording("tradeoff:possible.rank", {{"d_k", d_k}, {"least", least}, {"rank", entry.input_rank}})
                 : wording("tradeoff:possible.rank.unknown",
                           {{"d_k", d_k}, {"least", least}, {"rank", entry.input_rank}});
  return known ? wording("tradeoff:possible.none", {{"d_k", d_k}, {"least", least}})
               : wording("tradeoff:possible.unknown", {{"d_k", d_k}, {"least", least}});
}

}  // namespace hydra::tradeoff
