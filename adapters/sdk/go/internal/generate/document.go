package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// document is what we need of an OpenAPI document.
type document struct {
	Paths      map[string]map[string]*route `json:"paths"`
	Components struct {
		Schemas    map[string]*schema   `json:"schemas"`
		Parameters map[string]parameter `json:"parameters"`
	} `json:"components"`
}

type route struct {
	ID         string              `json:"operationId"`
	Summary    string              `json:"summary"`
	Parameters []parameter         `json:"parameters"`
	Body       content             `json:"requestBody"`
	Security   []map[string]any    `json:"security"`
	Responses  map[string]*content `json:"responses"`
}

type parameter struct {
	Ref    string  `json:"$ref"`
	Name   string  `json:"name"`
	In     string  `json:"in"`
	Text   string  `json:"description"`
	Schema *schema `json:"schema"`
}

type content struct {
	Content map[string]struct {
		Schema *schema `json:"schema"`
	} `json:"content"`
}

// json is the schema of the JSON form; nil if there is none.
func (c *content) json() *schema {
	if c == nil {
		return nil
	}
	return c.Content["application/json"].Schema
}

type schema struct {
	Ref        string             `json:"$ref"`
	Type       words              `json:"type"`
	Format     string             `json:"format"`
	Text       string             `json:"description"`
	Enum       []any              `json:"enum"`
	Properties map[string]*schema `json:"properties"`
	Required   []string           `json:"required"`
	Items      *schema            `json:"items"`
	AnyOf      []*schema          `json:"anyOf"`
	Additional additional         `json:"additionalProperties"`
}

// words is one type or a list of them.
type words []string

// UnmarshalJSON implements json.Unmarshaler.
func (w *words) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*w = words{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(w))
}

// additional is the schema of further members; nil also where the document says no more than whether there may be any.
type additional struct{ *schema }

// UnmarshalJSON implements json.Unmarshaler.
func (a *additional) UnmarshalJSON(b []byte) error {
	var known bool
	if json.Unmarshal(b, &known) == nil {
		return nil
	}
	return json.Unmarshal(b, &a.schema)
}

// nullable reports whether null is among the values.
func (s *schema) nullable() bool {
	return slices.Contains(s.Type, "null") || slices.ContainsFunc(s.AnyOf, func(o *schema) bool { return slices.Contains(o.Type, "null") })
}

// kind is the one type besides null; "" if there is none, or several.
func (s *schema) kind() string {
	some := slices.DeleteFunc(slices.Clone(s.Type), func(t string) bool { return t == "null" })
	if len(some) != 1 {
		return ""
	}
	return some[0]
}

// choices are the alternatives besides null.
func (s *schema) choices() []*schema {
	return slices.DeleteFunc(slices.Clone(s.AnyOf), func(o *schema) bool { return o.Ref == "" && len(o.Type) == 1 && o.Type[0] == "null" })
}

// values are the texts that are allowed, without null; empty if any are.
func (s *schema) values() []string {
	var all []string
	for _, v := range s.Enum {
		if text, ok := v.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// component is the name a reference ends with.
func (s *schema) component() string { return s.Ref[strings.LastIndex(s.Ref, "/")+1:] }

// resolved is s, or what it refers to.
func (d *document) resolved(s *schema) *schema {
	for s != nil && s.Ref != "" {
		s = d.Components.Schemas[s.component()]
	}
	return s
}

// parameters are those of an operation in its path and query, and whether it takes an idempotency key.
func (d *document) parameters(r *route) (path, query []parameter, keyed bool) {
	for _, p := range r.Parameters {
		if p.Ref != "" {
			p = d.Components.Parameters[p.Ref[strings.LastIndex(p.Ref, "/")+1:]]
		}
		switch {
		case p.In == "path":
			path = append(path, p)
		case p.In == "query":
			query = append(query, p)
		case p.Name == "Idempotency-Key":
			keyed = true
		}
	}
	return path, query, keyed
}

// find is the operation of that id, with its method and path. Errors: there is none.
func (d *document) find(id string) (method, path string, r *route, err error) {
	for path, methods := range d.Paths {
		for method, r := range methods {
			if r.ID == id {
				return strings.ToUpper(method), strings.TrimPrefix(path, "/api"), r, nil
			}
		}
	}
	return "", "", nil, fmt.Errorf("the document has no operation %s", id)
}

// open reports whether a secret key may call the operation.
func (r *route) open() bool {
	return slices.ContainsFunc(r.Security, func(way map[string]any) bool { return len(way) == 1 && way["secretKey"] != nil })
}

// success is the JSON of the answer that says it worked; nil if there is none.
func (r *route) success() *schema {
	for _, status := range []string{"200", "201", "202"} {
		if s := r.Responses[status].json(); s != nil {
			return s
		}
	}
	return nil
}

// file reports whether the answer that says it worked is a file, and no JSON.
func (r *route) file() bool {
	ok := r.Responses["200"]
	return ok != nil && len(ok.Content) > 0 && ok.json() == nil
}
