#include "core/sandbox/handlers.hpp"

namespace pacenote::sandbox {
namespace {

const std::vector<Route> kClusterRoutes{
    {"GET,HEAD", "/", root},
    {"GET", "/_cluster/health", cluster_health},
    {"GET", "/_cluster/health/{index}", cluster_health},
    {"GET", "/_cluster/settings", get_cluster_settings},
    {"PUT", "/_cluster/settings", put_cluster_settings},
    {"GET", "/_cluster/state", cluster_state},
    {"GET", "/_cluster/state/{metric}", cluster_state},
    {"GET", "/_cluster/state/{metric}/{index}", cluster_state},
    {"GET", "/_cluster/stats", cluster_stats},
    {"GET", "/_nodes", node_info},
    {"GET", "/_nodes/{node}", node_info},
    {"GET", "/_nodes/{node}/{metric}", node_info},
    {"GET", "/_nodes/stats", node_stats},
    {"GET", "/_nodes/stats/{metric}", node_stats},
    {"GET", "/_nodes/stats/{metric}/{index_metric}", node_stats},
    {"GET", "/_nodes/{node}/stats", node_stats},
    {"GET", "/_nodes/{node}/stats/{metric}", node_stats},
    {"GET", "/_tasks", list_tasks},
    {"GET", "/_tasks/{task}", get_task},
    {"GET", "/_cat/indices", cat_indices},
    {"GET", "/_cat/indices/{index}", cat_indices},
    {"GET", "/_cat/nodes", cat_nodes},
    {"GET", "/_cat/shards", cat_shards},
    {"GET", "/_cat/shards/{index}", cat_shards},
    {"GET", "/_cat/health", cat_health},
};

const std::vector<Route> kIndexRoutes{
    {"PUT", "/{index}", create_index},
    {"DELETE", "/{index}", delete_index},
    {"HEAD", "/{index}", index_exists},
    {"GET", "/{index}", get_index},
    {"POST", "/{index}/_close", close_index},
    {"POST", "/{index}/_open", open_index},
    {"GET", "/_settings", get_settings},
    {"GET", "/{index}/_settings", get_settings},
    {"GET", "/{index}/_settings/{name}", get_settings},
    {"PUT", "/_settings", put_settings},
    {"PUT", "/{index}/_settings", put_settings},
    {"GET", "/_mapping", get_mapping},
    {"GET", "/{index}/_mapping", get_mapping},
    {"PUT,POST", "/{index}/_mapping", put_mapping},
    {"GET,POST", "/_refresh", refresh_indices},
    {"GET,POST", "/{index}/_refresh", refresh_indices},
    {"GET,POST", "/_flush", flush_indices},
    {"GET,POST", "/{index}/_flush", flush_indices},
    {"POST", "/_forcemerge", forcemerge},
    {"POST", "/{index}/_forcemerge", forcemerge},
    {"GET", "/_stats", index_stats},
    {"GET", "/_stats/{metric}", index_stats},
    {"GET", "/{index}/_stats", index_stats},
    {"GET", "/{index}/_stats/{metric}", index_stats},
    {"GET", "/_recovery", recovery},
    {"GET", "/{index}/_recovery", recovery},
};

const std::vector<Route> kDocumentRoutes{
    {"POST,PUT", "/_bulk", bulk, true},
    {"POST,PUT", "/{index}/_bulk", bulk, true},
    {"GET,HEAD", "/{index}/_doc/{id}", get_document},
    {"GET,HEAD", "/{index}/_source/{id}", get_document},
    {"PUT,POST", "/{index}/_doc/{id}", put_document},
    {"POST", "/{index}/_doc", put_document},
    {"PUT,POST", "/{index}/_create/{id}", put_document},
    {"DELETE", "/{index}/_doc/{id}", delete_document},
    {"GET,POST", "/_search", search},
    {"GET,POST", "/{index}/_search", search},
    {"GET,POST", "/_count", count},
    {"GET,POST", "/{index}/_count", count},
    {"GET,POST", "/_search/scroll", scroll},
    {"GET,POST", "/_search/scroll/{scroll_id}", scroll},
    {"DELETE", "/_search/scroll", clear_scroll},
    {"DELETE", "/_search/scroll/{scroll_id}", clear_scroll},
    {"POST", "/{index}/_pit", open_point_in_time},
    {"DELETE", "/_pit", close_point_in_time},
    {"POST", "/{index}/_search/point_in_time", open_point_in_time},
    {"DELETE", "/_search/point_in_time", close_point_in_time},
};

const std::vector<Route> kTemplateRoutes{
    {"PUT,POST", "/_template/{name}", put_template},
    {"GET,HEAD", "/_template/{name}", get_template},
    {"DELETE", "/_template/{name}", delete_template},
    {"GET", "/_template", get_template},
    {"PUT,POST", "/_index_template/{name}", put_template},
    {"GET,HEAD", "/_index_template/{name}", get_template},
    {"DELETE", "/_index_template/{name}", delete_template},
    {"GET", "/_index_template", get_template},
    {"PUT,POST", "/_component_template/{name}", put_template},
    {"GET,HEAD", "/_component_template/{name}", get_template},
    {"DELETE", "/_component_template/{name}", delete_template},
    {"GET", "/_component_template", get_template},
    {"PUT", "/_ingest/pipeline/{name}", put_pipeline},
    {"GET", "/_ingest/pipeline", get_pipeline},
    {"GET", "/_ingest/pipeline/{name}", get_pipeline},
    {"DELETE", "/_ingest/pipeline/{name}", delete_pipeline},
    {"PUT", "/_data_stream/{name}", put_data_stream},
    {"GET", "/_data_stream", get_data_stream},
    {"GET", "/_data_stream/{name}", get_data_stream},
    {"DELETE", "/_data_stream/{name}", delete_data_stream},
};

}  // namespace

const std::vector<Route>& routes() {
  static const std::vector<Route> all = [] {
    std::vector<Route> out;
    for (const auto* part : {&kClusterRoutes, &kIndexRoutes, &kDocumentRoutes, &kTemplateRoutes})
      out.insert(out.end(), part->begin(), part->end());
    return out;
  }();
  return all;
}

}  // namespace pacenote::sandbox
