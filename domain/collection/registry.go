package collection

import (
	"fmt"
	"slices"
	"strings"
)

// Registry is the list of the server's collections, by slug.
type Registry struct {
	order  []*Schema
	bySlug map[string]*Schema
}

// NewRegistry checks the schemas together. It returns an error for a repeated slug, a relation to an unknown
// slug, a select without options, a nested required list, and any other invalid declaration.
func NewRegistry(schemas ...*Schema) (*Registry, error) {
	r := &Registry{bySlug: map[string]*Schema{}}
	for _, s := range schemas {
		if s.Slug == "" || s.Singular == "" || s.Plural == "" {
			return nil, fmt.Errorf("collection %q: slug, singular and plural are needed", s.Slug)
		}
		if r.bySlug[s.Slug] != nil {
			return nil, fmt.Errorf("collection %q is declared twice", s.Slug)
		}
		r.bySlug[s.Slug] = s
		r.order = append(r.order, s)
	}
	for _, s := range r.order {
		if err := r.check(s.Slug, s.Fields); err != nil {
			return nil, err
		}
		if hasTranslatable(s.Fields) != s.IsTranslated() {
			return nil, fmt.Errorf("%s: translatable fields need WithTranslations, which nothing else needs", s.Slug)
		}
		if err := s.checkTransitions(s.Fields, true); err != nil {
			return nil, err
		}
		if err := r.checkJoins(s); err != nil {
			return nil, err
		}
		if err := s.checkIndexes(); err != nil {
			return nil, err
		}
		for _, name := range s.Access.LinkedFields {
			if f, ok := s.Field(name); !ok || f.VisibleTo != Everyone {
				return nil, fmt.Errorf("%s: shoppers see no field %q of linked records", s.Slug, name)
			}
		}
	}
	return r, nil
}

func (r *Registry) check(at string, fields []Field) error {
	seen := map[string]bool{}
	for _, f := range fields {
		path := at + "." + f.Name
		switch {
		case f.Name == "" || strings.ContainsAny(f.Name, ".[]_- \"\\"):
			return fmt.Errorf("%s: a field name is one camel-case word", path)
		case seen[f.Name]:
			return fmt.Errorf("%s is declared twice", path)
		case f.Kind == 0:
			return fmt.Errorf("%s has no kind", path)
		case f.Kind.Related() && r.bySlug[f.Target()] == nil:
			return fmt.Errorf("%s relates to unknown collection %q", path, f.Target())
		case (f.Kind == Select || f.Kind == Selects) && len(f.Options) == 0:
			return fmt.Errorf("%s has no options", path)
		case f.ValueKind != 0 && (f.Kind != JSON || f.ValueKind != Text):
			return fmt.Errorf("%s: only JSON holds values of one kind, and only texts", path)
		case f.Indexed && f.Kind.Many() && !f.Kind.Related() && !f.isShortTexts():
			return fmt.Errorf("%s: of lists only those of relations and of short texts have an index", path)
		case f.Labels && f.Kind != Texts:
			return fmt.Errorf("%s: only lists of text hold labels", path)
		case f.Translatable && f.Kind != Text && f.Kind != Textarea && f.Kind != RichText:
			return fmt.Errorf("%s: only texts are translatable", path)
		case f.Kind == Array && hasTranslatable(f.Fields) && !hasID(f.Fields):
			return fmt.Errorf("%s: rows with translatable texts have an id", path)
		case f.MaxItems > 0 && !f.Kind.Many():
			return fmt.Errorf("%s: only lists have a number of items", path)
		case (f.Kind == Group || f.Kind == Array) != (len(f.Fields) > 0):
			return fmt.Errorf("%s: groups and arrays, and only they, have fields", path)
		}
		seen[f.Name] = true
		if err := r.check(path, f.Fields); err != nil {
			return err
		}
	}
	return nil
}

// maxIndexedText is how many characters the texts of an indexed list have at most: each is a key of an index.
const maxIndexedText = 255

// isShortTexts reports whether f is a list of texts that an index can hold.
func (f *Field) isShortTexts() bool {
	return f.Kind == Texts && f.MaxLength > 0 && f.MaxLength <= maxIndexedText
}

func (r *Registry) checkJoins(s *Schema) error {
	for _, j := range s.Joins {
		path := s.Slug + "." + j.Name
		from := r.bySlug[j.From]
		if from == nil {
			return fmt.Errorf("%s joins unknown collection %q", path, j.From)
		}
		if _, taken := s.Field(j.Name); taken {
			return fmt.Errorf("%s is a field and a join", path)
		}
		on, _ := from.Field(j.On)
		if _, sorted := from.Field(j.Sort); !sorted || on.Kind != Relation || on.RelationTo != s.Slug {
			return fmt.Errorf("%s: a join is on a relation of the other collection to this one, and sorted by a field", path)
		}
	}
	return nil
}

func (s *Schema) checkIndexes() error {
	for _, x := range s.Indexes {
		fields := x.Fields
		text, isText := x.Only.Value.(string)
		_, isBool := x.Only.Value.(bool)
		switch {
		case x.Only == IndexFilter{}:
		case x.Only.Op == Exists && isBool, x.Only.Op == Equals && isText && text != "":
			fields = append(slices.Clip(fields), x.Only.Field)
		default:
			return fmt.Errorf("%s: an index holds the records in which a field exists, does not exist, or equals a text", s.Slug)
		}
		for _, name := range fields {
			if f, ok := s.Field(name); !ok || f.Kind.Many() || f.Kind == Group || f.Source != "" {
				return fmt.Errorf("%s: an index is on single values of the record, not on %q", s.Slug, name)
			}
		}
	}
	return nil
}

// Get finds a schema; nil when there is none.
func (r *Registry) Get(slug string) *Schema { return r.bySlug[slug] }

// All lists the schemas in declaration order.
func (r *Registry) All() []*Schema { return r.order }

// hasID reports whether rows with these fields have an id.
func hasID(fields []Field) bool {
	_, ok := find(fields, "id")
	return ok
}
