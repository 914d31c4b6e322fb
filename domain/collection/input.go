package collection

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

const (
	defaultMaxLength = 40_000
	maxItems         = 1000
)

// InputParser merges a client's input into a record.
type InputParser struct {
	Schema   *Schema
	Currency money.Currency // the tenant's; for money fields without a currency field
	NewID    func() string  // ids of new array rows
	Now      time.Time      // for timed transitions: a client may send back the value that it read
	// Preset holds values every new record has, such as its tenant. A client may send the same value, but no
	// other. Nil: none.
	Preset Record
	// Own holds values of fields that name the acting tenant (Field.NamesTenant), for a change in which they may
	// differ from the stored ones: the memberships as the caller reads them, and with a new role. Nil: none.
	Own     []Record
	Content tenant.Content // the language that the texts of the input are in
	Locales []string       // languages besides the default one that translations may be in
	// Trusted writes come from our own use cases: read-only, hidden and command-only fields are accepted.
	Trusted bool
}

// Merge merges input, a JSON object as a JSONValue, into before (nil: create) and returns the next record. It
// does not change before. Groups are merged field by field, lists are replaced, null clears a field. Every
// problem is reported at once. Errors: fault.ErrValidation with fields.
func (w InputParser) Merge(before Record, input map[string]any) (Record, error) {
	a := inputMerge{w: w, create: before == nil, before: before}
	next := Record{}
	if before != nil {
		next = before.Clone()
	}
	input = a.resolveAliases(w.Schema.Fields, input)
	if !w.Content.IsDefault() && w.Schema.IsTranslated() {
		input = a.intoLanguages(before, input)
	}
	a.currency = a.pickCurrency(before, input)
	a.group("", w.Schema.AllFields(), before, next, input, w.Schema.CommandOnly)
	if len(a.problems) > 0 {
		return nil, fault.ErrValidation.WithFields(a.problems...)
	}
	return next, nil
}

type inputMerge struct {
	w        InputParser
	create   bool
	before   Record // the whole one
	currency func(Field) money.Currency
	problems []fault.Field
}

func (a *inputMerge) problem(path, message string) {
	a.problems = append(a.problems, fault.Field{Field: path, Message: message})
}

// resolveAliases replaces alias names by the declared ones. If the input has both, their values must be
// equal.
func (a *inputMerge) resolveAliases(fields []Field, input map[string]any) map[string]any {
	out := input
	for _, f := range fields {
		v, ok := input[f.Alias]
		if f.Alias == "" || !ok {
			continue
		}
		clone := make(map[string]any, len(out))
		maps.Copy(clone, out)
		delete(clone, f.Alias)
		switch declared, both := clone[f.Name]; {
		case !both:
			clone[f.Name] = v
		case !Equal(declared, v):
			a.problem(f.Alias, "This is an alias of "+f.Name+", which has a different value.")
		}
		out = clone
	}
	return out
}

// pickCurrency returns the currency of a money field: the value of its currency field after this write, or
// else the tenant's.
func (a *inputMerge) pickCurrency(before Record, input map[string]any) func(Field) money.Currency {
	return func(f Field) money.Currency {
		if f.Currency != "" {
			if c, ok := input[f.Currency].(string); ok && money.Currency(strings.ToUpper(c)).Valid() {
				return money.Currency(strings.ToUpper(c))
			}
			if c := before.Text(f.Currency); c != "" {
				return money.Currency(c)
			}
		}
		return a.w.Currency
	}
}

func (a *inputMerge) group(at string, fields []Field, before, next Record, input map[string]any, commandOnly bool) {
	for _, key := range sortedKeys(input) {
		if _, ok := find(fields, key); !ok {
			a.problem(at+key, "This field does not exist.")
		}
	}
	for _, f := range fields {
		path := at + f.Name
		raw, given := input[f.Name]
		fine := len(a.problems)
		locked := !a.w.Trusted && (f.ReadOnly || commandOnly && !f.Patchable || f.Immutable && !a.create)
		switch {
		case given && locked && before == nil && at == "":
			a.requireUnchanged(path, f, a.w.Preset, raw)
		case given && locked:
			a.requireUnchanged(path, f, before, raw)
		case given:
			a.set(path, f, before, next, raw)
		case a.create && f.Default != nil && empty(next[f.Name]):
			next[f.Name] = f.Default
		case a.create && f.Kind == Group && !f.OmitMissing:
			a.set(path, f, before, next, map[string]any{})
		}
		if f.Required && !(f.ReadOnly && !a.w.Trusted) && blank(next[f.Name]) && len(a.problems) == fine {
			a.problem(path, "This field is required.")
		}
	}
}

// blank reports whether v is empty for a required field; so is a text of spaces only.
func blank(v any) bool {
	s, isText := v.(string)
	return empty(v) || isText && strings.TrimSpace(s) == ""
}

func (a *inputMerge) set(path string, f Field, before, next Record, raw JSONValue) {
	if raw == nil {
		if f.Kind == Group {
			next[f.Name] = nil
			return
		}
		delete(next, f.Name)
		return
	}
	if was := before.Text(f.Name); f.Kind == Email && raw == JSONValue(was) && IsErasedEmail(was) { // what an erasure left may be sent back
		next[f.Name] = was
		return
	}
	count := len(a.problems)
	v := a.read(path, f, before, raw)
	if len(a.problems) == count {
		next[f.Name] = v
	}
}

func (a *inputMerge) read(path string, f Field, before Record, raw JSONValue) any {
	switch f.Kind {
	case Group:
		m, ok := raw.(map[string]any)
		if !ok {
			a.problem(path, "This field takes an object.")
			return nil
		}
		was := before.Group(f.Name)
		next := Record{}
		if was != nil {
			next = was.Clone()
		}
		inner := *a
		inner.problems, inner.create = nil, was == nil
		inner.group(path+".", f.Fields, was, next, m, false)
		a.problems = append(a.problems, inner.problems...)
		return next
	case Array:
		return a.rows(path, f, before.Rows(f.Name), raw)
	case Texts, Selects, RelationMany, UploadMany:
		return a.many(path, f, raw)
	case JSON, RichText:
		if path == TranslationsName && a.w.Schema.IsTranslated() {
			return a.translations(before, raw)
		}
		return a.jsonValue(path, f, raw)
	default: // the rest is scalar
	}
	return a.scalar(path, f, raw)
}

func (a *inputMerge) items(path string, f Field, raw JSONValue) []any {
	items, ok := raw.([]any)
	limit := cmp.Or(f.MaxItems, maxItems)
	if !ok {
		a.problem(path, "This field takes a list.")
	} else if len(items) > limit {
		a.problem(path, "This list has more than "+strconv.Itoa(limit)+" items.")
		return nil
	}
	return items
}

// NewRowID is the id of a new row in the input of a use case that names it elsewhere, as in translations. No client can send one.
type NewRowID string

func (a *inputMerge) rows(path string, f Field, was []Record, raw JSONValue) any {
	rows := []Record{}
	identified := slices.ContainsFunc(f.Fields, func(x Field) bool { return x.Name == "id" })
	for i, it := range a.items(path, f, raw) {
		at := path + "." + strconv.Itoa(i)
		m, ok := it.(map[string]any)
		if !ok {
			a.problem(at, "This item takes an object.")
			continue
		}
		var old Record
		if id, _ := m["id"].(string); identified && id != "" {
			if j := slices.IndexFunc(was, func(r Record) bool { return r.ID() == id }); j >= 0 {
				old = was[j]
			}
		}
		next := Record{}
		if identified {
			if next["id"] = old.ID(); old == nil {
				next["id"] = a.w.NewID()
			}
		}
		if id, ok := m["id"].(NewRowID); ok && identified {
			next["id"], m = string(id), maps.Clone(m)
			delete(m, "id")
		}
		inner := *a
		inner.problems, inner.create = nil, true
		inner.group(at+".", f.Fields, old, next, m, false)
		a.problems = append(a.problems, inner.problems...)
		rows = append(rows, next)
	}
	return rows
}

func (a *inputMerge) many(path string, f Field, raw JSONValue) any {
	one := f
	switch f.Kind {
	case Texts:
		one.Kind = Text
	case Selects:
		one.Kind = Select
	case RelationMany:
		one.Kind = Relation
	case UploadMany:
		one.Kind = Upload
	default: // the other kinds are not lists of scalars
	}
	out := []string{}
	for i, it := range a.items(path, f, raw) {
		at := path + "." + strconv.Itoa(i)
		if text, isText := it.(string); f.Labels && isText && utf8.ValidString(text) {
			it = label(text)
		}
		v, ok := a.scalar(at, one, it).(string)
		switch {
		case !ok, f.Labels && slices.Contains(out, v):
		case f.Labels && v == "":
			a.problem(at, "This item is empty.")
		default:
			out = append(out, v)
		}
	}
	return out
}

// label is a text as lists of labels hold it: in lower case, with single spaces between its words.
func label(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

func (a *inputMerge) scalar(path string, f Field, raw JSONValue) any {
	switch f.Kind {
	case Boolean:
		if b, ok := raw.(bool); ok {
			return b
		}
	case Number, Integer, Money:
		if n, ok := raw.(JSONNumber); ok {
			return a.number(path, f, string(n))
		}
	case Relation, Upload:
		if m, ok := raw.(map[string]any); ok { // an embedded record may be sent back
			raw = m["id"]
		}
		if s, ok := raw.(string); ok && s != "" {
			return s
		}
	default:
		if s, ok := raw.(string); ok {
			return a.text(path, f, s)
		}
	}
	a.problem(path, "This field takes "+f.Kind.withArticle()+".")
	return nil
}
