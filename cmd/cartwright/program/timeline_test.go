package program

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Rule events-13: the timeline of an order tells what happened to it, its parcels and its money.
func TestTimelineOfAnOrder(t *testing.T) {
	t.Parallel()
	p := newRevisionFixture(t)
	id, work := p.paidOrder()
	parcel := p.parcel(work)
	p.must("POST", "/fulfillments/"+parcel+"/ship", object{"trackingNumber": "123456789012"}, p.secret)
	path := "/orders/" + id + "/timeline"
	whole := p.must("GET", path+"?limit=100", nil, p.secret)["docs"].([]any)
	var told, collections, times []string
	for _, e := range whole {
		e := e.(object)
		told = append(told, e["summary"].(string))
		collections = append(collections, e["collection"].(string))
		times = append(times, e["occurredAt"].(string))
		if a := e["actor"].(object); a["kind"] != "secret-key" || a["name"] == nil || a["via"] != "api" {
			t.Errorf("%v is told to be by %v", e["summary"], a)
		}
	}
	if !slices.IsSortedFunc(times, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("the times are %q", times)
	}
	for _, want := range []string{"Order created", "Fulfillment order created", "Fulfillment created", "Transaction created"} {
		if !slices.Contains(told, want) {
			t.Errorf("the timeline is %q, without %q", told, want)
		}
	}
	for _, want := range []string{"orders", "fulfillment-orders", "fulfillments", "transactions"} {
		if !slices.Contains(collections, want) {
			t.Errorf("the timeline has nothing of %s: %q", want, collections)
		}
	}
	shipped := slices.IndexFunc(whole, func(e any) bool {
		return slices.ContainsFunc(e.(object)["changes"].([]any), func(c any) bool {
			return c.(object)["path"] == "trackingNumber" && c.(object)["from"] == nil && c.(object)["to"] == "123456789012" &&
				c.(object)["label"] == "Tracking number"
		})
	})
	if shipped < 0 {
		t.Errorf("nobody is told of the tracking number: %v", whole)
	}
	p.pages(path, len(whole))
	query := `{ timeline(collection: "orders", id: "` + id + `", limit: 1) { docs { summary changes { path from to } actor { name } } hasMore } }`
	graphQL := p.must("POST", "/graphql", object{"query": query}, p.secret)
	if got := fmt.Sprint(graphQL["data"]); !strings.Contains(got, "hasMore:true") || !strings.Contains(got, "summary:"+told[0]) {
		t.Errorf("over GraphQL: %v", graphQL)
	}
}

// pages reads a timeline two by two, and compares how many entries there are.
func (p *revisionFixture) pages(path string, want int) {
	p.Helper()
	seen, before := map[any]bool{}, ""
	for range want + 1 {
		page := p.must("GET", path+"?limit=2"+before, nil, p.secret)
		for _, e := range page["docs"].([]any) {
			seen[e.(object)["id"]] = true
		}
		if page["hasMore"] == false {
			break
		}
		before = "&before=" + page["nextBefore"].(string)
	}
	if len(seen) != want {
		p.Errorf("%d entries on pages of two, want %d", len(seen), want)
	}
}

func TestWhoIsToldATimeline(t *testing.T) {
	t.Parallel()
	p := newRevisionFixture(t)
	id, _ := p.paidOrder()
	brand := p.must("POST", "/brands", object{"name": "Nord"}, p.secret)["doc"].(object)["id"].(string)
	p.must("DELETE", "/brands/"+brand, nil, p.secret)
	if gone := p.must("GET", "/brands/"+brand+"/timeline", nil, p.secret)["docs"].([]any); len(gone) != 2 || gone[0].(object)["summary"] != "Brand deleted" {
		t.Errorf("of a deleted brand: %v", gone)
	}
	live := "X-API-Key: " + p.server.NewCredentials.SecretKey
	for path, want := range map[string]int{
		"/orders/" + id + "/timeline": 200, "/orders/none/timeline": 404, "/brands/" + id + "/timeline": 404, "/nothing/" + id + "/timeline": 404,
		"/carts/" + p.ids["carts"] + "/timeline": 404, "/orders/" + id + "/timeline?limit=0": 400, "/orders/" + id + "/timeline?before=x": 400,
		"/orders/" + id + "/timeline?after=1": 400,
	} {
		if status, a := requestJSON(t, "GET", p.server.BaseURL+"/api"+path, "", p.secret); status != want {
			t.Errorf("%s: %d %v", path, status, a)
		}
	}
	for who, headers := range map[string][]string{
		"live": {live}, "a customer": p.headers["customer"], "a visitor": {"X-Client-Key: " + p.server.NewCredentials.ClientKey},
	} {
		if status, a := requestJSON(t, "GET", p.server.BaseURL+"/api/orders/"+id+"/timeline", "", headers...); status < 401 || status > 404 {
			t.Errorf("%s: %d %v", who, status, a)
		}
	}
}
