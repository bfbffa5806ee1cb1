// The models that one Ivy serves, by name. A catalog never changes; another takes its place (base/current.h), and a
// request keeps the one it began with.
//
//   ASSIGN_OR_RETURN(const auto catalog, Catalog::create({{"bge-small", {"text-embedding-3-small"}, gateway}}));
//   ASSIGN_OR_RETURN(const Catalog::Choice choice, catalog->choose("bge-small:query"));
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "ivy/gateway.h"

namespace bouquet::ivy {

struct Offer {
  std::string name;
  std::vector<std::string> aliases;  // other names of it
  std::shared_ptr<Gateway> gateway;  // null until a replica has told what the model is

  bool ready() const { return gateway && gateway->ready(); }
};

class Catalog {
 public:
  // The first offer is the default. A model goes by its name, its aliases, and the part of its name after the last '/';
  // two models that share one of these are an error that names both.
  static absl::StatusOr<std::shared_ptr<const Catalog>> create(std::vector<Offer> offers);

  struct Choice {
    const Offer* offer = nullptr;
    std::optional<std::string> prompt;  // the one named behind a colon
  };
  // "" is the default, NAME the model that goes by it, NAME:PROMPT the same with one of its prompts; NAME:latest, as
  // Ollama's clients say, is NAME. NOT_FOUND with the names there are, and the prompts of the model before the colon,
  // for all others, unless `any` lets them mean the default.
  absl::StatusOr<Choice> choose(std::string_view name, bool any = false) const;

  const std::vector<Offer>& offers() const { return offers_; }
  // A model would serve a request sent now.
  bool ready() const;

 private:
  explicit Catalog(std::vector<Offer> offers) : offers_(std::move(offers)) {}
  absl::Status index();
  const Offer* find(std::string_view name) const;
  std::optional<Choice> with_prompt(std::string_view name) const;
  std::string why_unknown(std::string_view name) const;

  const std::vector<Offer> offers_;  // at least one
  std::map<std::string, const Offer*, std::less<>> by_name_;
};

}  // namespace bouquet::ivy
