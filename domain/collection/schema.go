// Package collection describes records. A Schema is declared once per collection; validation, SQL tables and
// columns, REST, GraphQL, list queries, events, OpenAPI and the SDKs derive from it.
//
// Records are maps from field name to value. The Go type of a value follows from the Kind of its field (see
// Record). A record is merged from input by InputParser, found by a Query, encoded by AppendJSON, and changed
// only by a Change, which carries its event.
package collection

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is the type of a field's values.
type Kind uint8

// The kinds of Rule collections-18. Texts and Selects are lists of plain values, RelationMany a list of ids.
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

// The audiences; each also sees what the previous ones see.
const (
	Everyone   Audience = iota // client keys, customers, and all of the following
	Staff                      // secret keys and users
	ServerOnly                 // never leaves the server: hashes, credentials, passwords
)

// URLKind restricts a text to a kind of URL.
type URLKind uint8

// The kinds of URL.
const (
	AnyText   URLKind = iota // any text
	PageURL                  // an http or https address, safe to follow from a page
	OriginURL                // origin of a page, as browsers send it: scheme, host and optional port
)

// Field is one declared field.
type Field struct {
	Name        string
	Kind        Kind
	Doc         string            // one sentence for API documentation
	Required    bool              // null, missing and "" are refused
	ReadOnly    bool              // written by the server; a client may send it back unchanged
	Immutable   bool              // set at create only
	NamesTenant bool              // read-only; input may name the acting tenant by it, and no other
	Patchable   bool              // may be written by PATCH although the collection is CommandOnly
	VisibleTo   Audience          // who may see it, filter and sort by it
	Indexed     bool              // an index serves equals, in, ranges and sort; lists of relations and short texts: contains; timed transitions: no sort
	Unique      bool              // one record per tenant; text is compared case-folded
	RelationTo  string            // relations: slug of the target
	Options     []string          // selects: allowed values
	Aliases     map[string]string // selects: accepted spelling → stored value
	Formerly    string            // its name in stored documents of older versions, which are still read; "": it never had another
	Alias       string            // another accepted input name: products take title for name
	Default     any               // value at create when missing, in the form of Record
	Currency    string            // money: sibling top-level field with the currency; "" is the tenant's
	Fields      []Field           // groups and arrays
	ValueKind   Kind              // JSON: an object with values of this kind and free names; 0: any JSON
	Min, Max    *int64            // integer, number, money (major units): inclusive range
	MaxLength   int               // text: characters; 0 is 40 000
	MaxItems    int               // lists: items; 0 is 1000
	Labels      bool              // lists of text: each item is once, trimmed and in lower case, and so are the values of filters
	Uppercase   bool              // text: stored in upper case, so that codes compare regardless of case
	URLKind     URLKind           // text: restricts it to a kind of URL
	ShownOnce   bool              // told when it is made and null in all other answers: nobody filters or sorts by it
	OmitMissing bool              // missing differs from null: it is left out of answers and rows
	NonNull     bool              // never null in an answer. Operations set it; it is not checked
	Source      string            // not stored but computed from this source when the record is read (see the Source constants of ports)
	Transition  *TimedTransition  // top-level selects: has another value once a time has passed
	Personal    bool              // about a person, whose erasure replaces it (Redact); groups and arrays: mark what is inside
	Guarded     bool              // of a record or of a group in it: an update by a person that changes it takes a proven session
}

// Required returns f as a required field.
func Required(f Field) Field {
	f.Required = true
	return f
}

// Verb is a kind of access to a collection.
type Verb string

// The verbs of the access matrix.
const (
	Read   Verb = "read"
	Create Verb = "create"
	Update Verb = "update"
	Delete Verb = "delete"
)

// Access is one collection's row of the access matrix. Platform admins may do everything that an admin may,
// in every tenant. Secret keys act as SecretKey says within their scopes. Rules access-21, collections-25.
type Access struct {
	Viewer, Editor, Admin, SecretKey []Verb
	Public                           bool // client keys and customers may read the records that PublicWhere matches
	PublicWhere                      any  // JSON filter, e.g. {"status": {"in": […]}}; nil matches all
	PublicListWhere                  any  // further restricts the lists of client keys and customers, but not reading by id; nil: no restriction
	// LinkedFields are what client keys and customers, who may not read the collection, see of a record that one
	// they may read refers to, besides its id; none: the id alone.
	LinkedFields []string
	// PersonField is a relation field with the user who alone may access the record, whatever their role, by the verbs of Viewer; "": everybody
	// whose role says so. Then there are no events of it for anybody, and others find it only if SharedField, a boolean, is set; "": never.
	PersonField, SharedField string
	// AboutField is a select with the slug of the collection that a record is about: who may not read that one does not read the
	// record; "": none. Broad roles read all its options.
	AboutField string
	OwnerField string // relation field with the customer who may read the record; "id" for customers themselves
}

// Schema declares one collection.
type Schema struct {
	Slug              string // "product-variants"
	Singular          string // "ProductVariant"
	Plural            string // "ProductVariants"; list query name
	Doc               string
	Fields            []Field
	ListIndexes       [][]string // sets of fields that lists filter by together: equals on all but the last; newest first is served by the same index
	Indexes           []Index    // of look-ups that the server makes across tenants
	UniqueSets        [][]string // sets of fields that are unique together per tenant (and environment); nulls never conflict
	Global            bool       // unique values are unique among all tenants
	PerEnvironment    bool       // each record belongs to live or test
	CommandOnly       bool       // written by operations; clients may only PATCH Patchable fields
	NoDelete          bool       // DELETE is 405
	NoEvents          bool       // a log of the server's own work: its changes emit no events
	MaxBytes          int        // of a record's JSON; 0: MaxRecordBytes
	TimelineOf        string     // relation field with the record whose timeline tells of this one too, such as the order of a parcel; "": none
	KeepsHistory      bool       // events of its records are kept as long as the shop: orders and money. Rule events-12
	FrequentlyUpdated bool       // records change many times within minutes, so fields that change each time, such as updatedAt, have no index
	UpdateInput       []Field    // members of an update that are no fields: conditions, which the collection's hooks take out and check
	Joins             []Join
	Guarded           []Verb // writes which, by a person, take a session that was proven lately: what a thief of one would gain by. Rule access-67
	Access            Access
}

// HasTimeline reports whether the changes of a record of s can be told: those of carts are too many.
func (s *Schema) HasTimeline() bool { return !s.NoEvents && !s.FrequentlyUpdated }

// Index serves a look-up that the server makes across tenants, such as that of an API key whose tenant is not
// known yet.
type Index struct {
	Fields []string
	Only   IndexFilter // restricts the index to matching records; the zero value includes all
}

// IndexFilter is a condition on one field: Exists with true or false, or Equals with a text.
type IndexFilter struct {
	Field string
	Op    Op
	Value any
}

// Join is a list of records of another collection that refer to this one, such as the variants of a product.
// It is not a field of the record.
type Join struct {
	Name string // name of the list
	Doc  string
	From string // slug of the other collection
	On   string // their relation field to this collection
	Sort string // their field to sort by; ties break by id
	// Inline: records of the list may be created together with a new record, under the name of the list.
	Inline bool
}

// envelope are the fields every record has besides its declared ones. Rule collections-26.
var envelope = []Field{
	{Name: "id", Kind: Text, ReadOnly: true, Indexed: true, Doc: "Identifier of the record: a UUIDv7."},
	{Name: TenantName, Kind: Relation, RelationTo: "tenants", ReadOnly: true, NamesTenant: true, Doc: "The tenant the record belongs to."},
	{Name: "environment", Kind: Select, Options: []string{"live", "test"}, ReadOnly: true, Doc: "live or test."},
	{Name: "createdAt", Kind: Date, ReadOnly: true, Indexed: true, Doc: "When the record was created."},
	{Name: "updatedAt", Kind: Date, ReadOnly: true, Indexed: true, Doc: "When the record was last changed."},
	{Name: RevisionName, Kind: Integer, ReadOnly: true, NonNull: true, Source: SourceRevision, VisibleTo: Staff, Doc: revisionDoc},
}

// sharedEnvelope is the envelope of records that both environments share.
var sharedEnvelope = slices.DeleteFunc(slices.Clone(envelope), func(f Field) bool { return f.Name == "environment" })

// envelopeFields returns the envelope fields that apply. Callers iterate over them and then Fields, which
// avoids a copy whenever a record is encoded.
func (s *Schema) envelopeFields() []Field {
	head := sharedEnvelope
	if s.PerEnvironment {
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

// AllFields returns the envelope fields that apply, then the declared ones, in answer order.
func (s *Schema) AllFields() []Field { return slices.Concat(s.envelopeFields(), s.Fields) }

// TenantField is the field of the envelope that has the tenant.
func TenantField() Field { return envelope[1] }

// TenantNames are the top-level fields by which input may name the acting tenant, although they are read-only.
// They are accepted wherever a record is read from a client: in JSON, in the fields of a form and over GraphQL.
// Rule collections-30.
func (s *Schema) TenantNames() []Field {
	return slices.DeleteFunc(s.AllFields(), func(f Field) bool { return !f.NamesTenant })
}

// Field finds a top-level field, including those of the envelope.
func (s *Schema) Field(name string) (Field, bool) {
	if f, ok := find(s.Fields, name); ok {
		return f, true
	}
	return find(s.envelopeFields(), name)
}

func find(fields []Field, name string) (Field, bool) {
	for i := range fields { // by index: a Field is large
		if fields[i].Name == name {
			return fields[i], true
		}
	}
	return Field{}, false
}

// Many reports whether values of the kind are lists.
func (k Kind) Many() bool {
	return k == RelationMany || k == UploadMany || k == Texts || k == Selects || k == Array
}

// Related reports whether values of the kind are ids of other records.
func (k Kind) Related() bool {
	return k == Relation || k == RelationMany || k == Upload || k == UploadMany
}

// Textual reports whether values of the kind are single texts.
func (k Kind) Textual() bool {
	return k == Text || k == Textarea || k == Email || k == Select || k == Relation || k == Upload
}

// Target is the slug that a relation or upload points to.
func (f Field) Target() string {
	if f.Kind == Upload || f.Kind == UploadMany {
		return "media"
	}
	return f.RelationTo
}

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
