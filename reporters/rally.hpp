// Races in Rally's own files (behaviour F.3, F.4), written and read.
#pragma once

#include <span>
#include <string>

#include "core/names.hpp"
#include "core/sample.hpp"
#include "core/summarize.hpp"
#include "reporters/comparison.hpp"

namespace pacenote::reporters {

/// Rally's race.json: its fields alone. What Rally wrote of an imported race is written again.
Json rally_race(const RaceRecord& race, const Results& results);

/// What such a file says; ids, tags and figures are Rally's, the version reads "Rally x". UserError for what
/// is no race.json of a single cluster; `what` names the file.
RacedSide race_from_rally(const Json& document, const std::string& what);

/// Whether the document looks like one.
bool is_rally_race(const Json& document);

/// Whether a stored race came from such a file: then it has no samples.
bool is_imported(const RaceRecord& race);

/// Writes metric documents, one JSON object a line: latency, service_time and processing_time of each sample,
/// and the throughput over time. All samples of one task, in any order; instants count from `epoch`. Calls
/// `samples` three times, `write` with a few lines at a time.
void write_rally_documents(const RaceRecord& race, const TaskResult& task, const SampleBlocks& samples,
                           Instant epoch, const Names& names,
                           const std::function<void(const std::string&)>& write);
/// The same of one metric of telemetry.
std::string rally_document(const RaceRecord& race, const Metric& metric, Instant epoch);

}  // namespace pacenote::reporters
