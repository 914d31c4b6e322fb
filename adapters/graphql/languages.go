package graphql

import (
	"maps"
	"strings"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The arguments that name the language of a shop's texts, as Payload's clients send them.
const (
	argLocale   = "locale"
	argFallback = "fallbackLocale"
)

// localeScalar takes the tag of a language as a text, or as the name that Payload has for it: ko, zh_Hant.
var localeScalar = scalar("Locale", "A language of the shop: its tag, such as ko or \"zh-Hant\".", func(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "_", "-")
	case bool:
		if !v {
			return tenant.NoFallback
		}
	}
	return nil
})

// localeArgs adds the arguments that name languages to those of a field.
func (b *builder) localeArgs(field string, args gql.FieldConfigArgument) gql.FieldConfigArgument {
	args = maps.Clone(args)
	if args == nil {
		args = gql.FieldConfigArgument{}
	}
	args[argLocale] = &gql.ArgumentConfig{
		Type: localeScalar, Description: "Language of the texts that are read or written; the shop's default language without one.",
	}
	args[argFallback] = &gql.ArgumentConfig{
		Type: localeScalar, Description: "Language whose text stands in for a missing one, or none; the shop's default language without one.",
	}
	b.translated[field] = true
	return args
}

// readLanguage has the document read and write texts in the language that its fields name. They name one at most: records that several of
// them refer to are loaded together. Where one of them writes in a language, all have to name it: another one would write through it into
// texts that its sender never meant. Errors: fault.ErrValidation.
func (r *run) readLanguage(fields []*plannedField, writes bool) error {
	p := &r.Call.Principal
	var named, silent *plannedField
	for _, f := range fields {
		locale, fallback := f.text(argLocale), f.text(argFallback)
		switch {
		case strings.HasPrefix(f.name, "__"):
		case !r.translated[f.name] || locale == "" && fallback == "":
			silent = f
		case named == nil:
			named = f
		case locale != named.text(argLocale) || fallback != named.text(argFallback):
			return nodeFault{fault.Invalidf(argLocale, "A document reads and writes one language. Send another document for the next."), f.node}
		}
	}
	switch {
	case named == nil:
		return nil
	case writes && silent != nil:
		return nodeFault{fault.Invalidf(argLocale, "Another field of the document names a language. Send another document for this one."), silent.node}
	}
	in, err := p.Tenant.ContentIn(named.text(argLocale), named.text(argFallback))
	if err == nil && in.All {
		err = fault.Invalidf(argLocale, "Select translations to read every language.")
	}
	if err != nil {
		return nodeFault{fault.From(err), named.node}
	}
	p.Content = in
	return nil
}

// inLanguages adds these arguments to the fields of a collection with translatable texts.
func (b *builder) inLanguages(s *collection.Schema, fields gql.Fields) gql.Fields {
	if s.IsTranslated() {
		for name, f := range fields {
			f.Args = b.localeArgs(name, f.Args)
		}
	}
	return fields
}
