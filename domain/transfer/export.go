package transfer

import (
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/job"
)

// The refusals of exports.
var (
	ErrNotDone  = fault.New(fault.Conflict, "export_not_done", "The file of this export is not there yet.")
	ErrNoFile   = fault.New(fault.Conflict, "export_without_file", "This export was canceled or failed: it has no file.")
	ErrTooBroad = fault.New(fault.Unprocessable, "export_too_broad",
		"The text finds too many records to be sure that the file has all of them. Use where, or a longer text.")
	ErrTooManyToSort = fault.New(fault.Unprocessable, "export_too_many_to_sort",
		"These are more records than a file has in an order. Use where, or leave sort out.")
)

// Sheets are the tables of all kinds.
var Sheets = []Sheet{Products, Customers, Orders, Stock, Discounts}

// SheetOf is the table of a kind; ok is false when there is none.
func SheetOf(k Kind) (s Sheet, ok bool) {
	i := slices.IndexFunc(Sheets, func(s Sheet) bool { return s.Kind == k })
	if i < 0 {
		return s, false
	}
	return Sheets[i], true
}

// KindNames are the kinds, as options of a field.
func KindNames() (names []string) {
	for _, s := range Sheets {
		names = append(names, string(s.Kind))
	}
	return names
}

// AboutSlugs are the slugs of the collections that tables are about, as options of a field.
func AboutSlugs() (slugs []string) {
	for _, s := range Sheets {
		slugs = append(slugs, s.Lists.Slug)
	}
	return slugs
}

var read = []collection.Verb{collection.Read}

// Formats are the formats of files.
var Formats = []string{"csv", "xlsx"}

// MaxText is the longest text by which records are found, in characters.
const MaxText = 200

// MaxSorted is how many records an export has at most in an order: what they are sorted by is in memory meanwhile.
const MaxSorted = 100_000

// Exports declares exports. Rules: features/transfers/RULES.md.
var Exports = &collection.Schema{
	Slug: "exports", Singular: "Export", Plural: "Exports",
	Doc: "A file with records of the shop that is made in the background.",
	Fields: slices.Concat([]collection.Field{
		{Name: "kind", Kind: collection.Select, NonNull: true, Options: KindNames(), Indexed: true, Doc: "What its rows are about."},
		{
			Name: "collection", Kind: collection.Select, NonNull: true, Options: AboutSlugs(),
			Doc: "Slug of the collection whose records it has; who may not read that one does not see the export.",
		},
		{Name: "format", Kind: collection.Select, NonNull: true, Options: Formats, Doc: "Format of the file."},
		{Name: "locale", Kind: collection.Select, NonNull: true, Options: []string{string(English), string(Korean)}, Doc: "Language of the headers."},
		{Name: "where", Kind: collection.JSON, Doc: "Which records it has, as a filter of lists; null for all."},
		{Name: "q", Kind: collection.Text, MaxLength: MaxText, Doc: "Text that the records are found by; null for all."},
		{
			Name: "sort", Kind: collection.Text, MaxLength: MaxText,
			Doc: "The order of its records, as lists take it; null for that in which they were made.",
		},
		{Name: "columns", Kind: collection.Texts, Doc: "Names of its columns, in order; empty for all."},
		{Name: "url", Kind: collection.Text, Doc: "Address of the file, for the same callers; null while there is none."},
		{Name: "fileName", Kind: collection.Text, MaxLength: 200, Doc: "Name of the file; null while there is none."},
		{Name: "fileSize", Kind: collection.Integer, Doc: "Size of the file in bytes; null while there is none."},
		{Name: "blob", Kind: collection.Text, VisibleTo: collection.ServerOnly, MaxLength: 200, Doc: "Key of the file's bytes."},
	}, job.Fields),
	Indexes: job.Indexes, UniqueSets: job.UniqueSets,
	PerEnvironment: true, FrequentlyUpdated: true, CommandOnly: true, NoDelete: true,
	Access: collection.Access{Viewer: read, Editor: read, Admin: read, SecretKey: read, AboutField: "collection"},
}

// Request is what an export has.
type Request struct {
	Kind    Kind
	Format  string
	Locale  Locale
	Where   collection.JSONValue
	Query   string
	Sort    string   // "": by id
	Columns []string // nil: all
}

// Put writes q into a record of Exports.
func (q Request) Put(r collection.Record, s Sheet) {
	r["kind"], r["collection"], r["format"], r["locale"] = string(q.Kind), s.Lists.Slug, q.Format, string(q.Locale)
	r["where"], r["q"], r["columns"] = q.Where, collection.TextOrNull(q.Query), q.Columns
	r["sort"] = collection.TextOrNull(q.Sort)
}

// RequestFrom reads what Put wrote.
func RequestFrom(r collection.Record) Request {
	return Request{
		Kind: Kind(r.Text("kind")), Format: r.Text("format"), Locale: Locale(r.Text("locale")), Where: r["where"], Query: r.Text("q"),
		Sort: r.Text("sort"), Columns: r.Texts("columns"),
	}
}

// File is the file of an export.
type File struct {
	Name   string
	Format string // of Formats
	Size   int64  // in bytes
	Blob   string // key of its bytes
}

// Put writes f into a record of Exports.
func (f File) Put(r collection.Record) {
	r["fileName"], r["fileSize"], r["blob"] = f.Name, f.Size, f.Blob
	r["url"] = "/api/exports/" + r.ID() + "/file"
}

// FileOf is the file of an export. Errors: ErrNotDone, ErrNoFile.
func FileOf(r collection.Record) (File, error) {
	switch j := job.FromRecord(r); {
	case !j.Ended():
		return File{}, ErrNotDone
	case r.Text("blob") == "":
		return File{}, ErrNoFile
	}
	return File{r.Text("fileName"), r.Text("format"), r.Int("fileSize"), r.Text("blob")}, nil
}

// FileName is the name of a file of a kind that is made at now.
func (q Request) FileName(now time.Time) string {
	return strings.Join([]string{string(q.Kind), now.UTC().Format("20060102-150405")}, "-") + "." + q.Format
}
