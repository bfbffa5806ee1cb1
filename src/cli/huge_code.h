// The program's own code on 2 MB pages. Between two requests a forward pass sweeps the caches; what serves the next one
// then touches some hundred code pages, and with 4 KB pages looks each of them up in page tables that are cold as well.
// A tenth of what the server adds to the engine goes there.
#pragma once

#include <cstdint>

namespace bouquet::cli {

// Copies the program's code to memory on huge pages and puts that in place of the file's pages, at the same addresses.
// Before any other thread starts. Bytes moved; 0 where that cannot be: huge pages are switched off, the program is not
// linked on 2 MB borders, or the system forbids it. (Profilers then find no names for the code: `--no-huge-code`.)
int64_t move_code_to_huge_pages();

}  // namespace bouquet::cli
