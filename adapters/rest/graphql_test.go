package rest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// document is a request body.
func document(query string, more ...any) string {
	m := map[string]any{"query": query}
	for i := 0; i < len(more); i += 2 {
		m[more[i].(string)] = more[i+1]
	}
	body, _ := json.Marshal(m)
	return string(body)
}

// graphql sends a document with headers, and fails the test on another status.
func (b *harness) graphql(status int, body string, headers ...string) answer {
	b.t.Helper()
	a := b.request("POST", "/api/graphql", body, headers...)
	if a.status != status {
		b.t.Fatalf("%.300s as %.80q: %d, want %d: %.500s", body, headers, a.status, status, a.raw)
	}
	return a
}

func TestGraphQLOverHTTP(t *testing.T) {
	b := newSQLiteHarness(t)
	b.make("gadgets", `{"name": "Lamp", "weight": 12.30}`)
	key := []string{"X-Client-Key", b.shop.ClientKey}
	good, wrong := document(`{ Gadgets { docs { name weight } } }`), document(`{ Gadgets { docs { nam } } }`)
	const data = `{"data":{"Gadgets":{"docs":[{"name":"Lamp","weight":12.3}]}}}`
	const modern = "application/graphql-response+json"
	for name, c := range map[string]struct {
		accept string
		body   string
		status int
		kind   string
	}{
		"no Accept header":         {"", good, 200, "application/json"},
		"anything":                 {"*/*", wrong, 200, "application/json"},
		"the old type":             {"application/json", wrong, 200, "application/json"},
		"the new type":             {modern, good, 200, modern},
		"the new type, no data":    {modern, wrong, 400, modern},
		"the new one preferred":    {modern + ", application/json;q=0.9", wrong, 400, modern},
		"the old one preferred":    {modern + ";q=0.5, application/json", wrong, 200, "application/json"},
		"both alike, new first":    {modern + "; charset=utf-8, application/json; charset=utf-8", wrong, 400, modern},
		"both alike, old first":    {"application/json, " + modern, wrong, 200, "application/json"},
		"the new one refused":      {modern + ";q=0, */*", wrong, 200, "application/json"},
		"any of its kind":          {"application/*", wrong, 200, "application/json"},
		"a browser's address line": {"text/html", good, 200, "application/json"},
		"partial data, new type":   {modern, document(`{ Gadgets { docs { name cost } } }`), 200, modern},
		"partly refused":           {modern, document(`mutation { deleteGadget(id: "x") { id } }`), 200, modern},
	} {
		headers := key
		if c.accept != "" {
			headers = append([]string{"Accept", c.accept}, key...)
		}
		a := b.graphql(c.status, c.body, headers...)
		if a.header.Get("Content-Type") != c.kind+"; charset=utf-8" || !strings.Contains(a.header.Get("Vary"), "Accept") {
			t.Errorf("%s: %v", name, a.header)
		}
		if c.body == good && a.raw != data {
			t.Errorf("%s: %s", name, a.raw)
		}
	}
}

// hasNoData reports whether the answer is that of a document of which nothing was run: data is there, and null.
func (a answer) hasNoData() bool {
	data, there := a.body["data"]
	return there && data == nil
}

func TestMalformedGraphQLRequests(t *testing.T) {
	b := newSQLiteHarness(t)
	for name, c := range map[string]struct {
		body, contentType string
		status            int
		reason            string
	}{
		"no JSON":             {`{`, "application/json", 400, "malformed_request"},
		"a list of documents": {`[{"query": "{ __typename }"}]`, "application/json", 400, "graphql_batch"},
		"a number":            {`3`, "application/json", 400, "malformed_request"},
		"no document":         {`{"variables": {}}`, "application/json", 400, "validation_failed"},
		"a document of bytes": {`{"query": 7}`, "application/json", 400, "validation_failed"},
		"variables as text":   {`{"query": "{ __typename }", "variables": "{}"}`, "application/json", 400, "validation_failed"},
		"an unknown member":   {`{"query": "{ __typename }", "vars": {}}`, "application/json", 400, "validation_failed"},
		"a persisted query":   {`{"extensions": {"persistedQuery": {"version": 1}}}`, "application/json", 400, "malformed_request"},
		"plain text":          {`{"query": "{ __typename }"}`, "text/plain", 415, "media_type_not_supported"},
		"the document itself": {`{ __typename }`, "application/graphql", 415, "media_type_not_supported"},
		"too much of it":      {document("#" + strings.Repeat("x", 1<<20)), "application/json", 413, "body_too_large"},
		"an idempotency key":  {document("{ __typename }"), "application/json", 200, ""},
	} {
		a := b.graphql(c.status, c.body, "Content-Type", c.contentType)
		if a.reason() != c.reason || c.status != 200 && !a.hasNoData() {
			t.Errorf("%s: %s", name, a.raw)
		}
	}
	a := b.request("GET", "/api/graphql?query=%7B__typename%7D", "")
	if a.status != 405 || a.header.Get("Allow") != "POST, OPTIONS" || a.reason() != "method_not_allowed" || !a.hasNoData() {
		t.Errorf("GET: %d %v %s", a.status, a.header, a.raw)
	}
	if a := b.graphql(200, document("{ __typename }", "operationName", nil, "variables", nil, "extensions", map[string]any{})); a.raw !=
		`{"data":{"__typename":"Query"}}` {
		t.Errorf("%s", a.raw)
	}
}

// Permissions are the same over GraphQL: client keys only read, cookies write only from the same origin,
// environments are separate, and credentials that are not accepted have their status.
func TestGraphQLAuthentication(t *testing.T) {
	b := newSQLiteHarness(t)
	create := func(name string) string {
		return document(`mutation($name: String!) { createGadget(data: {name: $name}) { name } }`,
			"variables", map[string]any{"name": name})
	}
	names := document(`{ Gadgets(sort: "name") { docs { name } } }`)
	for _, key := range []string{b.shop.SecretKey, b.shop.TestSecretKey} {
		if a := b.graphql(200, create(key[:7]), "X-API-Key", key); a.raw != fmt.Sprintf(`{"data":{"createGadget":{"name":%q}}}`, key[:7]) {
			t.Errorf("%s", a.raw)
		}
		if a := b.graphql(200, names, "X-API-Key", key); a.raw != fmt.Sprintf(`{"data":{"Gadgets":{"docs":[{"name":%q}]}}}`, key[:7]) {
			t.Errorf("%s", a.raw)
		}
	}
	if a := b.graphql(200, create("x"), "X-Client-Key", b.shop.ClientKey); !strings.Contains(a.raw, `"code":"FORBIDDEN"`) ||
		!strings.Contains(a.raw, `"data":{"createGadget":null}`) {
		t.Errorf("a client key wrote: %s", a.raw)
	}
	bearer, login := b.login()
	cookie, _, _ := strings.Cut(login.header.Get("Set-Cookie"), ";")
	for name, c := range map[string]struct {
		headers []string
		status  int
		code    string
	}{
		"nobody":                     {nil, 200, "UNAUTHENTICATED"},
		"a user":                     {[]string{"Authorization", bearer}, 200, ""},
		"a cookie of our page":       {[]string{"Cookie", cookie, "Origin", "http://shop.example"}, 200, ""},
		"a cookie of another page":   {[]string{"Cookie", cookie, "Origin", "http://evil.example"}, 403, "FORBIDDEN"},
		"a cookie without an origin": {[]string{"Cookie", cookie}, 403, "FORBIDDEN"},
		"a secret key in a browser":  {[]string{"X-API-Key", b.shop.SecretKey, "Origin", "http://shop.example"}, 403, "FORBIDDEN"},
		"a false token":              {[]string{"Authorization", bearer + "x"}, 401, "UNAUTHENTICATED"},
		"another shop's tenant":      {[]string{"Authorization", bearer, "X-Tenant-Id", string(b.other.Tenant.ID)}, 403, "FORBIDDEN"},
	} {
		a := b.graphql(c.status, names, c.headers...)
		if c.code == "" && strings.Contains(a.raw, "errors") || !strings.Contains(a.raw, c.code) ||
			c.status != 200 && !a.hasNoData() {
			t.Errorf("%s: %s", name, a.raw)
		}
	}
	b.advance(8 * 24 * 3600 * 1e9)
	if a := b.graphql(419, names, "Authorization", bearer); !strings.Contains(a.raw, "TOKEN_EXPIRED") {
		t.Errorf("an expired token: %s", a.raw)
	}
}

// GraphiQL is served from the binary, may load nothing from other servers, and is cached by browsers.
func TestPlaygroundLoadsNothingExternal(t *testing.T) {
	b := newSQLiteHarness(t)
	page := b.request("GET", "/api/graphql-playground", "")
	policy := page.header.Get("Content-Security-Policy")
	if page.status != 200 || !strings.HasPrefix(policy, "default-src 'none'; script-src 'self';") || strings.Contains(page.raw, "//") {
		t.Errorf("%d %s\n%s", page.status, policy, page.raw)
	}
	for _, name := range []string{"graphiql.js", "graphiql.css", "page.js", "page.css", "LICENSES.txt"} {
		a := b.request("GET", "/api/graphql-playground/"+name, "")
		zipped := b.request("GET", "/api/graphql-playground/"+name, "", "Accept-Encoding", "gzip")
		again := b.request("GET", "/api/graphql-playground/"+name, "", "If-None-Match", a.header.Get("ETag"))
		if a.status != 200 || len(a.raw) == 0 || len(zipped.raw) > len(a.raw) || again.status != 304 || len(again.raw) > 0 {
			t.Errorf("%s: %d %d %d", name, a.status, zipped.status, again.status)
		}
		if strings.HasPrefix(name, "graphiql.") && (zipped.header.Get("Content-Encoding") != "gzip" || len(zipped.raw)*2 > len(a.raw)) {
			t.Errorf("%s: %v", name, zipped.header)
		}
		if strings.HasSuffix(name, ".css") && (strings.Contains(a.raw, "url(http") || strings.Contains(a.raw, "@import")) {
			t.Errorf("%s loads from other servers", name)
		}
	}
	if a := b.request("GET", "/api/graphql-playground/secrets", ""); a.status != 404 {
		t.Errorf("%d", a.status)
	}
}

// Files are sent with a document, each for one variable; a form from a page of another origin changes nothing.
func TestFilesOverGraphQL(t *testing.T) {
	b := newSQLiteHarness(t)
	part := func(disposition, text string) string {
		return "--b\r\nContent-Disposition: form-data; name=" + disposition + "\r\n\r\n" + text + "\r\n"
	}
	form := func(query, places string, files ...string) string {
		body := part(`"operations"`, document(query, "variables", map[string]any{"a": nil, "b": nil})) + part(`"map"`, places)
		for i := 0; i < len(files); i += 2 {
			body += part(fmt.Sprintf(`"%s"; filename="%s.txt"`, files[i], files[i]), files[i+1])
		}
		return body + "--b--\r\n"
	}
	const two = `mutation($a: Upload!, $b: Upload!) { x: createMedia(data: {alt: "A", file: $a}) { filename filesize alt } y: createMedia(data: {alt: "B", file: $b}) { filename filesize } }`
	const places = `{"first": ["variables.a"], "second": ["variables.b"]}`
	kind, key := []string{"Content-Type", "multipart/form-data; boundary=b"}, []string{"X-API-Key", b.shop.SecretKey}
	for _, order := range [][]string{{"first", "one file", "second", "another file"}, {"second", "another file", "first", "one file"}} {
		a := b.graphql(200, form(two, places, order...), append(kind, key...)...)
		if a.at("x.filename") == "<nil>" || a.at("x.filesize") != "8" || a.at("y.filesize") != "12" || a.at("x.alt") != "A" {
			t.Error(a.raw)
		}
	}
	if a := b.graphql(200, form(two, places, "first", "one file"), append(kind, key...)...); a.at("x.filesize") != "8" ||
		a.at("y") != "<nil>" || !strings.Contains(a.raw, `"form_malformed"`) {
		t.Errorf("a file is missing: %s", a.raw)
	}
	for who, key := range map[string][]string{"unauthenticated": nil, "forbidden": {"X-Client-Key", b.shop.ClientKey}} {
		if a := b.graphql(200, form(two, places), append(kind, key...)...); strings.Count(a.raw, `"`+who+`"`) != 2 {
			t.Errorf("access was decided after looking for the files: %s", a.raw)
		}
	}
	if a := b.graphql(400, form(two, `{"first": ["variables.c"]}`, "first", "one file"), append(kind, key...)...); a.reason() != "validation_failed" {
		t.Error(a.raw)
	}
	_, login := b.login()
	cookie, _, _ := strings.Cut(login.header.Get("Set-Cookie"), ";")
	if a := b.graphql(403, form(two, places, "first", "x", "second", "y"),
		append(kind, "Cookie", cookie, "Origin", "http://evil.example")...); a.reason() != "cross_site_request" {
		t.Error(a.raw)
	}
}
