// RoleTable -> JSON.
#include "core/document/role_table.h"
#include "core/files/json_writer.h"

namespace hydra {

namespace {

class RolesWriter : public JsonWriter {
 public:
  // A target's mass, accuracy and rows; the object stays open.
  void target(std::string_view name, const TargetScore& score) {
    key(name).text += '{';
    number("mass", score.mass);
    number("accuracy", score.accuracy);
    whole("rows", score.rows);
  }

  // is_head: not of random ones, whose offset differs from head to head.
  void measures(const RoleMeasures& m, bool is_head) {
    whole("rows", m.rows);
    number("entropy_bits", m.entropy_bits);
    number("entropy_fraction", m.entropy_fraction);
    number("confidence", m.confidence);
    number("mean_distance", m.mean_distance);
    line();
    key("offset_profile").text += '{';
    for (Index k = 1 - m.reach(); k < m.reach(); ++k)
      number(std::to_string(k), m.offset(static_cast<int>(k)).attention);
    text += '}';
    line();
    key("positional").text += '{';
    number("offset", is_head && m.positional_rows > 0 ? m.positional_offset : kUndefined);
    number("share", m.positional_share);
    whole("rows", m.positional_rows);
    text += '}';
    for (const TokenPatternEntry& p : token_patterns()) {
      line();
      target(p.key, m.pattern(p.pattern));
      text += '}';
    }
    line();
    key("relations").text += '{';
    for (const RelationEntry& r : relations()) {
      const RelationScore& score = m.relation(r.relation);
      target(r.key, score);
      number("best_offset", score.best_offset ? *score.best_offset : kUndefined);
      number("offset_accuracy", score.offset_accuracy);
      text += '}';
      if (r.relation != relations().back().relation) line();
    }
    text += '}';
    line();
    number("semantic", m.semantic);
    number("removal", m.removal);
  }

  void head(const RoleMeasures& m, const Chance& chance, double threshold) {
    const Role role = role_of(m, chance, threshold);
    text += "{\n";
    measures(m, true);
    line();
    key("label").text += '{';
    string("role", role_key(role));
    number("score", role.score);
    whole("rows", role.rows);
    string("text", long_label(role));
    text += '}';
    line();
    key("baseline").text += "{\n";
    measures(chance.mean, false);
    text += "}\n}";
  }
};

}  // namespace

void write_roles(const RoleTable& table, const std::vector<std::string>& tokens, double threshold, const Sink& sink,
                 const std::function<void(JsonWriter&)>& rest_of_layer) {
  RolesWriter out;
  out.text = "{\n";
  if (table.sentences.empty())
    out.strings("tokens", tokens);
  else
    out.strings("sentences", table.sentences);
  out.line();
  out.number("threshold", threshold);
  out.whole("random_heads", table.random_heads);
  out.line();
  out.key("layers").text += "[{\n\"heads\": [";
  for (std::size_t h = 0; h < table.heads.size(); ++h) {
    if (h > 0) out.text += ", ";
    out.head(table.heads[h], table.chance, threshold);
    sink(out.text);
    out.text = "\n";
  }
  out.text += ']';
  if (rest_of_layer) {
    out.line();
    rest_of_layer(out);
  }
  out.text += "}]\n}\n";
  sink(out.text);
}

}  // namespace hydra
