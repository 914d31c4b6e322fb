package operation

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/imports"
	"github.com/cartwright-dev/cartwright/app/uploads"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	importParam  = collection.Field{Name: "id", Alias: "importId", Kind: collection.Relation, RelationTo: intake.Imports.Slug, Doc: "The import."}
	importMember = collection.Field{
		Name: "import", Kind: collection.Relation, RelationTo: intake.Imports.Slug, Required: true, Doc: "The import as it is now.",
	}
)

// Imports are the operations on imports. Rules transfers-8 to transfers-16.
func Imports(s *imports.Service) []Operation {
	list := []Operation{startImport(s), cancelImport(s), readImportRows(s), importReport(s)}
	for i := range list {
		list[i].Surfaces, list[i].AllowedKinds = Root, []tenant.Kind{tenant.User, tenant.SecretKey}
	}
	return list
}

func startImport(s *imports.Service) Operation {
	return Operation{
		Name: "imports.start", GraphQL: "importStart", Summary: "Start an import",
		Doc: "The file is CSV (UTF-8 or CP949) or XLSX, with the columns that exports have, in any order and as many as there are: " + importColumns() +
			" A column that the file lacks stays as it is, an empty cell clears (but for true and false). Rows of one product or order stand together. " +
			"Damaged files, and files with other columns, are refused at once. The rest happens in the background with the rights that you have then: read the import, or its events, until it has ended, and its rows. " +
			"Each row is applied once, whatever happens meanwhile; a row that is rejected keeps no other out. Rows that say what is there already change nothing. " +
			"It takes the permission to create or update what the rows are about. The import and its file are removed seven days after its end.",
		Mutates: true, Method: "POST", Path: "/imports", KeyPolicy: KeyOptional, Slow: true, RawInput: true,
		Input: []collection.Field{
			{Name: "kind", Kind: collection.Select, Options: intake.Kinds, Doc: "What the rows are about; required."},
			{
				Name: "mode", Kind: collection.Select, Options: intake.Modes,
				Doc: "Whether rows create, update, or both (upsert, the default). Stock is only updated, orders are only created.",
			},
			{Name: "dryRun", Kind: collection.Boolean, Doc: "True: say of each row what it would do, and change nothing."},
		},
		Upload: &Upload{
			Doc: "The file, at most 25 MiB and 100,000 rows; a row has at most 256 cells and 256 KiB.", Required: true,
			TooLarge: ports.ErrSpreadsheetTooLarge, Authorize: s.MayStage,
			Receive: func(ctx context.Context, p tenant.Principal, f File) (ReceivedFile, error) {
				staged, err := s.Stage(ctx, p, f.Name, f)
				if err != nil {
					return nil, err
				}
				return stagedImport{staged, s, p}, nil
			},
		},
		Output: []collection.Field{importMember}, Results: []ports.ReceiptResult{ports.ReceiptCreated},
		Reasons: []*fault.Error{
			media.ErrNoFile, tenant.ErrFeatureDisabled, job.ErrTooMany, intake.ErrColumns, intake.ErrTooManyRows, ports.ErrSpreadsheetUnreadable,
			ports.ErrSpreadsheetTooLarge, uploads.ErrUploadExpired,
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			file, sent := in.Received.(stagedImport)
			if !sent {
				return idempotency.Response{}, media.ErrNoFile
			}
			kind, mode, dry, err := readImport(in.Raw())
			if err != nil {
				return idempotency.Response{}, errors.Join(err, file.Discard()) //nolint:contextcheck // it ends whatever becomes of the request
			}
			return s.Start(ctx, call, file.Staged, kind, mode, dry)
		},
	}
}

// importColumns tells the columns of all kinds.
func importColumns() string {
	var b strings.Builder
	for _, name := range intake.Kinds {
		b.WriteString("of " + name + " ")
		for _, c := range intake.Kind(name).Columns() {
			switch {
			case c.Shown:
				continue
			case c.Required:
				b.WriteString(c.Name + " (required), ")
			default:
				b.WriteString(c.Name + ", ")
			}
		}
	}
	return strings.TrimSuffix(b.String(), ", ") + "."
}

// readImport reads the fields of the form, whose values are texts, or JSON where it was sent so.
func readImport(form map[string]any) (kind intake.Kind, mode intake.Mode, dry bool, err error) {
	var bad []fault.Field
	choose := func(name string, options []string, absent string) string {
		value := form[name]
		if value == nil || value == "" {
			value = absent
		}
		text, _ := value.(string)
		if !slices.Contains(options, text) {
			bad = append(bad, fault.Field{Field: name, Message: "This field takes one of: " + strings.Join(options, ", ") + "."})
		}
		return text
	}
	kind = intake.Kind(choose("kind", intake.Kinds, ""))
	mode = intake.Mode(choose("mode", intake.Modes, string(intake.Upsert)))
	dry, isBoolean := formBoolean(form["dryRun"])
	if !isBoolean {
		bad = append(bad, fault.Field{Field: "dryRun", Message: "This field takes true or false."})
	}
	for name := range form {
		if name != "kind" && name != "mode" && name != "dryRun" {
			bad = append(bad, fault.Field{Field: name, Message: "This field does not exist."})
		}
	}
	if len(bad) > 0 {
		err = fault.ErrValidation.WithFields(bad...)
	}
	return kind, mode, dry, err
}

// formBoolean is the value of a field of a form, which is a text, or JSON where it was sent so. ok is false for any other value.
func formBoolean(value any) (is, ok bool) {
	switch value {
	case true, "true":
		return true, true
	case nil, false, "false", "":
		return false, true
	}
	return false, false
}

// stagedImport is a file whose bytes are stored, and that no import names yet.
type stagedImport struct {
	*imports.Staged

	imports *imports.Service
	owner   tenant.Principal
}

// Fingerprint implements ReceivedFile.
func (f stagedImport) Fingerprint() collection.JSONValue { return f.Checksum }

// Discard implements ReceivedFile.
func (f stagedImport) Discard() error {
	f.imports.Discard(context.Background(), f.owner, f.Staged)
	return nil
}

func cancelImport(s *imports.Service) Operation {
	return Operation{
		Name: "imports.cancel", GraphQL: "importCancel", Summary: "Cancel an import",
		Doc: "One that waits ends at once, one that is running before its next rows. Rows that were applied stay so, and the import tells them. " +
			"To cancel it again changes nothing.",
		Mutates: true, Method: "POST", Path: "/imports/{id}/cancel", KeyPolicy: KeyOptional, BeyondQuota: true,
		Params: []collection.Field{importParam}, Output: []collection.Field{importMember},
		Reasons: []*fault.Error{job.ErrEnded, tenant.ErrFeatureDisabled},
		Run:     byID(s.Cancel),
	}
}

func readImportRows(s *imports.Service) Operation {
	return Operation{
		Name: "imports.rows", GraphQL: "importRows", Summary: "Read what became of the rows of an import",
		Doc:    "In the order of the file. While the import runs, more rows follow.",
		Method: get, Path: "/imports/{id}/rows", Localized: true, Params: []collection.Field{importParam},
		Input: []collection.Field{
			{Name: "status", Kind: collection.Select, Options: intake.Statuses, Doc: "Only rows of which this became; all when missing."},
			{Name: "after", Kind: collection.Integer, Doc: "Only rows with a higher number, such as next of the page before."},
			{Name: "limit", Kind: collection.Integer, Doc: "How many rows at most, 1 to 500; 100 when missing."},
		},
		Output: []collection.Field{
			{Name: "rows", Kind: collection.Array, Required: true, Fields: intake.ResultFields, Doc: "The rows."},
			{Name: "next", Kind: collection.Integer, Doc: "Number of the last row of the page where more follow; null where none do yet."},
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := imports.RowsQuery{Status: intake.Status(in.Choice("status")), Limit: in.Int("limit", imports.DefaultRows)}
			if after := in.Integer("after"); after != nil {
				q.After = *after
			}
			if q.Limit < 1 || q.Limit > imports.MaxRows {
				in.Problem("limit", "This field takes a whole number from 1 to 500.")
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Rows(ctx, call, in.Param("id"), q)
		},
	}
}

func importReport(s *imports.Service) Operation {
	return Operation{
		Name: "imports.report", Summary: "Get the rejected rows of an import as a file",
		Doc: "CSV with the columns of the file that was sent, after one with the number of the row and one with the reasons. Mend the cells and send the file again: the first two columns are not read. " +
			"There is no GraphQL field, because GraphQL cannot return files.",
		Method: get, Path: "/imports/{id}/report", Slow: true, Localized: true, Produces: []string{ports.CSV.MediaType()},
		Params: []collection.Field{importParam},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			in.Download.ContentType, in.Download.Filename = ports.CSV.MediaType(), "rejected-rows.csv"
			return idempotency.Response{Result: ports.ReceiptOK}, s.Report(ctx, call, in.Param("id"), in.Download)
		},
	}
}
