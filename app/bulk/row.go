package bulk

import (
	"errors"
	"strings"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Status is what became of one record.
type Status string

// The statuses.
const (
	Updated   Status = "updated"
	Unchanged Status = "unchanged" // it was as asked already
	Refused   Status = "refused"
)

// Statuses are all statuses, as options of a field.
var Statuses = []string{string(Updated), string(Unchanged), string(Refused)}

// ResultFields are the members of a result.
var ResultFields = []collection.Field{
	{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the record, as sent."},
	{Name: "status", Kind: collection.Select, Options: Statuses, Required: true, Doc: "What became of it."},
	{
		Name: collection.RevisionName, Kind: collection.Integer,
		Doc: "The record's revision now; of a refused one only where another revision was expected.",
	},
	{Name: "errors", Kind: collection.Array, Required: true, Doc: "Why it was refused; empty otherwise.", Fields: []collection.Field{
		{Name: "reason", Kind: collection.Text, Required: true, Doc: "The reason, as in the error of a single change."},
		{Name: "message", Kind: collection.Text, Required: true, Doc: "The same in a sentence."},
		{Name: "field", Kind: collection.Text, Doc: "The field of data that it is about."},
	}},
}

// Result is what became of one record in a change that is part of another use case.
type Result struct {
	Status Status
	Text   reply.JSON // the members of ResultFields, as an object
}

// row is the result of one record.
type row struct {
	status Status
	text   reply.JSON
}

func written(id string, revision int64, changed bool) row {
	status := Unchanged
	if changed {
		status = Updated
	}
	return newRow(id, status, revision, nil)
}

// refused is the result of a record that is not changed, in the language of the call.
func (w run) refused(id string, err error) row {
	return refused(id, w.call.Language.Refusal(fault.From(err)))
}

func refused(id string, f *fault.Error) row {
	var problems reply.List
	for _, p := range f.InvalidFields() {
		problems = append(problems, problem(f.Reason, p.Message, p.Field))
	}
	if problems == nil {
		problems = reply.List{problem(f.Reason, f.Message, nil)}
	}
	return newRow(id, Refused, f.Data[collection.RevisionName], problems)
}

// Describe is the text of a result that another use case makes: that of a refusal, where there is one.
func Describe(id string, status Status, revision any, refusal *fault.Error) reply.JSON {
	if refusal != nil {
		return refused(id, refusal).text
	}
	return newRow(id, status, revision, nil).text
}

func problem(reason, message string, field any) reply.Object {
	return reply.Object{{Name: "reason", Value: reason}, {Name: "message", Value: message}, {Name: "field", Value: field}}
}

func newRow(id string, status Status, revision any, problems reply.List) row {
	if problems == nil {
		problems = reply.List{}
	}
	members := reply.Object{
		{Name: "id", Value: id}, {Name: "status", Value: string(status)}, {Name: collection.RevisionName, Value: revision},
		{Name: "errors", Value: problems},
	}
	return row{status, members.Append(nil, collection.Staff)}
}

// encodeRows writes rows one a line: JSON has no line breaks of its own.
func encodeRows(rows []row) []byte {
	var text []byte
	for _, r := range rows {
		text = append(append(append(append(text, r.status...), ' '), r.text...), '\n')
	}
	return text
}

// decodeRows reads what encodeRows wrote.
func decodeRows(text string) (rows []row) {
	for line := range strings.Lines(text) {
		status, object, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		rows = append(rows, row{Status(status), reply.JSON(object)})
	}
	return rows
}

// isRowError reports whether err is about one record, and not about the whole request. A proof of the session is asked of the caller
// once: as a row's refusal it would be kept under the key, and be the answer still after the proof.
func isRowError(err error) bool {
	if errors.Is(err, tenant.ErrReauthenticate) {
		return false
	}
	switch fault.From(err).Kind {
	case fault.Internal, fault.Unavailable, fault.Unauthenticated, fault.Expired, fault.Limited:
		return false
	default:
		return true
	}
}
