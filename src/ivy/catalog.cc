// Compares whole names first, so that a colon may be part of one.
#include "ivy/catalog.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "fmt/format.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr size_t kMostNamesTold = 20;
constexpr std::string_view kLatest = "latest";

std::vector<std::string> names_of(const Offer& offer) {
  std::vector<std::string> names = {offer.name};
  names.insert(names.end(), offer.aliases.begin(), offer.aliases.end());
  const size_t slash = offer.name.rfind('/');
  if (slash != std::string::npos) names.push_back(offer.name.substr(slash + 1));
  return names;
}

std::string tell(const std::vector<std::string>& names) {
  std::string told;
  for (size_t i = 0; i < std::min(names.size(), kMostNamesTold); ++i) {
    told += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", names[i]);
  }
  if (names.size() > kMostNamesTold) told += fmt::format(" and {} more", names.size() - kMostNamesTold);
  return told;
}

std::string tell_prompts(const Offer& offer) {
  std::vector<std::string> prompts;
  for (const auto& [name, text] : offer.gateway->recipe()->prompts) prompts.push_back(name);
  return prompts.empty() ? "no prompts" : "the prompts " + tell(prompts);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Catalog>> Catalog::create(std::vector<Offer> offers) {
  if (offers.empty()) return absl::InvalidArgumentError("there is no model to serve");
  std::shared_ptr<Catalog> catalog(new Catalog(std::move(offers)));
  RETURN_IF_ERROR(catalog->index());
  return catalog;
}

absl::Status Catalog::index() {
  for (const Offer& offer : offers_) {
    for (const std::string& name : names_of(offer)) {
      const Offer* holder = by_name_.emplace(name, &offer).first->second;
      if (holder == &offer) continue;
      return absl::InvalidArgumentError(fmt::format("two models go by \"{}\": {} and {}; give one of them another name",
                                                    name, holder->name, offer.name));
    }
  }
  return absl::OkStatus();
}

const Offer* Catalog::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

// The longest name before a colon that has what stands behind it. The prompts of a model that is not known yet aren't
// either.
std::optional<Catalog::Choice> Catalog::with_prompt(std::string_view name) const {
  for (size_t colon = name.rfind(':'); colon != std::string_view::npos && colon > 0;
       colon = name.rfind(':', colon - 1)) {
    const Offer* offer = find(name.substr(0, colon));
    if (offer == nullptr) continue;
    const std::string_view prompt = name.substr(colon + 1);
    const bool known = !offer->gateway || offer->gateway->recipe()->prompts.contains(prompt);
    if (!known && prompt == kLatest) return Choice{offer, std::nullopt};
    if (!known) continue;
    return Choice{offer, std::string(prompt)};
  }
  return std::nullopt;
}

absl::StatusOr<Catalog::Choice> Catalog::choose(std::string_view name, bool any) const {
  if (name.empty()) return Choice{&offers_.front(), std::nullopt};
  if (const Offer* offer = find(name)) return Choice{offer, std::nullopt};
  if (std::optional<Choice> choice = with_prompt(name)) return *std::move(choice);
  if (any) return Choice{&offers_.front(), std::nullopt};
  return unknown_model(why_unknown(name));
}

std::string Catalog::why_unknown(std::string_view name) const {
  for (size_t colon = name.rfind(':'); colon != std::string_view::npos && colon > 0;
       colon = name.rfind(':', colon - 1)) {
    const Offer* offer = find(name.substr(0, colon));
    if (offer == nullptr || !offer->gateway) continue;
    return fmt::format("the model \"{}\" does not exist here; \"{}\" has {}", name, name.substr(0, colon),
                       tell_prompts(*offer));
  }
  std::vector<std::string> names;
  for (const Offer& offer : offers_) names.push_back(offer.name);
  return fmt::format("the model \"{}\" does not exist here; this server has {}", name, tell(names));
}

bool Catalog::ready() const {
  return std::any_of(offers_.begin(), offers_.end(), [](const Offer& offer) { return offer.ready(); });
}

}  // namespace bouquet::ivy
