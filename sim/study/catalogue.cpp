// SPDX-License-Identifier: Apache-2.0
#include "sim/study/catalogue.h"

#include <utility>

#include "base/files.h"
#include "base/hash.h"

namespace railyard {
namespace {

constexpr const char* published_costs = "sim/study/published/owner-costs.csv";
constexpr const char* published_terms = "sim/study/published/owner-terms.csv";

}  // namespace

bool names_file(std::string_view name) { return name.ends_with(".yaml") || name.ends_with(".yml"); }

Catalogue::Catalogue(std::filesystem::path data)
    : data_(std::move(data)), parts_(load_parts(data_ / "topologies" / "parts")) {}

Site Catalogue::site(std::string_view id) const { return load_site(data_ / "topologies" / "sites", id); }
std::optional<Site> Catalogue::site_or_none(std::string_view id) const {
  if (id.empty() || id == no_site) return std::nullopt;
  return site(id);
}
Design Catalogue::design(std::string_view id, std::span<const DesignChange> changes) const {
  if (changes.empty()) return load_design(data_ / "topologies" / "designs", id);
  const YamlDocument file = YamlDocument::load(yaml_path(data_ / "topologies" / "designs", "design", id));
  return read_design(changed_design(file, changes));
}
Profile Catalogue::profile(std::string_view name) const {
  return names_file(name) ? read_profile(YamlDocument::load(name))
                          : load_profile(data_ / "calibrate" / "profiles", name);
}
PriceBook Catalogue::price_book(std::string_view id) const { return load_price_book(data_ / "pricing" / "books", id); }
OwnerTerms Catalogue::owner(std::string_view buyer) const { return load_owner(data_ / "pricing" / "owners", buyer); }
Model Catalogue::model(std::string_view id) const { return load_model(data_ / "sim" / "workload" / "models", id); }
Reliability Catalogue::reliability(std::string_view gpu) const {
  return load_reliability(data_ / "sim" / "goodput" / "reliability", gpu);
}

std::vector<PublishedOwnerCost> Catalogue::published_owner_costs() const {
  const std::filesystem::path file = data_ / published_costs;
  if (!std::filesystem::exists(file)) return {};  // a user's own data need not have them
  return read_published_costs(parse_csv(read_file(file), file.string()));
}

std::vector<PublishedTerm> Catalogue::published_owner_terms(const std::string& own) const {
  const std::string file = own.empty() ? (data_ / published_terms).string() : own;
  if (own.empty() && !std::filesystem::exists(file)) return {};
  std::vector<PublishedTerm> terms = read_published_terms(parse_csv(read_file(file), file));
  for (const PublishedTerm& term : terms) {
    try {
      if (!term.gpu.empty()) static_cast<void>(parts_.gpu(term.gpu));
      if (!term.buyer.empty()) static_cast<void>(owner(term.buyer));
    } catch (const InputError& error) {
      throw error.in(term.place);
    }
  }
  return terms;
}

std::vector<std::string> Catalogue::designs() const { return design_names(data_ / "topologies" / "designs"); }
std::vector<std::string> Catalogue::sites() const { return site_names(data_ / "topologies" / "sites"); }
std::vector<std::string> Catalogue::profiles() const { return profile_names(data_ / "calibrate" / "profiles"); }
std::vector<std::string> Catalogue::price_books() const { return price_book_names(data_ / "pricing" / "books"); }
std::vector<std::string> Catalogue::owners() const { return yaml_names(data_ / "pricing" / "owners"); }
std::vector<std::string> Catalogue::models() const { return model_names(data_ / "sim" / "workload" / "models"); }
std::vector<std::string> Catalogue::gpus() const {
  std::vector<std::string> ids;
  for (const auto& [id, gpu] : parts_.gpus) ids.push_back(id);
  return ids;
}

std::string Catalogue::newest_price_book() const {
  const std::vector<std::string> books = price_books();
  return books.empty() ? std::string() : books.back();
}

std::filesystem::path Catalogue::measured_collectives() const {
  return data_ / "sim" / "study" / "validation" / "collectives-measured.csv";
}

std::string Catalogue::data_hash() const {
  std::string hash;
  for (const auto* folder :
       {"topologies/parts", "topologies/designs", "topologies/sites", "pricing/books", "pricing/owners",
        "calibrate/profiles", "sim/workload/models", "sim/goodput/reliability"}) {
    for (const std::string& name : yaml_names(data_ / folder)) {
      hash = hash_text({hash, folder, name, read_file(data_ / folder / (name + ".yaml"))});
    }
  }
  for (const char* const published : {published_costs, published_terms}) {
    const std::filesystem::path file = data_ / published;
    if (std::filesystem::exists(file)) hash = hash_text({hash, published, read_file(file)});
  }
  return hash;
}

}  // namespace railyard
