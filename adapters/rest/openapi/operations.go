package openapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// nameOf is the operation's name, which those of its types begin with: its GraphQL name, or its own in one word.
func nameOf(o *operation.Operation) string {
	name := o.GraphQL
	if name == "" {
		for i, part := range strings.FieldsFunc(o.Name, func(r rune) bool { return r == '.' || r == '-' }) {
			if i > 0 {
				part = capitalize(part)
			}
			name += part
		}
	}
	return name
}

// idOf is the operation's name for generators, on a single surface.
func idOf(o *operation.Operation, at operation.Surface) string {
	name := nameOf(o)
	switch {
	case at == operation.Server:
		return "server" + capitalize(name)
	case at == operation.Root && o.Surfaces&operation.Both != 0: // for users besides
		return "operator" + capitalize(name)
	}
	return name
}

// operation describes o on a single surface.
func (b *builder) operation(o *operation.Operation, at operation.Surface) object {
	out := b.operationBase(o, at)
	input := visible(at, o.Input)
	params := pathParameters(o.Params)
	if body := b.requestBody(o, at, input); body != nil {
		out["requestBody"] = body
	}
	if !o.HasBody() {
		params = append(params, b.queryParameters(input)...)
	}
	if o.Translated {
		params = append(params, languageParams()...)
	}
	for _, f := range o.Headers {
		params = append(params, headerParam(f.Name, f.Doc))
	}
	out["parameters"] = append(params, requestHeaders(o)...)
	responses := b.failures(slices.Concat(o.Reasons, b.reasonsOf(o)), responseHeaderNames(o)...)
	for _, result := range resultsOf(o) {
		b.addSuccess(responses, o, at, result)
	}
	if o.Cacheable {
		responses["304"] = object{"description": "Not changed since If-None-Match.", "headers": responseHeaders("ETag", "Cache-Control")}
	}
	out["responses"] = responses
	return out
}

// requestBody describes the body of o, nil if it has none.
func (b *builder) requestBody(o *operation.Operation, at operation.Surface, input []collection.Field) object {
	if !o.HasBody() {
		return nil
	}
	media, schema := "application/json", object{"type": "object"}
	if o.Upload != nil {
		media = "multipart/form-data"
	} else {
		schema = b.inputOf(o, at, input)
	}
	body := object{"content": object{media: object{"schema": schema}}}
	if o.BodyRequired() {
		body["required"] = true
	}
	return body
}

// queried is the schema of a query parameter; a list has the parameter once for each text.
func queried(f collection.Field) object {
	if f.Kind == collection.Texts {
		return object{"type": "array", "items": object{"type": "string"}}
	}
	return scalar(f)
}

// queryParameters describe an input that is sent in the query string.
func (b *builder) queryParameters(input []collection.Field) (params []any) {
	for _, f := range input {
		if f.Kind == collection.JSON && f.RelationTo != "" {
			params = append(params, whereParam(b.Registry.Get(f.RelationTo)))
			continue
		}
		p := queryParam(f.Name, f.Doc, queried(f))
		if f.Required {
			p["required"] = true
		}
		params = append(params, p)
	}
	return params
}

// operationBase is the part of a description that does not depend on input and answer.
func (b *builder) operationBase(o *operation.Operation, at operation.Surface) object {
	out := object{
		"operationId": idOf(o, at), "summary": o.Summary, "tags": []any{b.tag(o.Name)},
		"security": credentials(kindsOf(o, at), o.Capability),
	}
	if o.Doc != "" {
		out["description"] = o.Doc
	}
	if o.Guarded {
		out["description"] = strings.TrimSpace(o.Doc + " Users prove the session first (users.reauthenticate).")
	}
	if o.Deprecated {
		out["deprecated"] = true
	}
	return out
}

func resultsOf(o *operation.Operation) []ports.ReceiptResult {
	if o.Results == nil {
		return []ports.ReceiptResult{ports.ReceiptOK}
	}
	return o.Results
}

// addSuccess describes a success of o. If a refusal has the same status, the response may be either.
func (b *builder) addSuccess(responses object, o *operation.Operation, at operation.Surface, result ports.ReceiptResult) {
	names := responseHeaderNames(o)
	switch {
	case o.Cacheable:
		names = append(names, "ETag", "Cache-Control")
	case o.ReadsRecord():
		names = append(names, "ETag")
	}
	if o.Localized || o.Translated {
		names = append(names, "Content-Language")
	}
	status := strconv.Itoa(b.Success(result))
	doc, schema := "The result.", object(nil)
	if o.Produces == nil {
		schema = b.answerOf(o, at)
	}
	switch result {
	case ports.ReceiptCreated:
		doc = "Created."
	case operation.NotFound:
		doc = "Not found, with a reason; or an error."
		schema = object{"anyOf": []any{schema, ref("Failure")}}
	default: // as above
	}
	if o.Produces != nil {
		content := object{}
		for _, media := range o.Produces {
			content[media] = object{"schema": object{}}
		}
		responses[status] = object{"description": doc, "headers": responseHeaders(names...), "content": content}
		return
	}
	answer := success(doc, schema, names...)
	switch shown := b.changed(o); {
	case shown == nil:
	case shown.OmitMissing:
		answer["headers"].(object)[headerSequence] = sequenceHeader
	default:
		answer["headers"].(object)[headerSequence] = component("headers", headerSequence)
	}
	responses[status] = answer
}

// changed is the member of o's answer with the record whose recordSequence X-Event-Sequence reports; nil:
// there is no such header. An operation without an idempotency key, such as a login, does not report the
// change that it makes.
func (b *builder) changed(o *operation.Operation) *collection.Field {
	for i := range o.Output {
		f := &o.Output[i]
		if o.Mutates && o.KeyPolicy != operation.NoKey && f.Kind == collection.Relation && !b.Registry.Get(f.RelationTo).NoEvents {
			return f
		}
	}
	return nil
}

// responseHeaderNames are the response headers that follow from the declaration of o.
func responseHeaderNames(o *operation.Operation) (names []string) {
	if o.ReturnsRevision {
		names = append(names, "X-Cart-Revision")
	}
	if o.KeyPolicy != operation.NoKey {
		names = append(names, "Idempotency-Replayed")
	}
	return names
}

// reasonsOf are the reasons that follow from how o is declared.
func (b *builder) reasonsOf(o *operation.Operation) (all []*fault.Error) {
	if o.Upload != nil {
		all = append(all, b.WriteReasons...)
	}
	if o.Guarded {
		all = append(all, tenant.ErrReauthenticate)
	}
	if len(o.Input) > 0 || o.HasBody() || o.Surfaces == operation.Root { // which refuses undeclared parameters, too
		all = append(all, fault.ErrValidation)
	}
	namesRecord := func(f collection.Field) bool { return f.Kind != collection.Boolean }
	if len(o.Params) > 0 || slices.ContainsFunc(o.Input, namesRecord) {
		all = append(all, fault.ErrNotFound)
	}
	if o.KeyPolicy != operation.NoKey {
		all = append(all, keyReasons...)
	}
	if o.KeyPolicy == operation.KeyRequired {
		all = append(all, idempotency.ErrKeyRequired)
	}
	return append(all, idempotency.ErrInvalidKey)
}

func pathParameters(fields []collection.Field) []any {
	out := []any{}
	for _, f := range fields {
		out = append(out, object{"name": f.Name, "in": "path", "required": true, "description": f.Doc, "schema": object{"type": "string"}})
	}
	return out
}

// requestHeaders are the request headers that o reads, besides credentials.
func requestHeaders(o *operation.Operation) []any {
	names := []string{"requestId"}
	switch o.KeyPolicy {
	case operation.KeyRequired:
		names = append(names, "requiredKey")
	case operation.KeyOptional:
		names = append(names, "idempotencyKey")
	default: // no key
	}
	if o.Cacheable {
		names = append(names, "ifNoneMatch")
	}
	if o.Localized {
		names = append(names, "acceptLanguage")
	}
	if o.TakesRevision() {
		names = append(names, "ifMatch")
	}
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = component("parameters", n)
	}
	return out
}

// kindsOf are the principals that may call o on a surface.
func kindsOf(o *operation.Operation, at operation.Surface) map[tenant.Kind]bool {
	kinds := map[tenant.Kind]bool{}
	for _, k := range []tenant.Kind{tenant.Anonymous, tenant.ClientKey, tenant.Customer, tenant.User, tenant.SecretKey} {
		if o.Admits(at, k) {
			kinds[k] = true
		}
	}
	return kinds
}

// route describes an endpoint with its own handler.
func (b *builder) route(r *Route) object {
	o := &r.Operation
	out := b.operationBase(o, operation.Root)
	out["tags"] = []any{b.routeTag(r)}
	params := pathParameters(o.Params)
	if types := r.RequestTypes; o.HasBody() && len(o.Input) > 0 {
		if types == nil {
			types = []string{"application/json"}
		}
		body := object{}
		for _, media := range types {
			body[media] = object{"schema": object{"type": "object"}}
			if !strings.HasPrefix(media, "multipart/") {
				body[media] = object{"schema": b.inputOf(o, operation.Root, o.Input)}
			}
		}
		out["requestBody"] = object{"content": body, "required": o.BodyRequired()}
	}
	if !o.HasBody() {
		for _, f := range o.Input {
			params = append(params, queryParam(f.Name, f.Doc, queried(f)))
		}
	}
	for _, f := range r.Headers {
		params = append(params, headerParam(f.Name, f.Doc))
	}
	if !r.NoAuth {
		params = append(params, requestHeaders(o)...)
	} else {
		out["security"] = []any{}
	}
	out["parameters"] = params
	responses := object{}
	if !r.PlainErrors {
		responses = b.failures(slices.Concat(o.Reasons, b.reasonsOf(o)), responseHeaderNames(o)...)
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
		answer := object{"description": http.StatusText(status), "headers": responseHeaders()}
		if !r.PlainErrors {
			answer["headers"] = responseHeaders(responseHeaderNames(&r.Operation)...)
		}
		if r.Cacheable {
			answer["headers"] = responseHeaders("ETag", "Cache-Control")
		}
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			answer["headers"] = responseHeaders("Retry-After")
		}
		media := r.ResponseTypes
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
