// The command line as a whole.
#pragma once

namespace bouquet::cli {

// Parses and runs; the process's exit status.
int run(int argc, char** argv);

}  // namespace bouquet::cli
