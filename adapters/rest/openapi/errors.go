package openapi

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// keyReasons are the refusals that an idempotency key adds.
var keyReasons = []*fault.Error{idempotency.ErrInvalidKey, idempotency.ErrKeyDerived, idempotency.ErrKeyReused, idempotency.ErrInProgress}

// addErrors adds the schemas of failures. Reason lists every declared reason.
func (b *builder) addErrors() {
	declared := map[string]*fault.Error{}
	for _, f := range fault.Declared() {
		declared[f.Reason] = f
	}
	names := slices.Sorted(maps.Keys(declared))
	lines := []string{"Stable, machine-readable error code.", "", "| reason | status | message |", "| --- | --- | --- |"}
	for _, n := range names {
		lines = append(lines, fmt.Sprintf("| `%s` | %d | %s |", n, b.Status(declared[n].Kind), declared[n].Message))
	}
	b.schemas["Reason"] = object{"type": "string", "enum": texts(names), "description": strings.Join(lines, "\n")}
	b.schemas["Error"] = closedObject(errorMembers(), []any{"message", "name", "extensions"})
	b.schemas["Failure"] = withDescription(
		closedObject(object{"errors": object{"type": "array", "minItems": 1, "items": ref("Error")}}, []any{"errors"}),
		"Why a request was refused.")
	b.schemas["Count"] = closedObject(object{"totalDocs": object{"type": "integer"}}, []any{"totalDocs"})
}

// errorMembers are the members of one error.
func errorMembers() object {
	return object{
		"message": withDescription(object{"type": "string"}, "Human-readable message, in the language of Accept-Language: English or Korean."),
		"name": object{"type": "string", "enum": []any{
			"ValidationError", "AuthenticationError", "Forbidden", "NotFound", "CommerceError", "RateLimitError", "APIError",
		}},
		"data": withDescription(object{"anyOf": []any{
			object{
				"type": "array",
				"items": closedObject(object{"field": object{"type": "string"}, "message": object{"type": "string"}},
					[]any{"field", "message"}),
			},
			object{"type": "object"},
		}}, "The invalid fields, or details such as currentRevision."),
		"extensions": closedObject(object{
			"code": object{"type": "string"}, "reason": ref("Reason"),
			"requestId": withDescription(object{"type": "string"},
				"Id to quote to support. A replayed refusal has the id of the first request."),
			"retryable":  withDescription(object{"type": "boolean"}, "Whether the same request may succeed later."),
			"retryAfter": withDescription(object{"type": "integer"}, "Seconds to wait before trying again."),
		}, []any{"code", "reason", "requestId"}),
	}
}

// failures are the responses of refusals, one per status, each with its possible reasons: these, and those of any call.
func (b *builder) failures(reasons []*fault.Error, headers ...string) object {
	byStatus := map[int][]string{}
	for _, f := range slices.Concat(reasons, b.CommonReasons) {
		status := b.Status(f.Kind)
		if !slices.Contains(byStatus[status], f.Reason) {
			byStatus[status] = append(byStatus[status], f.Reason)
		}
	}
	responses := object{}
	for status, reasons := range byStatus {
		responses[strconv.Itoa(status)] = b.failure(status, reasons, headers)
	}
	return responses
}

// failure is one refusal. Equal ones share a component, named after its content.
func (b *builder) failure(status int, reasons, headers []string) object {
	slices.Sort(reasons)
	sum := sha256.Sum256([]byte(strings.Join(slices.Concat(reasons, headers), " ")))
	name := "Refused" + strconv.Itoa(status) + "-" + hex.EncodeToString(sum[:4])
	if b.responses[name] == nil {
		quoted := make([]string, len(reasons))
		for i, r := range reasons {
			quoted[i] = "`" + r + "`"
		}
		b.responses[name] = object{
			"description": "Refused: " + strings.Join(quoted, ", ") + ".",
			"headers":     responseHeaders(append(headers, "Retry-After", "Content-Language")...),
			"content":     object{"application/json": object{"schema": failureWith(reasons)}},
		}
	}
	return component("responses", name)
}

// failureWith is a Failure with one of reasons.
func failureWith(reasons []string) object {
	one := object{"properties": object{"extensions": object{"properties": object{"reason": object{"enum": texts(reasons)}}}}}
	return object{"allOf": []any{ref("Failure")}, "properties": object{"errors": object{"items": one}}}
}
