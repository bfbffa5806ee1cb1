// What an operator says of a model that Ivy is to serve: by flags, or by a file of several models:
//
//   [[model]]
//   model = "BAAI/bge-small-en-v1.5"       # a directory or a hub id: its tokenizer and recipe, no weights
//   name = "bge-small"                     # as clients call it; default: model
//   aliases = ["text-embedding-3-small"]   # other names
//   upstreams = ["10.0.0.7:9090", "dns:bge.default.svc:9090", "unix:/run/tulip.sock"]
//   upstreams_file = "bge.upstreams"       # more of them, one a line
//   recipe = "bge.toml"                    # see ivy/recipe.h
//   default = true                         # for requests that name no model; else the first one is
//
// Files are looked for from where the models file lies.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "ivy/recipe.h"

namespace bouquet::ivy {

// How to reach replicas; each is as the flag of this name.
struct UpstreamSecurity {
  std::filesystem::path authority;    // upstream_ca; "system": those the system trusts; empty: no TLS
  std::filesystem::path certificate;  // upstream_cert
  std::filesystem::path key;          // upstream_key
  std::string name;                   // upstream_name

  bool operator==(const UpstreamSecurity&) const = default;
};

struct ModelSpec {
  std::string model;
  std::string revision = "main";  // on the hub
  std::string name;
  std::vector<std::string> aliases;
  std::vector<std::string> upstreams;
  std::filesystem::path upstreams_file;  // empty: none
  UpstreamSecurity security;
  double retry_share = 0.2, hedge_share = 0;
  std::filesystem::path recipe;  // empty: the model's own
  bool truncate = true;
  bool literal_special_tokens = false;  // special_tokens_in_text = "literal"
  bool raw_token_ids = false;
  size_t result_cache_mb = 0;  // 0: none
};

// The [[model]]s of a file's text, the default one first. Unknown keys, wrong types and what is missing are errors that
// name `file`, line, key and model.
absl::StatusOr<std::vector<ModelSpec>> parse_models(std::string_view toml, const std::filesystem::path& file);

// The upstreams of the list and of its file. There must be one, and each must be one that can be reached.
absl::StatusOr<std::vector<std::string>> read_upstreams(const ModelSpec& spec);

// The recipe of a model whose own files say `own`: with what the spec says, and its recipe file.
absl::StatusOr<Recipe> read_recipe(const ModelSpec& spec, Recipe own);

// The files that the spec names; when one is another, something has changed.
std::vector<std::filesystem::path> files_of(const ModelSpec& spec);

}  // namespace bouquet::ivy
