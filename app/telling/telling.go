// Package telling says to a client what went wrong: code, extensions and facts of a fault, the same over every protocol.
package telling

import (
	"encoding/json"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// codes is extensions.code by kind. Contract 1.1.
var codes = map[fault.Kind]string{
	fault.Internal:         "INTERNAL_SERVER_ERROR",
	fault.Invalid:          "BAD_USER_INPUT",
	fault.Unauthenticated:  "UNAUTHENTICATED",
	fault.Expired:          "TOKEN_EXPIRED",
	fault.Forbidden:        "FORBIDDEN",
	fault.NotFound:         "NOT_FOUND",
	fault.MethodNotAllowed: "METHOD_NOT_ALLOWED",
	fault.Conflict:         "CONFLICT",
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

// Seconds is d in whole seconds, never less than d.
func Seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// Facts is the list of invalid fields, else the facts of the fault; nil when there are none.
func Facts(f *fault.Error) collection.Tree {
	if len(f.Fields) > 0 {
		list := make([]any, len(f.Fields))
		for i, x := range f.Fields {
			list[i] = map[string]any{"field": x.Field, "message": x.Message}
		}
		return list
	}
	if f.Data == nil {
		return nil
	}
	return tree(f.Data)
}

// tree brings facts into wire form; those of a replayed refusal come back from JSON with json.Number.
func tree(v any) collection.Tree {
	switch v := v.(type) {
	case json.Number:
		return collection.Numeral(v)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = tree(x)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = tree(x)
		}
		return out
	}
	return v
}
