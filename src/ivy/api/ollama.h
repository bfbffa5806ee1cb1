// Ollama's dialect: /api/embed, /api/embeddings, and what its clients ask of a server first.
#pragma once

#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "ivy/api/route.h"

namespace bouquet::ivy {

std::span<const Route> ollama_routes();

// {"error": message}
http::Response ollama_error(const absl::Status& status);

// A field `input`, a text or a list of them.
absl::StatusOr<Job> parse_ollama_embed(const Document& body, const ApiContext& context);
// A field `prompt`, one text.
absl::StatusOr<Job> parse_ollama_embeddings(const Document& body, const ApiContext& context);

}  // namespace bouquet::ivy
