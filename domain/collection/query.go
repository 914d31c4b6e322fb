package collection

import (
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Limits of a query. Contract 1, "limits".
const (
	MaxLimit      = 500
	DefaultLimit  = 10
	MaxDepth      = 10
	maxWhereDepth = 8
	maxWhereTerms = 60
	maxHops       = 10
)

// ErrQuery means a where or sort that cannot be answered.
var ErrQuery = fault.New(fault.Invalid, "query_invalid", "The query cannot be answered.")

// Op is a where operator. Spec 4.1.
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
	Like             Op = "like"     // every word occurs, case-insensitive
	Contains         Op = "contains" // substring, case-insensitive; membership on lists
	Exists           Op = "exists"
)

// Cond is a condition on a record.
//
//sumtype:decl
type Cond interface{ cond() }

// And holds when all do; an empty And always holds.
type And []Cond

// simple is a without the And around a single condition.
func (a And) simple() Cond {
	if len(a) == 1 {
		return a[0]
	}
	return a
}

// Or holds when one does; an empty Or never holds.
type Or []Cond

// Test compares the value at Path. Path leads through relations, groups and arrays to a leaf field: each field but the
// last is a Relation(Many), Upload(Many), Group or Array. A path through a list holds when one element does, except
// that not_equals and not_in are the negation of equals and in.
//
// Values are in column form: string (text kinds, ids), int64 (Integer; Money as major × 10⁴; Number × 10⁸), bool,
// time.Time, or nil for null. equals and comparisons have one, in and not_in any number, exists one bool,
// like its words folded, contains one folded text (lists: the exact member).
type Test struct {
	Path   []Field
	Op     Op
	Values []any
}

func (And) cond()  {}
func (Or) cond()   {}
func (Test) cond() {}

// Order is one sort key; Path is as in Test, without lists.
type Order struct {
	Path []Field
	Desc bool
}

// Query asks for a page of records of one collection.
type Query struct {
	Schema      *Schema
	Environment string // restricts Environmented collections; "" is both
	Where       Cond   // nil: all
	Sort        []Order
	Limit       int       // 0..500; 0 counts only
	Page        int       // ≥ 1
	Now         time.Time // what has lapsed by then is filtered and sorted as it reads (Schema.AsOf); zero: as it is stored
	Uncounted   bool      // the page is all that is wanted: TotalDocs stays 0
}

// Page is the answer to a Query. Spec 2.2.
type Page struct {
	Docs      []Record
	TotalDocs int64
}

// Fold makes text comparable regardless of case and form; adapters must index the same function's result.
// It is set of NFKC and full case folding, which needs Unicode tables outside the domain, so the caller passes it.
type Fold func(string) string

// Parser reads where and sort trees for one collection and viewer.
type Parser struct {
	Registry *Registry
	Schema   *Schema
	Audience Audience
	Fold     Fold
	terms    int
}

// Where reads a JSON-form tree: {field: {op: value}}, "and"/"or" (any case) of lists, dotted or nested paths.
// A nil tree is nil. Errors: ErrQuery with the path in its message.
func (p *Parser) Where(tree Tree) (Cond, error) {
	if tree == nil {
		return nil, nil
	}
	p.terms = 0
	return p.where(tree, 0)
}

func (p *Parser) where(tree Tree, depth int) (Cond, error) {
	m, ok := tree.(map[string]any)
	if !ok {
		return nil, ErrQuery.Saying("where takes an object of conditions.")
	}
	if depth >= maxWhereDepth {
		return nil, ErrQuery.Saying("where nests deeper than %d levels.", maxWhereDepth)
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
	return all.simple(), nil
}

func (p *Parser) combine(key string, tree Tree, depth int) (Cond, error) {
	items, ok := tree.([]any)
	if !ok {
		return nil, ErrQuery.Saying("%s takes a list of conditions.", key)
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

func (p *Parser) field(s *Schema, at []Field, key string, tree Tree) (Cond, error) {
	path, next, err := p.walk(s, at, key)
	if err != nil {
		return nil, err
	}
	m, ok := tree.(map[string]any)
	if !ok || len(m) == 0 {
		return nil, ErrQuery.Saying("%s needs an operator, such as where[%s][equals].", name(path), name(path))
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
			err = ErrQuery.Saying("%q is not an operator.", k)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all.simple(), nil
}

func (p *Parser) nested(next level, path []Field, key string, tree Tree) (Cond, error) {
	if next.schema == nil {
		if _, ok := find(next.fields, strings.Split(key, ".")[0]); !ok {
			return nil, ErrQuery.Saying("%q is neither an operator nor a field of %s.", key, name(path))
		}
	}
	return p.field(next.asSchema(), path, key, tree)
}

// level is what stands below a path: a related collection, or the fields of a group or array.
type level struct {
	schema *Schema
	fields []Field
}

func (l level) asSchema() *Schema {
	if l.schema != nil {
		return l.schema
	}
	return &Schema{Slug: "·", Fields: l.fields}
}

func (l level) lookup(name string) (Field, bool) {
	if l.schema != nil && l.schema.Slug != "·" {
		return l.schema.Field(name)
	}
	if l.schema != nil {
		return find(l.schema.Fields, name)
	}
	return find(l.fields, name)
}

// walk follows a dotted key ("category.name", or GraphQL's "settings__x") from s.
func (p *Parser) walk(s *Schema, at []Field, key string) ([]Field, level, error) {
	path := slices.Clone(at)
	here := level{schema: s}
	for step := range strings.SplitSeq(strings.ReplaceAll(key, "__", "."), ".") {
		f, ok := here.lookup(step)
		if !ok || f.Read > p.Audience || len(path) >= maxHops {
			return nil, level{}, ErrQuery.Saying("The following path cannot be queried: %s", strings.TrimPrefix(name(path)+"."+step, "."))
		}
		path = append(path, f)
		switch {
		case f.Kind.Related():
			here = level{schema: p.Registry.Get(f.Target())}
		default:
			here = level{fields: f.Fields}
		}
	}
	return path, here, nil
}

func name(path []Field) string {
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

func (p *Parser) test(path []Field, op Op, tree Tree) (Cond, error) {
	if p.terms++; p.terms > maxWhereTerms {
		return nil, ErrQuery.Saying("where has more than %d terms.", maxWhereTerms)
	}
	values, err := p.values(path[len(path)-1], op, tree)
	if err != nil {
		return nil, ErrQuery.Saying("where[%s][%s]: %s", name(path), op, err)
	}
	return Test{Path: path, Op: op, Values: values}, nil
}

// SortBy reads "name,-createdAt". Empty is newest first. Ties break by id. Errors: ErrQuery.
func (p *Parser) SortBy(text string) ([]Order, error) {
	if strings.TrimSpace(text) == "" {
		text = "-createdAt"
	}
	var orders []Order
	for key := range strings.SplitSeq(text, ",") {
		key, desc := strings.CutPrefix(strings.TrimSpace(key), "-")
		path, _, err := p.walk(p.Schema, nil, key)
		if err != nil {
			return nil, err
		}
		for i, f := range path {
			sortable := !f.Kind.Many() && f.Kind != JSON && f.Kind != RichText && (i < len(path)-1 || f.Kind != Group)
			if !sortable {
				return nil, ErrQuery.Saying("sort cannot use %s.", name(path))
			}
		}
		orders = append(orders, Order{Path: path, Desc: desc})
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

// Where builds a Test on a top-level field for our own use cases; values are in column form. It panics on an unknown field.
func (s *Schema) Where(field string, op Op, values ...any) Test {
	f, ok := s.Field(field)
	if !ok {
		panic("collection " + s.Slug + " has no field " + field)
	}
	return Test{Path: []Field{f}, Op: op, Values: values}
}
