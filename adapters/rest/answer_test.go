package rest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi/openapitest"
)

// answer is a decoded response.
type answer struct {
	status int
	header http.Header
	raw    string
	body   map[string]any
}

// request sends a request; headers are name, value, …. Every exchange is checked against the OpenAPI document.
func (b *harness) request(method, path, body string, headers ...string) answer {
	b.t.Helper()
	req := httptest.NewRequest(method, "http://shop.example"+path, strings.NewReader(body))
	req.RequestURI = path // as clients send it, with the host in its header
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := b.app.Test(req, -1)
	if err != nil {
		b.t.Fatal(err)
	}
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, problem := range b.contract.Check(openapitest.Exchange{
		Method: method, Path: req.URL.Path, Query: req.URL.RawQuery, Header: req.Header, Body: []byte(body),
		Status: res.StatusCode, AnswerHeader: res.Header, Answer: raw,
	}) {
		b.t.Errorf("%s %s differs from the OpenAPI document: %s", method, path, problem)
	}
	a := answer{status: res.StatusCode, header: res.Header, raw: string(raw)}
	_ = json.Unmarshal(raw, &a.body) // an empty body stays nil
	return a
}

// secret sends a request with the acting shop's secret key, and fails the test on another status.
func (b *harness) secret(status int, method, path, body string) answer {
	b.t.Helper()
	a := b.request(method, path, body, "X-API-Key", b.shop.SecretKey)
	if a.status != status {
		b.t.Fatalf("%s %s: %d %s", method, path, a.status, a.raw)
	}
	return a
}

// make creates a record with the secret key of the acting shop and returns its id.
func (b *harness) make(slug, body string) string {
	b.t.Helper()
	return b.secret(201, "POST", "/api/"+slug, body).doc()["id"].(string)
}

func (a answer) doc() map[string]any {
	doc, _ := a.body["doc"].(map[string]any)
	return doc
}

func (a answer) docs() []any {
	docs, _ := a.body["docs"].([]any)
	return docs
}

// names lists the name of each record of a list.
func (a answer) names() string {
	var out []string
	for _, d := range a.docs() {
		name, _ := d.(map[string]any)["name"].(string)
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

// reason is the first error's reason.
func (a answer) reason() string {
	list, _ := a.body["errors"].([]any)
	if len(list) == 0 {
		return ""
	}
	ext, _ := list[0].(map[string]any)["extensions"].(map[string]any)
	reason, _ := ext["reason"].(string)
	return reason
}

// code is the first error's code.
func (a answer) code() string {
	list, _ := a.body["errors"].([]any)
	if len(list) == 0 {
		return ""
	}
	ext, _ := list[0].(map[string]any)["extensions"].(map[string]any)
	code, _ := ext["code"].(string)
	return code
}
