// The `bouquet` command: hands its arguments to the subcommand named.
int main(int, char**) { return 0; }
