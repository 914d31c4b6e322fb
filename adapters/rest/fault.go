package rest

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// wire is how one kind of fault looks: status, extensions.code and name. Contract 1.1.
type wire struct {
	status     int
	code, name string
}

var wires = map[fault.Kind]wire{
	fault.Internal:         {500, "INTERNAL_SERVER_ERROR", "APIError"},
	fault.Invalid:          {400, "BAD_USER_INPUT", "ValidationError"},
	fault.Unauthenticated:  {401, "UNAUTHENTICATED", "AuthenticationError"},
	fault.Expired:          {419, "TOKEN_EXPIRED", "AuthenticationError"},
	fault.Forbidden:        {403, "FORBIDDEN", "Forbidden"},
	fault.NotFound:         {404, "NOT_FOUND", "NotFound"},
	fault.MethodNotAllowed: {405, "METHOD_NOT_ALLOWED", "APIError"},
	fault.Conflict:         {409, "CONFLICT", "CommerceError"},
	fault.TooLarge:         {413, "BAD_USER_INPUT", "APIError"},
	fault.UnsupportedMedia: {415, "BAD_USER_INPUT", "APIError"},
	fault.Unprocessable:    {422, "UNPROCESSABLE", "CommerceError"},
	fault.Limited:          {429, "RATE_LIMITED", "RateLimitError"},
	fault.ProviderFailed:   {502, "PROVIDER_ERROR", "CommerceError"},
	fault.Unavailable:      {503, "UNAVAILABLE", "APIError"},
}

// The refusals of the transport.
var (
	ErrNoRoute   = fault.New(fault.NotFound, "route_not_found", "There is nothing at this address.")
	ErrMethod    = fault.New(fault.MethodNotAllowed, "method_not_allowed", "This address does not take this method.")
	ErrTooLarge  = fault.New(fault.TooLarge, "body_too_large", "The request is larger than allowed.")
	ErrMediaType = fault.New(fault.UnsupportedMedia, "media_type_not_supported", "The body must be JSON: send Content-Type: application/json.")
)

// replayed is a refusal given again from its receipt: its body repeats the request id of the first time.
type replayed struct {
	refusal   *fault.Error
	requestID string
}

// Error names the refusal.
func (r replayed) Error() string { return r.refusal.Error() }

// Unwrap gives the refusal.
func (r replayed) Unwrap() error { return r.refusal }

func replayedID(err error, id string) string {
	if r, ok := errors.AsType[replayed](err); ok && r.requestID != "" {
		return r.requestID
	}
	return id
}

// faultOf finds the fault to show for err: our own, the router's, or that we ran out of time.
func faultOf(err error) *fault.Error {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fault.ErrUnavailable.Because(err)
	}
	f, ok := errors.AsType[*fiber.Error](err)
	switch {
	case !ok || f.Code >= 500:
		return fault.ErrInternal.Because(err)
	case f.Code == fiber.StatusNotFound:
		return ErrNoRoute
	case f.Code == fiber.StatusMethodNotAllowed:
		return ErrMethod
	case f.Code == fiber.StatusRequestEntityTooLarge || f.Code == fiber.StatusRequestHeaderFieldsTooLarge:
		return ErrTooLarge
	case f.Code == fiber.StatusRequestTimeout:
		return ErrTruncated
	}
	return fault.ErrMalformed
}

// writeFault answers with the error body. Spec 7.1.
func writeFault(c *fiber.Ctx, f *fault.Error, requestID string) {
	if f.RetryAfter > 0 {
		c.Set(fiber.HeaderRetryAfter, strconv.FormatInt(wholeSeconds(f.RetryAfter), 10))
	}
	c.Response().ResetBody()
	c.Status(wires[f.Kind].status)
	sendJSON(c, collection.AppendTree(nil, map[string]any{"errors": []any{errorTree(f, requestID)}}))
}

// errorTree is one member of "errors".
func errorTree(f *fault.Error, requestID string) map[string]any {
	w := wires[f.Kind]
	ext := map[string]any{"code": w.code, "reason": f.Reason, "requestId": requestID}
	if f.Retryable {
		ext["retryable"] = true
	}
	if f.RetryAfter > 0 {
		ext["retryAfter"] = wholeSeconds(f.RetryAfter)
	}
	one := map[string]any{"message": f.Message, "name": w.name, "extensions": ext}
	if data := dataOf(f); data != nil {
		one["data"] = data
	}
	return one
}

func wholeSeconds(d time.Duration) int64 { return int64(math.Ceil(d.Seconds())) }

// dataOf is the list of invalid fields, else the facts of the fault.
func dataOf(f *fault.Error) collection.Tree {
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

func sendJSON(c *fiber.Ctx, body []byte) {
	c.Set(fiber.HeaderContentType, "application/json; charset=utf-8")
	c.Response().SetBodyRaw(body)
}
