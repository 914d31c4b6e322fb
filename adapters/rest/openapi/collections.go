package openapi

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// patchable reports whether a client can change anything of a record that exists.
func patchable(s *collection.Schema) bool {
	return !s.CommandOnly || slices.ContainsFunc(s.Fields, func(f collection.Field) bool { return f.Patchable })
}

// addRecord makes the component schemas of a collection.
func (b *builder) addRecord(s *collection.Schema) {
	name := s.Singular
	record := b.record(s, s.AllFields())
	b.schemas[name] = withDescription(record, s.Doc)
	doc := ref(name)
	b.schemas[name+"List"] = withDescription(closedObject(object{
		"docs":          object{"type": "array", "items": doc},
		"totalDocs":     integerSchema("Number of matching records."),
		"limit":         integerSchema("Records per page; 0 only counts."),
		"totalPages":    integerSchema("Number of pages, at least 1."),
		"page":          integerSchema("Number of this page, from 1."),
		"pagingCounter": integerSchema("Number of the first record of this page, from 1."),
		"hasPrevPage":   object{"type": "boolean"}, "hasNextPage": object{"type": "boolean"},
		"prevPage": object{"type": []any{"integer", "null"}}, "nextPage": object{"type": []any{"integer", "null"}},
	}, []any{"docs", "totalDocs", "limit", "totalPages", "page", "pagingCounter", "hasPrevPage", "hasNextPage", "prevPage", "nextPage"}),
		"A page of "+s.Plural+".")
	b.schemas[name+"Written"] = closedObject(object{"message": object{"type": "string"}, "doc": doc}, []any{"message", "doc"})
	b.schemas[name+"Where"] = b.whereSchema(s)
	if !s.CommandOnly {
		fields := slices.Concat(s.AllFields(), b.Hooks[s.Slug].ExtraInput)
		b.schemas[name+"Create"] = withDescription(b.writable(fields, true), "Input of a new record.")
	}
	if patchable(s) {
		fields := slices.Concat(s.AllFields(), s.UpdateMembers())
		for i := range fields {
			fields[i].ReadOnly = fields[i].ReadOnly || s.CommandOnly && !fields[i].Patchable
		}
		b.schemas[name+"Update"] = withDescription(b.writable(fields, false), "Input of a change; omitted fields keep their value.")
		b.schemas[name+"Bulk"] = b.bulk(doc)
	}
	if deletable(s) {
		b.schemas[name+"Deleted"] = closedObject(object{"id": object{"type": "string"}, "message": object{"type": "string"}, "doc": doc},
			[]any{"id", "message", "doc"})
	}
}

func deletable(s *collection.Schema) bool { return !s.NoDelete && !s.CommandOnly }

func integerSchema(doc string) object { return withDescription(object{"type": "integer"}, doc) }

// bulk is the schema of the answer to a change of many records.
func (b *builder) bulk(doc object) object {
	members := errorMembers()
	members["id"] = withDescription(object{"type": "string"}, "The record that was not changed.")
	failed := closedObject(members, []any{"id", "message", "name", "extensions"})
	return closedObject(object{
		"docs":   object{"type": "array", "items": doc},
		"errors": object{"type": "array", "items": failed}, "message": object{"type": "string"},
	}, []any{"docs", "errors", "message"})
}

// addCollection describes the routes of a collection that are not served by operations.
func (b *builder) addCollection(paths object, s *collection.Schema) {
	at, one := "/api/"+s.Slug, "/api/"+s.Slug+"/{id}"
	put := func(path, method string, o object) {
		if !b.isServed(method, path) {
			addPath(paths, path, method, o)
		}
	}
	name := s.Singular
	reading := []struct {
		at, id, summary string
		params          []any
		answer          object
	}{
		{at + "/count", "count" + s.Plural, "Count " + s.Plural, []any{whereParam(s)}, ref("Count")},
		{at, "list" + s.Plural, "List " + s.Plural, listParams(s), ref(name + "List")},
		{one, "get" + name, "Get one of " + s.Plural, append([]any{component("parameters", "id")}, showParams(s)...), ref(name)},
	}
	for _, r := range reading {
		put(r.at, http.MethodGet, b.read(s, r.id, r.summary, r.params, r.answer))
	}
	put(at, http.MethodPost, b.post(s))
	put(one, http.MethodPatch, b.patch(s))
	put(at, http.MethodPatch, b.patchMany(s))
	if deletable(s) {
		put(one, http.MethodDelete, b.delete(s))
		put(at, http.MethodDelete, b.deleteMany(s))
	}
}

// showParams are the parameters that select what records contain.
func showParams(s *collection.Schema) []any {
	params := []any{component("parameters", "depth"), component("parameters", "select"), component("parameters", "populate")}
	if s.IsTranslated() {
		params = append(params, languageParams()...)
	}
	return params
}

// languageParams are the parameters that name the language of texts.
func languageParams() []any {
	return []any{component("parameters", "locale"), component("parameters", "fallbackLocale")}
}

func listParams(s *collection.Schema) []any {
	out := []any{whereParam(s), sortParam(s)}
	if search.IsTarget(s) {
		out = append(out, component("parameters", "q"))
	}
	for _, p := range []string{"limit", "page", "pagination"} {
		out = append(out, component("parameters", p))
	}
	return append(out, showParams(s)...)
}

var (
	readReasons  = []*fault.Error{fault.ErrValidation, fault.ErrNotFound, collection.ErrQuery, records.ErrAnswerTooLarge}
	writeReasons = []*fault.Error{
		fault.ErrValidation, fault.ErrNotFound, collection.ErrQuery, records.ErrAnswerTooLarge, ports.ErrDuplicate, ports.ErrStale,
		collection.ErrRecordTooLarge,
	}
)

// read describes a route that reads.
func (b *builder) read(s *collection.Schema, id, summary string, params []any, answer object) object {
	responses := b.failures(readReasons)
	headers := []string{"ETag", "Cache-Control"}
	if s.IsTranslated() {
		headers = append(headers, "Content-Language")
	}
	responses["200"] = success("The result. Responses to client keys, and single records, have an ETag.", answer, headers...)
	responses["304"] = object{"description": "Not changed since If-None-Match.", "headers": responseHeaders("ETag", "Cache-Control")}
	return object{
		"operationId": id, "summary": summary, "description": whoMay(s, collection.Read), "tags": []any{titleOf(s)},
		"parameters": append(params, sharedParams(s, "ifNoneMatch")...), "responses": responses,
		"security": b.collectionSecurity(s, collection.Read),
	}
}

// write describes a route that writes, without its success.
func (b *builder) write(s *collection.Schema, verb collection.Verb, id, summary string, params []any, body object) object {
	reasons := slices.Concat(writeReasons, keyReasons, b.WriteReasons, b.Hooks[s.Slug].Reasons, records.ErasureReasons(s))
	if s.CommandOnly {
		reasons = append(reasons, records.ErrCommandOnly)
	}
	if s.Guards(verb) || verb == collection.Update && s.GuardsAnything() {
		reasons = append(reasons, tenant.ErrReauthenticate)
	}
	if verb != collection.Create {
		reasons = append(reasons, collection.ErrChangedMeanwhile)
	}
	o := object{
		"operationId": id, "summary": summary, "description": whoMay(s, verb), "tags": []any{titleOf(s)}, "parameters": params,
		"responses": b.failures(reasons, "Idempotency-Replayed"), "security": b.collectionSecurity(s, verb),
	}
	if body != nil {
		o["requestBody"] = body
	}
	return o
}

var keyParams = []string{"idempotencyKey"}

// changeParams are those of a change of one record.
var changeParams = []string{"idempotencyKey", "ifMatch"}

// changeHeaders are headers of the response to a change of one record of s.
func changeHeaders(s *collection.Schema) []string {
	if s.NoEvents {
		return []string{"Idempotency-Replayed"}
	}
	return []string{"Idempotency-Replayed", headerSequence}
}

func (b *builder) post(s *collection.Schema) object {
	params := append(showParams(s), sharedParams(s, keyParams...)...)
	if s.CommandOnly {
		return b.write(s, collection.Create, "create"+s.Singular, "Refused: "+s.Plural+" are created by operations", params, nil)
	}
	in := ref(s.Singular + "Create")
	body := object{"required": true, "content": object{
		"application/json": object{"schema": in}, "multipart/form-data": b.payload(s, collection.Create, in),
	}}
	o := b.write(s, collection.Create, "create"+s.Singular, "Create one of "+s.Plural, params, body)
	o["responses"].(object)["201"] = success("The record as stored.", ref(s.Singular+"Written"), changeHeaders(s)...)
	if accepted := b.Hooks[s.Slug].Accepted; accepted != nil {
		o["responses"].(object)[strconv.Itoa(b.Success(ports.ReceiptAccepted))] = success("Not stored, but asked for.",
			b.answerObject(operation.Root, accepted), "Idempotency-Replayed")
	}
	return o
}

// payload is a form whose field _payload has the record, as the Payload client sends it. If an operation
// takes the file of a record, the form has the file and the operation's input as fields too.
func (b *builder) payload(s *collection.Schema, verb collection.Verb, in object) object {
	properties := object{"_payload": object{"type": "string", "contentMediaType": "application/json", "contentSchema": in}}
	for i := range b.Operations {
		o := &b.Operations[i]
		if o.Upload == nil || o.Upload.Writes == nil || o.Upload.Writes.Slug != s.Slug || o.Upload.Verb != verb {
			continue
		}
		properties[operation.FileField] = withDescription(object{"type": "string", "contentMediaType": "application/octet-stream"},
			o.Upload.Doc)
		for _, f := range o.FormFields() {
			properties[f.Name] = withDescription(object{"type": "string"}, f.Doc)
		}
		return object{"schema": object{"type": "object", "properties": properties}}
	}
	return object{"schema": object{"type": "object", "required": []any{"_payload"}, "properties": properties}}
}

func (b *builder) updateBody(s *collection.Schema) object {
	if !patchable(s) {
		return object{"required": true, "content": object{"application/json": object{"schema": object{"type": "object"}}}}
	}
	in := ref(s.Singular + "Update")
	return object{"required": true, "content": object{
		"application/json": object{"schema": in}, "multipart/form-data": b.payload(s, collection.Update, in),
	}}
}

func (b *builder) patch(s *collection.Schema) object {
	params := slices.Concat([]any{component("parameters", "id")}, showParams(s), sharedParams(s, changeParams...))
	o := b.write(s, collection.Update, "update"+s.Singular, "Change one of "+s.Plural, params, b.updateBody(s))
	if patchable(s) {
		o["responses"].(object)["200"] = success("The record as stored.", ref(s.Singular+"Written"), changeHeaders(s)...)
	}
	return o
}

func (b *builder) patchMany(s *collection.Schema) object {
	o := b.write(s, collection.Update, "updateMany"+s.Plural, "Change all of "+s.Plural+" that match", bulkParams(s), b.updateBody(s))
	if patchable(s) {
		b.many(o, s, "The changed records, and why others were not changed")
	}
	return o
}

func (b *builder) delete(s *collection.Schema) object {
	params := slices.Concat([]any{component("parameters", "id"), component("parameters", collection.ExpectedRevision)}, showParams(s),
		sharedParams(s, changeParams...))
	o := b.write(s, collection.Delete, "delete"+s.Singular, "Delete one of "+s.Plural, params, nil)
	o["responses"].(object)["200"] = success("The record as it was.", ref(s.Singular+"Deleted"), changeHeaders(s)...)
	return o
}

func (b *builder) deleteMany(s *collection.Schema) object {
	o := b.write(s, collection.Delete, "deleteMany"+s.Plural, "Delete all of "+s.Plural+" that match", bulkParams(s), nil)
	b.many(o, s, "The deleted records, and why others were not deleted")
	return o
}

// many adds the responses to a change of many records: 400 when one of them failed.
func (b *builder) many(o object, s *collection.Schema, content string) {
	responses := o["responses"].(object)
	responses["200"] = success(content+". All records succeeded.", ref(s.Singular+"Bulk"), "Idempotency-Replayed")
	some := success(content+", if at least one failed; or an error, if none was tried.",
		object{"anyOf": []any{ref(s.Singular + "Bulk"), ref("Failure")}}, "Idempotency-Replayed")
	responses["400"] = some
}

func bulkParams(s *collection.Schema) []any {
	w := whereParam(s)
	w["required"] = true
	limit := queryParam("limit", "Maximum number of records to write. Without it, all are written; more than 500 are refused.",
		object{"type": "integer", "minimum": 1, "maximum": collection.MaxLimit})
	return slices.Concat([]any{w, sortParam(s), limit}, showParams(s), sharedParams(s, keyParams...))
}

// sharedParams are the request headers of a collection's routes, and these parameters.
func sharedParams(s *collection.Schema, names ...string) []any {
	var out []any
	for _, n := range append(names, "requestId", "tenant") {
		out = append(out, component("parameters", n))
	}
	if s.PerEnvironment || s.Slug == "products" || s.Slug == "product-variants" {
		out = append(out, component("parameters", "environment"))
	}
	return out
}

// callers are the principals whose rights a description lists.
var callers = []struct {
	name string
	p    tenant.Principal
}{
	{"tenant admins", tenant.Principal{Kind: tenant.User, Role: tenant.Admin}},
	{"editors", tenant.Principal{Kind: tenant.User, Role: tenant.Editor}},
	{"viewers", tenant.Principal{Kind: tenant.User, Role: tenant.Viewer}},
	{"secret keys", tenant.Principal{Kind: tenant.SecretKey, CanRead: true, CanWrite: true}},
	{"client keys", tenant.Principal{Kind: tenant.ClientKey}},
	{"customers", tenant.Principal{Kind: tenant.Customer, ID: "own"}},
}

// whoMay describes the callers that the access matrix allows.
func whoMay(s *collection.Schema, verb collection.Verb) string {
	var words []string
	for _, c := range callers {
		r, err := access.Allowed(c.p, s, verb)
		switch {
		case err != nil:
		case !r.All && !r.Public:
			words = append(words, c.name+" (their own)")
		case !r.All && r.Where != nil:
			words = append(words, c.name+" (what is public)")
		default:
			words = append(words, c.name)
		}
	}
	if len(words) == 0 {
		return "For platform admins."
	}
	return "For " + strings.Join(words, ", ") + "." + whoProves(s, verb)
}

// whoProves says which writes of s take a session that was proven lately.
func whoProves(s *collection.Schema, verb collection.Verb) string {
	switch fields := s.GuardedFields(); {
	case s.Guards(verb):
		return " Users prove the session first (users.reauthenticate)."
	case verb == collection.Update && len(fields) > 0:
		return " Users who change " + strings.Join(fields, ", ") + " prove the session first (users.reauthenticate)."
	}
	return ""
}

// collectionSecurity is the credentials that can have the right to verb.
func (b *builder) collectionSecurity(s *collection.Schema, verb collection.Verb) []any {
	seen := map[tenant.Kind]bool{tenant.User: true} // platform admins may do anything
	for _, c := range callers {
		if _, err := access.Allowed(c.p, s, verb); err == nil {
			seen[c.p.Kind] = true
		}
	}
	return credentials(seen, operation.NoCapability)
}

// whereParam is the parameter that filters the records of s.
func whereParam(s *collection.Schema) object {
	return object{
		"name": "where", "in": "query",
		"description": fmt.Sprintf(
			"Filter on %s: a JSON object, or the same structure in brackets, such as `where[%s][equals]=…`. See %sWhere.",
			s.Plural, s.AllFields()[0].Name, s.Singular),
		"content": object{"application/json": object{"schema": ref(s.Singular + "Where")}},
	}
}

// sortParam is the parameter that sorts the records of s.
func sortParam(s *collection.Schema) object {
	var indexed []string
	for _, f := range s.AllFields() {
		if f.Indexed && !f.Kind.Many() && f.VisibleTo != collection.ServerOnly {
			indexed = append(indexed, "`"+f.Name+"`")
		}
	}
	return object{
		"name": "sort", "in": "query", "schema": object{"type": "string", "default": "-createdAt"}, "example": "-createdAt",
		"description": "Fields to sort by, separated by commas; a leading minus sorts in descending order. Paths follow relations. Indexed fields: " +
			strings.Join(indexed, ", ") + ".",
	}
}
