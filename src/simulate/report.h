// The results of runs as a table for people.
#pragma once

#include <span>
#include <string>

#include "simulate/result.h"
#include "simulate/simulation.h"

namespace bouquet::simulate {

std::string describe(const Options& options);  // what is simulated, in a few lines
std::string table_head();
std::string table_row(const Result& result);
// What a billion texts cost at the pace of a run, and where something that must never happen did.
std::string closing(const Options& options, std::span<const Result> results);

}  // namespace bouquet::simulate
