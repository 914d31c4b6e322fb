package graphql

import (
	"maps"
	"slices"
	"strings"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// SDL is the schema in GraphQL's schema definition language: types and their members are sorted by name and
// enum values as declared, so that equal schemas have equal texts.
func (a *API) SDL() string {
	p := &sdlWriter{}
	types := a.schema.TypeMap()
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if strings.HasPrefix(name, "__") || types[name] == gql.Type(gql.String) || types[name] == gql.Type(gql.Int) ||
			types[name] == gql.Type(gql.Boolean) {
			continue
		}
		if len(p.text) > 0 {
			p.put("\n")
		}
		p.declare(types[name])
	}
	return string(p.text)
}

// sdlWriter is a schema being written out.
type sdlWriter struct{ text []byte }

func (p *sdlWriter) put(text string) { p.text = append(p.text, text...) }

func (p *sdlWriter) declare(t gql.Type) {
	p.doc("", t.Description())
	switch t := t.(type) {
	case *gql.Scalar:
		p.put("scalar " + t.Name() + "\n")
	case *gql.Enum:
		p.enum(t)
	case *gql.Object:
		p.object(t)
	case *gql.InputObject:
		p.input(t)
	}
}

func (p *sdlWriter) enum(t *gql.Enum) {
	p.put("enum " + t.Name() + " {\n")
	for _, v := range t.Values() {
		p.doc("  ", v.Description)
		p.put("  " + v.Name + deprecated(v.DeprecationReason) + "\n")
	}
	p.put("}\n")
}

func (p *sdlWriter) object(t *gql.Object) {
	fields := t.Fields()
	p.put("type " + t.Name() + " {\n")
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f := fields[name]
		p.doc("  ", f.Description)
		p.put("  " + name + arguments(f.Args) + ": " + f.Type.String() + deprecated(f.DeprecationReason) + "\n")
	}
	p.put("}\n")
}

func arguments(args []*gql.Argument) string {
	if len(args) == 0 {
		return ""
	}
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = a.Name() + ": " + a.Type.String()
	}
	slices.Sort(list)
	return "(" + strings.Join(list, ", ") + ")"
}

func (p *sdlWriter) input(t *gql.InputObject) {
	fields := t.Fields()
	p.put("input " + t.Name() + " {\n")
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		p.doc("  ", fields[name].Description())
		p.put("  " + name + ": " + fields[name].Type.String() + "\n")
	}
	p.put("}\n")
}

func (p *sdlWriter) doc(indent, text string) {
	if text != "" {
		p.put(indent + string(collection.AppendString(nil, text)) + "\n")
	}
}

func deprecated(reason string) string {
	if reason == "" {
		return ""
	}
	return " @deprecated(reason: " + string(collection.AppendString(nil, reason)) + ")"
}
