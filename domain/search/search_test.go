package search_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/search"
)

// fold is a collection.Fold that is enough for these texts, which are in one Unicode form.
func fold(s string) string { return strings.ToLower(s) }

func source(t *testing.T, s *collection.Schema) search.Source {
	t.Helper()
	i := slices.IndexFunc(search.Sources, func(o search.Source) bool { return o.Schema == s })
	if i < 0 {
		t.Fatalf("%s is no source", s.Slug)
	}
	return search.Sources[i]
}

// bought is an order with everything by which it is found.
func bought() collection.Record {
	return collection.Record{
		"id": "o1", "environment": "live", "orderNumber": "260729123456", "email": "Minsu.Kim@Example.com",
		"customerSnapshot": collection.Record{"name": "김민수", "email": "minsu.kim@example.com", "phone": "010-1234-5678"},
		"shippingAddress":  collection.Record{"recipientName": "Ann O'Neill-Smith", "phone": "+49 (0)30 1234-99"},
		"lines":            []collection.Record{{"sku": "MUG-red/01"}, {"sku": nil}},
	}
}

func finds(t *testing.T, of []search.Term, text string) (search.Rank, bool) {
	t.Helper()
	q, err := search.Parse(text, fold)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return q.Rank(of)
}

// Rule search-2.
func TestOrdersAreFoundByWhatPeopleType(t *testing.T) {
	t.Parallel()
	e := source(t, order.Schema).Entry(bought(), nil, fold)
	if e.Collection != "orders" || e.Record != "o1" || e.Source != "o1" || e.Environment != "live" {
		t.Fatalf("%+v", e)
	}
	for _, text := range []string{
		"260729123456", "#260729123456", "2607", "123456", "260729-123456",
		"minsu.kim@example.com", "MINSU.KIM@EXAMPLE.COM", "minsu.kim", "minsukim", "minsu", "kim", "<minsu.kim@example.com>",
		"김민수", "김민", "민수", "ann", "oneill", "smith", "Ann Smith", "smith, ann", "O'Neill-Smith",
		"010-1234-5678", "01012345678", "010 1234 5678", "+82 10-1234-5678", "+82 010 1234 5678", "821012345678", "0082 10 1234 5678",
		"(010) 1234.5678", "010\u20131234\u20135678", "010\u20111234\u20115678", "+82 10\u22121234\u22125678", "5678",
		"1234-5678", "010-1234", "030 123499", "+4930123499", "0049 30 123499",
		"MUG-RED-01", "mugred", "mug-red", "mug red 01", "MUG red/01", "2607 2912 3456", "260 729 123456", "김민수 5678", "ann mug-red/01", "김민수 010 1234",
		"010 1234", "010 12", "(010) 1234 56", "02 0101 010 1234-5678",
		"111 260729123456 222", "260729123456,9999", "9999\n8888\r\n260729123456", "a@b.c minsu.kim@example.com",
	} {
		if _, ok := finds(t, e.Terms, text); !ok {
			t.Errorf("%q does not find the order", text)
		}
	}
	for _, text := range []string{
		"260729123457", "minsu@example.com", "kim@example.com", "수", "ann lee", "010-1234-5679", "+81 10-1234-5679", "mug-blue", "red",
		"111 222", "김민수 9999", "010 1235", "10 1234", "0 10", "010 1234 567890", "010 1234, 9", "260 999", // of numbers each is meant whole
	} {
		if _, ok := finds(t, e.Terms, text); ok {
			t.Errorf("%q finds the order", text)
		}
	}
}

// Rule search-4.
func TestTheNumberItselfMatchesBest(t *testing.T) {
	t.Parallel()
	terms := source(t, order.Schema).Entry(bought(), nil, fold).Terms
	for text, want := range map[string]search.Rank{
		"260729123456": search.ExactNumber, "2607-2912-3456": search.ExactNumber, "260729": search.Prefix, "123456": search.Exact,
		"김민수": search.Exact, "minsu.kim@example.com": search.Exact, "minsu.k": search.Prefix, "5678": search.Exact,
		"260729123456 123": search.Prefix, "ann smith": search.Prefix,
	} {
		if got, ok := finds(t, terms, text); !ok || got != want {
			t.Errorf("%q: rank %d, %t; want %d", text, got, ok, want)
		}
	}
}

// Rule search-2.
func TestPartsLeadToTheirWhole(t *testing.T) {
	t.Parallel()
	parcel := source(t, order.Fulfillments).Entry(collection.Record{
		"id": "f1", "environment": "test", "order": "o1", "trackingNumber": "6012-3456-7890",
	}, nil, fold)
	for text, want := range map[string]bool{
		"6012 3456 7890": true, "6012, 34567890": false, "6012\n34567890": false, "6012 3456": false, // a list is none
	} {
		if _, ok := finds(t, parcel.Terms, text); ok != want {
			t.Errorf("%q finds the parcel: %t", text, ok)
		}
	}
	if _, ok := finds(t, parcel.Terms, "601234567890"); !ok || parcel.Record != "o1" || parcel.Source != "f1" || parcel.Collection != "orders" ||
		parcel.Environment != "test" {
		t.Errorf("%+v", parcel)
	}
	variant := source(t, catalog.Variants).Entry(collection.Record{"id": "v1", "product": "p1", "sku": "TEE-M", "barcode": "8801234567893"}, nil, fold)
	for _, text := range []string{"tee-m", "8801234567893", "880123"} {
		if _, ok := finds(t, variant.Terms, text); !ok || variant.Record != "p1" || variant.Environment != "" {
			t.Errorf("%q: %+v", text, variant)
		}
	}
	if lost := source(t, catalog.Variants).Entry(collection.Record{"id": "v2", "sku": "A"}, nil, fold); lost.Terms != nil || lost.Collection != "" {
		t.Errorf("a variant without a product: %+v", lost)
	}
	back := source(t, returns.Schema).Entry(collection.Record{"id": "r1", "environment": "live", "order": "o1"},
		map[string]collection.Record{"o1": bought()}, fold)
	if _, ok := finds(t, back.Terms, "260729123456"); !ok || back.Record != "r1" {
		t.Errorf("%+v", back)
	}
	cup := source(t, catalog.Products).Entry(collection.Record{"id": "p1", "name": "전통 청자 컵 2"}, nil, fold)
	for text, want := range map[string]bool{"청자컵": true, "전통청자": true, "청자 컵": true, "전통 청자컵2": true, "자컵": true, "컵청자": false} {
		if _, ok := finds(t, cup.Terms, text); ok != want {
			t.Errorf("%q finds the cup: %t", text, ok)
		}
	}
	open := source(t, draft.Schema).Entry(collection.Record{"id": "d1", "environment": "live", "status": "draft", "customer": "c1",
		"customerSnapshot": collection.Record{"name": "Lee"}, "lines": []collection.Record{{"variant": "v1"}, {"variant": "v2"}}},
		map[string]collection.Record{"c1": {"email": "account@example.com", "name": "Lee Account", "phone": "02-123-4567"}, "v2": {"sku": "TEE-M"}}, fold)
	for _, text := range []string{"lee", "account@", "02 123 4567", "tee-m"} {
		if _, ok := finds(t, open.Terms, text); !ok {
			t.Errorf("%q does not find the draft", text)
		}
	}
	goods := map[string]collection.Record{"v1": {"sku": "TEE-M"}}
	for _, status := range []string{"draft", "finalized", "discarded"} {
		made := collection.Record{"id": "d2", "environment": "live", "status": status, "lines": []collection.Record{{"variant": "v1"}}}
		if _, ok := finds(t, source(t, draft.Schema).Entry(made, goods, fold).Terms, "tee-m"); ok != (status == "draft") {
			t.Errorf("a %s draft is found by its goods: %t", status, ok)
		}
	}
	person := source(t, identity.Customers).Entry(collection.Record{
		"id": "c1", "email": "a@b.c", "name": "Bo", "phone": "+1 (415) 555-0100", "addresses": []collection.Record{{"recipientName": "Office Bo"}},
	}, nil, fold)
	for _, text := range []string{"415-555-0100", "14155550100", "office", "a@b.c"} {
		if _, ok := finds(t, person.Terms, text); !ok || person.Environment != "" {
			t.Errorf("%q does not find the customer", text)
		}
	}
}

// Rule search-3.
func TestTextsThatCannotBeSearchedForAreRefused(t *testing.T) {
	t.Parallel()
	words := func(n int, one string) string {
		var all []string
		for i := range n {
			all = append(all, one+strings.Repeat("x", i+1))
		}
		return strings.Join(all, " ")
	}
	for text, ok := range map[string]bool{
		"": false, " ": false, "-": false, "@ @": false, "\x00": false, "a\x00b": true, "\xff": false, "\xffa": true,
		words(10, "w"): true, words(11, "w"): false, words(40, "1"): true, words(101, "1"): false,
		strings.Repeat("a", search.MaxQuery): true, strings.Repeat("a", search.MaxQuery+1): false, strings.Repeat("a ", 20): true,
	} {
		q, err := search.Parse(text, fold)
		if ok != (err == nil) || err != nil && !errors.Is(err, search.ErrQuery) {
			t.Errorf("%.40q: %+v, %v", text, q, err)
		}
		for _, w := range q.Words {
			if slices.ContainsFunc(w, func(s string) bool {
				return s == "" || strings.Contains(s, "\x00") || !utf8.ValidString(s) || len([]rune(s)) > 100
			}) {
				t.Errorf("%.40q asks for %q", text, w)
			}
		}
	}
}

func TestWhatOneRecordIsFoundByIsBounded(t *testing.T) {
	t.Parallel()
	many := collection.Record{"id": "o1", "customerSnapshot": collection.Record{"name": strings.Repeat("가나다라마바사아자차카타파하 ", 100)}}
	for i := range 2000 {
		many["lines"] = append(many.Rows("lines"), collection.Record{"sku": strings.Repeat("9", i%200+1) + "x"})
	}
	terms := source(t, order.Schema).Entry(many, nil, fold).Terms
	if len(terms) > 1000 || slices.ContainsFunc(terms, func(t search.Term) bool { return len([]rune(t.Text)) > 100 }) {
		t.Errorf("%d terms", len(terms))
	}
}

// Rule search-6.
func TestWhatCannotBeReadIsNotSearched(t *testing.T) {
	t.Parallel()
	only := func(may ...*collection.Schema) func(*collection.Schema) bool {
		return func(s *collection.Schema) bool { return slices.Contains(may, s) }
	}
	for _, c := range []struct {
		target *collection.Schema
		may    []*collection.Schema
		want   string
	}{
		{order.Schema, []*collection.Schema{order.Schema, order.Fulfillments}, "nmewpst"},
		{order.Schema, []*collection.Schema{order.Schema}, "nmewps"},
		{catalog.Products, []*collection.Schema{catalog.Products}, "w"},
		{draft.Schema, []*collection.Schema{draft.Schema}, "ewp"},
		{draft.Schema, []*collection.Schema{draft.Schema, identity.Customers}, "ewpEWP"},
		{draft.Schema, []*collection.Schema{draft.Schema, catalog.Variants}, "ewps"},
		{returns.Schema, []*collection.Schema{returns.Schema}, ""},
		{returns.Schema, []*collection.Schema{returns.Schema, order.Schema}, "nmewps"},
	} {
		got := ""
		for _, k := range search.KindsOf(c.target, only(c.may...)) {
			got += string(k)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.target.Slug, got, c.want)
		}
	}
}
