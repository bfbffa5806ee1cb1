# What src/tokenizer needs: shared by the server's build, the installed library and the Python module.
find_package(absl REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(oniguruma REQUIRED IMPORTED_TARGET oniguruma)
set(BOUQUET_TOKENIZER_LIBRARIES absl::status absl::statusor absl::strings fmt::fmt simdjson::simdjson PkgConfig::oniguruma)
