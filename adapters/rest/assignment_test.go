package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// anOrder stores an order of the acting shop with this number.
func (b *harness) anOrder(number string) (id string) {
	b.t.Helper()
	const none = collection.JSONNumber("0")
	return b.storeOrder(map[string]any{
		"orderNumber": number, "email": "a@shop.example", "status": "paid", "currency": "KRW", "totalAmount": none, "subtotal": none,
		"source": "checkout", "paymentStatus": "paid", "fulfillmentStatus": "none", "discountAmount": none, "shippingAmount": none,
		"refundedAmount": none, "placedAt": "2026-01-31T09:00:00.000Z",
		"returnShippingPolicy": map[string]any{"initialShippingRefund": "never", "returnShippingFee": none},
	})
}

// colleague adds a user to a shop, and returns its id and a function that sends requests as that user.
func (b *harness) colleague(
	of onboarding.PreparedTenant, name string, role tenant.Role,
) (id string, as func(method, path, body string, headers ...string) answer) {
	b.t.Helper()
	email := name + "@people.example"
	added, err := b.onboarding.AddMember(b.t.Context(), of.Tenant.ID, onboarding.MemberInput{Email: email, Name: name, Role: role})
	if err != nil {
		b.t.Fatal(err)
	}
	return added.ID, b.user(email, added.Password)
}

// Rule team-1: orders, drafts and return requests have tags and somebody who is on them.
func TestTeamTagsAndAssignsItsWork(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		mina, asMina := b.colleague(b.shop, "mina", tenant.Editor)
		_, asViewer := b.colleague(b.shop, "vera", tenant.Viewer)
		stranger, _ := b.colleague(b.other, "eve", tenant.Editor)
		request := collection.Record{
			"id": newID(), "tenant": string(b.shop.Tenant.ID), "environment": "live", "status": "requested", "currency": "KRW",
		}
		b.storeRecord(returns.Schema, request)
		for slug, id := range map[string]string{
			"orders": b.anOrder("260131-1"), "draft-orders": b.make("draft-orders", `{}`), "return-requests": request.ID(),
		} {
			path := "/" + slug + "/" + id
			a := asMina("PATCH", path, `{"tags":["VIP"," Call   back","vip"],"assignee":"`+mina+`"}`)
			if a.status != 200 || fmt.Sprint(a.doc()["tags"]) != "[vip call back]" || a.doc()["assignee"] == nil {
				t.Fatalf("%s: %d %s", slug, a.status, a.raw)
			}
			for query, want := range map[string]int{
				"where[tags][in]=VIP,other": 1, "where[tags][equals]=call back": 1, "where[tags][contains]=Vip": 1, "where[tags][in]=call": 0,
				"where[assignee][equals]=" + mina: 1, "where[assignee][equals]=" + stranger: 0, "where[assignee][exists]=false": 0,
			} {
				list := b.secret(200, "GET", "/api/"+slug+"?"+strings.ReplaceAll(query, " ", "%20"), "")
				if len(list.docs()) != want {
					t.Errorf("%s?%s: %d, want %d", slug, query, len(list.docs()), want)
				}
			}
			for what, body := range map[string]string{
				"an empty tag": `{"tags":["a"," "]}`, "a long tag": `{"tags":["` + strings.Repeat("x", 65) + `"]}`,
				"a stranger": `{"assignee":"` + stranger + `"}`, "51 tags": `{"tags":["` + strings.Repeat(`t","`, 50) + `t"]}`,
			} {
				if a := asMina("PATCH", path, body); a.status != 400 || a.reason() != "validation_failed" {
					t.Errorf("%s, %s: %d %s", slug, what, a.status, a.raw)
				}
			}
			if a := asViewer("PATCH", path, `{"tags":[]}`); a.status != 403 {
				t.Errorf("%s: a viewer: %d %s", slug, a.status, a.raw)
			}
			events, _ := b.actorsOf("record=" + id)
			if !slices.Contains(events, "update user mina api") {
				t.Errorf("%s: %q", slug, events)
			}
			if a := b.secret(200, "PATCH", "/api"+path, `{"tags":[],"assignee":null}`); len(a.doc()["tags"].([]any)) != 0 || a.doc()["assignee"] != nil {
				t.Errorf("%s: %s", slug, a.raw)
			}
		}
	})
}

// Of two people who assign an order at once, based on the same revision, one is told.
func TestTwoPeopleDoNotAssignOneOrderUnnoticed(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		id := b.anOrder("260131-2")
		var done, told atomic.Int64
		var all sync.WaitGroup
		for _, name := range []string{"mina", "joon", "hana", "theo"} {
			user, as := b.colleague(b.shop, name, tenant.Editor)
			all.Go(func() {
				switch a := as("PATCH", "/orders/"+id, `{"assignee":"`+user+`","tags":["`+name+`"],"expectedRevision":1}`); {
				case a.status == 200:
					done.Add(1)
				case a.status == 412 && a.reason() == "changed_meanwhile":
					told.Add(1)
				default:
					t.Errorf("%s: %d %s", name, a.status, a.raw)
				}
			})
		}
		all.Wait()
		if done.Load() != 1 || told.Load() != 3 {
			t.Errorf("%d assigned it, and %d were told", done.Load(), told.Load())
		}
	})
}
