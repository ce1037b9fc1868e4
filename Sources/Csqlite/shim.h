#pragma once
#include <sqlite3.h>

/* Swift cannot call functions with variable arguments. Before the first connection only. */
static inline int csqlite_omit_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
