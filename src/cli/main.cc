// The `bouquet` command.
#include "cli/run.h"

int main(int argc, char** argv) { return bouquet::cli::run(argc, argv); }
