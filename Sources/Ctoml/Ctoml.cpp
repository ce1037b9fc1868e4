#include "Ctoml.h"

// Errors come back as values: parsing is never a reason to unwind.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

void take(ctoml_value &value, const toml::node &node) {
  value.place = place_of(node.source());
  switch (node.type()) {
  case toml::node_type::table:
    value.kind = ctoml_table;
    for (const auto &[key, member] : *node.as_table()) {
      auto &taken = value.members.emplace_back();
      take(taken, member);
      taken.key = std::string(key.str());
      taken.key_place = place_of(key.source());
    }
    std::stable_sort(value.members.begin(), value.members.end(), [](const auto &left, const auto &right) {
      return std::pair(left.key_place.line, left.key_place.column) <
             std::pair(right.key_place.line, right.key_place.column);
    });
    break;
  case toml::node_type::array:
    value.kind = ctoml_array;
    for (const auto &member : *node.as_array()) take(value.members.emplace_back(), member);
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

}  // namespace

ctoml_document *ctoml_read(const char *bytes, size_t length) try {
  auto document = std::make_unique<ctoml_document>();
  auto result = toml::parse(std::string_view(bytes, length));
  if (result) {
    take(document->root, result.table());
  } else {
    document->failure = place_of(result.error().source());
    document->reason = std::string(result.error().description());
  }
  return document.release();
} catch (...) {
  return nullptr;
}

void ctoml_free(ctoml_document *document) { delete document; }

ctoml_place ctoml_failure(const ctoml_document *document, ctoml_text *reason) {
  *reason = text_of(document->reason);
  return document->failure;
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
