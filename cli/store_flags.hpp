// What the verbs that read the store share: its flag, and the flags of reports.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <string_view>

#include "cli/output.hpp"
#include "core/summarize.hpp"
#include "reporters/race_report.hpp"
#include "store/store.hpp"

namespace pacenote::cli {

/// --store; empty: store::default_file(). `file` outlives the command.
void add_store_flag(CLI::App& command, std::string& file);
/// The store's file, whether there is one or not.
std::filesystem::path store_file(const std::string& file);
/// An existing store is opened; UserError where there is none, instead of making an empty one.
store::Store open_store(const std::string& file);

/// Flags of every verb that shows a report. The defaults are Rally's.
struct ReportFlags {
  std::string format = "markdown", file, numbers_align = "decimal", show = "available";
  bool processing_time = false;
  bool exact = false;  ///< csv is for programs: not one of Rally's tables
  /// For standard output; colours only if it is a terminal.
  reporters::ReportOptions options() const;
};

/// `flags` outlives the command.
void add_report_flags(CLI::App& command, ReportFlags& flags, FileMode mode);

/// On standard error, before the table that they belong to.
void show_head(const std::vector<std::string>& lines);
void show_notes(const reporters::Written& written);

/// Prints the table on standard output, notes for which the format has no place on standard error, and writes
/// the text without colours to flags.file if given.
void show_report(const reporters::Table& table, const ReportFlags& flags, FileMode mode);

/// The samples of a task, instants from an epoch of zero. All arguments outlive it.
SampleBlocks task_samples(const store::Store& store, const std::string& race, TaskIndex task, Names& names);

/// The race's record and results. `id` empty: the latest race. UserError if there is none.
reporters::RacedSide read_race(const store::Store& store, const std::string& id);

}  // namespace pacenote::cli
