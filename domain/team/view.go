package team

import (
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Limits of saved views. Rule team-6.
const (
	MaxViews   = 200 // of one user
	maxColumns = 100
)

// The refusals of saved views.
var (
	ErrNotOwner   = fault.New(fault.Forbidden, "view_of_another", "Only its owner or an admin changes a shared view.")
	ErrNoOwner    = fault.New(fault.Forbidden, "view_without_owner", "Only users of this shop have views of their own.")
	ErrNotSharing = fault.New(fault.Forbidden, "view_not_shareable", "Viewers do not share their views.")
	ErrManyViews  = fault.New(fault.Unprocessable, "views_too_many", "You have as many views as a user may have. Delete one first.")
)

// SavedViews declares the lists that people come back to. They are nobody else's business, so they make no events.
// Rules team-6, team-7.
var SavedViews = &collection.Schema{
	Slug: "saved-views", Singular: "SavedView", Plural: "SavedViews",
	Doc: "A list that a user comes back to: which records of a collection, in which order, with which columns.",
	Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 100, Doc: "Name: each once for an owner and a collection."},
		{Name: "collection", Kind: collection.Text, Required: true, Immutable: true, Indexed: true, MaxLength: 64, Doc: "Slug of the collection."},
		{Name: "where", Kind: collection.JSON, Doc: "The filter, as lists of the collection take it; null for all records."},
		{Name: "sort", Kind: collection.Text, MaxLength: 1000, Doc: "The order, as lists of the collection take it; null for the newest first."},
		{Name: "q", Kind: collection.Text, MaxLength: 200, Doc: "The text that the list is searched for; null for none."},
		{
			Name: "columns", Kind: collection.Texts, MaxItems: maxColumns, MaxLength: 200,
			Doc: "What is shown of each record, in this order: fields, with dots inside groups and through relations.",
		},
		{Name: "owner", Kind: collection.Relation, RelationTo: "users", ReadOnly: true, Indexed: true, Doc: "Whose view it is: who made it."},
		{Name: "shared", Kind: collection.Boolean, Default: false, Indexed: true, Doc: "Whether all of the team have it, and not its owner alone."},
	},
	UniqueSets: [][]string{{"owner", "collection", "name"}},
	NoEvents:   true, MaxBytes: 64 << 10,
	Access: collection.Access{Viewer: all, Editor: all, Admin: all, PersonField: "owner", SharedField: "shared"},
}

// QueryCheck refuses a filter and an order, "" for none, that a list refuses. Errors: collection.ErrQuery by the field.
type QueryCheck func(where collection.JSONValue, sort string) error

// WriteView completes a view that by makes, or changes from before (nil: a new one) to next. check checks queries of the
// view's collection for by, nil for one that by may not read or nobody knows. It changes neither record. Errors: ErrNotOwner,
// ErrNoOwner, ErrNotSharing, fault.ErrValidation, collection.ErrQuery by the field that nobody knows, or by may not read.
func WriteView(before, next collection.Record, by tenant.Principal, check QueryCheck) (collection.Record, error) {
	next = next.Clone()
	switch {
	case before != nil:
		if err := CheckOwner(before, by); err != nil {
			return nil, err
		}
	case by.Kind != tenant.User:
		return nil, ErrNoOwner
	default:
		next["owner"] = by.ID
	}
	if by.Role == tenant.Viewer && next.Bool("shared") {
		return nil, ErrNotSharing
	}
	if check == nil {
		return nil, fault.Invalidf("collection", "%s is not a collection that you may read.", strconv.Quote(next.Text("collection")))
	}
	next["name"] = strings.Join(strings.Fields(next.Text("name")), " ")
	return next, checkView(next, check)
}

// checkView refuses a view that its collection cannot answer.
func checkView(v collection.Record, check QueryCheck) error {
	if err := check(v["where"], v.Text("sort")); err != nil {
		return err
	}
	for i, column := range v.Texts("columns") {
		if err := check(map[string]any{column: map[string]any{string(collection.Exists): true}}, ""); err != nil {
			return fault.Invalidf("columns."+strconv.Itoa(i), "%s is not a field of %s.", strconv.Quote(column), v.Text("collection"))
		}
	}
	return nil
}

// CheckOwner refuses the change of a view by others than its owner and admins. Errors: ErrNotOwner.
func CheckOwner(view collection.Record, by tenant.Principal) error {
	if by.Kind == tenant.System || by.Kind == tenant.User && (isAdmin(by) || view.Text("owner") == by.ID) {
		return nil
	}
	return ErrNotOwner
}

func isAdmin(p tenant.Principal) bool {
	return p.Kind == tenant.User && (p.Role == tenant.Admin || p.Role == tenant.PlatformAdmin)
}
