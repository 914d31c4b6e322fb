package rest

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/app/problem"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// errorForm is the HTTP form of a kind of fault: status and name. Rule api-13.
type errorForm struct {
	status int
	name   string
}

var errorForms = map[fault.Kind]errorForm{
	fault.Internal:         {500, "APIError"},
	fault.Invalid:          {400, "ValidationError"},
	fault.Unauthenticated:  {401, "AuthenticationError"},
	fault.Expired:          {419, "AuthenticationError"},
	fault.Forbidden:        {403, "Forbidden"},
	fault.NotFound:         {404, "NotFound"},
	fault.MethodNotAllowed: {405, "APIError"},
	fault.Conflict:         {409, "CommerceError"},
	fault.Outdated:         {412, "CommerceError"},
	fault.TooLarge:         {413, "APIError"},
	fault.UnsupportedMedia: {415, "APIError"},
	fault.Unprocessable:    {422, "CommerceError"},
	fault.Limited:          {429, "RateLimitError"},
	fault.ProviderFailed:   {502, "CommerceError"},
	fault.Unavailable:      {503, "APIError"},
}

// The refusals of the HTTP layer.
var (
	ErrNoRoute = fault.New(fault.NotFound, "route_not_found", "There is no such endpoint.")
	ErrMethod  = fault.New(fault.MethodNotAllowed, "method_not_allowed", "This endpoint does not support this method.")
)

// replayedFault is a refusal replayed from its receipt: its body has the request id of the first execution.
type replayedFault struct {
	refusal   *fault.Error
	requestID string
}

// Error is the message of the refusal.
func (r replayedFault) Error() string { return r.refusal.Error() }

// Unwrap returns the refusal.
func (r replayedFault) Unwrap() error { return r.refusal }

func shownRequestID(err error, id string) string {
	if r, ok := errors.AsType[replayedFault](err); ok && r.requestID != "" {
		return r.requestID
	}
	return id
}

// faultOf is the fault to show for err: our own, the router's, or a timeout.
func faultOf(err error) *fault.Error {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fault.ErrUnavailable.WithCause(err)
	}
	f, ok := errors.AsType[*fiber.Error](err)
	switch {
	case !ok || f.Code >= 500:
		return fault.ErrInternal.WithCause(err)
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

// writeFault answers with the error body, in the language of the caller. Rules api-11, api-27. That of GraphQL has data too, which is null: rule graphql-14.
func writeFault(c *fiber.Ctx, f *fault.Error, requestID string) {
	language := languageOf(c)
	f = language.Refusal(f)
	tellLanguage(c, language)
	if f.RetryAfter > 0 {
		c.Set(fiber.HeaderRetryAfter, strconv.FormatInt(problem.Seconds(f.RetryAfter), 10))
	}
	c.Response().Header.Del(fiber.HeaderETag)
	c.Set(fiber.HeaderCacheControl, cachePrivate)
	c.Response().ResetBody()
	c.Status(errorForms[f.Kind].status)
	body := map[string]any{"errors": []any{errorObject(f, requestID)}}
	if strings.TrimSuffix(c.Path(), "/") == graphQLPath {
		body["data"] = nil
	}
	sendJSON(c, collection.AppendJSONValue(nil, body))
}

// errorObject is one member of "errors".
func errorObject(f *fault.Error, requestID string) map[string]any {
	one := map[string]any{"message": f.Message, "name": errorForms[f.Kind].name, "extensions": problem.Extensions(f, requestID)}
	if data := problem.Details(f); data != nil {
		one["data"] = data
	}
	return one
}

func sendJSON(c *fiber.Ctx, body []byte) {
	c.Set(fiber.HeaderContentType, "application/json; charset=utf-8")
	c.Response().SetBodyRaw(body)
}
