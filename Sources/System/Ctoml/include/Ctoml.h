#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// TOML as toml++ reads it, behind functions that never throw. A document owns all its values and their texts.

typedef struct ctoml_document ctoml_document;
typedef struct ctoml_value ctoml_value;

enum ctoml_kind { ctoml_table, ctoml_array, ctoml_string, ctoml_integer, ctoml_float, ctoml_boolean, ctoml_date };

// A text of `length` bytes of UTF-8, not terminated.
typedef struct ctoml_text {
  const char *bytes;
  size_t length;
} ctoml_text;

// A place in the file; both count from 1, columns in code points.
typedef struct ctoml_place {
  uint32_t line;
  uint32_t column;
} ctoml_place;

// Reads a text. Null only when there is no memory; see ctoml_failure for a text that is not TOML.
ctoml_document *ctoml_read(const char *bytes, size_t length);
void ctoml_free(ctoml_document *document);

// Why the text is not TOML, empty where it is, and where it stops being so, line 0 where that cannot be told.
ctoml_text ctoml_failure(const ctoml_document *document, ctoml_place *place);

const ctoml_value *ctoml_root(const ctoml_document *document);
enum ctoml_kind ctoml_kind_of(const ctoml_value *value);
ctoml_place ctoml_place_of(const ctoml_value *value);

// The members of a table in the order of the file, or of an array; 0 for all else.
size_t ctoml_count(const ctoml_value *value);
const ctoml_value *ctoml_member(const ctoml_value *value, size_t index);
// The key of a table's member and where it stands.
ctoml_text ctoml_key(const ctoml_value *value, size_t index, ctoml_place *place);

ctoml_text ctoml_string_of(const ctoml_value *value);
int64_t ctoml_integer_of(const ctoml_value *value);
double ctoml_float_of(const ctoml_value *value);
int ctoml_boolean_of(const ctoml_value *value);

#ifdef __cplusplus
}
#endif
