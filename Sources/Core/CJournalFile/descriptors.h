#pragma once

/* The name of the file system of open descriptors; registers it at the first call. */
const char *journal_descriptors(void);
