// A fast 64-bit hash of bytes for fingerprints: the same on every machine and in every version. Not for secrets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace bouquet {

inline uint64_t hash_mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd6e8feb86659fd93u);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t hash_bytes(std::span<const std::byte> bytes, uint64_t seed = 0) {
  uint64_t lanes[4] = {seed, seed + 1, seed + 2, seed + 3};
  size_t at = 0;
  for (; at + 32 <= bytes.size(); at += 32) {
    for (int lane = 0; lane < 4; ++lane) {
      uint64_t word;
      std::memcpy(&word, bytes.data() + at + 8 * lane, 8);
      lanes[lane] = hash_mix(lanes[lane], word);
    }
  }
  uint64_t tail[4] = {};
  if (at < bytes.size()) std::memcpy(tail, bytes.data() + at, bytes.size() - at);
  uint64_t hash = bytes.size();
  for (int lane = 0; lane < 4; ++lane) hash = hash_mix(hash, hash_mix(lanes[lane], tail[lane]));
  return hash;
}

inline uint64_t hash_bytes(std::string_view text, uint64_t seed = 0) {
  return hash_bytes(std::as_bytes(std::span(text.data(), text.size())), seed);
}

}  // namespace bouquet
