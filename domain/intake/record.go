package intake

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/job"
)

var read = []collection.Verb{collection.Read}

func aboutField() collection.Field {
	slugs := make([]string, len(Kinds))
	for i, kind := range Kinds {
		slugs[i] = reads[Kind(kind)].about
	}
	return collection.Field{
		Name: "collection", Kind: collection.Select, NonNull: true, Options: slugs,
		Doc: "Slug of the collection that its rows are about; who may not read that one does not see it.",
	}
}

// Imports declares imports: jobs that bring the rows of a file into the shop. Rules transfers-8 to transfers-16.
var Imports = &collection.Schema{
	Slug: "imports", Singular: "Import", Plural: "Imports",
	Doc: "A file whose rows are brought into the shop in the background.",
	Fields: slices.Concat([]collection.Field{
		{Name: "kind", Kind: collection.Select, NonNull: true, Options: Kinds, Indexed: true, Doc: "What its rows are about."},
		aboutField(),
		{Name: "mode", Kind: collection.Select, NonNull: true, Options: Modes, Doc: "Whether it creates records, updates them, or both (upsert)."},
		{Name: "dryRun", Kind: collection.Boolean, NonNull: true, Doc: "Whether it only says what it would do."},
		{Name: "fileName", Kind: collection.Text, MaxLength: maxFileName, Doc: "Name of the file, as it was sent."},
		{Name: "fileSize", Kind: collection.Integer, NonNull: true, Doc: "Size of the file in bytes."},
		{Name: "checksum", Kind: collection.Text, NonNull: true, MaxLength: maxFileName, Doc: "SHA-256 of the file, in hex."},
		{Name: "blob", Kind: collection.Text, VisibleTo: collection.ServerOnly, MaxLength: maxFileName, Doc: "Key of the file's bytes."},
	}, job.CountFields, job.Fields),
	Indexes: job.Indexes, UniqueSets: job.UniqueSets,
	PerEnvironment: true, FrequentlyUpdated: true, CommandOnly: true, NoDelete: true,
	Access: collection.Access{Viewer: read, Editor: read, Admin: read, SecretKey: read, AboutField: "collection"},
}

const maxFileName = 200

// Request is what an import is to do.
type Request struct {
	Kind     Kind
	Mode     Mode
	DryRun   bool
	FileName string
	Size     int64
	Checksum string
	Blob     string // key of the file's bytes
}

// Put writes q into a record of Imports.
func (q Request) Put(r collection.Record) {
	r["kind"], r["collection"], r["mode"], r["dryRun"] = string(q.Kind), reads[q.Kind].about, string(q.Mode), q.DryRun
	r["fileName"], r["fileSize"], r["checksum"], r["blob"] = q.FileName, q.Size, q.Checksum, q.Blob
}

// RequestFrom reads what Put wrote.
func RequestFrom(r collection.Record) Request {
	return Request{
		Kind: Kind(r.Text("kind")), Mode: Mode(r.Text("mode")), DryRun: r.Bool("dryRun"), FileName: r.Text("fileName"),
		Size: r.Int("fileSize"), Checksum: r.Text("checksum"), Blob: r.Text("blob"),
	}
}

// Status is what became of a row.
type Status string

// The statuses of rows.
const (
	Applied   Status = "applied"   // it changed something; in a dry run: it would have
	Unchanged Status = "unchanged" // everything was as it says
	Rejected  Status = "rejected"
)

// Statuses are all statuses of rows, as options of a field.
var Statuses = []string{string(Applied), string(Unchanged), string(Rejected)}

// ResultFields are what is told of a row.
var ResultFields = []collection.Field{
	{Name: "row", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Its number in the file; the first row is 1."},
	{Name: "status", Kind: collection.Select, Options: Statuses, Required: true, NonNull: true, Doc: "What became of it; in a dry run, what would."},
	{Name: "record", Kind: collection.Text, Doc: "Id of the record that it is about; null if there is none."},
	{Name: "errors", Kind: collection.Array, Required: true, NonNull: true, Doc: "Why it was rejected; empty otherwise.", Fields: []collection.Field{
		{Name: "column", Kind: collection.Text, Doc: "Name of the column; null where the whole row is meant."},
		{Name: "code", Kind: collection.Text, Required: true, NonNull: true, Doc: "A stable word for the reason."},
		{Name: "message", Kind: collection.Textarea, Required: true, NonNull: true, Doc: "The reason in a sentence."},
	}},
}

// Results declares what became of the rows of imports: a record for each chunk of rows, written with what the chunk changed.
var Results = &collection.Schema{
	Slug: "import-results", Singular: "ImportResult", Plural: "ImportResults",
	Doc: "What became of some consecutive rows of an import.",
	Fields: slices.Concat([]collection.Field{
		{Name: "import", Kind: collection.Relation, RelationTo: "imports", Indexed: true, Doc: "The import."},
		aboutField(),
		{Name: "firstRow", Kind: collection.Integer, NonNull: true, Doc: "Number of the first of its rows."},
		{Name: "lastRow", Kind: collection.Integer, NonNull: true, Indexed: true, Doc: "Number of the last of its rows."},
	}, job.CountFields, []collection.Field{
		{Name: "rows", Kind: collection.Array, NonNull: true, Fields: ResultFields, Doc: "The rows."},
	}),
	ListIndexes: [][]string{{"import", "lastRow"}}, UniqueSets: [][]string{{"import", "lastRow"}},
	PerEnvironment: true, CommandOnly: true, NoDelete: true, NoEvents: true,
	Access: collection.Access{Viewer: read, Editor: read, Admin: read, SecretKey: read, AboutField: "collection"},
}

// Result is what became of a row.
type Result struct {
	Row      int
	Status   Status
	Record   string // id; "": there is none
	Problems []Problem
}

// maxProblems is how many problems of one row are kept.
const maxProblems = 20

// ResultsRecord is the record of the results of consecutive rows of an import.
func ResultsRecord(of collection.Record, results []Result) collection.Record {
	r := collection.Record{
		"tenant": of["tenant"], "environment": of["environment"], "import": of.ID(), "collection": of["collection"],
		"firstRow": int64(results[0].Row), "lastRow": int64(results[len(results)-1].Row),
	}
	rows := make([]collection.Record, len(results))
	for i, x := range results {
		problems := make([]collection.Record, 0, len(x.Problems))
		for _, p := range x.Problems[:min(len(x.Problems), maxProblems)] {
			problems = append(problems, collection.Record{"column": collection.TextOrNull(p.Column), "code": p.Code, "message": p.Message})
		}
		rows[i] = collection.Record{
			"row": int64(x.Row), "status": string(x.Status), "record": collection.TextOrNull(x.Record), "errors": problems,
		}
	}
	CountsOf(results).Put(r)
	r["rows"] = rows
	return r
}

// CountsOf counts results.
func CountsOf(results []Result) (c job.Counts) {
	for _, x := range results {
		switch x.Status {
		case Applied:
			c.Applied++
		case Unchanged:
			c.Unchanged++
		case Rejected:
			c.Rejected++
		}
	}
	return c
}
