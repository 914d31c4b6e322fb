package openapitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Contract is a document against which exchanges are checked.
type Contract struct {
	document object
	paths    object
	routes   map[int][]route // by the number of parts of their paths, the earliest fixed part first
}

// route is a described path.
type route struct {
	parts []string
	item  object
}

// Exchange is one request and its answer.
type Exchange struct {
	Method, Path, Query string
	Header              http.Header // of the request
	Body                []byte
	Status              int
	AnswerHeader        http.Header
	Answer              []byte
}

// Parse reads a document.
func Parse(document []byte) (*Contract, error) {
	v, err := decode(document)
	if err != nil {
		return nil, err
	}
	c := &Contract{document: v.(object), routes: map[int][]route{}}
	c.paths = c.document["paths"].(object)
	for _, path := range slices.SortedFunc(maps.Keys(c.paths), func(a, b string) int {
		return strings.Compare(strings.ReplaceAll(a, "{", "~"), strings.ReplaceAll(b, "{", "~"))
	}) {
		parts := strings.Split(path, "/")
		c.routes[len(parts)] = append(c.routes[len(parts)], route{parts, c.paths[path].(object)})
	}
	return c, nil
}

func decode(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// Routes lists what the document describes, as "GET /api/carts/{id}", sorted.
func (c *Contract) Routes() (out []string) {
	for path, item := range c.paths {
		for method := range item.(object) {
			out = append(out, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(out)
	return out
}

// Schema is the component schema of that name, nil when there is none.
func (c *Contract) Schema(name string) map[string]any {
	return validator{document: c.document}.find("#/components/schemas/" + name)
}

// Operation is the description of a route, nil if there is none.
func (c *Contract) Operation(method, path string) map[string]any {
	item, _ := c.paths[path].(object)
	o, _ := item[strings.ToLower(method)].(object)
	return o
}

// match finds the described path that matches: of several the one with the earliest fixed part, as the router does. With a
// method, only paths that have it count.
func (c *Contract) match(path, method string) (object, bool) {
	parts := strings.Split(path, "/")
	for _, r := range c.routes[len(parts)] {
		if _, served := r.item[method]; (method == "" || served) && fits(r.parts, parts) {
			return r.item, true
		}
	}
	return nil, false
}

func fits(pattern, parts []string) bool {
	return slices.EqualFunc(pattern, parts, func(p, part string) bool {
		return p == part || strings.HasPrefix(p, "{") && part != ""
	})
}

// Check lists the differences between x and the document, sorted.
func (c *Contract) Check(x Exchange) []string {
	method := strings.ToLower(x.Method)
	if method == "head" {
		method = "get"
	}
	overridden := method == "post" && (x.Header.Get("X-HTTP-Method-Override") != "" || x.Header.Get("X-Payload-HTTP-Method-Override") != "")
	if overridden { // its parameters are in the body
		method, x.Query, x.Body = "get", x.Query+"&"+string(x.Body), nil
	}
	if method == "options" {
		return nil // preflights are not part of the API
	}
	item, found := c.match("/"+strings.Trim(x.Path, "/"), "")
	o, described := item[method].(object)
	if !described && x.Status != http.StatusMethodNotAllowed { // the router goes on to the next one
		item, _ = c.match("/"+strings.Trim(x.Path, "/"), method)
		o, described = item[method].(object)
	}
	switch {
	case !found &&
		x.Status == http.StatusNotFound, x.Status == http.StatusMethodNotAllowed && (!described || x.Method != strings.ToUpper(x.Method)):
		return nil
	case !described:
		return []string{fmt.Sprintf("%d at a path that is not described", x.Status)}
	}
	out := c.checkAnswer(o, x)
	if x.Status < 300 && !overridden {
		out = append(out, c.checkRequest(o, x)...)
	}
	slices.Sort(out)
	return out
}

// checkAnswer checks status, headers and body against o.
func (c *Contract) checkAnswer(o object, x Exchange) (out []string) {
	j := validator{document: c.document, ignoreRequired: strings.Contains(x.Query, "select") || strings.Contains(x.Query, "populate")}
	r, ok := o["responses"].(object)[strconv.Itoa(x.Status)].(object)
	if !ok {
		return []string{fmt.Sprintf("the status %d is not described: %s", x.Status, x.Answer)}
	}
	r = j.resolve(r)
	headers, _ := r["headers"].(object)
	for name := range x.AnswerHeader {
		if isAPIHeader(name) && !slices.ContainsFunc(slices.Collect(maps.Keys(headers)), func(h string) bool { return strings.EqualFold(h, name) }) {
			out = append(out, "the header "+name+" is not described")
		}
	}
	for name, h := range headers {
		if always, _ := j.resolve(h.(object))["required"].(bool); always && x.AnswerHeader.Get(name) == "" {
			out = append(out, "the header "+name+" is missing")
		}
	}
	content, _ := r["content"].(object)
	if x.Method == http.MethodHead || len(x.Answer) == 0 {
		return out
	}
	kind, _, _ := mime.ParseMediaType(x.AnswerHeader.Get("Content-Type"))
	media, ok := content[kind].(object)
	if !ok {
		media, ok = content["*/*"].(object)
	}
	if !ok {
		return append(out, fmt.Sprintf("an answer %d of %q is not described", x.Status, kind))
	}
	if !strings.HasSuffix(kind, "json") || x.AnswerHeader.Get("Content-Encoding") != "" || x.Status < 300 && x.variesByLanguage() {
		return out
	}
	v, err := decode(x.Answer)
	if err != nil {
		return append(out, "the answer is not JSON: "+err.Error())
	}
	return append(out, j.problems(media["schema"].(object), v, "answer")...)
}

// variesByLanguage reports whether texts have another type than the document says: with every language at once they are objects, and in one
// that nothing stands in for, null. The parameters say so, since the type of an answer cannot depend on one.
func (x Exchange) variesByLanguage() bool {
	values, _ := url.ParseQuery(x.Query)
	return values.Has("locale") && values.Get("locale") != "en"
}

// isAPIHeader reports whether a header is part of the API rather than of its transport.
func isAPIHeader(name string) bool {
	return strings.HasPrefix(name, "X-") && name != "X-Content-Type-Options" || strings.HasPrefix(name, "Idempotency-") || name == "Etag" ||
		name == "Retry-After"
}

// checkRequest checks a request that succeeded against o.
func (c *Contract) checkRequest(o object, x Exchange) (out []string) {
	j := validator{document: c.document}
	values, _ := url.ParseQuery(x.Query)
	for _, p := range o["parameters"].([]any) {
		p := j.resolve(p.(object))
		name := p["name"].(string)
		var given []string
		switch p["in"] {
		case "query":
			given = values[name]
			if len(given) == 0 && strings.Contains(x.Query, name) { // in brackets
				continue
			}
		case "header":
			given = x.Header.Values(name)
		default:
			continue
		}
		if len(given) == 0 {
			if p["required"] == true {
				out = append(out, "accepted without "+name)
			}
			continue
		}
		if s, ok := p["schema"].(object); ok && given[0] != "" {
			out = append(out, j.problems(s, paramValues(j.resolve(s), given), name)...)
		}
	}
	return append(out, c.checkBody(j, o, x)...)
}

// paramValues are the texts of a parameter as the type of its schema: a list has one of each text, others take the first.
func paramValues(s object, given []string) any {
	if s["type"] != "array" {
		return paramValue(s, given[0])
	}
	var list []any
	for _, text := range given {
		list = append(list, text)
	}
	return list
}

// paramValue is the text of a parameter as the type of its schema.
func paramValue(s object, text string) any {
	word, _ := s["type"].(string)
	if list, ok := s["type"].([]any); ok {
		word, _ = list[0].(string)
	}
	switch word {
	case "integer", "number":
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return json.Number(text)
		}
	case "boolean":
		if text == "true" || text == "false" {
			return text == "true"
		}
	}
	return text
}

func (c *Contract) checkBody(j validator, o object, x Exchange) []string {
	body, ok := o["requestBody"].(object)
	switch {
	case len(bytes.TrimSpace(x.Body)) == 0 && body["required"] == true:
		return []string{"accepted without a body"}
	case len(bytes.TrimSpace(x.Body)) == 0:
		return nil
	case !ok:
		return nil // ignored
	}
	kind, _, _ := mime.ParseMediaType(x.Header.Get("Content-Type"))
	media, ok := body["content"].(object)[kind].(object)
	if !ok {
		return []string{fmt.Sprintf("accepted with a body of %q, which is not described", kind)}
	}
	if kind != "application/json" || x.variesByLanguage() {
		return nil
	}
	v, err := decode(x.Body)
	if err != nil {
		return []string{"accepted with a body that is not JSON"}
	}
	return j.problems(media["schema"].(object), v, "request")
}
