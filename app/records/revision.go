package records

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// basis is what a caller says about the record that a change is based on: nothing, its revision, its entity tag, or
// both. A form that was opened before somebody else's change would otherwise undo that. Rule collections-32.
type basis struct {
	revisions []int64
	ifMatch   string // header If-Match, or ""
}

// takeBasis takes the revision out of the input of an update. A client that sends back a whole record names it
// too. Errors: fault.ErrValidation.
func takeBasis(call idempotency.Call, input map[string]any) (b basis, rest map[string]any, err error) {
	b.ifMatch = call.IfMatch
	if call.ExpectedRevision != 0 {
		b.revisions = append(b.revisions, call.ExpectedRevision)
	}
	rest = maps.Clone(input)
	for _, name := range []string{collection.ExpectedRevision, collection.RevisionName} {
		given := rest[name]
		if delete(rest, name); given == nil {
			continue
		}
		n, err := collection.ReadRevision(name, given)
		if err != nil {
			return b, rest, err
		}
		b.revisions = append(b.revisions, n)
	}
	return b, rest, nil
}

// check compares the basis with the present record. Errors: collection.ErrChangedMeanwhile.
func (b basis) check(present collection.Record) error {
	for _, expected := range b.revisions {
		if err := collection.CheckRevision(present.Revision(), expected); err != nil {
			return err
		}
	}
	if b.ifMatch != "" && !MatchesTag(b.ifMatch, present.Revision()) {
		return collection.ChangedMeanwhile(present.Revision())
	}
	return nil
}

// Tag is the entity tag of a record for p: "revision", or for staff "revision.stock" of a record with stock, whose count
// changes without the record; in another language than the default one its tag follows. "" for client keys, which change nothing: theirs
// is a hash of the answer.
func Tag(p tenant.Principal, r collection.Record) string {
	if p.Kind == tenant.ClientKey {
		return ""
	}
	tag := strconv.FormatInt(r.Revision(), 10)
	if units, counted := r["stock"].(int64); counted && p.IsStaff() {
		tag += "." + strconv.FormatInt(units, 10)
	}
	if !p.Content.IsDefault() {
		tag += "." + p.Content.Tag(p.Tenant)
	}
	return `"` + tag + `"`
}

// TagOf is the entity tag of a record with this revision.
func TagOf(revision int64) string { return `"` + strconv.FormatInt(revision, 10) + `"` }

// MatchesTag reports whether a header If-Match names this revision: in one of its entity tags, of which only the digits
// before the first other character count, or by an asterisk. Tags that a proxy made weak count too: a revision stays one.
func MatchesTag(header string, revision int64) bool {
	return slices.ContainsFunc(strings.Split(header, ","), func(tag string) bool {
		tag = strings.TrimSpace(tag)
		named, ok := TaggedRevision(tag)
		return tag == "*" || ok && named == strconv.FormatInt(revision, 10)
	})
}

// TaggedRevision is the revision in one entity tag, in digits.
func TaggedRevision(tag string) (digits string, ok bool) {
	inside, quoted := strings.CutPrefix(strings.TrimPrefix(tag, "W/"), `"`)
	if end := strings.IndexFunc(inside, func(c rune) bool { return c < '0' || c > '9' }); end >= 0 {
		inside = inside[:end]
	}
	return inside, quoted && inside != ""
}
