package searchindex_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/searchindex"
	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// However many records there are, a look-up reads ranges of an index, and so does whoever changes what records are found
// by.
func TestSearchReadsRangesOfAnIndex(t *testing.T) {
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		s, _ := open(t, portstest.EventSchemas()...)
		x := s.SearchIndex()
		for _, id := range []tenant.ID{"a", "b"} {
			var entries []search.Entry
			for i := range 4000 {
				record := fmt.Sprintf("%s-%05d", id, i)
				e := search.Entry{Source: record, Record: record, Collection: "notes"}
				for n := range 5 {
					e.Terms = append(e.Terms, search.Term{Kind: search.Name, Text: fmt.Sprintf("%d%05d", n, i)})
				}
				entries = append(entries, e)
				if i%4 == 0 {
					entries = append(entries, search.Entry{
						Source: "part of " + record, Record: record, Collection: "notes",
						Terms: []search.Term{{Kind: search.Tracking, Text: fmt.Sprintf("t%05d", i)}},
					})
				}
			}
			if err := x.Put(t.Context(), ports.SearchPlace{Tenant: id}, ports.SearchPlace{Tenant: id, Version: 1, Sequence: 1}, entries); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Analyze(t.Context()); err != nil {
			t.Fatal(err)
		}
		plans, err := x.Plans(t.Context(), ports.SearchQuery{
			Tenant: "a", Collection: "notes", Query: searchindex.Word("101"), Kinds: []search.Kind{search.Name}, Limit: 10,
		}, []string{"a-00001", "a-00002", "a-00003"})
		if err != nil {
			t.Fatal(err)
		}
		key, byRecord := "search_terms_pkey", "i_search_terms_tenant_record_term"
		for name, want := range map[string][]string{
			"walk": {key, "term >"}, "check": {byRecord, "record =", "term >"}, "own": {byRecord, "record ="},
			"parts": {"i_search_terms_tenant_source", "source ="}, "one": {"record ="},
		} {
			plan := strings.ReplaceAll(plans[name], "sqlite_autoindex_search_terms_1", key)
			plan = strings.NewReplacer("record=?", "record =", "term>?", "term >", "term >=", "term >", "source=?", "source =").Replace(plan)
			conditions := ""
			for line := range strings.Lines(plan) {
				if strings.Contains(line, "Index Cond") || strings.Contains(line, "SEARCH") {
					conditions += line
				}
			}
			for _, one := range want {
				if !strings.Contains(conditions, one) && !(strings.HasPrefix(one, "i_") || one == key) || !strings.Contains(plan, one) {
					t.Errorf("%s has not %q:\n%s", name, one, plans[name])
				}
			}
			if strings.Contains(plan, "Seq Scan on search_terms") || strings.Contains(plan, "SCAN search_terms") || strings.Contains(plan, "SCAN s\n") {
				t.Errorf("%s reads all rows:\n%s", name, plans[name])
			}
		}
	})
}
