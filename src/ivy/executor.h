// Where work may be run: a function that takes a piece of work and runs it soon, on a thread of its own choosing.
#pragma once

#include <functional>

namespace bouquet::ivy {

using Work = std::function<void()>;
using Executor = std::function<void(Work)>;

}  // namespace bouquet::ivy
