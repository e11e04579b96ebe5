// The stream of one token, from X at the bottom up: a line for what enters, for what each part adds, for what leaves.
#include "app/views/frame/ui.h"
#include "app/views/shared/compared.h"
#include "app/views/shared/pictured.h"
#include "app/views/stream/stream_readout.h"

namespace hydra {

namespace {

using Kind = StreamLine::Kind;

}  // namespace

std::vector<StreamPlace> ladder_lines(const Stream& stream, const DirectEffects* told, int focus, bool all_heads) {
  std::vector<StreamPlace> places;
  if (told) places.push_back({StreamPlace::kReadOut, StreamPlace::kLogits});
  if (told && !(told->constants.raised.empty() && told->constants.lowered.empty()))
    places.push_back({StreamPlace::kReadOut, StreamPlace::kShifts});
  for (int k = int_size(stream.layers) - 1; k >= 0; --k) {
    const std::vector<StreamLine>& lines = stream.layer(k).lines;
    const bool open = all_heads || k == focus;
    const auto added = std::ranges::count_if(
        lines, [](const StreamLine& line) { return line.kind == Kind::head || line.kind == Kind::bias; });
    for (int l = int_size(lines) - 1; l >= 0; --l) {
      const StreamLine& line = nth(lines, l);
      const bool own = line.kind == Kind::head || line.kind == Kind::bias;
      // What enters a later layer is the line below, which leaves the one before: told again where it is part of a sum.
      const bool again = k > 0 && line.site.quantity == Quantity::X && !(open && line.part_of >= 0);
      // Of a single head, it is that head's line.
      const bool alone = open && line.kind == Kind::heads && added == 1;
      if ((!own || open) && !again && !alone) places.push_back({k, l});
    }
  }
  return places;
}

namespace {

struct LadderScroll {  // what it was last scrolled to: the layer, at these heights of its content and its room
  int layer = -1;
  float content = 0, room = 0;
  bool operator==(const LadderScroll&) const = default;
};

class StreamLadder : Drawing {
 public:
  StreamLadder(Frame& frame, const StreamLayout& at)
      : Drawing(frame),
        at_(at),
        stream_(measured_stream(frame).value->stream),
        token_(stream_.token),
        places_(ladder_lines(stream_, told_effects(frame), frame.view.layer, frame.view.stream.all_heads)),
        readout_(frame, at, places_),
        streams_(scale(stream_.in_streams)),
        parts_(scale(stream_.in_parts)),
        heads_(scale(stream_.in_heads)),
        largest_part_(largest_part()),
        other_(other_stream(frame)) {}

  void draw() {
    const std::string& word = nth(frame_.trace.tokens, token_);
    ui::title(frame_, "stream/ladder/title", at_.ladder_title.pos, at_.ladder_title.size.x,
              fitting(fonts_.strong, at_.ladder_title.size.x,
                      {wording("stream:ladder.title", {{"n", token_ + 1}, {"word", word}}),
                       wording("stream:ladder.title.brief", {{"n", token_ + 1}, {"word", word}})}),
              wording("stream:ladder.tip"));
    heads_of_columns();
    const float height = real(places_.size()) * at_.line;
    ui::room(canvas_, "stream/ladder", at_.ladder.pos, at_.ladder.size, height > at_.ladder.size.y + 0.5f,
             [&](ImVec2 corner) {
               follow_focus(height);
               const Canvas::Layers layers(canvas_);
               return ui::rows_in_view(canvas_, corner, int_size(places_), at_.line,
                                       [&](int k, ImVec2 pos) { line(k, pos); });
             });
    ui::probe("stream/ladder", at_.ladder.pos, at_.ladder.end());
  }

 private:
  ValueScale scale(float largest) const {
    const float range = largest > 0 ? real(ui::close_ceiling(largest)) : 1;
    return {diverging(frame_), -range, range};
  }
  const ValueScale& scale_for(const StreamLine& told) const {
    if (told.kind == Kind::stream || told.kind == Kind::sum) return streams_;
    return told.kind == Kind::head || told.kind == Kind::bias ? heads_ : parts_;
  }

  static bool is_part(const StreamLine& told) { return told.kind != Kind::stream && told.kind != Kind::sum; }
  double largest_part() const {
    double largest = 0;
    for (const StreamPlace& place : places_) {
      if (place.layer == StreamPlace::kReadOut) continue;
      const StreamLayer& layer = stream_.layer(place.layer);
      const double size = layer.size(token_, place.line);
      if (is_part(nth(layer.lines, place.line)) && std::isfinite(size)) largest = std::max(largest, size);
    }
    return largest;
  }

  // The colours with the range of the streams, and the ranges of the others in words, as far as there is room.
  void colours(const Box& column) const {
    const ImVec2 pos{at_.head.pos.x + column.pos.x, at_.head.pos.y};
    const std::string heads = wording("stream:ladder.range.head", {{"range", ui::number(heads_.high, As::axis)}});
    const std::string others = stream_.in_parts > 0 ? parts_range() + "; " + heads : heads;
    const std::string& caption = wording("stream:ladder.colours");
    const float own = text_width(
        fonts_.small, caption + " " + ui::number(streams_.low, As::axis) + ui::number(streams_.high, As::axis));
    const float rest = column.size.x - own - 6 * small_;
    legend(frame_, streams_, pos, column.size.x,
           {.caption = column.size.x >= 11 * small_ ? caption.c_str() : "",
            .remark = fitting(fonts_.small, std::max(0.0f, rest), {others, heads, ""}),
            .remark_color = theme_.ink_soft});
    ui::explain_here(frame_, "stream/colours", pos, {column.size.x, small_},
                     say(wording("stream:ladder.colours.tip",
                                 {{"range", ui::number(streams_.high, As::axis)}, {"others", others}})));
  }

  std::string parts_range() const {  // of the heads together and of feed-forward parts
    const bool feeds = std::ranges::any_of(stream_.layers, [](const auto& layer) {
      return std::ranges::any_of(layer->lines, [](const StreamLine& line) {
        return line.kind == Kind::feed_forward || line.kind == Kind::normed_feed_forward;
      });
    });
    return wording(feeds ? "stream:ladder.range.heads_feed_forward" : "stream:ladder.range.heads",
                   {{"range", ui::number(parts_.high, As::axis)}});
  }

  void heads_of_columns() const {
    colours(at_.picture);
    const auto head = [&](const Box& column, const std::vector<std::string>& names, const std::string& tip,
                          bool right) {
      if (column.size.x <= 0) return;
      const ImVec2 pos{at_.head.pos.x + column.pos.x, at_.head.pos.y};
      const std::string text = fitting(fonts_.small, column.size.x, names);
      const float x = right ? pos.x + column.size.x - text_width(fonts_.small, text) : pos.x;
      canvas_.text_at(fonts_.small, {x, pos.y}, theme_.ink_soft, text, column.size.x);
      if (canvas_.over(pos, {pos.x + column.size.x, pos.y + small_})) ui::tooltip(frame_, {say(tip)});
    };
    head(at_.size, {wording("stream:ladder.size")}, wording("stream:ladder.size.tip"), true);
    head(at_.share, {wording("stream:ladder.share")}, wording("stream:ladder.share.tip"), true);
    head(at_.cosine, {wording("stream:ladder.cosine"), wording("stream:ladder.cosine.brief")},
         wording("stream:ladder.cosine.tip"), true);
    if (at_.features.pos.y != 0) return;
    if (readout_.told())
      head(at_.features, readout_.column_titles(),
           effect_notes(*told_effects(frame_)).front() + " " + wording("stream:ladder.effects.tip"), false);
    else
      head(at_.features, {wording("stream:ladder.features")}, wording("stream:ladder.features.tip"), false);
  }

  // The layer in focus comes into view when it becomes that, and when other lines or sizes move it; else the ladder
  // stays where it was scrolled to.
  void follow_focus(float height) const {
    const float room = at_.ladder.size.y;
    const LadderScroll now{view_.layer, height, room};
    if (std::exchange(frame_.hands.of<LadderScroll>(), now) == now) return;
    int first = int_size(places_), last = 0;
    for (int k = 0; k < int_size(places_); ++k)
      if (nth(places_, k).layer == view_.layer) first = std::min(first, k), last = std::max(last, k);
    const float top = real(first) * at_.line, bottom = real(last + 1) * at_.line;
    if (height <= room) return;
    const float wanted = bottom - top > room ? bottom - room : 0.5f * (top + bottom - room);
    ImGui::SetScrollY(std::ceil(wanted / at_.line) * at_.line);  // no line is cut
  }

  static Box shifted(Box column, ImVec2 by) { return {{column.pos.x + by.x, column.pos.y + by.y}, column.size}; }

  void line(int k, ImVec2 pos) {
    const StreamPlace place = nth(places_, k);
    if (place.layer == StreamPlace::kReadOut) return readout_.draw_line(place, pos);
    const StreamLayer& layer = stream_.layer(place.layer);
    const StreamLine& told = nth(layer.lines, place.line);
    const bool leaves = place.line == layer.leaving(), begins = place.layer == 0 && place.line == 0;
    const float width = at_.ladder.size.x;
    if (leaves && k > 0) canvas_.line({pos.x, pos.y}, {pos.x + width, pos.y}, theme_.line);
    name(place, layer, shifted(at_.name, pos), leaves || begins);
    picture(place, layer, shifted(at_.picture, pos));
    const float text = pos.y + 0.5f * (at_.picture.size.y - fonts_.mono_small->FontSize);
    const StreamLayer* other = other_ ? &other_->stream.layer(place.layer) : nullptr;
    const auto number = [&](const Box& column, const auto& text_of) {
      if (column.size.x <= 0) return;
      const std::string written = text_of(layer);
      const float right = pos.x + column.pos.x + column.size.x;
      canvas_.text_at(fonts_.mono_small, {right - text_width(fonts_.mono_small, written), text},
                      ink_for(frame_, leaves || begins), written);
      if (other && text_of(*other) != written) changed_corner(frame_, {right + u_, text}, u_);
    };
    size_bar(told, layer.size(token_, place.line), shifted(at_.size, pos));
    number(at_.size, [&](const StreamLayer& of) { return size_text(of.size(token_, place.line)); });
    if (told.part_of >= 0)
      number(at_.share, [&](const StreamLayer& of) { return say(stream_percent(of.share(token_, place.line))); });
    number(at_.cosine, [&](const StreamLayer& of) { return say(stream_cosine(of.cosine(token_, place.line))); });
    if (at_.features.size.x <= 0) return;
    if (readout_.told()) return readout_.draw_words(place, shifted(at_.features, pos));
    features(row_of(place), shifted(at_.features, pos));
  }

  // As many as fit.
  void features(MatView<float> row, const Box& box) const {
    std::vector<std::string> texts;
    for (const int most : {6, 5, 4, 3, 2, 1}) texts.push_back(say(read_as(frame_, row, most)));
    canvas_.text_at(fonts_.small, {box.pos.x, box.pos.y + 0.5f * (box.size.y - small_)}, theme_.ink_soft,
                    fitting(fonts_.small, box.size.x, texts), box.size.x);
  }

  // Of what is added, as long as it is large; the largest reaches behind its number.
  void size_bar(const StreamLine& told, double size, const Box& box) const {
    if (!is_part(told) || !(largest_part_ > 0) || !(size > 0)) return;
    const float wide = real(std::min(1.0, size / largest_part_)) * box.size.x;
    const float high = std::min(box.size.y - 2, 1.3f * small_), y = std::round(box.pos.y + 0.5f * (box.size.y - high));
    const ImU32 color =
        told.kind == Kind::head ? with_alpha(head_color(frame_, told.site.head), 110) : with_alpha(theme_.ink_soft, 75);
    canvas_.fill({box.pos.x, y}, {box.pos.x + wide, y + high}, color);
  }

  static std::string size_text(double size) { return size < 1000 ? ui::number(size, As::brief) : ui::number(size); }
  MatView<float> row_of(const StreamPlace& place) const {
    return nth(stream_.rows, place.layer)->middleRows(place.line, 1);
  }
  static std::string probe_name(const char* what, const StreamLine& line) {
    std::string name = ui::words("stream/", what, "/", line.site.layer + 1, "/", entry_of(line.site.quantity).key);
    if (line.site.head != kNoHead) name += "/" + std::to_string(line.site.head + 1);
    return name;
  }

  void name(const StreamPlace& place, const StreamLayer& layer, const Box& box, bool strong) {
    const StreamLine& told = nth(layer.lines, place.line);
    const bool own = told.kind == Kind::head;
    const bool focused = place.layer == marked_layer(frame_) && own && told.site.head == marked_head(frame_);
    const float y = box.pos.y + 0.5f * (box.size.y - small_);
    float x = box.pos.x + (strong ? 0 : 2 * u_);
    if (own) {
      const float side = std::round(0.7f * small_);
      const ImVec2 low{std::round(x), std::round(y + 0.5f * (small_ - side))};
      const bool silent = frame_.trace.layer(place.layer).input.gate(told.site.head) == 0;
      if (silent)
        canvas_.frame(low, {low.x + side, low.y + side}, head_color(frame_, told.site.head), 1.5f);
      else
        canvas_.fill(low, {low.x + side, low.y + side}, head_color(frame_, told.site.head));
      x += side + u_;
    }
    const bool only = int_size(stream_.layers) == 1;
    const std::string name = stream_line_name(layer, place.line, only);
    const std::string named =
        own && place.layer == view_.layer ? wording("stream:head", {{"head", called(frame_, told.site.head)}}) : name;
    canvas_.text_at(fonts_.small, {x, y}, strong || focused ? theme_.ink : theme_.ink_soft,
                    fitting(fonts_.small, box.right() - x, {named, name}), box.right() - x);
    if (focused) canvas_.frame({box.pos.x, box.pos.y + 1}, {box.right(), box.bottom() - 1}, theme_.accent, 1);
    ui::probe(probe_name("line", told), box.pos, box.end());
    if (!canvas_.over(box.pos, box.end())) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    tell(place, layer,
         own ? wording("stream:ladder.click.head", {{"layer", place.layer + 1}, {"head", told.site.head + 1}})
             : wording("stream:ladder.click", {{"layer", place.layer + 1}}));
    if (ui::clicked()) frame_.out.act(act::GoTo{place.layer, own ? told.site.head : view_.focused_head});
  }

  void tell(const StreamPlace& place, const StreamLayer& layer, const std::string& click) const {
    const std::string now = stream_numbers(layer, place.line, token_),
                      then = other_ ? stream_numbers(other_->stream.layer(place.layer), place.line, token_) : now;
    ui::tooltip(frame_,
                {say(stream_line_sentence(frame_, layer, place.line)), say(now),
                 then == now ? std::string() : told_other(frame_, say(then)),
                 say(readout_.told() ? readout_.sentence(place) : read_as_sentence(frame_, row_of(place))), click});
  }

  Cell cell_of(const StreamLine& told, Index column) const {
    return {told.site, told.kind == Kind::bias ? 0 : token_, column};
  }

  // Whether the trace holds it, so that pointing at it makes nothing again.
  bool is_held(const StreamPlace& place) const {
    const LayerTrace<float>& layer = frame_.trace.layer(place.layer);
    const Quantity quantity = nth(stream_.layer(place.layer).lines, place.line).site.quantity;
    return layer.is_whole() || quantity == Quantity::X || quantity == Quantity::Y || quantity == Quantity::b_O ||
           place.line == stream_.layer(place.layer).leaving();
  }

  void picture(const StreamPlace& place, const StreamLayer& layer, const Box& box) {
    const StreamLine& told = nth(layer.lines, place.line);
    const Array<float>& rows = nth(stream_.rows, place.layer);
    const ImVec2 low{std::round(box.pos.x), std::round(box.pos.y + 1)},
        high{std::floor(box.right()), std::round(box.bottom() - 1)};
    Pictured row{.name = ui::words("stream.row/", place.layer + 1, "/", place.line + 1),
                 .title = stream_line_name(layer, place.line, int_size(stream_.layers) == 1),
                 .shown = {rows, place.line, 0, 1, rows.cols()},
                 .scale = scale_for(told),
                 .first = cell_of(told, 0)};
    if (other_)
      row.of = [&](const Source& source) -> Backing {
        const StreamResult known = stream_of(frame_, source);
        if (!known) return {};
        const Array<float>& of_layer = nth(known->stream.rows, place.layer);
        return {of_layer, place.line, 0, 1, of_layer.cols()};
      };
    const CellHit hit = hydra::picture(frame_, probe_name("row", told), row, low, {high.x - low.x, high.y - low.y},
                                       {.square_cells = false, .values = false, .points = is_held(place)})
                            .hit;
    if (!hit.hovered || is_held(place)) return;
    const Cell cell = cell_of(told, hit.col);
    ui::tooltip(frame_,
                {say(cell_title(frame_.trace, cell) + " = " + ui::number((*rows)(place.line, hit.col), As::reading)),
                 wording("stream:ladder.click.number")});
  }

  const StreamLayout& at_;
  const Stream& stream_;
  Index token_;
  std::vector<StreamPlace> places_;
  StreamReadout readout_;
  ValueScale streams_, parts_, heads_;
  double largest_part_;  // of the sizes of what is added, in these lines
  StreamResult other_;
};

}  // namespace

void draw_stream_ladder(Frame& frame, const StreamLayout& at) {
  const Canvas::Part part(frame.canvas, "stream.ladder");
  StreamLadder(frame, at).draw();
}

}  // namespace hydra
