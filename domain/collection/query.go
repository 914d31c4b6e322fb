package collection

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Limits of a query. Rules collections-5, collections-6, collections-12, collections-27.
const (
	MaxLimit      = 500
	DefaultLimit  = 10
	MaxDepth      = 10
	maxWhereDepth = 8
	maxWhereTerms = 60 // each word of like is one, and so is a group without conditions
	maxPathLength = 10
	maxWords      = 20   // of like and contains
	maxSearched   = 1000 // characters of like and contains
	maxInValues   = 5000 // of in and not_in, in a whole where
	maxSortKeys   = 10

	// Relations that a path may pass through: each is a join, and databases plan joins in exponential time.
	maxHops      = 4 // for whoever sees what everyone sees
	maxStaffHops = 6
)

// ErrQuery says that a where or sort is invalid.
var ErrQuery = fault.NewInvalid("where", "query_invalid", "The query cannot be answered.")

// Op is a where operator. Rule collections-9.
type Op string

// The eleven operators.
const (
	Equals           Op = "equals"
	NotEquals        Op = "not_equals" // matches null too
	GreaterThan      Op = "greater_than"
	GreaterThanEqual Op = "greater_than_equal"
	LessThan         Op = "less_than"
	LessThanEqual    Op = "less_than_equal"
	In               Op = "in"
	NotIn            Op = "not_in"   // matches null too
	Like             Op = "like"     // contains every word, case-insensitive
	Contains         Op = "contains" // substring, case-insensitive; membership on lists
	Exists           Op = "exists"
)

// Cond is a condition on a record.
//
//sumtype:decl
type Cond interface{ cond() }

// And matches when all conditions do; an empty And always matches.
type And []Cond

// simplify returns the only condition of a, or a itself if it has several.
func (a And) simplify() Cond {
	if len(a) == 1 {
		return a[0]
	}
	return a
}

// Or matches when one condition does; an empty Or never matches.
type Or []Cond

// Comparison compares the value at Path. Path leads through relations, groups and arrays to a leaf field:
// each field but the last is a Relation(Many), Upload(Many), Group or Array. A path through a list matches
// when one element does, except that not_equals and not_in are the negation of equals and in.
//
// Values are in column form: string (text kinds, ids), int64 (Integer; Money as major × 10⁴; Number × 10⁸),
// bool, time.Time, or nil for null. equals and comparisons have one value, in and not_in any number, exists
// one bool, like its case-folded words, contains one case-folded text (for lists: the exact member).
type Comparison struct {
	Path   []Field
	Op     Op
	Values []any
}

func (And) cond()        {}
func (Or) cond()         {}
func (Comparison) cond() {}

// Query requests a page of records of one collection.
type Query struct {
	Schema      *Schema
	Environment string // restricts collections that are PerEnvironment; "": both
	Where       Cond   // nil: all
	Sort        []SortKey
	Limit       int       // 0..500; 0 counts only
	Page        int       // ≥ 1
	Now         time.Time // timed transitions are filtered and sorted as of this time (Schema.AsOf); zero: as stored
	SkipCount   bool      // TotalDocs is not needed and stays 0
	MaxBytes    int64     // of the page's records as they are stored; more is ErrAnswerTooLarge; 0: as many as there are

	// LeaveOutDamaged is for background work, which one damaged record must not keep from all others: those are named
	// in Page.Damaged. Otherwise the query fails with a *DamagedError, since a list that lacks records is a wrong answer.
	LeaveOutDamaged bool
}

// Fold normalizes text for comparison regardless of case and Unicode form; adapters must index the result of
// the same function. It is set to NFKC with full case folding, which needs Unicode tables from outside the
// domain, so the caller passes it.
type Fold func(string) string

// QueryParser parses where and sort for one collection and viewer.
type QueryParser struct {
	Registry *Registry
	Schema   *Schema
	Audience Audience
	Fold     Fold
	Content  tenant.Content // the language whose texts are meant
	terms    int            // so far, of the where that is being parsed
	inValues int            // the same
}

// Where parses a JSON filter: {field: {op: value}}, "and"/"or" (any case) of lists, dotted or nested paths. A
// nil filter gives nil. Errors: ErrQuery with the path in its message.
func (p *QueryParser) Where(tree JSONValue) (Cond, error) {
	if tree == nil {
		return nil, nil
	}
	p.terms, p.inValues = 0, 0
	return p.where(tree, 0)
}

// countTerms counts n more terms.
func (p *QueryParser) countTerms(n int) error {
	if p.terms += n; p.terms > maxWhereTerms {
		return ErrQuery.WithMessage("where has more than %d terms.", maxWhereTerms)
	}
	return nil
}

func (p *QueryParser) where(tree JSONValue, depth int) (Cond, error) {
	m, ok := tree.(map[string]any)
	if !ok {
		return nil, ErrQuery.WithMessage("where takes an object of conditions.")
	}
	if depth >= maxWhereDepth {
		return nil, ErrQuery.WithMessage("where nests deeper than %d levels.", maxWhereDepth)
	}
	if err := p.countEmpty(len(m)); err != nil {
		return nil, err
	}
	all := And{}
	for _, key := range sortedKeys(m) {
		var c Cond
		var err error
		switch strings.ToLower(key) {
		case "and", "or":
			c, err = p.combine(strings.ToLower(key), m[key], depth)
		default:
			c, err = p.field(p.Schema, nil, key, m[key])
		}
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all.simplify(), nil
}

// countEmpty counts a group of conditions as a term if it has none: thousands of them would be a long
// statement, too.
func (p *QueryParser) countEmpty(conditions int) error {
	if conditions > 0 {
		return nil
	}
	return p.countTerms(1)
}

func (p *QueryParser) combine(key string, tree JSONValue, depth int) (Cond, error) {
	items, ok := tree.([]any)
	if !ok {
		return nil, ErrQuery.WithMessage("%s takes a list of conditions.", key)
	}
	if err := p.countEmpty(len(items)); err != nil {
		return nil, err
	}
	conds := make([]Cond, 0, len(items))
	for _, it := range items {
		c, err := p.where(it, depth+1)
		if err != nil {
			return nil, err
		}
		conds = append(conds, c)
	}
	if key == "or" {
		return Or(conds), nil
	}
	return And(conds), nil
}

func (p *QueryParser) field(s *Schema, at []Field, key string, tree JSONValue) (Cond, error) {
	path, next, err := p.walk(s, at, key)
	if err != nil {
		return nil, err
	}
	m, ok := tree.(map[string]any)
	if !ok || len(m) == 0 {
		return nil, ErrQuery.WithMessage("%s needs an operator, such as where[%s][equals].", pathName(path), pathName(path))
	}
	all := And{}
	for _, k := range sortedKeys(m) {
		var c Cond
		switch {
		case Op(k).valid():
			c, err = p.test(path, Op(k), m[k])
		case next.schema != nil || next.fields != nil:
			c, err = p.nested(next, path, k, m[k])
		default:
			err = ErrQuery.WithMessage("%q is not an operator.", k)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all.simplify(), nil
}

func (p *QueryParser) nested(next pathLevel, path []Field, key string, tree JSONValue) (Cond, error) {
	if next.schema == nil {
		if _, ok := find(next.fields, strings.Split(key, ".")[0]); !ok {
			return nil, ErrQuery.WithMessage("%q is neither an operator nor a field of %s.", key, pathName(path))
		}
	}
	return p.field(next.asSchema(), path, key, tree)
}

// pathLevel is what a path leads to: a related collection, or the fields of a group or array.
type pathLevel struct {
	schema *Schema
	fields []Field
}

func (l pathLevel) asSchema() *Schema {
	if l.schema != nil {
		return l.schema
	}
	return &Schema{Slug: "·", Fields: l.fields}
}

func (l pathLevel) lookup(name string) (Field, bool) {
	if l.schema != nil && l.schema.Slug != "·" {
		return l.schema.Field(name)
	}
	if l.schema != nil {
		return find(l.schema.Fields, name)
	}
	return find(l.fields, name)
}

// walk resolves a dotted key ("category.name", or GraphQL's "settings__x") from s.
func (p *QueryParser) walk(s *Schema, at []Field, key string) ([]Field, pathLevel, error) {
	path := slices.Clone(at)
	here := pathLevel{schema: s}
	for step := range strings.SplitSeq(strings.ReplaceAll(key, "__", "."), ".") {
		f, ok := here.lookup(step)
		if !ok || f.VisibleTo > p.Audience || !f.Queryable() || len(path) >= maxPathLength {
			name := strings.TrimPrefix(pathName(path)+"."+step, ".")
			return nil, pathLevel{}, ErrQuery.At(name).WithMessage("The following path cannot be queried: %s", name)
		}
		if hops(path) > p.maxHops() {
			return nil, pathLevel{}, ErrQuery.WithMessage("The following path passes through more than %d relations: %s", p.maxHops(),
				pathName(path)+"."+step)
		}
		path = append(path, f.inLanguage(p.Content))
		switch {
		case f.Kind.Related():
			here = pathLevel{schema: p.Registry.Get(f.Target())}
		default:
			here = pathLevel{fields: f.Fields}
		}
	}
	return path, here, nil
}

// maxHops is how many relations a path of the viewer may pass through.
func (p *QueryParser) maxHops() int {
	if p.Audience == Everyone {
		return maxHops
	}
	return maxStaffHops
}

// hops is how many relations are passed through by what follows path.
func hops(path []Field) (n int) {
	for i := range path {
		if path[i].Kind.Related() {
			n++
		}
	}
	return n
}

func pathName(path []Field) string {
	names := make([]string, len(path))
	for i, f := range path {
		names[i] = f.Name
	}
	return strings.Join(names, ".")
}

func (o Op) valid() bool {
	switch o {
	case Equals, NotEquals, GreaterThan, GreaterThanEqual, LessThan, LessThanEqual, In, NotIn, Like, Contains, Exists:
		return true
	}
	return false
}

func (p *QueryParser) test(path []Field, op Op, tree JSONValue) (Cond, error) {
	values, err := p.operands(path[len(path)-1], op, tree)
	if err != nil {
		return nil, ErrQuery.WithMessage("where[%s][%s]: %s", pathName(path), op, err)
	}
	terms := 1
	if op == Like {
		terms = max(1, len(values))
	}
	return Comparison{Path: path, Op: op, Values: values}, p.countTerms(terms)
}

// SortBy parses "name,-createdAt". Empty means newest first. Ties are broken by id (TiesDescend). Errors: ErrQuery.
func (p *QueryParser) SortBy(text string) ([]SortKey, error) {
	if strings.TrimSpace(text) == "" {
		text = "-createdAt"
	}
	if strings.Count(text, ",") >= maxSortKeys {
		return nil, ErrQuery.At("sort").WithMessage("sort has more than %d fields.", maxSortKeys)
	}
	var orders []SortKey
	for key := range strings.SplitSeq(text, ",") {
		key, desc := strings.CutPrefix(strings.TrimSpace(key), "-")
		path, _, err := p.walk(p.Schema, nil, key)
		if f, ok := errors.AsType[*fault.Error](err); ok && f.About == ErrQuery.About {
			err = f.At("sort")
		}
		if err != nil {
			return nil, err
		}
		for i, f := range path {
			sortable := !f.Kind.Many() && f.Kind != JSON && f.Kind != RichText && (i < len(path)-1 || f.Kind != Group)
			if !sortable {
				return nil, ErrQuery.At("sort").WithMessage("sort cannot use %s.", pathName(path))
			}
		}
		orders = append(orders, SortKey{Path: path, Desc: desc})
	}
	return orders, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Where returns a Comparison of a top-level field, for our own use cases; values are in column form. It
// panics for an unknown field.
func (s *Schema) Where(field string, op Op, values ...any) Comparison {
	f, ok := s.Field(field)
	if !ok {
		panic("collection " + s.Slug + " has no field " + field)
	}
	return Comparison{Path: []Field{f}, Op: op, Values: values}
}

// FieldIn is the condition that field has one of values.
func FieldIn[S ~string](s *Schema, field string, values []S) Cond {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return s.Where(field, In, list...)
}
