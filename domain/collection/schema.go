// Package collection describes records. A Schema is declared once per collection; validation, SQL tables and
// columns, REST, GraphQL, list queries, events, OpenAPI and the SDKs derive from it.
//
// Records are maps from field name to value. The Go type of a value follows from the Kind of its field (see
// Record). A record is merged from input by InputParser, found by a Query, encoded by AppendJSON, and changed
// only by a Change, which carries its event.
package collection

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/tenant"
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
	Name            string
	Kind            Kind
	Doc             string            // one sentence for API documentation
	Required        bool              // null, missing and "" are refused
	ReadOnly        bool              // written by the server; a client may send it back unchanged
	Immutable       bool              // set at create only
	NamesTenant     bool              // read-only; input may name the acting tenant by it, and no other
	Patchable       bool              // may be written by PATCH although the collection is CommandOnly
	VisibleTo       Audience          // who may see it, filter and sort by it
	Indexed         bool              // an index serves equals, in, ranges and sort; lists of relations and short texts: contains; timed transitions: no sort
	Unique          bool              // one record per tenant; text is compared case-folded
	RelationTo      string            // relations: slug of the target
	Options         []string          // selects: allowed values
	Aliases         map[string]string // selects: accepted spelling → stored value
	Formerly        string            // its name in stored documents of older versions, which are still read; "": it never had another
	FormerValues    map[string]string // selects: what its values under that name, in JSON, are now; others are null. nil: they were the same
	Alias           string            // another accepted input name: products take title for name
	Default         any               // value at create when missing, in the form of Record
	Currency        string            // money: sibling top-level field with the currency; "" is the tenant's
	Fields          []Field           // groups and arrays
	TypeName        string            // groups: the name of their type wherever they stand; "": one for each place
	TypeDoc         string            // of that type, in one sentence
	ValueKind       Kind              // JSON: an object with values of this kind and free names; 0: any JSON
	Min, Max        *int64            // integer, number, money (major units): inclusive range
	MaxLength       int               // text: characters; 0 is 40 000
	MaxItems        int               // lists: items; 0 is 1000
	Labels          bool              // lists of text: each item is once, trimmed and in lower case, and so are the values of filters
	Uppercase       bool              // text: stored in upper case, so that codes compare regardless of case
	URLKind         URLKind           // text: restricts it to a kind of URL
	ShownOnce       bool              // told when it is made and null in all other answers: nobody filters or sorts by it
	OmitMissing     bool              // missing differs from null: it is left out of answers and rows
	NonNull         bool              // never null in an answer. Operations set it; it is not checked
	Source          string            // not stored but computed from this source when the record is read (SourceShown, and the constants of ports)
	Transition      *TimedTransition  // top-level selects: has another value once a time has passed
	Personal        bool              // about a person, whose erasure replaces it (Redact); groups and arrays: mark what is inside
	ToldWhenCreated bool              // timelines tell what it has when the record is made: what somebody decided about this record alone
	Guarded         bool              // of a record or of a group in it: an update by a person that changes it takes a proven session
	// Translatable: the value is that of the shop's default language; those of others are in TranslationsName. Texts and rich texts
	// at the top, in groups, and in rows with an id.
	Translatable bool
	Language     *tenant.Content // in a path of a query: the text in this language is meant; nil: as it is stored
}

// SourceShown is the Source of fields that an app fills in for each reader (records.Hooks.Decorate): no row has them.
const SourceShown = "record.shown"

// Queryable reports whether those who may see f filter and sort by it.
func (f *Field) Queryable() bool { return !f.ShownOnce && f.Source != SourceShown }

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
