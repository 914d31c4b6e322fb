package collection

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

const (
	defaultMaxLength = 40_000
	maxItems         = 1000
)

// Writer reads what a client wants to write into a record.
type Writer struct {
	Schema   *Schema
	Currency money.Currency // the tenant's; money fields without their own use it
	NewID    func() string  // ids of new array rows
	Now      time.Time      // a client may send back what it read: lapsed fields as they read by then
	// Born is what a new record has from the start, such as its tenant: a client may say so, but nothing else. Nil: nothing.
	Born Record
	// Trusted writes come from our own use cases: server-owned, hidden and operated fields are accepted.
	Trusted bool
}

// Accept merges input into before (nil: create) and returns the next record, leaving before alone. Input is a JSON object
// as a Tree. Groups merge field by field, lists are replaced whole, null clears. Every problem is reported at once.
// Errors: fault.ErrValidation with Fields.
func (w Writer) Accept(before Record, input map[string]any) (Record, error) {
	a := accept{w: w, create: before == nil}
	next := Record{}
	if before != nil {
		next = before.Clone()
	}
	input = a.renamed(w.Schema.Fields, input)
	a.currency = a.pickCurrency(before, input)
	a.group("", w.Schema.All(), before, next, input, w.Schema.Operated)
	if len(a.problems) > 0 {
		return nil, fault.ErrValidation.In(a.problems...)
	}
	return next, nil
}

type accept struct {
	w        Writer
	create   bool
	currency func(Field) money.Currency
	problems []fault.Field
}

func (a *accept) problem(path, message string) {
	a.problems = append(a.problems, fault.Field{Field: path, Message: message})
}

// renamed maps accepted alias names to the declared ones. Both at once must say the same: neither is dropped silently.
func (a *accept) renamed(fields []Field, input map[string]any) map[string]any {
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
			a.problem(f.Alias, "This is another name of "+f.Name+", which says something else.")
		}
		out = clone
	}
	return out
}

// pickCurrency says which currency a money field is in: that of its sibling currency field, as it will be after this
// write, else the tenant's.
func (a *accept) pickCurrency(before Record, input map[string]any) func(Field) money.Currency {
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

func (a *accept) group(at string, fields []Field, before, next Record, input map[string]any, operated bool) {
	for _, key := range sortedKeys(input) {
		if _, ok := find(fields, key); !ok {
			a.problem(at+key, "This field does not exist.")
		}
	}
	for _, f := range fields {
		path := at + f.Name
		raw, given := input[f.Name]
		fine := len(a.problems)
		locked := !a.w.Trusted && (f.Owned || operated && !f.Free || f.Immutable && !a.create)
		switch {
		case given && locked && before == nil && at == "":
			a.unchanged(path, f, a.w.Born, raw)
		case given && locked:
			a.unchanged(path, f, before, raw)
		case given:
			a.set(path, f, before, next, raw)
		case a.create && f.Default != nil && empty(next[f.Name]):
			next[f.Name] = f.Default
		case a.create && f.Kind == Group:
			a.set(path, f, before, next, map[string]any{})
		}
		if f.Required && !(f.Owned && !a.w.Trusted) && missing(next[f.Name]) && len(a.problems) == fine {
			a.problem(path, "This field is required.")
		}
	}
}

// missing is what a required field may not be: a text of nothing but spaces says nothing, either.
func missing(v any) bool {
	s, isText := v.(string)
	return empty(v) || isText && strings.TrimSpace(s) == ""
}

func (a *accept) set(path string, f Field, before, next Record, raw Tree) {
	if raw == nil {
		if f.Kind == Group {
			next[f.Name] = nil
			return
		}
		delete(next, f.Name)
		return
	}
	count := len(a.problems)
	v := a.read(path, f, before, raw)
	if len(a.problems) == count {
		next[f.Name] = v
	}
}

func (a *accept) read(path string, f Field, before Record, raw Tree) any {
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
		return a.tree(path, f, raw)
	default: // the rest is scalar
	}
	return a.scalar(path, f, raw)
}

func (a *accept) items(path string, raw Tree) []any {
	items, ok := raw.([]any)
	if !ok {
		a.problem(path, "This field takes a list.")
	} else if len(items) > maxItems {
		a.problem(path, "This list has more than "+strconv.Itoa(maxItems)+" items.")
		return nil
	}
	return items
}

func (a *accept) rows(path string, f Field, was []Record, raw Tree) any {
	rows := []Record{}
	identified := slices.ContainsFunc(f.Fields, func(x Field) bool { return x.Name == "id" })
	for i, it := range a.items(path, raw) {
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
		inner := *a
		inner.problems, inner.create = nil, true
		inner.group(at+".", f.Fields, old, next, m, false)
		a.problems = append(a.problems, inner.problems...)
		rows = append(rows, next)
	}
	return rows
}

func (a *accept) many(path string, f Field, raw Tree) any {
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
	default: // the rest is no list of scalars
	}
	out := []string{}
	for i, it := range a.items(path, raw) {
		if v, ok := a.scalar(path+"."+strconv.Itoa(i), one, it).(string); ok {
			out = append(out, v)
		}
	}
	return out
}

func (a *accept) scalar(path string, f Field, raw Tree) any {
	switch f.Kind {
	case Boolean:
		if b, ok := raw.(bool); ok {
			return b
		}
	case Number, Integer, Money:
		if n, ok := raw.(Numeral); ok {
			return a.number(path, f, string(n))
		}
	case Relation, Upload:
		if m, ok := raw.(map[string]any); ok { // a populated record may be sent back
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

func (a *accept) text(path string, f Field, s string) any {
	switch f.Kind {
	case Date:
		if t, ok := ParseTime(s); ok {
			return t
		}
		a.problem(path, "This field takes a date such as 2026-01-31T09:00:00.000Z.")
		return nil
	case Select:
		if to, ok := f.Aliases[s]; ok {
			s = to
		}
		if !slices.Contains(f.Options, s) {
			a.problem(path, "This field takes one of: "+strings.Join(f.Options, ", ")+".")
			return nil
		}
		return s
	case Email:
		s = strings.ToLower(strings.TrimSpace(s))
		if !ValidEmail(s) {
			a.problem(path, "This field takes an email address.")
			return nil
		}
		return s
	default: // the rest is plain text
	}
	if s != "" && !f.Web.names(s) {
		a.problem(path, "This field takes "+f.Web.withArticle()+".")
		return nil
	}
	if f.Upper {
		s = strings.ToUpper(strings.TrimSpace(s))
	}
	if problem := f.TextProblem(s); problem != "" {
		a.problem(path, problem)
		return nil
	}
	return s
}

// TextProblem says what is wrong with s as a text of f, "" when nothing is: bytes that are no text, or more characters
// than f takes.
func (f *Field) TextProblem(s string) string {
	limit := f.MaxLength
	if limit == 0 {
		limit = defaultMaxLength
	}
	switch {
	case !utf8.ValidString(s) || strings.ContainsRune(s, 0):
		return "This field takes valid text."
	case utf8.RuneCountInString(s) > limit:
		return "This field takes at most " + strconv.Itoa(limit) + " characters."
	}
	return ""
}

func (a *accept) number(path string, f Field, text string) any {
	var v any
	var size money.Decimal
	var err error
	switch f.Kind {
	case Money:
		var m money.Money
		c := a.currency(f)
		if m, err = money.Parse(text, c); err == nil {
			v = m
			size, err = money.ParseDecimal(m.Major())
			if err != nil { // larger than any bound we compare with
				size, err = money.DecimalOf(89_999_999_999), nil
			}
		} else if errors.Is(err, money.ErrTooManyDigits) {
			a.problem(path, string(c)+" has "+strconv.Itoa(c.Exponent())+" fraction digits.")
			return nil
		}
	case Integer:
		size, err = money.ParseDecimal(text)
		if err == nil && size.E8()%100_000_000 != 0 {
			a.problem(path, "This field takes a whole number.")
			return nil
		}
		v = size.E8() / 100_000_000
	default:
		size, err = money.ParseDecimal(text)
		v = size
	}
	if err != nil {
		a.problem(path, fault.From(err).Message)
		return nil
	}
	if f.Min != nil && size.Cmp(money.DecimalOf(*f.Min)) < 0 {
		a.problem(path, "This field takes "+strconv.FormatInt(*f.Min, 10)+" or more.")
		return nil
	}
	if f.Max != nil && size.Cmp(money.DecimalOf(*f.Max)) > 0 {
		a.problem(path, "This field takes "+strconv.FormatInt(*f.Max, 10)+" or less.")
		return nil
	}
	return v
}

// At is a bound for Field.Min and Field.Max.
func At(n int64) *int64 { return &n } //nolint:modernize // At(1) is shorter than new(int64(1))
