// Cuts, then scales.
#include "cli/eval/rows.h"

#include <algorithm>
#include <cmath>

#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::cli {

absl::Status RowTaker::write(std::span<const float> row) {
  if (row.size() < form_.leading) {
    return absl::InvalidArgumentError(
        fmt::format("--dimensions {} is more than the model's {}", form_.leading, row.size()));
  }
  if (form_.leading > 0) row = row.first(form_.leading);
  if (form_.width == 0) form_.width = row.size();
  if (row.size() != form_.width || row.empty()) return absl::InternalError("vectors of several lengths");
  std::vector<float> values(row.begin(), row.end());
  double squares = 0;
  for (const float value : values) squares += double{value} * value;
  const double length = form_.unit ? std::sqrt(squares) : 1;
  for (float& value : values) value = static_cast<float>(value / std::max(length, 1e-12));
  take(values);
  ++rows_;
  return absl::OkStatus();
}

}  // namespace bouquet::cli
