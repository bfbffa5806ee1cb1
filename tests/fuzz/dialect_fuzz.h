// What the fuzz targets of the dialects share: a gateway that serves nothing real, and the body parsed as JSON first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "ivy/api/route.h"
#include "ivy/testing/fakes.h"

namespace bouquet::ivy {

// parse(document, context) for a body that is JSON; report(status), the dialect's own error, for one that is not.
template <class Parse, class Report>
int fuzz_dialect(const uint8_t* data, size_t size, Parse parse, Report report) {
  static const std::shared_ptr<Gateway> gateway =
      testing_fakes::make_gateway({std::make_shared<testing_fakes::FakeClient>(testing_fakes::embedder_card())});
  static const auto catalog = Catalog::create({{"fake/model", {}, gateway}}).value();
  static const ApiOptions options{64, false};
  const auto document = Document::parse({reinterpret_cast<const char*>(data), size});
  if (document.ok()) {
    parse(*document, ApiContext{options, {}, *catalog, gateway.get(), "fake/model", {}});
  } else {
    report(document.status());
  }
  return 0;
}

}  // namespace bouquet::ivy
