package rest_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/rest/openapi/openapitest"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// TestEveryRouteIsDescribed compares the router with the document. Routes that belong to no operation and no
// collection are described by their Area: see rest.Describer.
func TestEveryRouteIsDescribed(t *testing.T) {
	b := newSQLiteHarness(t)
	var routes []string
	for _, r := range b.app.GetRoutes(true) {
		if r.Method != http.MethodHead { // comes with GET
			routes = append(routes, r.Method+" "+regexp.MustCompile(`:(\w+)`).ReplaceAllString(r.Path, "{$1}"))
		}
	}
	slices.Sort(routes)
	routes = slices.Compact(routes)
	described := b.contract.Routes()
	for _, r := range routes {
		if !slices.Contains(described, r) {
			t.Errorf("%s is not in the OpenAPI document: declare it as an operation, or describe it in Describe of its Area", r)
		}
	}
	for _, r := range described {
		if !slices.Contains(routes, r) {
			t.Errorf("%s is described but not served", r)
		}
	}
}

// A collection that only a test declares is described like any other. Rule collections-19.
func TestScratchCollectionIsDescribed(t *testing.T) {
	b := newSQLiteHarness(t)
	for _, name := range []string{
		"Gadget", "GadgetList", "GadgetCreate", "GadgetUpdate", "GadgetWhere", "GadgetWritten", "GadgetDeleted", "GadgetBulk",
	} {
		if b.contract.Schema(name) == nil {
			t.Errorf("there is no schema %s", name)
		}
	}
	member := func(schema, name string) map[string]any {
		m, _ := b.contract.Schema(schema)["properties"].(map[string]any)[name].(map[string]any)
		return m
	}
	if cost := member("Gadget", "cost"); cost == nil || !strings.Contains(cost["description"].(string), "Not shown to shoppers.") {
		t.Error(cost)
	}
	if member("Gadget", "secret") != nil || member("GadgetWhere", "secret") != nil ||
		member("GadgetCreate", "secret")["writeOnly"] != true {
		t.Error("a ServerOnly field must be write-only")
	}
	if required := b.contract.Schema("GadgetCreate")["required"]; len(required.([]any)) != 1 {
		t.Error(required)
	}
	if text := b.secret(200, "GET", "/api/openapi.json", "").raw; !strings.Contains(text, `"/api/gadgets/{id}"`) {
		t.Error("the served document has another registry")
	}
}

// Whatever is an address has the same type, so that what was read can be sent. Entries of address books have more. Rule addresses-1.
func TestEveryAddressIsOneType(t *testing.T) {
	b := newSQLiteHarness(t)
	var document any
	if err := json.Unmarshal([]byte(b.request("GET", "/api/openapi.json", "").raw), &document); err != nil {
		t.Fatal(err)
	}
	whole, refs := map[string]bool{}, 0
	var walk func(at string, of any)
	walk = func(at string, of any) {
		switch of := of.(type) {
		case map[string]any:
			if of["$ref"] == "#/components/schemas/Address" {
				refs++
			}
			members, _ := of["properties"].(map[string]any)
			if members["address1"] != nil && members["isDefault"] == nil {
				whole[at] = true
			}
			for name, part := range of {
				walk(at+"/"+name, part)
			}
		case []any:
			for _, part := range of {
				walk(at, part)
			}
		}
	}
	walk("", document)
	if len(whole) != 1 || !whole["/components/schemas/Address"] || refs < 10 {
		t.Error(slices.Sorted(maps.Keys(whole)), refs)
	}
}

func TestDocumentIsPublic(t *testing.T) {
	b := newSQLiteHarness(t)
	first := b.request("GET", "/api/openapi.json", "")
	if first.status != 200 || first.header.Get("Content-Type") != "application/json" || first.body["openapi"] != "3.1.0" {
		t.Fatal(first.status, first.header)
	}
	small := b.request("GET", "/api/openapi.json", "", "Accept-Encoding", "br, gzip")
	if small.header.Get("Content-Encoding") != "gzip" || len(small.raw)*4 > len(first.raw) ||
		small.header.Get("ETag") == first.header.Get("ETag") {
		t.Error(small.header)
	}
	if a := b.request("GET", "/api/openapi.json", "", "Accept-Encoding", "gzip;q=0"); a.header.Get("Content-Encoding") != "" {
		t.Error(a.header)
	}
	if a := b.request("GET", "/api/openapi.json", "", "If-None-Match", first.header.Get("ETag")); a.status != 304 || a.raw != "" {
		t.Error(a.status, a.raw)
	}
	if a := b.request("GET", "/api/openapi.json", "", "Authorization", "Bearer nonsense", "Origin", "https://editor.example"); a.status != 200 ||
		a.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Error(a.status, a.header)
	}
}

func TestDocumentIsDeterministic(t *testing.T) {
	one, other := newSQLiteHarness(t), newSQLiteHarness(t)
	if one.request("GET", "/api/openapi.json", "").raw != other.request("GET", "/api/openapi.json", "").raw {
		t.Error("the document differs from one start to the next")
	}
}

// Deprecated operations are marked as such.
func TestPreviousAPIIsDeprecated(t *testing.T) {
	registry, err := collection.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	old := operation.Operation{
		Name: "carts.addItemOld", Summary: "Add", Method: "POST", Path: "/cart/{id}/items", Surfaces: operation.Public, Deprecated: true,
		Params: []collection.Field{{Name: "id", Kind: collection.Text}},
		Output: []collection.Field{{Name: "total", Kind: collection.Money, Required: true, Doc: "Sum."}},
	}
	current := old
	current.Path, current.Deprecated, current.Name = "/carts/{id}/items", false, "carts.addItem"
	c := contractOf(t, registry, old, current)
	if c.Operation("POST", "/api/commerce/cart/{id}/items")["deprecated"] != true ||
		c.Operation("POST", "/api/commerce/carts/{id}/items")["deprecated"] != nil {
		t.Error(c.Routes())
	}
}

func contractOf(t *testing.T, registry *collection.Registry, list ...operation.Operation) *openapitest.Contract {
	t.Helper()
	c, err := openapitest.Parse(rest.Document(rest.Options{Areas: []rest.Area{
		rest.Operations(list), rest.Collections{Content: &records.Service{Registry: registry}},
	}}))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The contract check must find differences from the document.
func TestContractCheckFindsDifferences(t *testing.T) {
	b := newSQLiteHarness(t)
	id := b.make("gadgets", `{"name":"A","price":3,"colours":["red"]}`)
	path := "/api/gadgets/" + id
	good := b.secret(200, "GET", path, "")
	exchange := func(change func(*openapitest.Exchange)) openapitest.Exchange {
		x := openapitest.Exchange{
			Method: "GET", Path: path, Header: http.Header{}, Status: 200, AnswerHeader: good.header.Clone(), Answer: []byte(good.raw),
		}
		change(&x)
		return x
	}
	swap := func(old, next string) func(*openapitest.Exchange) {
		return func(x *openapitest.Exchange) {
			if !strings.Contains(good.raw, old) {
				t.Fatalf("%s is not in %s", old, good.raw)
			}
			x.Answer = bytes.Replace(x.Answer, []byte(old), []byte(next), 1)
		}
	}
	refused := func(status int, reason string) func(*openapitest.Exchange) {
		return func(x *openapitest.Exchange) {
			x.Status = status
			x.AnswerHeader.Del("ETag")
			x.Answer, _ = json.Marshal(map[string]any{"errors": []any{map[string]any{
				"message": "m", "name": "APIError", "extensions": map[string]any{"code": "C", "reason": reason, "requestId": "r"},
			}}})
		}
	}
	for name, c := range map[string]struct {
		change func(*openapitest.Exchange)
		want   string
	}{
		"nothing":             {func(*openapitest.Exchange) {}, ""},
		"a member too many":   {swap(`"name":"A"`, `"name":"A","tokenHash":"x"`), "tokenHash is not declared"},
		"a nested one":        {swap(`"width":null`, `"width":null,"depth":1`), "depth is not declared"},
		"a member too few":    {swap(`"name":"A",`, ``), "name is missing"},
		"a selection":         {func(x *openapitest.Exchange) { swap(`"name":"A",`, ``)(x); x.Query = "select[price]=true" }, ""},
		"an amount as text":   {swap(`"price":3`, `"price":"3"`), "string is none of"},
		"half a whole number": {swap(`"width":null`, `"width":0.5`), "number is none of"},
		"another choice":      {swap(`"red"`, `"green"`), "not among the choices"},
		"null for an id":      {swap(`"id":"`+id+`"`, `"id":null`), "null is none of"},
		"another status":      {func(x *openapitest.Exchange) { x.Status = 202 }, "status 202"},
		"a refusal":           {refused(404, "not_found"), ""},
		"another's reason":    {refused(404, "line_not_found"), "not among the choices"},
		"an unknown reason":   {refused(404, "lost"), "not among the choices"},
		"an undescribed header": {
			func(x *openapitest.Exchange) { x.AnswerHeader.Set("X-Cart-Revision", "1") }, "X-Cart-Revision is not described",
		},
		"a header too few": {func(x *openapitest.Exchange) {
			x.Method, x.Answer = "PATCH", []byte(`{"message":"m","doc":`+good.raw+`}`)
		}, "X-Event-Sequence is missing"},
		"another media type": {
			func(x *openapitest.Exchange) { x.AnswerHeader.Set("Content-Type", "text/html") }, "is not described",
		},
		"an unknown address":          {func(x *openapitest.Exchange) { x.Path = "/api/nothing" }, "not described"},
		"a parameter of another type": {func(x *openapitest.Exchange) { x.Query = "depth=deep" }, "depth"},
		"an undeclared body member": {func(x *openapitest.Exchange) {
			x.Method, x.Body = "PATCH", []byte(`{"colour":"red"}`)
			x.Header.Set("Content-Type", "application/json")
			x.Answer = []byte(`{"message":"m","doc":` + good.raw + `}`)
		}, "colour is not declared"},
	} {
		got := strings.Join(b.contract.Check(exchange(c.change)), "; ")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
