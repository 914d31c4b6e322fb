// Package collection is the one description of what a record is. A Schema is declared once per collection; validation,
// SQL tables and columns, REST, list queries, change events and (later) GraphQL, OpenAPI and the console derive from it.
//
// Records are maps from field name to value. Which Go value a field holds follows from its Kind (see Record). A record is
// read from the wire by Accept, found by a Query, shown by AppendJSON, and changed only as a Change, which carries its event.
package collection

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is what a field holds.
type Kind uint8

// The kinds of Contract 3. Texts and Selects are lists of plain values, RelationMany a list of ids.
const (
	Text Kind = iota + 1
	Textarea
	RichText // any JSON
	Number   // exact decimal
	Money
	Integer
	Boolean
	Date
	Email
	Select
	Relation
	RelationMany
	Upload // a relation to media
	UploadMany
	Texts   // list of text
	Selects // list of select values
	Array   // list of groups
	Group
	JSON
)

// Audience is who may see a field.
type Audience uint8

// The audiences; each sees what the ones before it see.
const (
	Everyone Audience = iota // client keys, customers, and all below
	Staff                    // secret keys and users
	Nobody                   // never leaves the server: hashes, credentials, passwords
)

// Web is which place on the web a text names.
type Web uint8

// The places.
const (
	Anywhere  Web = iota // any text
	WebPage              // an http or https address, safe to follow from a page
	WebOrigin            // where a page comes from, as browsers tell it: scheme and host, with a port if it has one
)

// Field is one declared field.
type Field struct {
	Name      string
	Kind      Kind
	Doc       string            // one sentence for API documentation
	Required  bool              // ★: null, missing and "" are refused
	Owned     bool              // ⊙: the server writes it; a client may send it back unchanged
	Immutable bool              // set at create only
	Free      bool              // may be written by PATCH although the collection is Operated
	Read      Audience          // who sees it, filters and sorts by it
	Indexed   bool              // equals, in, ranges and sort are served by an index; a choice that lapses is not sorted by one; lists of relations: contains in place of sort
	Unique    bool              // one record per tenant; text compares folded
	To        string            // relations: slug of the target
	Options   []string          // selects: allowed values
	Aliases   map[string]string // selects: accepted spelling → stored value
	Alias     string            // another accepted input name: products take title for name
	Default   any               // value at create when absent; Record value form
	Currency  string            // money: sibling top-level field with the currency; "" is the tenant's
	Fields    []Field           // groups and arrays
	Of        Kind              // JSON: an object of values of this kind, by names of the writer's choice; 0 is any JSON
	Min, Max  *int64            // integer, number, money (major units): inclusive range
	MaxLength int               // text: characters; 0 is 40 000
	Upper     bool              // text: stored in upper case, so that codes compare regardless of case
	Web       Web               // text: a place on the web
	Sparse    bool              // absent means something else than null: a missing value is left out of answers and rows
	Sure      bool              // never null in an answer, although nothing requires it: what operations write is not checked
	Source    string            // not stored in the record: computed at read from this named source (see ports.Sources)
	Lapses    *Lapse            // top-level selects: reads another value once a time has passed
}

// Verb is what a principal does to a collection.
type Verb string

// The verbs of the access matrix.
const (
	Read   Verb = "read"
	Create Verb = "create"
	Update Verb = "update"
	Delete Verb = "delete"
)

// Access is the row of the access matrix of one collection: who may do what. Contract 2.
// Platform admins may everything an admin may, in every tenant. Secret keys act as SecretKey says within their scopes.
type Access struct {
	Viewer, Editor, Admin, SecretKey []Verb
	Public                           bool   // client keys and customers may read the records PublicWhere admits
	PublicWhere                      any    // JSON-form where tree, e.g. {"status": {"in": […]}}; nil admits all
	ListedWhere                      any    // narrows what client keys and customers find in lists further than what they may open by id; nil does not
	Owner                            string // relation field naming the customer who may read own records; "id" for customers themselves
}

// Schema declares one collection.
type Schema struct {
	Slug          string // "product-variants"
	Singular      string // "ProductVariant"
	Plural        string // "ProductVariants"; list query name
	Doc           string
	Fields        []Field
	Lists         [][]string // sets of fields that lists are filtered by together: equals on all but the last; newest first costs nothing then
	UniqueSets    [][]string // sets of fields unique together per tenant (and environment); nulls never clash
	Environmented bool       // each record belongs to live or test
	Operated      bool       // written through operations only; clients may PATCH Free fields, nothing else
	NoDelete      bool       // DELETE is 405
	Silent        bool       // a log of the server's own work: its changes make no events
	Hot           bool       // records change many times within minutes: what moves with each change, such as updatedAt, has no index
	Joins         []Join
	Access        Access
}

// Join is a list of records elsewhere that name this one: the variants of a product. It is no field of the record.
type Join struct {
	Name string // of the list
	Doc  string
	From string // slug of the records
	On   string // their relation field to this collection
	Sort string // their field to sort by; ties break by id
	// Inline: records may come with a new one of this collection, as a list of this name.
	Inline bool
}

// The envelope every record has besides its declared fields. Spec 2.1.
var envelope = []Field{
	{Name: "id", Kind: Text, Owned: true, Indexed: true, Doc: "Identifier of the record: a UUIDv7."},
	{Name: "tenant", Kind: Relation, To: "tenants", Owned: true, Doc: "The tenant the record belongs to."},
	{Name: "environment", Kind: Select, Options: []string{"live", "test"}, Owned: true, Doc: "live or test."},
	{Name: "createdAt", Kind: Date, Owned: true, Indexed: true, Doc: "When the record was created."},
	{Name: "updatedAt", Kind: Date, Owned: true, Indexed: true, Doc: "When the record was last changed."},
}

// sharedEnvelope is the envelope of records that belong to both environments.
var sharedEnvelope = slices.DeleteFunc(slices.Clone(envelope), func(f Field) bool { return f.Name == "environment" })

// head returns the envelope fields that apply. Answers and documents are made of head, then Fields; going over the two in
// turn copies nothing, which matters wherever a record is encoded.
func (s *Schema) head() []Field {
	head := sharedEnvelope
	if s.Environmented {
		head = envelope
	}
	declared := func(f Field) bool {
		for i := range s.Fields {
			if s.Fields[i].Name == f.Name {
				return true
			}
		}
		return false
	}
	if slices.ContainsFunc(head, declared) {
		return slices.DeleteFunc(slices.Clone(head), declared)
	}
	return head
}

// All returns the envelope fields that apply, then the declared ones, in answer order.
func (s *Schema) All() []Field { return slices.Concat(s.head(), s.Fields) }

// Field finds a top-level field, the envelope included.
func (s *Schema) Field(name string) (Field, bool) {
	if f, ok := find(s.Fields, name); ok {
		return f, true
	}
	return find(s.head(), name)
}

func find(fields []Field, name string) (Field, bool) {
	for i := range fields { // by index: a Field is large
		if fields[i].Name == name {
			return fields[i], true
		}
	}
	return Field{}, false
}

// Many reports whether the kind holds a list.
func (k Kind) Many() bool {
	return k == RelationMany || k == UploadMany || k == Texts || k == Selects || k == Array
}

// Related reports whether the kind holds ids of other records.
func (k Kind) Related() bool {
	return k == Relation || k == RelationMany || k == Upload || k == UploadMany
}

// Textual reports whether the kind holds one text value.
func (k Kind) Textual() bool {
	return k == Text || k == Textarea || k == Email || k == Select || k == Relation || k == Upload
}

// Target is the slug a relation or upload points to.
func (f Field) Target() string {
	if f.Kind == Upload || f.Kind == UploadMany {
		return "media"
	}
	return f.To
}

// Registry is the closed list of collections a server runs with, by slug.
type Registry struct {
	order  []*Schema
	bySlug map[string]*Schema
}

// NewRegistry checks the schemas against each other. It errors on a slug given twice, a relation to an unknown slug,
// a select without options, a nested required list, and any other declaration that could not be honoured.
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
		if err := s.checkLapses(s.Fields, true); err != nil {
			return nil, err
		}
		if err := r.checkJoins(s); err != nil {
			return nil, err
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
		case f.Of != 0 && (f.Kind != JSON || f.Of != Text):
			return fmt.Errorf("%s: only JSON holds values of one kind, and only texts", path)
		case f.Indexed && f.Kind.Many() && !f.Kind.Related():
			return fmt.Errorf("%s: of lists only those of relations have an index", path)
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
		if _, sorted := from.Field(j.Sort); !sorted || on.Kind != Relation || on.To != s.Slug {
			return fmt.Errorf("%s: a join is on a relation of the other collection to this one, and sorted by a field", path)
		}
	}
	return nil
}

// Get finds a schema; nil when there is none.
func (r *Registry) Get(slug string) *Schema { return r.bySlug[slug] }

// All lists the schemas in declaration order.
func (r *Registry) All() []*Schema { return r.order }
