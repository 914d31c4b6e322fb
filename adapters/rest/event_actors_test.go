package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// actorsOf are the actors of a page of events, each as "operation kind name via".
func (b *harness) actorsOf(query string) (list []string, page answer) {
	b.t.Helper()
	if _, err := b.store.Sequence(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	page = b.secret(200, "GET", "/api/events?limit=500&"+query, "")
	for _, e := range page.docs() {
		e := e.(map[string]any)
		a, _ := e["actor"].(map[string]any)
		list = append(list, fmt.Sprint(e["operation"], " ", a["kind"], " ", a["name"], " ", a["via"]))
	}
	return list, page
}

// Rule events-11: whoever reads an event knows who made the change, and how.
func TestEventsNameTheirActor(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		admin := b.adminOf(b.shop)
		id := b.make("brands", `{"name":"Sea"}`)
		path := "/brands/" + id
		for _, a := range []answer{
			admin("PATCH", path, `{"name":"Lake"}`), admin("PATCH", path, `{"name":"Pond"}`, "X-Via", "console"),
			admin("PATCH", path, `{"name":"Bay"}`, "X-Via", "elsewhere"),
		} {
			if a.status != 200 {
				t.Fatal(a.raw)
			}
		}
		b.secret(200, "DELETE", "/api"+path, "")
		const user = "Admin"
		made := []string{
			"create secret-key Server api", "update user " + user + " api", "update user " + user + " console",
			"update user " + user + " api", "delete secret-key Server api",
		}
		got, page := b.actorsOf("record=" + id)
		key := page.docs()[0].(map[string]any)["actor"].(map[string]any)
		if !slices.Equal(got, made) || page.docs()[0].(map[string]any)["sequence"] != nil {
			t.Errorf("the record's events: %q, want %q\n%s", got, made, page.raw)
		}
		for query, want := range map[string][]string{
			"collection=brands":                                      made,
			"collection=brands&actor=user":                           made[1:4],
			"collection=brands&actor=" + key["id"].(string):          {made[0], made[4]},
			"collection=brands&actor=nobody":                         nil,
			"record=" + id + "&order=desc&after=1&before=4":          {made[2], made[1]},
			"record=" + id + "&actor=" + key["id"].(string):          {made[0], made[4]},
			"record=" + id + "&collection=products":                  nil,
			"record=none":                                            nil,
			"collection=brands&order=desc":                           {made[4], made[3], made[2], made[1], made[0]},
			"collection=brands&order=desc&actor=user&before=1000000": {made[3], made[2], made[1]},
		} {
			if got, page := b.actorsOf(query); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q\n%s", query, got, want, page.raw)
			}
		}
	})
}

func TestPagesOfTheEventLogInBothOrders(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		id := b.make("brands", `{"name":"1"}`)
		for i := range 6 {
			b.secret(200, "PATCH", "/api/brands/"+id, fmt.Sprintf(`{"name":"%d"}`, i+2))
		}
		whole, _ := b.actorsOf("collection=brands")
		for _, filter := range []string{"collection=brands", "record=" + id} {
			for order, position := range map[string][2]string{"asc": {"after", "nextAfter"}, "desc": {"before", "nextBefore"}} {
				at, read := "", 0
				for more := true; more && read < 99; {
					page := b.secret(200, "GET", "/api/events?limit=2&order="+order+"&"+filter+at, "")
					read += len(page.docs())
					more = page.body["hasMore"].(bool)
					at = fmt.Sprintf("&%s=%.0f", position[0], page.body[position[1]])
				}
				if read != len(whole) {
					t.Errorf("%s %s: %d events of %d", filter, order, read, len(whole))
				}
			}
		}
		for query, field := range map[string]string{
			"order=up": "order", "before=0": "before", "before=x": "before", "after=-1&record=" + id: "after",
			"record=x&collection=carts": "record", "actor=" + strings.Repeat("a", 101): "actor", "who=me": "who",
		} {
			if a := b.secret(400, "GET", "/api/events?"+query, ""); !strings.Contains(a.raw, `"field":"`+field+`"`) {
				t.Errorf("%s: %s", query, a.raw)
			}
		}
		if a := b.request("GET", "/api/events?record="+id, "", "X-Client-Key", b.shop.ClientKey); a.status != 403 {
			t.Error("a visitor", a.raw)
		}
		theirs := b.request("GET", "/api/events?record="+id, "", "X-API-Key", b.other.SecretKey)
		if theirs.raw != `{"docs":[],"nextAfter":0,"hasMore":false}` {
			t.Error("another shop", theirs.raw)
		}
	})
}
