package stored_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// A field for staff is null for a shopper, with one error; the shopper can neither filter nor sort by it.
func TestStaffFieldsAreHiddenFromShoppers(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	ids := s.stocked(3)
	buyer := s.as(tenant.ClientKey)
	out := buyer.refused(`{ Products(sort: "name") { docs { name stock } } }`, "FORBIDDEN forbidden")
	if want := `{"Products":{"docs":[{"name":"P000","stock":null},{"name":"P001","stock":null},{"name":"P002","stock":null}]}}`; string(out.Data) != want {
		t.Errorf("%s", out.raw)
	}
	if got := fmt.Sprint(out.Errors[0].Path); got != "[Products docs 0 stock]" {
		t.Error(got)
	}
	s.want(`{ Product(id: "`+ids[2]+`") { stock } }`, `{"Product":{"stock":2}}`)
	buyer.refused(`{ Product(id: "`+ids[0]+`") { variants { stock reserved } } }`, "FORBIDDEN forbidden", "FORBIDDEN forbidden")
	buyer.refused(`{ Discounts { totalDocs } }`, "FORBIDDEN forbidden")
	buyer.refused(`{ countOrders { totalDocs } }`, "FORBIDDEN forbidden")
	buyer.refused(`mutation { deleteProduct(id: "`+ids[0]+`") { id } }`, "FORBIDDEN forbidden")
	s.as(tenant.Anonymous).refused(`{ Products { totalDocs } }`, "UNAUTHENTICATED unauthenticated")
	for _, where := range []string{
		`stock: {equals: 1}`, `or: [{name: {exists: true}}, {lowStockThreshold: {exists: true}}]`,
		`shippingPolicy: {where: {tenant: {where: {name: {exists: true}}}}}`,
	} {
		buyer.refused(`{ Products(where: {`+where+`}) { totalDocs } }`, "BAD_USER_INPUT query_invalid")
		s.data(`{ Products(where: {`+where+`}) { totalDocs } }`, nil)
	}
	buyer.refused(`{ Products(sort: "-stock") { totalDocs } }`, "BAD_USER_INPUT query_invalid")
}

// A shopper may select every field of every public collection, at any depth: fields for staff are null with
// an error, and make no parent null.
func TestShoppersCanSelectEveryField(t *testing.T) {
	t.Parallel()
	s := onSQLite(t, gadgets)
	m := &maker{shop: s, made: map[string]string{}}
	hidden := map[string]bool{}
	for _, c := range s.content.Registry.All() {
		m.record(c.Slug)
		for _, f := range c.AllFields() {
			if f.VisibleTo == collection.Staff {
				hidden[f.Name] = true
			}
		}
	}
	buyer := s.as(tenant.ClientKey)
	for _, c := range s.content.Registry.All() {
		if !c.Access.Public {
			buyer.refused(`{ `+c.Plural+` { totalDocs } }`, "FORBIDDEN forbidden")
			continue
		}
		out := buyer.execute(`{ it: `+c.Plural+` { docs { `+deepSelection(s.content.Registry, c.AllFields(), 1)+` } } }`, nil)
		if len(out.Data) == 0 {
			t.Errorf("%s: %.300s", c.Slug, out.raw)
			continue
		}
		docs, _ := decoded(t, out.Data)["it"].(tree)["docs"].([]any)
		if len(docs) == 0 && c.Slug != "posts" && c.Slug != "pages" {
			page, _ := s.content.Find(t.Context(), buyer.by, c, records.Query{Limit: 1, Page: 1})
			if page.Total > 0 {
				t.Errorf("%s: %.300s", c.Slug, out.raw)
			}
		}
		for _, e := range out.Errors {
			if e.Extensions["code"] != "FORBIDDEN" || !hidden[e.Path[len(e.Path)-1].(string)] {
				t.Errorf("%s: %v %s", c.Slug, e.Path, e.Message)
			}
		}
	}
}

// deepSelection selects every field, and every field of related records up to this number of hops.
func deepSelection(r *collection.Registry, fields []collection.Field, hops int) string {
	var b strings.Builder
	for _, f := range fields {
		switch {
		case f.VisibleTo == collection.ServerOnly || f.Kind.Related() && hops == 0:
			continue
		case f.Kind.Related():
			b.WriteString(f.Name + " { id " + deepSelection(r, r.Get(f.Target()).AllFields(), hops-1) + "} ")
		case len(f.Fields) > 0:
			b.WriteString(f.Name + " { __typename " + deepSelection(r, f.Fields, hops) + "} ")
		default:
			b.WriteString(f.Name + " ")
		}
	}
	return b.String()
}

// A field that no one may read is in no output and no filter; a password is in inputs only.
func TestHiddenFieldsAreNotInTheSchema(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	sdl := s.api.SDL()
	part := func(head string) string {
		_, rest, ok := strings.Cut(sdl, "\n"+head+" {\n")
		if !ok {
			t.Fatalf("there is no %s", head)
		}
		body, _, _ := strings.Cut(rest, "\n}")
		return body
	}
	has := func(head, name string) bool { return strings.Contains(part(head), "  "+name+":") }
	for _, c := range s.content.Registry.All() {
		for _, f := range c.AllFields() {
			if f.VisibleTo != collection.ServerOnly {
				continue
			}
			if has("type "+c.Singular, f.Name) || has("input "+c.Singular+"_where", f.Name) {
				t.Errorf("%s.%s is in the schema", c.Slug, f.Name)
			}
		}
	}
	if !has("input mutationUserInput", "password") || !has("type Product", "stock") || strings.Contains(sdl, "tokenVersion") ||
		strings.Contains(sdl, "isDefault_") && !strings.Contains(sdl, "Market_isDefault") {
		t.Error("the schema hides or shows too much")
	}
}
