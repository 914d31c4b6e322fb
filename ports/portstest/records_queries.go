package portstest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Path resolves field names from a scratch collection on, through groups, lists and relations. It panics on
// unknown ones.
func Path(c *collection.Schema, names ...string) (path []collection.Field) {
	registry := ScratchRegistry()
	fields := c.AllFields()
	for _, name := range names {
		i := slices.IndexFunc(fields, func(f collection.Field) bool { return f.Name == name })
		path = append(path, fields[i])
		if fields[i].Kind.Related() {
			fields = registry.Get(fields[i].Target()).AllFields()
		} else {
			fields = fields[i].Fields
		}
	}
	return path
}

// paths are paths of all kinds from a thing to a value.
var paths = strings.Fields(`id createdAt title body mail state weight price order fragile soldAt maker rivals cover images labels marks sequence hash info
	info.note info.shots info.shots.alt info.maker info.deep.rank info.maker.name info.maker.country.name lines lines.name
	lines.quantity lines.cost lines.share lines.gift lines.at lines.state lines.maker lines.tags lines.parts lines.parts.name
	lines.maker.name lines.maker.country.name extra story maker.name maker.country.name maker.country.size maker.standing
	rivals.standing info.maker.standing lines.maker.standing rivals.name rivals.country.name cover.alt images.alt`)

// storeScratchData stores the scratch data, and some of another tenant, which must never be found.
func (s recordStore) storeScratchData(t *testing.T) oracle {
	t.Helper()
	o := oracle{map[string]map[string]collection.Record{}, s.fold, later}
	for _, d := range scratchData() {
		s.create(t, theirs, d.schema, d.record.Clone())
		if o.records[d.schema.Slug] == nil {
			o.records[d.schema.Slug] = map[string]collection.Record{}
		}
		o.records[d.schema.Slug][d.record.ID()] = s.create(t, ours, d.schema, d.record)
	}
	return o
}

// operands returns values to compare with: those that occur, values close to them, and some that do not
// occur.
func (o oracle) operands(path []collection.Field) (all []any) {
	seen := map[any]bool{}
	for _, r := range o.records[things.Slug] {
		for _, v := range o.values(r, path) {
			if v != nil && !seen[v] {
				seen[v] = true
				all = append(all, v)
			}
		}
	}
	slices.SortFunc(all, order)
	if len(all) > 6 {
		all = append(all[:3:3], all[len(all)-3:]...)
	}
	switch path[len(path)-1].Kind {
	case collection.Money, collection.Number, collection.Integer:
		all = append(all, int64(1), int64(-200_000))
	case collection.Date:
		all = append(all, noon.Add(time.Millisecond))
	case collection.Boolean:
	default:
		all = append(all, "", "M", "100% _pure_", "nothing")
	}
	return all
}

func operators(t *testing.T, s recordStore) {
	o := s.storeScratchData(t)
	for _, dotted := range paths {
		path := Path(things, strings.Split(dotted, ".")...)
		for _, test := range o.tests(path) {
			s.checkAgainstOracle(t, o, test)
		}
	}
}

// tests returns every operator that the parser accepts on the path, with distinguishing operands.
func (o oracle) tests(path []collection.Field) (all []collection.Comparison) {
	leaf := path[len(path)-1]
	add := func(op collection.Op, values ...any) {
		all = append(all, collection.Comparison{Path: path, Op: op, Values: values})
	}
	add(collection.Exists, true)
	add(collection.Exists, false)
	if leaf.Kind == collection.Group || leaf.Kind == collection.Array || leaf.Kind == collection.JSON || leaf.Kind == collection.RichText {
		return all
	}
	operands := o.operands(path)
	for _, op := range []collection.Op{
		collection.Equals, collection.NotEquals, collection.GreaterThan, collection.GreaterThanEqual, collection.LessThan,
		collection.LessThanEqual,
	} {
		for _, v := range operands {
			if leaf.Kind != collection.Boolean || op == collection.Equals || op == collection.NotEquals {
				add(op, v)
			}
		}
	}
	add(collection.Equals, nil)
	add(collection.NotEquals, nil)
	for _, op := range []collection.Op{collection.In, collection.NotIn} {
		add(op)
		add(op, nil)
		add(op, operands...)
		add(op, operands[0], nil)
	}
	switch {
	case leaf.Kind.Many():
		for _, v := range operands {
			add(collection.Contains, v)
		}
	case leaf.Kind.Textual() && !leaf.Kind.Related():
		for _, text := range []string{
			"strasse", "STRASSE", "%", "_", "\\", "'", "İ", "ı", "abc", "ＡＢＣ", "é", "out", "publish", "große", "äussere", "ärz", "x", "",
		} {
			add(collection.Contains, o.fold(text))
			add(collection.Like, o.fold(text))
		}
		add(collection.Like)
		add(collection.Like, o.fold("pure"), o.fold("100"))
	}
	return all
}

// timedTransitions queries as of times before and after the transitions, and without a time.
func timedTransitions(t *testing.T, s recordStore) {
	o := s.storeScratchData(t)
	for _, o.now = range []time.Time{{}, noon.Add(-time.Hour), later, later.Add(time.Hour)} {
		for _, dotted := range []string{"state", "maker.standing", "rivals.standing"} {
			for _, test := range o.tests(Path(things, strings.Split(dotted, ".")...)) {
				s.checkAgainstOracle(t, o, test)
			}
		}
	}
}

func (s recordStore) checkAgainstOracle(t *testing.T, o oracle, cond collection.Comparison) {
	t.Helper()
	var want []string
	local := collection.RecordLocal(cond, o.now)
	for _, id := range o.sorted(things.Slug, nil) {
		r := o.records[things.Slug][id]
		holds := o.holds(r, cond)
		if holds {
			want = append(want, id)
		}
		if local && collection.Matches(r, cond, o.fold) != holds {
			t.Errorf("%s %s %q on %s: Matches returned %t", dotted(cond.Path), cond.Op, cond.Values, id, !holds)
		}
	}
	page, err := s.Read(ports.ForTenant(ours)).Find(t.Context(), collection.Query{
		Schema: things, Where: cond, Limit: 500, Page: 1, Now: o.now,
	})
	if err != nil {
		t.Fatalf("%s %s %q: %v", dotted(cond.Path), cond.Op, cond.Values, err)
	}
	if got := ids(page); !slices.Equal(got, want) || page.TotalDocs != int64(len(want)) {
		t.Errorf("%s %s %q finds %v (%d), want %v", dotted(cond.Path), cond.Op, cond.Values, got, page.TotalDocs, want)
	}
}

func dotted(path []collection.Field) string {
	var all []string
	for _, f := range path {
		all = append(all, f.Name)
	}
	return strings.Join(all, ".")
}

func combinations(t *testing.T, s recordStore) {
	s.storeScratchData(t)
	count := func(c collection.Cond) int64 {
		page, err := s.Read(ports.ForTenant(ours)).Find(t.Context(), collection.Query{Schema: things, Where: c, Page: 1})
		if err != nil || len(page.Docs) != 0 {
			t.Fatalf("%v, %v", page, err)
		}
		return page.TotalDocs
	}
	draft := things.Where("state", collection.Equals, "draft")
	first := things.Where("id", collection.LessThan, "t12")
	all, drafts, early, both := count(nil), count(draft), count(first), count(collection.And{draft, first})
	if all != 24 || drafts == 0 || early != 12 || both == 0 || both >= drafts {
		t.Fatalf("all %d, drafts %d, early %d, both %d", all, drafts, early, both)
	}
	for name, c := range map[string]struct {
		cond collection.Cond
		want int64
	}{
		"either":                {collection.Or{draft, first}, drafts + early - both},
		"no condition":          {collection.And{}, all},
		"no way":                {collection.Or{}, 0},
		"nested":                {collection.And{first, collection.Or{collection.Or{}, draft}}, both},
		"neither of the drafts": {collection.And{things.Where("state", collection.NotEquals, "draft")}, all - drafts},
	} {
		if got := count(c.cond); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func sorting(t *testing.T, s recordStore) {
	o := s.storeScratchData(t)
	for _, dotted := range paths {
		path := Path(things, strings.Split(dotted, ".")...)
		if slices.ContainsFunc(path, func(f collection.Field) bool {
			return f.Kind.Many() || f.Kind == collection.JSON || f.Kind == collection.RichText
		}) || path[len(path)-1].Kind == collection.Group {
			continue
		}
		for _, desc := range []bool{false, true} {
			keys := []collection.SortKey{{Path: path, Desc: desc}, {Path: Path(things, "order"), Desc: !desc}}
			page, err := s.Read(ports.ForTenant(ours)).Find(t.Context(), collection.Query{
				Schema: things, Sort: keys, Limit: 500, Page: 1, Now: o.now,
			})
			if err != nil {
				t.Fatalf("%s: %v", dotted, err)
			}
			if got, want := ids(page), o.sorted(things.Slug, keys); !slices.Equal(got, want) {
				t.Errorf("by %s (descending %t):\n%v, want\n%v", dotted, desc, got, want)
			}
		}
	}
}

func paging(t *testing.T, s recordStore) {
	o := s.storeScratchData(t)
	keys := []collection.SortKey{{Path: Path(things, "state")}}
	want := o.sorted(things.Slug, keys)
	for _, limit := range []int{1, 5, 24, 25} {
		var got []string
		for page := 1; ; page++ {
			p, err := s.Read(ports.ForTenant(ours)).Find(t.Context(), collection.Query{
				Schema: things, Sort: keys, Limit: limit, Page: page, Now: o.now,
			})
			if err != nil || p.TotalDocs != 24 {
				t.Fatalf("page %d of %d: total %d, %v", page, limit, p.TotalDocs, err)
			}
			bare, err := s.Read(ports.ForTenant(ours)).Find(t.Context(), collection.Query{
				Schema: things, Sort: keys, Limit: limit, Page: page, Now: o.now, SkipCount: true,
			})
			if err != nil || bare.TotalDocs != 0 || !slices.Equal(ids(bare), ids(p)) {
				t.Errorf("page %d of %d, uncounted: %v of %d, %v", page, limit, ids(bare), bare.TotalDocs, err)
			}
			if len(p.Docs) == 0 {
				break
			}
			got = append(got, ids(p)...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("pages of %d: %v, want %v", limit, got, want)
		}
	}
}

// StoreScratchData stores the scratch data and calls each for every record stored.
func StoreScratchData(t *testing.T, s ports.Store, each func(c *collection.Schema, id string)) {
	t.Helper()
	a := recordStore{s, strings.ToLower, new(int)}
	for _, d := range scratchData() {
		each(d.schema, a.create(t, ours, d.schema, d.record).ID())
	}
}

// QueryTestData returns data for property tests of queries: things in stored form, without ids, and
// comparisons on every path that distinguish them.
func QueryTestData(fold func(string) string) (schema *collection.Schema, records []collection.Record, tests []collection.Comparison) {
	o := oracle{map[string]map[string]collection.Record{}, fold, time.Time{}}
	for _, d := range scratchData() {
		if o.records[d.schema.Slug] == nil {
			o.records[d.schema.Slug] = map[string]collection.Record{}
		}
		o.records[d.schema.Slug][d.record.ID()] = d.record
		if d.schema == things {
			without := d.record.Clone()
			delete(without, "id")
			records = append(records, without)
		}
	}
	for _, dotted := range paths {
		if dotted != "id" {
			tests = append(tests, o.tests(Path(things, strings.Split(dotted, ".")...))...)
		}
	}
	return things, records, tests
}
