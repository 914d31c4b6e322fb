package operation

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// schemaFieldDoc describes a field in the answer, which has no fixed depth: groups and arrays contain fields.
const schemaFieldDoc = "The fields in their order, without those that nobody sees. Of each: name, kind, label and doc, the last two in the language of the caller; required, readOnly, immutable, unique, indexed, " +
	"labels, uppercase, shownOnce, unqueried (nobody filters or sorts by it) and personal where true; relationTo, options with optionLabels, default, currency (the field with the currency), min, max, maxLength and maxItems " +
	"where given; valueKind of an object with free names; urlKind (page or origin) of texts; fields of groups and arrays; aliases (accepted spellings) of selects."

var schemaFields = []collection.Field{{
	Name: "collections", Kind: collection.Array, Required: true, Doc: "The collections whose records the caller may read, in the order of the documentation.",
	Fields: []collection.Field{
		{Name: "slug", Kind: collection.Text, Required: true, Doc: "Its name in addresses."},
		{Name: "label", Kind: collection.Text, Required: true, Doc: "What people call one record, in the language of the caller."},
		{Name: "labels", Kind: collection.Text, Required: true, Doc: "What people call its list."},
		{Name: "singular", Kind: collection.Text, Required: true, Doc: "Name of one record's type."},
		{Name: "plural", Kind: collection.Text, Required: true, Doc: "Name of its list."},
		{Name: "doc", Kind: collection.Text, Required: true, Doc: "What its records are."},
		{Name: "perEnvironment", Kind: collection.Boolean, Required: true, Doc: "Whether each record belongs to live or test."},
		{Name: "searchable", Kind: collection.Boolean, Required: true, Doc: "Whether its list takes q."},
		{Name: "timeline", Kind: collection.Boolean, Required: true, Doc: "Whether the changes of a record can be told."},
		{Name: "may", Kind: collection.Texts, Required: true, Doc: "What the caller may do to its records besides reading: create, update, delete."},
		{Name: "fields", Kind: collection.JSON, Required: true, Doc: schemaFieldDoc},
		{Name: "inputs", Kind: collection.JSON, Required: true, Doc: "What is sent and never read, such as a password, as fields."},
	},
}}

// Schemas is the operation that describes the collections to pages that derive their lists and forms from them. Rule collections-35.
func Schemas(r *collection.Registry, hooks map[string]records.Hooks) []Operation {
	return []Operation{{
		Name: "schemas.list", GraphQL: "schemas", Summary: "Describe the collections",
		Doc:    "For pages that show and edit records of any collection. Without a slug all collections are described, which takes a while to read.",
		Method: get, Path: "/schemas", Surfaces: Root, Output: schemaFields, BeyondQuota: true, Cacheable: true, Localized: true,
		Input:        []collection.Field{{Name: "collection", Kind: collection.Text, Doc: "Slugs of the collections to describe, with commas in between."}},
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Run: func(_ context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			wanted := splitSlugs(in.Text("collection"))
			for _, slug := range wanted {
				if r.Get(slug) == nil {
					in.Problem("collection", "There is no collection "+slug+".")
				}
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			if err := access.RequireMember(call.Principal); err != nil {
				return idempotency.Response{}, err
			}
			return respond(schemaFields, collection.Record{"collections": describe(r, hooks, call, wanted)}, nil)
		},
	}}
}

// describe describes the collections that the caller may read; of those that are wanted, if any are.
func describe(r *collection.Registry, hooks map[string]records.Hooks, call idempotency.Call, wanted []string) []collection.Record {
	p := call.Principal
	described := []collection.Record{}
	for _, s := range r.All() {
		if _, err := access.Allowed(p, s, collection.Read); err != nil || len(wanted) > 0 && !slices.Contains(wanted, s.Slug) {
			continue
		}
		may := []string{}
		for _, verb := range []collection.Verb{collection.Create, collection.Update, collection.Delete} {
			if _, err := access.Allowed(p, s, verb); err == nil && written(s, verb) {
				may = append(may, string(verb))
			}
		}
		d := describer{s, call.Language}
		one, many := call.Language.Collection(s)
		described = append(described, collection.Record{
			"slug": s.Slug, "label": one, "labels": many, "singular": s.Singular, "plural": s.Plural, "doc": s.Doc, "perEnvironment": s.PerEnvironment,
			"searchable": search.IsTarget(s), "timeline": s.HasTimeline(), "may": texts(may),
			"fields": d.fields(s.AllFields(), ""), "inputs": d.inputs(hooks[s.Slug].ExtraInput),
		})
	}
	return described
}

// written reports whether clients may write records of s by a verb at all, and not only run operations.
func written(s *collection.Schema, verb collection.Verb) bool {
	switch verb {
	case collection.Update:
		return !s.CommandOnly || slices.ContainsFunc(s.Fields, func(f collection.Field) bool { return f.Patchable })
	case collection.Delete:
		return !s.NoDelete && !s.CommandOnly
	default:
		return !s.CommandOnly
	}
}

// describer describes the fields of a collection to a reader.
type describer struct {
	*collection.Schema

	language words.Language
}

// inputs describes what is sent and never read, such as a password: fields that nobody sees, and those that hooks take besides.
func (d describer) inputs(extra []collection.Field) []any {
	described := []any{}
	take := func(all []collection.Field, only func(f *collection.Field) bool) {
		for i := range all {
			if f := &all[i]; only(f) {
				described = append(described, d.field(f, f.Name, false))
			}
		}
	}
	if !d.CommandOnly {
		take(d.Fields, func(f *collection.Field) bool { return f.VisibleTo == collection.ServerOnly && !f.ReadOnly })
	}
	take(append(slices.Clone(extra), d.UpdateMembers()...), func(f *collection.Field) bool {
		_, read := d.Field(f.Name)
		return !read
	})
	return described
}

// fields describes fields whose paths begin with before.
func (d describer) fields(fields []collection.Field, before string) []any {
	described := []any{}
	for i := range fields {
		if f := &fields[i]; f.VisibleTo < collection.ServerOnly {
			described = append(described, d.field(f, before+f.Name, before == ""))
		}
	}
	return described
}

// field is f as schemaFieldDoc says.
func (d describer) field(f *collection.Field, path string, top bool) map[string]any {
	out := map[string]any{
		"name": f.Name, "kind": kindWords[f.Kind], "label": d.language.Field(d.Slug, path), "doc": d.language.Help(d.Slug, path, f.Doc),
	}
	for name, is := range map[string]bool{
		"required": f.Required, "readOnly": f.ReadOnly || top && d.CommandOnly && !f.Patchable, "immutable": f.Immutable, "unique": f.Unique,
		"indexed": f.Indexed, "translatable": f.Translatable, "labels": f.Labels, "uppercase": f.Uppercase, "shownOnce": f.ShownOnce, "personal": f.Personal,
		"unqueried": !f.Queryable(),
	} {
		if is {
			out[name] = true
		}
	}
	for name, text := range map[string]string{
		"relationTo": f.RelationTo, "currency": f.Currency, "urlKind": urlWords[f.URLKind], "valueKind": kindWords[f.ValueKind],
	} {
		if text != "" {
			out[name] = text
		}
	}
	for name, n := range map[string]int{"maxLength": f.MaxLength, "maxItems": f.MaxItems} {
		if n > 0 {
			out[name] = collection.JSONNumber(strconv.Itoa(n))
		}
	}
	for name, bound := range map[string]*int64{"min": f.Min, "max": f.Max} {
		if bound != nil {
			out[name] = collection.JSONNumber(strconv.FormatInt(*bound, 10))
		}
	}
	if len(f.Options) > 0 {
		out["options"] = anyTexts(f.Options)
	}
	if labels := d.optionLabels(f, path); len(labels) > 0 {
		out["optionLabels"] = labels
	}
	if len(f.Aliases) > 0 {
		out["aliases"] = anyTexts(slices.Sorted(maps.Keys(f.Aliases)))
	}
	switch set := f.Default.(type) {
	case string, bool:
		out["default"] = set
	case int64:
		out["default"] = collection.JSONNumber(strconv.FormatInt(set, 10))
	}
	if len(f.Fields) > 0 {
		out["fields"] = d.fields(f.Fields, path+".")
	}
	return out
}

// optionLabels are the labels of the values of f. Why something requires attention is a text, which has labels too.
func (d describer) optionLabels(f *collection.Field, path string) map[string]any {
	values := f.Options
	if len(values) == 0 && path == "reason" && (d.Slug == checkout.Schema.Slug || d.Slug == payment.Sessions.Slug) {
		values = payment.AttentionReasons
	}
	labels := map[string]any{}
	for _, value := range values {
		labels[value] = d.language.Option(d.Slug, path, value)
	}
	return labels
}

func anyTexts(list []string) []any {
	out := make([]any, len(list))
	for i, text := range list {
		out[i] = text
	}
	return out
}

// The words for kinds of fields and of URLs in the answer.
var (
	kindWords = map[collection.Kind]string{
		collection.Text: "text", collection.Textarea: "textarea", collection.RichText: "richText", collection.Number: "number", collection.Money: "money",
		collection.Integer: "integer", collection.Boolean: "boolean", collection.Date: "date", collection.Email: "email", collection.Select: "select",
		collection.Relation: "relation", collection.RelationMany: "relations", collection.Upload: "upload", collection.UploadMany: "uploads",
		collection.Texts: "texts", collection.Selects: "selects", collection.Array: "array", collection.Group: "group", collection.JSON: "json",
	}
	urlWords = map[collection.URLKind]string{collection.PageURL: "page", collection.OriginURL: "origin"}
)
