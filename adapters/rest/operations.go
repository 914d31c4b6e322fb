package rest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Operations registers the routes of the operation table.
type Operations []operation.Operation

// Mount implements Area. The first match wins, so the order of the table counts.
func (list Operations) Mount(r fiber.Router) {
	for i := range list {
		o := &list[i]
		o.Surfaces.EachSurface(func(at operation.Surface) {
			route := o.Route(at)
			serve := func(c *fiber.Ctx) error { return serveOperation(c, o, at, route) }
			if o.Method == fiber.MethodGet {
				r.Get(route[len("/api"):], serve) // and HEAD
				return
			}
			r.Add(o.Method, route[len("/api"):], serve)
		})
	}
}

// serveOperation answers one call of o on a surface.
func serveOperation(c *fiber.Ctx, o *operation.Operation, at operation.Surface, route string) error {
	switch {
	case o.Upload != nil:
		return serveUpload(c, o, at, route)
	case len(o.Produces) > 0:
		return serveProduced(c, o, at, route)
	}
	body, err := operationInput(c, o)
	if err != nil {
		return err
	}
	if body, err = withExpectedRevision(c, o, body); err != nil {
		return err
	}
	call, transport, err := operationCaller(c, o)
	if err != nil {
		return err
	}
	if err := operationContent(c, o, &call.Principal); err != nil {
		return err
	}
	answer, err := o.Do(c.UserContext(), operation.Request{
		Call: call, Surface: at, Route: route, Params: pathParams(c, o), Body: body, Transport: transport,
	})
	switch {
	case err != nil:
		return err
	case o.Localized && o.Cacheable:
		return sendLocalized(c, call.Language, answer.Body.Bytes())
	case o.Cacheable && answer.Result == ports.ReceiptOK:
		tellContentOf(c, o, call.Principal)
		return sendRead(c, call.Principal, answer.Body.Bytes())
	case o.ReadsRecord():
		tellContentOf(c, o, call.Principal)
		if revision := answer.Body.Revision(); revision > 0 {
			c.Set(fiber.HeaderETag, records.TagOf(revision))
		}
	}
	tellLanguageOf(c, o, call.Language, answer)
	return sendResponse(c, answer)
}

// withExpectedRevision adds the revision that If-Match names to the input of an operation that takes one. Errors:
// fault.ErrValidation for what names none, where the input names another one, and where a change would ignore it.
func withExpectedRevision(c *fiber.Ctx, o *operation.Operation, body map[string]any) (map[string]any, error) {
	tag := c.Get(fiber.HeaderIfMatch)
	switch {
	case tag == "" || tag == "*" || !o.TakesRevision() && (!o.Mutates || o.Deprecated):
		return body, nil
	case !o.TakesRevision():
		return nil, checkNoTag(c)
	}
	revision, ok := records.TaggedRevision(tag)
	if !ok || strings.Contains(tag, ",") {
		return nil, fault.Invalidf(fiber.HeaderIfMatch, "If-Match takes the one ETag of the record as it was read.")
	}
	named := collection.JSONNumber(revision)
	if other := body[collection.ExpectedRevision]; other != nil && other != named {
		return nil, fault.Invalidf(collection.ExpectedRevision, "This is another revision than that of If-Match.")
	}
	with := maps.Clone(body)
	if with == nil {
		with = map[string]any{}
	}
	with[collection.ExpectedRevision] = named
	return with, nil
}

// errNoRevision refuses If-Match where no one revision is compared: to ignore it would undo what it is to keep. Rule collections-32.
var errNoRevision = fault.Invalidf(fiber.HeaderIfMatch, "This call compares no ETag of a record.")

// checkNoTag refuses a header If-Match. Errors: fault.ErrValidation.
func checkNoTag(c *fiber.Ctx) error {
	if tag := c.Get(fiber.HeaderIfMatch); tag != "" && tag != "*" {
		return errNoRevision
	}
	return nil
}

// operationCaller is the call and, for an operation that acts on credentials itself, the transport with them.
// Errors: as caller.
func operationCaller(c *fiber.Ctx, o *operation.Operation) (idempotency.Call, *operation.Transport, error) {
	if o.Credentials == operation.CredentialsRequired {
		call, err := caller(c)
		return call, nil, err
	}
	call, _ := callFrom(c) // the operation decides about credentials, and takes no key
	return call, &operation.Transport{Session: operation.Session{
		Credentials: credentials(c), AuthError: requestInfoOf(c).auth.err,
		SetCookie: func(token string, until time.Time) { setSessionCookie(c, token, until) },
	}}, nil
}

// pathParams are the parameters of the path, in its order.
func pathParams(c *fiber.Ctx, o *operation.Operation) []string {
	params := make([]string, len(o.Params))
	for i := range params {
		params[i] = c.Params(o.Params[i].Name)
	}
	return params
}

// operationInput is the body, or the declared parameters of the query string where o has none.
func operationInput(c *fiber.Ctx, o *operation.Operation) (map[string]any, error) {
	switch {
	case o.BodyRequired():
		return readObject(c)
	case o.HasBody():
		return readOptional(c)
	}
	if _, lists := o.FilterInput(); o.Surfaces == operation.Root || lists {
		return queryInput(c, o)
	}
	tree := map[string]any{} // pages of storefronts have parameters of their own
	for _, f := range o.Input {
		if f.Kind == collection.Texts {
			addTexts(c, tree, f.Name)
		} else if text := c.Query(f.Name); text != "" {
			tree[f.Name] = queryValue(f, text)
		}
	}
	return tree, nil
}

// addTexts adds a list, whose parameter stands in the query once for each text.
func addTexts(c *fiber.Ctx, tree map[string]any, name string) {
	var list []any
	for _, text := range c.Context().QueryArgs().PeekMulti(name) {
		list = append(list, string(text))
	}
	if list != nil {
		tree[name] = list
	}
}

// queryInput is the parameters of an operation, read as those of lists: undeclared ones are refused, so that
// a misspelled filter is not ignored. What Payload's clients send with every read, such as depth, is accepted and ignored, but
// where an operation lists records.
func queryInput(c *fiber.Ctx, o *operation.Operation) (map[string]any, error) {
	filter, lists := o.FilterInput()
	names := make([]string, len(o.Input))
	for i, f := range o.Input {
		names[i] = f.Name
	}
	known := names
	if o.Translated {
		known = slices.Concat(names, []string{paramLocale, paramFallback})
	}
	if !lists {
		known = slices.Concat(names, oneParams) // operationContent refuses the languages
	}
	params, err := queryOf(c, known)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(params, func(name string, _ any) bool { return !slices.Contains(names, name) })
	for _, h := range o.Headers {
		if v := c.Get(h.Name); v != "" {
			params[h.Alias] = v
		}
	}
	for _, f := range o.Input {
		v := params[f.Name]
		switch number, isNumber := v.(collection.JSONNumber); {
		case f.Name == filter.Name:
			params[f.Name], err = whereParam(params)
		case isNumber && o.RawInput:
			params[f.Name] = string(number)
		case v != nil && !isNumber:
			var text string
			if text, err = textListParam(params, f.Name); text == "" {
				delete(params, f.Name)
			} else {
				params[f.Name] = queryValue(f, text)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return params, nil
}

// queryValue is the value of a query parameter in the type of its field.
func queryValue(f collection.Field, text string) collection.JSONValue {
	switch f.Kind {
	case collection.Integer, collection.Number, collection.Money:
		return collection.JSONNumber(text)
	case collection.Boolean:
		if text == "true" || text == "false" {
			return text == "true"
		}
	default: // text
	}
	return text
}

// statuses of the results of operations.
var statuses = map[ports.ReceiptResult]int{
	"": fiber.StatusOK, ports.ReceiptOK: fiber.StatusOK, ports.ReceiptCreated: fiber.StatusCreated,
	ports.ReceiptAccepted: fiber.StatusAccepted,
	operation.NotFound:    fiber.StatusNotFound,
}
