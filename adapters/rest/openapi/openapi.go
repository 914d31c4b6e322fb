// Package openapi generates the OpenAPI 3.1 document of the API from the collections, the declared operations
// and the routes with their own handlers. Nothing is described by hand that is declared elsewhere.
//
// The document is built from plain maps rather than a library's model: schemas are JSON Schema 2020-12 (a
// nullable value has a list of types), keys are sorted, and equal declarations give equal bytes. Decisions
// about its content:
//
//   - A record is described as staff sees it. Fields that shoppers do not see are marked, and not required. `select` may leave
//     out required fields.
//   - Money and other decimals are numbers whose text is exact; reading them into a float is the reader's choice.
//   - A filter is described as the JSON form of `where`; the bracket form of the same filter has no schema and is explained in
//     text.
//   - Bodies and answers of operations are separate components, with the names of the same types in GraphQL. Below the
//     storefront's prefix they leave out fields for staff.
//   - Failures list, per status, every possible extensions.reason.
package openapi

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Route describes an endpoint with its own handler: pages, probes, files, the GraphQL endpoint, webhooks of
// providers. Its Operation has no Run; Path is the whole path, with parameters as {name}.
type Route struct {
	operation.Operation

	Tag           string             // "" is the first part of Name
	NoAuth        bool               // needs no credentials
	RequestTypes  []string           // media types of the body; nil: JSON
	ResponseTypes []string           // media types of the answer, when it is not JSON
	Statuses      []int              // of success; nil: those of Results
	PlainErrors   bool               // failures do not have the error format of the API
	Headers       []collection.Field // further request headers
}

// Spec is what the document is generated from.
type Spec struct {
	Version       string // of the API
	URL           string // where it is served; "" is the origin of the document
	Registry      *collection.Registry
	Hooks         map[string]records.Hooks // additional inputs and reasons of collections
	Operations    []operation.Operation
	Routes        []Route
	CommonReasons []*fault.Error // refusals of any call
	WriteReasons  []*fault.Error // additional refusals of writes of records
	Status        func(fault.Kind) int
	Success       func(ports.ReceiptResult) int
}

type object = map[string]any

type builder struct {
	Spec

	schemas, responses object
}

// Document is the document as JSON.
func Document(s Spec) []byte {
	b := &builder{Spec: s, schemas: object{}, responses: object{}}
	paths := object{}
	b.addErrors()
	for _, schema := range s.Registry.All() {
		b.addRecord(schema)
		b.addCollection(paths, schema)
	}
	for i := range s.Operations {
		o := &s.Operations[i]
		if o.Upload != nil && o.Upload.Writes != nil {
			continue // described with the collection
		}
		o.Surfaces.EachSurface(func(at operation.Surface) { addPath(paths, "/api"+at.Prefix()+o.Path, o.Method, b.operation(o, at)) })
	}
	for i := range s.Routes {
		addPath(paths, s.Routes[i].Path, s.Routes[i].Method, b.route(&s.Routes[i]))
	}
	server := object{"url": "/"}
	if s.URL != "" {
		server["url"] = strings.TrimSuffix(s.URL, "/")
	}
	return collection.AppendJSONValue(nil, object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Cartwright", "version": s.Version, "summary": "A multi-tenant commerce server.", "description": introduction,
			"license": object{"name": "Apache 2.0", "identifier": "Apache-2.0"},
		},
		"servers": []any{server},
		"tags":    b.tags(),
		"paths":   paths,
		"components": object{
			"schemas": b.schemas, "responses": b.responses, "securitySchemes": securitySchemes,
			"parameters": parameters, "headers": headers,
		},
	})
}

// addPath adds an operation to its path. Two operations with the same method and path are a programming error.
func addPath(paths object, path, method string, o object) {
	item, _ := paths[path].(object)
	if item == nil {
		item = object{}
		paths[path] = item
	}
	word := strings.ToLower(method)
	if item[word] != nil {
		panic("openapi: " + method + " " + path + " is described twice")
	}
	item[word] = o
}

// isServed reports whether an operation or a route serves this method and path, so that the generic route of
// a collection is not described.
func (b *builder) isServed(method, path string) bool {
	for i := range b.Operations {
		o := &b.Operations[i]
		if o.Method != method || o.Upload != nil && o.Upload.Writes != nil {
			continue
		}
		found := false
		o.Surfaces.EachSurface(func(at operation.Surface) { found = found || "/api"+at.Prefix()+o.Path == path })
		if found {
			return true
		}
	}
	return slices.ContainsFunc(b.Routes, func(r Route) bool { return r.Method == method && r.Path == path })
}

// tags lists the groups in the order of their collections, then the rest.
func (b *builder) tags() []any {
	var out []any
	seen := map[string]bool{}
	put := func(name, doc string) {
		if seen[name] {
			return
		}
		seen[name] = true
		tag := object{"name": name}
		if doc != "" {
			tag["description"] = doc
		}
		out = append(out, tag)
	}
	for _, s := range b.Registry.All() {
		put(titleOf(s), s.Doc)
	}
	for i := range b.Operations {
		put(b.tag(b.Operations[i].Name), "")
	}
	for i := range b.Routes {
		put(b.routeTag(&b.Routes[i]), "")
	}
	return out
}

// tag is the group of an operation: its collection where there is one.
func (b *builder) tag(name string) string {
	first, _, _ := strings.Cut(name, ".")
	for _, s := range b.Registry.All() {
		if strings.EqualFold(strings.ReplaceAll(s.Slug, "-", ""), first) {
			return titleOf(s)
		}
	}
	return capitalize(first)
}

// titleOf is the group of a collection: its name in words.
func titleOf(s *collection.Schema) string {
	words := strings.Split(s.Slug, "-")
	for i, w := range words {
		words[i] = capitalize(w)
	}
	return strings.Join(words, " ")
}

func (b *builder) routeTag(r *Route) string {
	if r.Tag != "" {
		return r.Tag
	}
	return b.tag(r.Name)
}

func texts[S ~string](list []S) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

func ref(name string) object { return object{"$ref": "#/components/schemas/" + name} }

func component(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }
