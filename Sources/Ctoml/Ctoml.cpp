#include "Ctoml.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

// toml++ 3.3 asserts what hostile texts can break ("[[[" is one); that must end the reading, not the program.
struct broken_assumption {};

}  // namespace

#undef NDEBUG
#define TOML_ASSERT(expression) ((expression) ? void() : throw broken_assumption())
// A text that is not TOML comes back as a value.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

// What a configuration needs of a value, taken over once: toml++ keeps tables sorted by key, people by line.
struct ctoml_value {
  ctoml_kind kind = ctoml_table;
  ctoml_place place = {0, 0};
  std::string text;
  int64_t integer = 0;
  std::string key;
  ctoml_place key_place = {0, 0};
  std::vector<ctoml_value> members;
};

struct ctoml_document {
  ctoml_value root;
  ctoml_place failure = {0, 0};
  std::string reason;
};

namespace {

ctoml_place place_of(const toml::source_region &source) { return {source.begin.line, source.begin.column}; }

struct too_deep {
  ctoml_place place;
};

// Deeper tables than any configuration has; what walks them calls itself.
constexpr int depth_limit = 32;

void take(ctoml_value &value, const toml::node &node, int depth = 0) {
  if (depth > depth_limit) throw too_deep{place_of(node.source())};
  value.place = place_of(node.source());
  switch (node.type()) {
  case toml::node_type::table:
    value.kind = ctoml_table;
    for (const auto &[key, member] : *node.as_table()) {
      auto &taken = value.members.emplace_back();
      take(taken, member, depth + 1);
      taken.key = std::string(key.str());
      taken.key_place = place_of(key.source());
    }
    std::sort(value.members.begin(), value.members.end(), [](const auto &left, const auto &right) {
      return std::pair(left.key_place.line, left.key_place.column) <
             std::pair(right.key_place.line, right.key_place.column);
    });
    break;
  case toml::node_type::array:
    value.kind = ctoml_array;
    for (const auto &member : *node.as_array()) take(value.members.emplace_back(), member, depth + 1);
    break;
  case toml::node_type::string:
    value.kind = ctoml_string;
    value.text = node.as_string()->get();
    break;
  case toml::node_type::integer:
    value.kind = ctoml_integer;
    value.integer = node.as_integer()->get();
    break;
  case toml::node_type::boolean:
    value.kind = ctoml_boolean;
    value.integer = node.as_boolean()->get();
    break;
  case toml::node_type::floating_point:
    value.kind = ctoml_float;
    break;
  default:
    value.kind = ctoml_date;
    break;
  }
}

ctoml_text text_of(const std::string &text) { return {text.data(), text.size()}; }

// toml++ 3.3 makes a table of every part of a dotted key, however many there are, and later runs out of stack over them.
constexpr int dots_limit = 16;

// Finds what toml++ must not be given, and says why.
const char *find_danger(std::string_view text, ctoml_place &place) {
  enum { plain, comment, basic, literal, long_basic, long_literal } state = plain;
  place = {1, 0};
  int dots = 0;
  for (size_t at = 0; at < text.size(); at++) {
    const char byte = text[at];
    if ((byte & 0xc0) != 0x80) place.column++;
    if (byte == '\n') {
      place = {place.line + 1, 0};
      dots = 0;
      if (state != long_basic && state != long_literal) state = plain;
      continue;
    }
    // Steps over the rest of a mark that begins here.
    const auto begins = [&](std::string_view mark) {
      if (text.substr(at, mark.size()) != mark) return false;
      at += mark.size() - 1;
      place.column += static_cast<uint32_t>(mark.size() - 1);
      return true;
    };
    switch (state) {
    case plain:
      if (begins("\"\"\"")) state = long_basic;
      else if (begins("'''")) state = long_literal;
      else if (byte == '"') state = basic;
      else if (byte == '\'') state = literal;
      else if (byte == '#') state = comment;
      else if (byte == '.' && ++dots > dots_limit) return "a key has too many parts";
      break;
    case basic:
    case long_basic:
      if (byte == '\\') at += at + 1 < text.size() && text[at + 1] != '\n';
      else if (state == basic ? byte == '"' : begins("\"\"\"")) state = plain;
      break;
    case literal:
    case long_literal:
      if (state == literal ? byte == '\'' : begins("'''")) state = plain;
      break;
    case comment: break;
    }
  }
  return nullptr;
}

}  // namespace

ctoml_document *ctoml_read(const char *bytes, size_t length) try {
  auto document = std::make_unique<ctoml_document>();
  const std::string_view text(bytes, length);
  if (const char *danger = find_danger(text, document->failure)) {
    document->reason = danger;
    return document.release();
  }
  document->failure = {0, 0};
  try {
    auto result = toml::parse(text);
    if (result) {
      take(document->root, result.table());
    } else {
      document->failure = place_of(result.error().source());
      document->reason = std::string(result.error().description());
    }
  } catch (const broken_assumption &) {
    document->reason = "its brackets or keys are not where any can be";
  } catch (const too_deep &error) {
    document->failure = error.place;
    document->reason = "tables are nested too deeply";
  }
  return document.release();
} catch (...) {
  return nullptr;
}

void ctoml_free(ctoml_document *document) { delete document; }

ctoml_text ctoml_failure(const ctoml_document *document, ctoml_place *place) {
  *place = document->failure;
  return text_of(document->reason);
}

const ctoml_value *ctoml_root(const ctoml_document *document) { return &document->root; }
ctoml_kind ctoml_kind_of(const ctoml_value *value) { return value->kind; }
ctoml_place ctoml_place_of(const ctoml_value *value) { return value->place; }
size_t ctoml_count(const ctoml_value *value) { return value->members.size(); }
const ctoml_value *ctoml_member(const ctoml_value *value, size_t index) { return &value->members[index]; }

ctoml_text ctoml_key(const ctoml_value *value, size_t index, ctoml_place *place) {
  *place = value->members[index].key_place;
  return text_of(value->members[index].key);
}

ctoml_text ctoml_string_of(const ctoml_value *value) { return text_of(value->text); }
int64_t ctoml_integer_of(const ctoml_value *value) { return value->integer; }
int ctoml_boolean_of(const ctoml_value *value) { return value->integer != 0; }
