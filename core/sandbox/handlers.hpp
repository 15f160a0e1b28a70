// Every handler, by the file that has it. routes.cpp says which request each answers.
#pragma once

#include "core/sandbox/handler.hpp"

namespace pacenote::sandbox {

// cluster.cpp
Answer root(State& state, const Call& call);
Answer get_cluster_settings(State& state, const Call& call);
Answer put_cluster_settings(State& state, const Call& call);
Answer cluster_state(State& state, const Call& call);
Answer cluster_stats(State& state, const Call& call);
// health.cpp
Answer cluster_health(State& state, const Call& call);
// indices.cpp
Answer create_index(State& state, const Call& call);
Answer delete_index(State& state, const Call& call);
Answer index_exists(State& state, const Call& call);
Answer get_index(State& state, const Call& call);
Answer close_index(State& state, const Call& call);
Answer open_index(State& state, const Call& call);
// index_settings.cpp
Answer get_settings(State& state, const Call& call);
Answer put_settings(State& state, const Call& call);
Answer get_mapping(State& state, const Call& call);
Answer put_mapping(State& state, const Call& call);
// maintenance.cpp
Answer refresh_indices(State& state, const Call& call);
Answer flush_indices(State& state, const Call& call);
Answer forcemerge(State& state, const Call& call);
Answer get_task(State& state, const Call& call);
Answer list_tasks(State& state, const Call& call);
// bulk.cpp
Answer bulk(State& state, const Call& call);
// documents.cpp
Answer get_document(State& state, const Call& call);
Answer put_document(State& state, const Call& call);
Answer delete_document(State& state, const Call& call);
// search.cpp
Answer search(State& state, const Call& call);
Answer count(State& state, const Call& call);
// scroll.cpp
Answer scroll(State& state, const Call& call);
Answer clear_scroll(State& state, const Call& call);
// point_in_time.cpp
Answer open_point_in_time(State& state, const Call& call);
Answer close_point_in_time(State& state, const Call& call);
// index_stats.cpp
Answer index_stats(State& state, const Call& call);
Answer recovery(State& state, const Call& call);
// node_answers.cpp
Answer node_stats(State& state, const Call& call);
Answer node_info(State& state, const Call& call);
// templates.cpp
Answer put_template(State& state, const Call& call);
Answer get_template(State& state, const Call& call);
Answer delete_template(State& state, const Call& call);
Answer put_pipeline(State& state, const Call& call);
Answer get_pipeline(State& state, const Call& call);
Answer delete_pipeline(State& state, const Call& call);
// data_streams.cpp
Answer put_data_stream(State& state, const Call& call);
Answer get_data_stream(State& state, const Call& call);
Answer delete_data_stream(State& state, const Call& call);
// cat.cpp
Answer cat_indices(State& state, const Call& call);
Answer cat_nodes(State& state, const Call& call);
Answer cat_shards(State& state, const Call& call);
Answer cat_health(State& state, const Call& call);

}  // namespace pacenote::sandbox
