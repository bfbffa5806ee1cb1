// The `bouquet` command.
#include "cli/command.h"

int main(int argc, char** argv) { return bouquet::cli::run(argc, argv); }
