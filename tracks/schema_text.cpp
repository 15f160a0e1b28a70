#include "tracks/schema.hpp"

namespace pacenote::tracks {

// Unknown keys are accepted everywhere, as by Rally; operations written inside a task are not checked here.
const Json& track_schema() {
  static const Json schema = parse_json_strictly(R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "definitions": {
    "count": {"type": "integer", "minimum": 1},
    "amount": {"type": "integer", "minimum": 0},
    "clients": {"type": "integer", "minimum": 1, "maximum": 1000000},
    "seconds": {"type": "integer", "minimum": 0, "maximum": 1000000000},
    "name": {"type": "string"},
    "file": {"type": "string"},
    "rate": {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}]},
    "tags": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    "limits": {
      "type": "object",
      "properties": {
        "clients": {"$ref": "#/definitions/clients"},
        "warmup-iterations": {"$ref": "#/definitions/amount"},
        "iterations": {"$ref": "#/definitions/count"},
        "warmup-time-period": {"$ref": "#/definitions/seconds"},
        "time-period": {"type": "integer", "minimum": 1, "maximum": 1000000000},
        "ramp-up-time-period": {"$ref": "#/definitions/seconds"}
      }
    },
    "task": {
      "type": "object",
      "required": ["operation"],
      "allOf": [{"$ref": "#/definitions/limits"}],
      "properties": {
        "name": {"$ref": "#/definitions/name"},
        "tags": {"$ref": "#/definitions/tags"},
        "meta": {"type": "object"},
        "operation": {"anyOf": [{"type": "string"}, {"type": "object"}]},
        "schedule": {"type": "string"},
        "target-throughput": {"$ref": "#/definitions/rate"},
        "target-interval": {"$ref": "#/definitions/rate"}
      }
    },
    "parallel": {
      "type": "object",
      "required": ["tasks"],
      "allOf": [{"$ref": "#/definitions/limits"}],
      "properties": {
        "completed-by": {"type": "string"},
        "tasks": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/task"}}
      }
    },
    "step": {
      "type": "object",
      "if": {"required": ["parallel"]},
      "then": {"properties": {"parallel": {"$ref": "#/definitions/parallel"}}},
      "else": {"$ref": "#/definitions/task"}
    },
    "schedule": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/step"}},
    "challenge": {
      "type": "object",
      "required": ["name", "schedule"],
      "properties": {
        "name": {"$ref": "#/definitions/name"},
        "description": {"type": "string"},
        "user-info": {"type": "string"},
        "default": {"type": "boolean"},
        "meta": {"type": "object"},
        "parameters": {"type": "object"},
        "schedule": {"$ref": "#/definitions/schedule"}
      }
    },
    "operation": {
      "type": "object",
      "required": ["name", "operation-type"],
      "properties": {
        "name": {"$ref": "#/definitions/name"},
        "operation-type": {"type": "string"},
        "request-timeout": {"type": "number", "minimum": 0},
        "bulk-size": {"$ref": "#/definitions/count"},
        "pipeline": {"type": "string"},
        "conflicts": {"enum": ["sequential", "random"]},
        "cache": {"type": "boolean"},
        "index": {"type": "string"},
        "pages": {"$ref": "#/definitions/count"},
        "results-per-page": {"$ref": "#/definitions/count"},
        "body": {"type": "object"},
        "mode": {"enum": ["blocking", "polling"]},
        "poll-period": {"$ref": "#/definitions/count"}
      }
    },
    "documents": {
      "type": "object",
      "required": ["source-file"],
      "properties": {
        "source-file": {"$ref": "#/definitions/file"},
        "base-url": {"type": "string"},
        "source-format": {"type": "string"},
        "document-count": {"$ref": "#/definitions/count"},
        "compressed-bytes": {"$ref": "#/definitions/count"},
        "uncompressed-bytes": {"$ref": "#/definitions/count"},
        "includes-action-and-meta-data": {"type": "boolean"},
        "target-index": {"type": "string"},
        "target-data-stream": {"type": "string"},
        "meta": {"type": "object"}
      }
    },
    "corpus": {
      "type": "object",
      "required": ["name", "documents"],
      "properties": {
        "name": {"$ref": "#/definitions/name"},
        "base-url": {"type": "string"},
        "source-format": {"type": "string"},
        "includes-action-and-meta-data": {"type": "boolean"},
        "target-index": {"type": "string"},
        "target-data-stream": {"type": "string"},
        "meta": {"type": "object"},
        "documents": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/documents"}}
      }
    },
    "named": {
      "type": "object",
      "required": ["name"],
      "properties": {"name": {"$ref": "#/definitions/name"}, "body": {"$ref": "#/definitions/file"}}
    },
    "template": {
      "type": "object",
      "required": ["name", "template"],
      "properties": {
        "name": {"$ref": "#/definitions/name"},
        "template": {"$ref": "#/definitions/file"},
        "template-path": {"type": "string"},
        "index-pattern": {"type": "string"},
        "delete-matching-indices": {"type": "boolean"}
      }
    },
    "index-template": {"allOf": [{"$ref": "#/definitions/template"}, {"required": ["index-pattern"]}]}
  },
  "type": "object",
  "properties": {
    "version": {"type": "integer", "minimum": 1},
    "description": {"type": "string"},
    "meta": {"type": "object"},
    "parameters": {"type": "object"},
    "dependencies": {"type": "array", "uniqueItems": true, "items": {"type": "string"}},
    "indices": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"$ref": "#/definitions/named"}},
    "data-streams": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"$ref": "#/definitions/named"}},
    "templates": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"$ref": "#/definitions/index-template"}},
    "composable-templates":
      {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"$ref": "#/definitions/index-template"}},
    "component-templates":
      {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"$ref": "#/definitions/template"}},
    "corpora": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"$ref": "#/definitions/corpus"}},
    "operations": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/operation"}},
    "challenge": {"$ref": "#/definitions/challenge"},
    "challenges": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/challenge"}},
    "test_procedure": {"$ref": "#/definitions/challenge"},
    "test_procedures": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/challenge"}},
    "schedule": {"$ref": "#/definitions/schedule"}
  }
})");
  return schema;
}

}  // namespace pacenote::tracks
