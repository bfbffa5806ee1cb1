// Chunks, replies and cards to and from the protocol's messages (proto/bouquet/v1/tulip.proto). What comes from another
// process is untrusted: parsing checks every length.
#pragma once

#include <string>
#include <string_view>

#include "tulip/client.h"

namespace bouquet::tulip {

std::string serialize(const Chunk& chunk);
absl::StatusOr<Chunk> parse_chunk(std::string_view bytes);

std::string serialize(const Reply& reply);
absl::StatusOr<Reply> parse_reply(std::string_view bytes);

std::string serialize(const ModelCard& card);
absl::StatusOr<ModelCard> parse_card(std::string_view bytes);

}  // namespace bouquet::tulip
