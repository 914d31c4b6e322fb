// Package problem renders a fault as the API's error object: code, extensions and details, the same for every
// protocol.
package problem

import (
	"time"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// codes is extensions.code by kind. Rule api-13.
var codes = map[fault.Kind]string{
	fault.Internal:         "INTERNAL_SERVER_ERROR",
	fault.Invalid:          "BAD_USER_INPUT",
	fault.Unauthenticated:  "UNAUTHENTICATED",
	fault.Expired:          "TOKEN_EXPIRED",
	fault.Forbidden:        "FORBIDDEN",
	fault.NotFound:         "NOT_FOUND",
	fault.MethodNotAllowed: "METHOD_NOT_ALLOWED",
	fault.Conflict:         "CONFLICT",
	fault.Outdated:         "CONFLICT",
	fault.TooLarge:         "BAD_USER_INPUT",
	fault.UnsupportedMedia: "BAD_USER_INPUT",
	fault.Unprocessable:    "UNPROCESSABLE",
	fault.Limited:          "RATE_LIMITED",
	fault.ProviderFailed:   "PROVIDER_ERROR",
	fault.Unavailable:      "UNAVAILABLE",
}

// Code is the extensions.code of a kind.
func Code(k fault.Kind) string { return codes[k] }

// Extensions is {code, reason, requestId, retryable?, retryAfter?}.
func Extensions(f *fault.Error, requestID string) map[string]any {
	ext := map[string]any{"code": Code(f.Kind), "reason": f.Reason, "requestId": requestID}
	if f.Retryable {
		ext["retryable"] = true
	}
	if f.RetryAfter > 0 {
		ext["retryAfter"] = Seconds(f.RetryAfter)
	}
	return ext
}

// Seconds is d in whole seconds, rounded up.
func Seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// Details is the list of invalid fields, which every validation error has, or else the data of the fault; nil if
// there are neither.
func Details(f *fault.Error) collection.JSONValue {
	if fields := f.InvalidFields(); len(fields) > 0 {
		list := make([]any, len(fields))
		for i, x := range fields {
			list[i] = map[string]any{"field": x.Field, "message": x.Message}
		}
		return list
	}
	if f.Data == nil {
		return nil
	}
	return reply.Numerals(f.Data) // that of a replayed refusal was decoded
}
