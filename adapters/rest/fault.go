package rest

import (
	"context"
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/app/telling"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// wire is how one kind of fault looks here besides its code: status and name. Contract 1.1.
type wire struct {
	status int
	name   string
}

var wires = map[fault.Kind]wire{
	fault.Internal:         {500, "APIError"},
	fault.Invalid:          {400, "ValidationError"},
	fault.Unauthenticated:  {401, "AuthenticationError"},
	fault.Expired:          {419, "AuthenticationError"},
	fault.Forbidden:        {403, "Forbidden"},
	fault.NotFound:         {404, "NotFound"},
	fault.MethodNotAllowed: {405, "APIError"},
	fault.Conflict:         {409, "CommerceError"},
	fault.TooLarge:         {413, "APIError"},
	fault.UnsupportedMedia: {415, "APIError"},
	fault.Unprocessable:    {422, "CommerceError"},
	fault.Limited:          {429, "RateLimitError"},
	fault.ProviderFailed:   {502, "CommerceError"},
	fault.Unavailable:      {503, "APIError"},
}

// The refusals of the transport.
var (
	ErrNoRoute = fault.New(fault.NotFound, "route_not_found", "There is nothing at this address.")
	ErrMethod  = fault.New(fault.MethodNotAllowed, "method_not_allowed", "This address does not take this method.")
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
		return read.ErrTooLarge
	case f.Code == fiber.StatusRequestTimeout:
		return ErrTruncated
	}
	return fault.ErrMalformed
}

// writeFault answers with the error body. Spec 7.1.
func writeFault(c *fiber.Ctx, f *fault.Error, requestID string) {
	if f.RetryAfter > 0 {
		c.Set(fiber.HeaderRetryAfter, strconv.FormatInt(telling.Seconds(f.RetryAfter), 10))
	}
	c.Response().ResetBody()
	c.Status(wires[f.Kind].status)
	sendJSON(c, collection.AppendTree(nil, map[string]any{"errors": []any{errorTree(f, requestID)}}))
}

// errorTree is one member of "errors".
func errorTree(f *fault.Error, requestID string) map[string]any {
	one := map[string]any{"message": f.Message, "name": wires[f.Kind].name, "extensions": telling.Extensions(f, requestID)}
	if data := telling.Facts(f); data != nil {
		one["data"] = data
	}
	return one
}

func sendJSON(c *fiber.Ctx, body []byte) {
	c.Set(fiber.HeaderContentType, "application/json; charset=utf-8")
	c.Response().SetBodyRaw(body)
}
