package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// printer collects the declarations that the document asks for.
type printer struct {
	doc    *document
	types  map[string]string   // declarations, by name
	shapes map[string]string   // names, by shape
	values map[string][]string // of enums, by name
	called map[string]string   // names of enums, by values
	met    map[string]bool     // nested objects of the document, by members
	faults []string
}

// spot is where a schema stands.
type spot struct {
	owner, member string // the Go type and the member of the document
	input         bool   // it is sent
	partial       bool   // it is sent, and every member may be left out
	optional      bool   // it may be missing
}

// goType is the Go type for a schema.
func (p *printer) goType(s *schema, at spot) string {
	optional := at.optional || s.nullable()
	if s.Ref != "" {
		return p.reference(s, at, optional)
	}
	if len(s.AnyOf) > 0 {
		return p.choice(s, at, optional)
	}
	pointer := ""
	if at.partial && at.optional {
		pointer = "*"
	}
	switch s.kind() {
	case "string":
		return pointer + p.text(s, at)
	case "number":
		return pointer + "Amount"
	case "integer":
		if at.input && at.optional || slices.Contains(keepsNull, at.member) {
			pointer = "*"
		}
		return pointer + "int64"
	case "boolean":
		if at.input && at.optional {
			pointer = "*"
		}
		return pointer + "bool"
	case "array":
		at.member, at.optional, at.partial = singular(at.member), false, false
		return "[]" + p.goType(s.Items, at)
	case "object":
		return p.object(s, at, optional)
	}
	return anything(at)
}

func anything(at spot) string {
	if at.input {
		return "any"
	}
	return "json.RawMessage"
}

// text is a text, a time or one of some words.
func (p *printer) text(s *schema, at spot) string {
	if s.Format == "date-time" {
		return "time.Time"
	}
	if values := s.values(); len(values) > 1 {
		return p.enum(values, at)
	}
	return "string"
}

func (p *printer) object(s *schema, at spot, optional bool) string {
	switch {
	case len(s.Properties) > 0:
		name := p.structure(s, at)
		if optional {
			return "*" + name
		}
		return name
	case s.Additional.schema != nil:
		at.optional = false
		return "map[string]" + p.goType(s.Additional.schema, at)
	}
	return anything(at)
}

// reference is the record that a component describes.
func (p *printer) reference(s *schema, at spot, optional bool) string {
	name := s.component()
	if name == "Reason" {
		return name // written by hand, with its values below
	}
	to := p.doc.resolved(s)
	if to == nil || to.kind() != "object" {
		p.faults = append(p.faults, "what is "+name+"?")
		return anything(at)
	}
	if len(to.Properties) == 0 {
		return p.goType(to, at)
	}
	name = exported(strings.TrimPrefix(name, "Server"))
	p.record(name, to, at.input)
	if optional {
		return "*" + name
	}
	return name
}

// choice is a relation: its id, or the record itself.
func (p *printer) choice(s *schema, at spot, optional bool) string {
	choices := s.choices()
	text := slices.ContainsFunc(choices, func(c *schema) bool { return c.kind() == "string" })
	record := slices.IndexFunc(choices, func(c *schema) bool { return c.Ref != "" })
	at.optional = optional
	switch {
	case at.input && text && at.partial:
		return "*string"
	case at.input && text:
		return "string"
	case text && record >= 0 && len(choices) == 2:
		at.optional = false
		return "Ref[" + p.goType(choices[record], at) + "]"
	case len(choices) == 1:
		return p.goType(choices[0], at)
	}
	return anything(at)
}

// structure names and prints a nested object; what looks the same has one name.
func (p *printer) structure(s *schema, at spot) string {
	members := strings.Join(slices.Sorted(maps.Keys(s.Properties)), " ")
	p.met[members] = true
	of := stem(at.owner) + exported(at.member)
	name := cmp.Or(objects[members], of)
	if name == "Money" {
		return name
	}
	fields := p.fields(s, name, at.input)
	if known := p.shapes[shape(fields)]; known != "" {
		return known
	}
	if !at.input && alike(p.types[name], fields) {
		return name
	}
	switch {
	case p.types[name] != "" && at.input:
		name += "Input"
	case p.types[name] != "": // its members have the same names and other types
		name = of
	}
	if p.types[name] != "" {
		p.faults = append(p.faults, "two different things would be "+name+": "+shape(fields)+" and "+p.types[name])
	}
	p.declare(name, s.Text, fields)
	return name
}

func (p *printer) declare(name, text, fields string) {
	p.shapes[shape(fields)] = name
	p.types[name] = comment(name, text) + "type " + name + " struct {\n" + fields + "}\n"
}

// shape is the fields without what is said about them.
func shape(fields string) string {
	lines := slices.Collect(strings.Lines(fields))
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "\t//") }), "")
}

// alike reports whether a declared type has these fields, but for which of them may be null: whoever reads
// takes null for zero.
func alike(declared, fields string) bool {
	_, had, _ := strings.Cut(strings.TrimSuffix(declared, "}\n"), "struct {\n")
	plain := strings.NewReplacer(",omitzero", "")
	return declared != "" && plain.Replace(shape(had)) == plain.Replace(shape(fields))
}

// record prints a component.
func (p *printer) record(name string, s *schema, input bool) {
	if p.types[name] != "" {
		return
	}
	p.types[name] = "being printed" // its parts may mention it
	p.declare(name, s.Text, p.fields(s, name, input))
}

// fields are the lines of a struct. Read-only members are not sent.
func (p *printer) fields(s *schema, owner string, input bool) string {
	partial := input && strings.HasSuffix(owner, "Update")
	var out strings.Builder
	for _, member := range slices.Sorted(maps.Keys(s.Properties)) {
		of := s.Properties[member]
		if input && len(of.Type) == 0 && strings.Contains(of.Text, "Read-only") {
			continue
		}
		optional := !slices.Contains(s.Required, member)
		tag := member
		if optional || of.nullable() {
			tag += ",omitzero"
		}
		is := p.goType(of, spot{owner: owner, member: member, input: input, partial: partial, optional: optional})
		fmt.Fprintf(&out, "%s\t%s %s `json:%q`\n", comment("", of.Text), exported(member), is, tag)
	}
	return out.String()
}

// comment is a text as a comment, after the name of what it is about.
func comment(name, text string) string {
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case text == "" && name == "":
		return ""
	case text == "":
		text = "is described by the OpenAPI document."
	case name != "":
		text = "– " + text
	}
	if name == "" {
		return "\t// " + text + "\n"
	}
	return "// " + name + " " + text + "\n"
}

// enum names a list of words; what allows the same words has one name.
func (p *printer) enum(values []string, at spot) string {
	key := strings.Join(slices.Sorted(slices.Values(values)), " ")
	if known := p.called[key]; known != "" {
		return known
	}
	name := enums[at.member]
	for _, v := range values {
		name = cmp.Or(known[v], name)
	}
	if name == "" {
		name = stem(at.owner) + exported(at.member)
	}
	if p.types[name] != "" {
		name += "Word"
	}
	for _, v := range values {
		if !slices.Contains(p.values[name], v) {
			p.values[name] = append(p.values[name], v)
		}
	}
	p.called[key] = name
	return name
}
