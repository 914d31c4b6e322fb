package openapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// patchable reports whether a client can change anything of a record that exists.
func patchable(s *collection.Schema) bool {
	return !s.Operated || slices.ContainsFunc(s.Fields, func(f collection.Field) bool { return f.Free })
}

// addRecord makes the component schemas of a collection.
func (b *builder) addRecord(s *collection.Schema) {
	name := s.Singular
	record := b.record(s, s.All())
	b.schemas[name] = described(record, s.Doc)
	doc := ref(name)
	b.schemas[name+"List"] = described(closed(object{
		"docs":          object{"type": "array", "items": doc},
		"totalDocs":     counted("How many records match."),
		"limit":         counted("How many stand on a page; 0 counts only."),
		"totalPages":    counted("How many pages there are, at least 1."),
		"page":          counted("Which page this is, from 1."),
		"pagingCounter": counted("The number of the first record on this page."),
		"hasPrevPage":   object{"type": "boolean"}, "hasNextPage": object{"type": "boolean"},
		"prevPage": object{"type": []any{"integer", "null"}}, "nextPage": object{"type": []any{"integer", "null"}},
	}, []any{"docs", "totalDocs", "limit", "totalPages", "page", "pagingCounter", "hasPrevPage", "hasNextPage", "prevPage", "nextPage"}), "A page of "+s.Plural+".")
	b.schemas[name+"Written"] = closed(object{"message": object{"type": "string"}, "doc": doc}, []any{"message", "doc"})
	b.schemas[name+"Where"] = b.where(s)
	if !s.Operated {
		fields := slices.Concat(s.All(), b.Hooks[s.Slug].Takes)
		b.schemas[name+"Create"] = described(b.writable(fields, true), "What a new record takes.")
	}
	if patchable(s) {
		fields := s.All()
		for i := range fields {
			fields[i].Owned = fields[i].Owned || s.Operated && !fields[i].Free
		}
		b.schemas[name+"Update"] = described(b.writable(fields, false), "What a change takes; what is left out stays.")
		b.schemas[name+"Bulk"] = b.bulk(doc)
	}
	if deletable(s) {
		b.schemas[name+"Deleted"] = closed(object{"id": object{"type": "string"}, "message": object{"type": "string"}, "doc": doc}, []any{"id", "message", "doc"})
	}
}

func deletable(s *collection.Schema) bool { return !s.NoDelete && !s.Operated }

func counted(doc string) object { return described(object{"type": "integer"}, doc) }

// bulk is the answer to a change of many records.
func (b *builder) bulk(doc object) object {
	members := errorMembers()
	members["id"] = described(object{"type": "string"}, "The record that stayed as it was.")
	failed := closed(members, []any{"id", "message", "name", "extensions"})
	return closed(object{
		"docs":   object{"type": "array", "items": doc},
		"errors": object{"type": "array", "items": failed}, "message": object{"type": "string"},
	}, []any{"docs", "errors", "message"})
}

// addCollection describes the routes of a collection, as far as no operation has them.
func (b *builder) addCollection(paths object, s *collection.Schema) {
	at, one := "/api/"+s.Slug, "/api/"+s.Slug+"/{id}"
	put := func(path, method string, o object) {
		if !b.taken(method, path) {
			add(paths, path, method, o)
		}
	}
	name := s.Singular
	reading := []struct {
		at, id, summary string
		params          []any
		answer          object
	}{
		{at + "/count", "count" + s.Plural, "Count " + s.Plural, []any{where(s)}, ref("Count")},
		{at, "list" + s.Plural, "List " + s.Plural, listed(s), ref(name + "List")},
		{one, "get" + name, "Get one of " + s.Plural, append([]any{component("parameters", "id")}, shown()...), ref(name)},
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

// shown are the parameters that say how records look.
func shown() []any {
	return []any{component("parameters", "depth"), component("parameters", "select"), component("parameters", "populate")}
}

func listed(s *collection.Schema) []any {
	out := []any{where(s), sortBy(s)}
	for _, p := range []string{"limit", "page", "pagination"} {
		out = append(out, component("parameters", p))
	}
	return append(out, shown()...)
}

var (
	readReasons  = []*fault.Error{fault.ErrValidation, fault.ErrNotFound, collection.ErrQuery, content.ErrTooMuch}
	writeReasons = []*fault.Error{fault.ErrValidation, fault.ErrNotFound, collection.ErrQuery, content.ErrTooMuch, ports.ErrDuplicate, ports.ErrStale}
)

// read describes what answers without a change.
func (b *builder) read(s *collection.Schema, id, summary string, params []any, answer object) object {
	responses := b.failures(readReasons)
	responses["200"] = success("What was asked for. A client key's answers carry an ETag.", answer, "ETag", "Cache-Control")
	responses["304"] = object{"description": "Nothing changed since If-None-Match.", "headers": told("ETag", "Cache-Control")}
	return object{
		"operationId": id, "summary": summary, "description": who(s, collection.Read), "tags": []any{titleOf(s)},
		"parameters": append(params, shared(s, "ifNoneMatch")...), "responses": responses, "security": b.collectionSecurity(s, collection.Read),
	}
}

// write describes a change: how it succeeds, what it takes.
func (b *builder) write(s *collection.Schema, verb collection.Verb, id, summary string, params []any, body object) object {
	reasons := slices.Concat(writeReasons, keyReasons, b.Written, b.Hooks[s.Slug].Reasons)
	if s.Operated {
		reasons = append(reasons, content.ErrOperated)
	}
	o := object{
		"operationId": id, "summary": summary, "description": who(s, verb), "tags": []any{titleOf(s)}, "parameters": params,
		"responses": b.failures(reasons, "Idempotency-Replayed"), "security": b.collectionSecurity(s, verb),
	}
	if body != nil {
		o["requestBody"] = body
	}
	return o
}

var keyed = []string{"idempotencyKey"}

func (b *builder) post(s *collection.Schema) object {
	params := append(shown(), shared(s, keyed...)...)
	if s.Operated {
		return b.write(s, collection.Create, "create"+s.Singular, "Refused: "+s.Plural+" are made by operations of their own", params, nil)
	}
	in := ref(s.Singular + "Create")
	body := object{"required": true, "content": object{"application/json": object{"schema": in}, "multipart/form-data": payload(s, in)}}
	o := b.write(s, collection.Create, "create"+s.Singular, "Create one of "+s.Plural, params, body)
	o["responses"].(object)["201"] = success("The record as stored.", ref(s.Singular+"Written"), "Idempotency-Replayed")
	return o
}

// payload is a form whose field _payload holds the record, as the Payload client sends it; media come with the file.
func payload(s *collection.Schema, in object) object {
	document := object{"type": "string", "contentMediaType": "application/json", "contentSchema": in}
	if s.Slug != media.Schema.Slug {
		return object{"schema": object{"type": "object", "required": []any{"_payload"}, "properties": object{"_payload": document}}}
	}
	return object{"schema": object{"type": "object", "properties": object{
		"file": described(object{"type": "string", "contentMediaType": "application/octet-stream"}, "The file."),
		"alt":  described(object{"type": "string"}, "What the record's field alt holds."), "_payload": document,
	}}}
}

func (b *builder) updateBody(s *collection.Schema) object {
	if !patchable(s) {
		return object{"required": true, "content": object{"application/json": object{"schema": object{"type": "object"}}}}
	}
	in := ref(s.Singular + "Update")
	return object{"required": true, "content": object{"application/json": object{"schema": in}, "multipart/form-data": payload(s, in)}}
}

func (b *builder) patch(s *collection.Schema) object {
	params := slices.Concat([]any{component("parameters", "id")}, shown(), shared(s, keyed...))
	o := b.write(s, collection.Update, "update"+s.Singular, "Change one of "+s.Plural, params, b.updateBody(s))
	if patchable(s) {
		o["responses"].(object)["200"] = success("The record as stored.", ref(s.Singular+"Written"), "Idempotency-Replayed")
	}
	return o
}

func (b *builder) patchMany(s *collection.Schema) object {
	o := b.write(s, collection.Update, "updateMany"+s.Plural, "Change all of "+s.Plural+" that match", many(s), b.updateBody(s))
	if patchable(s) {
		b.many(o, s, "How each record fared")
	}
	return o
}

func (b *builder) delete(s *collection.Schema) object {
	params := slices.Concat([]any{component("parameters", "id")}, shown(), shared(s, keyed...))
	o := b.write(s, collection.Delete, "delete"+s.Singular, "Delete one of "+s.Plural, params, nil)
	o["responses"].(object)["200"] = success("The record as it was.", ref(s.Singular+"Deleted"), "Idempotency-Replayed")
	return o
}

func (b *builder) deleteMany(s *collection.Schema) object {
	o := b.write(s, collection.Delete, "deleteMany"+s.Plural, "Delete all of "+s.Plural+" that match", many(s), nil)
	b.many(o, s, "What became of each record")
	return o
}

// many adds the answers to a change of many records: 400 when one of them failed.
func (b *builder) many(o object, s *collection.Schema, what string) {
	responses := o["responses"].(object)
	responses["200"] = success(what+"; all went well.", ref(s.Singular+"Bulk"), "Idempotency-Replayed")
	some := success(what+", when one of them failed; or an error, when none was tried.", object{"anyOf": []any{ref(s.Singular + "Bulk"), ref("Failure")}}, "Idempotency-Replayed")
	responses["400"] = some
}

func many(s *collection.Schema) []any {
	w := where(s)
	w["required"] = true
	most := query("limit", "At most so many are written; left out: all, unless there are more than 500.", object{"type": "integer", "minimum": 1, "maximum": collection.MaxLimit})
	return slices.Concat([]any{w, sortBy(s), most}, shown(), shared(s, keyed...))
}

// shared are the headers that calls of a collection take, and these parameters.
func shared(s *collection.Schema, names ...string) []any {
	var out []any
	for _, n := range append(names, "requestId", "tenant") {
		out = append(out, component("parameters", n))
	}
	if s.Environmented || s.Slug == "products" || s.Slug == "product-variants" {
		out = append(out, component("parameters", "environment"))
	}
	return out
}

// callers are the principals whose rights a description tells.
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

// who says in words what the access matrix says.
func who(s *collection.Schema, verb collection.Verb) string {
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
	return "For " + strings.Join(words, ", ") + "."
}

// collectionSecurity is which credentials can have the right to verb.
func (b *builder) collectionSecurity(s *collection.Schema, verb collection.Verb) []any {
	seen := map[tenant.Kind]bool{tenant.User: true} // platform admins may anything
	for _, c := range callers {
		if _, err := access.Allowed(c.p, s, verb); err == nil {
			seen[c.p.Kind] = true
		}
	}
	return credentials(seen, operation.Nobody)
}

// where is the parameter that filters the records of s.
func where(s *collection.Schema) object {
	return object{
		"name": "where", "in": "query",
		"description": fmt.Sprintf("Which of %s: a JSON object, or the same tree in brackets, such as `where[%s][equals]=…`. See %sWhere.", s.Plural, s.All()[0].Name, s.Singular),
		"content":     object{"application/json": object{"schema": ref(s.Singular + "Where")}},
	}
}

// sortBy is the parameter that orders the records of s.
func sortBy(s *collection.Schema) object {
	var quick []string
	for _, f := range s.All() {
		if f.Indexed && !f.Kind.Many() && f.Read != collection.Nobody {
			quick = append(quick, "`"+f.Name+"`")
		}
	}
	return object{
		"name": "sort", "in": "query", "schema": object{"type": "string", "default": "-createdAt"}, "example": "-createdAt",
		"description": "Fields by which to order, with commas; a minus in front turns the order round; paths lead through relations. Served by an index: " + strings.Join(quick, ", ") + ".",
	}
}
