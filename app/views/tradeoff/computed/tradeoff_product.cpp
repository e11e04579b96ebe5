// How it is computed: one large product gives the queries of all heads, and what cuts it into heads moves no number.
#include "app/views/frame/ui.h"
#include "app/views/tradeoff/computed/tradeoff_computed.h"
#include "app/views/tradeoff/tradeoff_layout.h"
#include "core/model/program.h"

namespace hydra::tradeoff {

namespace {

class ProductPage : Drawing {
 public:
  ProductPage(Frame& frame, ImVec2 pos, ImVec2 size)
      : Drawing(frame),
        input_(layer_of(frame).input),
        n_(input_.n()),
        d_model_(input_.d_model()),
        d_k_(input_.d_k()),
        heads_(static_cast<int>(input_.heads)),
        read_(layer_program(frame.trace, view_.layer).read),
        words_(sentences()) {
    auto in = room_for<ProductInput>(frame, pos, size);
    in.heads = heads_;
    in.d_model = real(d_model_);
    in.concat = real(heads_ * d_k_);
    in.labels = std::max(in.labels, widest(fonts_.small, frame.trace.tokens));
    in.title = fonts_.strong->FontSize;
    in.code = std::round(1.35f * fonts_.mono->FontSize);
    const float wide = size.x - std::min(in.labels, 7 * em_) - 2 * u_;
    in.words = 0;
    for (const std::string& text : words_) in.words += paragraph_height(frame, fonts_.small, wide, text) + u_;
    at_ = product_layout(in);
  }

  const ProductLayout& at() const { return at_; }

  void draw() {
    const Canvas::Layers layers(canvas_);
    product();
    slices();
    code();
    ImVec2 pos = at_.words.pos;
    for (const std::string& text : words_)
      pos.y += paragraph(frame_, fonts_.small, pos, at_.words.size.x, theme_.ink_soft, text) + u_;
    ui::probe("tradeoff/product/words", at_.words.pos, {at_.words.right(), pos.y});
  }

 private:
  Site of_layer(Quantity quantity) const { return {quantity, view_.layer}; }
  Site of_head(Quantity quantity, int head) const { return {quantity, view_.layer, head}; }
  std::string name(const Site& site) const { return symbol(site, !fonts_.unicode); }

  // --- X W_Q = Q

  // What stands there and, where there is room, of what shape: in letters and numbers, or in numbers.
  void title(const char* probe, ImVec2 pos, float width, const std::string& text,
             const std::vector<std::string>& shapes) const {
    ImFont *strong = fonts_.strong, *small = fonts_.small;
    const float wide = text_width(strong, text), x = pos.x + wide + 2 * u_;
    canvas_.math_at(strong, small, pos, theme_.ink, fitting(strong, width, {text, "Q"}));
    const std::string shape = fitting(small, width - wide - 2 * u_, shapes);
    canvas_.text_at(small, {x, pos.y + 0.75f * (strong->FontSize - small->FontSize)}, theme_.ink_soft, shape);
    ui::probe(probe, pos, {std::min(x + text_width(small, shape), pos.x + width), pos.y + strong->FontSize});
  }
  void over(const char* probe, const Box& box, const std::string& text, const char* letters, Index rows,
            Index cols) const {
    const std::string shape = ui::words(rows, " × ", cols);
    title(probe, {box.pos.x, box.pos.y - 3 * u_ - fonts_.strong->FontSize}, box.size.x, text,
          {std::string(letters) + " = " + shape, shape, ""});
  }
  void row_words(const Box& box) const {
    row_labels(frame_, {&frame_.trace.tokens, box.pos, box.size.y / real(n_), at_.labels - u_});
  }
  void picture(const std::string& name, const Site& site, const Box& box) {
    matrix_picture(frame_, name.c_str(), site, box.pos, box.size, {.square_cells = false});
  }
  // The heads' columns of a matrix, each under a bar in its colour.
  void in_parts(const char* name, Quantity quantity, const Box& box) {
    for (int h = 0; h < heads_; ++h) {
      const Box part = part_of(box, h, heads_);
      canvas_.fill({part.pos.x, part.pos.y - 2 * u_}, {part.right(), part.pos.y - 0.5f * u_}, head_color(frame_, h));
      picture(name + std::to_string(h + 1), of_head(quantity, h), part);
    }
  }
  void product() {
    const std::string X = name(of_layer(read_)), W = name(of_layer(Quantity::W_Q));
    const std::string bias = input_.weights.b_Q ? " + b_Q" : "";
    over("tradeoff/product/X/title", at_.X, X, "n × d_model", n_, d_model_);
    over("tradeoff/product/W/title", at_.W, W, "d_model × h d_k", d_model_, heads_ * d_k_);
    over("tradeoff/product/Q/title", at_.Q, "Q = " + X + " " + W + bias, "n × h d_k", n_, heads_ * d_k_);
    row_words(at_.X);
    picture("tradeoff/product/X", of_layer(read_), at_.X);
    in_parts("tradeoff/product/W/", Quantity::W_Q, at_.W);
    in_parts("tradeoff/product/Q/", Quantity::Q, at_.Q);
    canvas_.text_centered(fonts_.large, at_.times, theme_.ink_soft, "×");
    canvas_.text_centered(fonts_.large, at_.equals, theme_.ink_soft, "=");
  }

  // --- the same, apart

  void slices() {
    // The same words as above: only where they are as large.
    if (at_.heads.front().size.y >= real(n_) * small_) row_words(at_.heads.front());
    ImFont* font = fonts_.small;
    for (int h = 0; h < heads_; ++h) {
      const Box& box = nth(at_.heads, h);
      canvas_.fill({box.pos.x, box.pos.y - 2 * u_}, {box.right(), box.pos.y - 0.5f * u_}, head_color(frame_, h));
      picture("tradeoff/product/head/" + std::to_string(h + 1), of_head(Quantity::Q, h), box);
      const std::string text =
          fitting(font, box.size.x + u_, {name(of_head(Quantity::Q, h)), std::to_string(h + 1), ""});
      canvas_.text_centered(font, {box.pos.x + 0.5f * box.size.x, at_.numbers + 0.5f * font->FontSize},
                            ink_for(frame_, h == marked_head(frame_)), text);
    }
    const std::string shape = ui::words(heads_, " × ", n_, " × ", d_k_);
    title("tradeoff/product/shape", {at_.words.pos.x, at_.title}, at_.words.size.x,
          heads_ == 1 ? name(of_head(Quantity::Q, 0))
                      : name(of_head(Quantity::Q, 0)) + " … " + name(of_head(Quantity::Q, heads_ - 1)),
          {wording("tradeoff:product.shape.letters", {{"shape", shape}}),
           wording("tradeoff:product.shape", {{"shape", shape}}), shape});
  }

  // --- the same in code

  void code() const {
    const std::string X = ascii_spelling(name(of_layer(read_))), c = ui::words(heads_ * d_k_);
    const std::string product = "Q = " + X + " @ W_Q" + (input_.weights.b_Q ? " + b_Q" : "");
    const std::string cut = "Q = Q.view(n, h, d_k).transpose(0, 1)";
    const std::string pad(cut.size() > product.size() ? cut.size() - product.size() : 0, ' ');
    const std::string shapes[kCodeLines] = {
        ui::words("[", n_, ", ", d_model_, "] @ [", d_model_, ", ", c, "] -> [", n_, ", ", c, "]"),
        ui::words("[", n_, ", ", heads_, ", ", d_k_, "] -> [", heads_, ", ", n_, ", ", d_k_, "]")};
    const std::string lines[kCodeLines] = {product + pad, cut};
    ImFont* font = fonts_.mono;
    ImVec2 pos{at_.code.pos.x, at_.code.pos.y + u_};
    for (int k = 0; k < kCodeLines; ++k) {
      const std::string comment = "   # " + shapes[k];
      const float wide = text_width(font, lines[k]);
      canvas_.text_at(font, pos, theme_.ink, lines[k], at_.code.size.x);
      if (wide + text_width(font, comment) <= at_.code.size.x)
        canvas_.text_at(font, {pos.x + wide, pos.y}, theme_.ink_soft, comment);
      ui::probe({"tradeoff/product/code/", k + 1}, pos, {at_.code.right(), pos.y + font->FontSize});
      pos.y += std::round(1.35f * font->FontSize);
    }
  }

  // What the picture shows, and what this layer's settings change in it.
  std::vector<std::string> sentences() const {
    const std::string X = name(of_layer(read_));
    std::vector<std::string> all{say(wording("tradeoff:product.large", {{"x", X}}))};
    const auto kv = input_.kv_heads();
    if (kv != input_.heads)
      all.push_back(say(wording("tradeoff:product.sets", {{"sets", kv},
                                                          {"heads", heads_},
                                                          {"d_model", d_model_},
                                                          {"columns", kv * d_k_},
                                                          {"each", input_.heads / kv}})));
    if (input_.split == Split::slice) all.push_back(say(wording("tradeoff:product.slices", {{"x", X}})));
    if (input_.settings.differential) all.push_back(wording("tradeoff:product.differential"));
    if (heads_ == 1) all.push_back(wording("tradeoff:product.one"));
    return all;
  }

  const LayerInput<float>& input_;
  Index n_, d_model_, d_k_;
  int heads_;
  Quantity read_;  // by the heads
  std::vector<std::string> words_;
  ProductLayout at_;
};

}  // namespace

void draw_product(Frame& frame, ImVec2 pos, ImVec2 size) {
  const Canvas::Part part(frame.canvas, "tradeoff.product");
  // Scrolls where the room is lower than what can be read.
  const bool low = ProductPage(frame, pos, size).at().bottom > pos.y + size.y + 1;
  ui::room(frame.canvas, "tradeoff/product", pos, size, low, [&](ImVec2 corner) {
    const float width = ImGui::GetContentRegionAvail().x - (low ? 2 * frame.unit : 0);
    ProductPage page(frame, corner, {width, size.y});
    page.draw();
    return std::max(1.0f, low ? page.at().bottom - corner.y : size.y);
  });
}

}  // namespace hydra::tradeoff
