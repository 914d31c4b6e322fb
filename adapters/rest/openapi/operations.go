package openapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// idOf is the operation's name for generators: its GraphQL name, or the parts of its own.
func idOf(o *operation.Operation, at operation.Place) string {
	name := o.GraphQL
	if name == "" {
		for i, part := range strings.FieldsFunc(o.Name, func(r rune) bool { return r == '.' || r == '-' }) {
			if i > 0 {
				part = capital(part)
			}
			name += part
		}
	}
	if at == operation.Server {
		return "server" + capital(name)
	}
	return name
}

// operation describes o at a single place.
func (b *builder) operation(o *operation.Operation, at operation.Place) object {
	out := b.described(o, at)
	input := visible(at, o.Input)
	params := pathParameters(o.Params)
	if o.HasBody() {
		body := object{"content": object{"application/json": object{"schema": b.inputOf(o, at, input)}}}
		if o.BodyRequired() {
			body["required"] = true
		}
		out["requestBody"] = body
	} else {
		for _, f := range input {
			if f.Kind == collection.JSON && f.To != "" {
				params = append(params, where(b.Registry.Get(f.To)))
				continue
			}
			p := query(f.Name, f.Doc, scalar(f))
			if f.Required {
				p["required"] = true
			}
			params = append(params, p)
		}
	}
	out["parameters"] = append(params, headersOf(o)...)
	responses := b.failures(slices.Concat(o.Reasons, b.reasonsOf(o)), headersTold(o)...)
	for _, result := range resultsOf(o) {
		b.addSuccess(responses, o, at, result)
	}
	if o.Cached {
		responses["304"] = object{"description": "Nothing changed since If-None-Match.", "headers": told("ETag", "Cache-Control")}
	}
	out["responses"] = responses
	return out
}

// described is what does not depend on input and answer.
func (b *builder) described(o *operation.Operation, at operation.Place) object {
	out := object{
		"operationId": idOf(o, at), "summary": o.Summary, "tags": []any{b.tag(o.Name)}, "security": credentials(kindsOf(o, at), o.Holder),
	}
	if o.Doc != "" {
		out["description"] = o.Doc
	}
	if o.Deprecated {
		out["deprecated"] = true
	}
	return out
}

func resultsOf(o *operation.Operation) []ports.Result {
	if o.Results == nil {
		return []ports.Result{ports.OK}
	}
	return o.Results
}

// addSuccess adds how o succeeds. Where a refusal has the same status, either may come.
func (b *builder) addSuccess(responses object, o *operation.Operation, at operation.Place, result ports.Result) {
	names := headersTold(o)
	if o.Cached {
		names = append(names, "ETag", "Cache-Control")
	}
	status := strconv.Itoa(b.Success(result))
	schema, doc := b.answerOf(o, at), "What was asked for."
	switch result {
	case ports.Created:
		doc = "It was made."
	case operation.Absent:
		doc = "There is nothing to show; the answer says why. Or an error."
		schema = object{"anyOf": []any{schema, ref("Failure")}}
	default: // as above
	}
	responses[status] = success(doc, schema, names...)
}

// headersTold are the headers of answers that may be given again.
func headersTold(o *operation.Operation) (names []string) {
	if o.Revision {
		names = append(names, "X-Cart-Revision")
	}
	if o.Key != operation.NoKey {
		names = append(names, "Idempotency-Replayed")
	}
	return names
}

// reasonsOf is what follows from how o is declared.
func (b *builder) reasonsOf(o *operation.Operation) (all []*fault.Error) {
	if len(o.Input) > 0 || o.HasBody() {
		all = append(all, fault.ErrValidation)
	}
	if len(o.Params) > 0 || len(o.Input) > 0 { // inputs name records too
		all = append(all, fault.ErrNotFound)
	}
	if o.Key != operation.NoKey {
		all = append(all, keyReasons...)
	}
	if o.Key == operation.KeyRequired {
		all = append(all, once.ErrKeyRequired)
	}
	return append(all, once.ErrKeyInvalid)
}

func pathParameters(fields []collection.Field) []any {
	out := []any{}
	for _, f := range fields {
		out = append(out, object{"name": f.Name, "in": "path", "required": true, "description": f.Doc, "schema": object{"type": "string"}})
	}
	return out
}

// headersOf are the request headers o looks at, besides credentials.
func headersOf(o *operation.Operation) []any {
	names := []string{"requestId"}
	switch o.Key {
	case operation.KeyRequired:
		names = append(names, "requiredKey")
	case operation.KeyOptional:
		names = append(names, "idempotencyKey")
	default: // no key
	}
	if o.Cached {
		names = append(names, "ifNoneMatch")
	}
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = component("parameters", n)
	}
	return out
}

// kindsOf is who may call o at a place.
func kindsOf(o *operation.Operation, at operation.Place) map[tenant.Kind]bool {
	admitted := []tenant.Kind{tenant.ClientKey, tenant.Customer}
	if at == operation.Server {
		admitted = []tenant.Kind{tenant.SecretKey}
	}
	if at == operation.Root {
		admitted = o.Who
	}
	kinds := map[tenant.Kind]bool{}
	for _, k := range admitted {
		if o.Who == nil || slices.Contains(o.Who, k) {
			kinds[k] = true
		}
	}
	return kinds
}

// route describes an address with a handler of its own.
func (b *builder) route(r *Route) object {
	o := &r.Operation
	out := b.described(o, operation.Root)
	out["tags"] = []any{b.routeTag(r)}
	params := pathParameters(o.Params)
	if takes := r.Takes; o.HasBody() && len(o.Input) > 0 {
		if takes == nil {
			takes = []string{"application/json"}
		}
		body := object{}
		for _, media := range takes {
			body[media] = object{"schema": object{"type": "object"}}
			if !strings.HasPrefix(media, "multipart/") {
				body[media] = object{"schema": b.inputOf(o, operation.Root, o.Input)}
			}
		}
		out["requestBody"] = object{"content": body, "required": o.BodyRequired()}
	}
	if !o.HasBody() {
		for _, f := range o.Input {
			params = append(params, query(f.Name, f.Doc, scalar(f)))
		}
	}
	for _, f := range r.Headers {
		params = append(params, header(f.Name, f.Doc))
	}
	if !r.Open {
		params = append(params, headersOf(o)...)
	} else {
		out["security"] = []any{}
	}
	out["parameters"] = params
	responses := object{}
	if !r.Plain {
		responses = b.failures(slices.Concat(o.Reasons, b.reasonsOf(o)), headersTold(o)...)
	}
	b.addStatuses(responses, r)
	out["responses"] = responses
	return out
}

func (b *builder) addStatuses(responses object, r *Route) {
	statuses := r.Statuses
	if statuses == nil {
		for _, result := range resultsOf(&r.Operation) {
			statuses = append(statuses, b.Success(result))
		}
	}
	for _, status := range statuses {
		answer := object{"description": http.StatusText(status), "headers": told()}
		if !r.Plain {
			answer["headers"] = told(headersTold(&r.Operation)...)
		}
		if r.Cached {
			answer["headers"] = told("ETag", "Cache-Control")
		}
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			answer["headers"] = told("Retry-After")
		}
		media := r.Gives
		if media == nil && len(r.Output) > 0 {
			media = []string{"application/json"}
		}
		if status >= 300 && status < 400 {
			media = nil
		}
		body := object{}
		for _, m := range media {
			body[m] = object{"schema": object{}}
			if strings.HasSuffix(m, "json") && len(r.Output) > 0 {
				body[m] = object{"schema": b.answerOf(&r.Operation, operation.Root)}
			}
		}
		if len(body) > 0 {
			answer["content"] = body
		}
		responses[strconv.Itoa(status)] = answer
	}
}
