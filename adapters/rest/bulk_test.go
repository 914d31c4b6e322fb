package rest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/app/records"
)

// gadgetIDs makes gadgets and returns their ids.
func (b *harness) gadgetIDs(n int) (ids []string) {
	b.t.Helper()
	for i := range n {
		ids = append(ids, b.make("gadgets", fmt.Sprintf(`{"name":"G%d","code":"C%d"}`, i, i)))
	}
	return ids
}

// patches is the body of a bulk change that renames each record to prefix and its index.
func patches(ids []string, prefix string) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = fmt.Sprintf(`{"id":%q,"data":{"name":"%s%d"}}`, id, prefix, i)
	}
	return `{"patches":[` + strings.Join(list, ",") + `]}`
}

// counts are updated, unchanged and refused of an answer.
func (a answer) counts() string {
	return fmt.Sprint(a.body["updated"], a.body["unchanged"], a.body["refused"])
}

// result is the result of one record, as status, revision and the reasons and fields of its errors.
func (a answer) result(i int) string {
	results, _ := a.body["results"].([]any)
	one, _ := results[i].(map[string]any)
	text := fmt.Sprint(one["status"], " ", one["revision"])
	problems, _ := one["errors"].([]any)
	for _, p := range problems {
		text += fmt.Sprint(" ", p.(map[string]any)["reason"], " ", p.(map[string]any)["field"])
	}
	return text
}

// Rule collections-33.
func TestBulkChangesEachRecordInItsOwnWay(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		ids := b.gadgetIDs(8)
		b.secret(200, "DELETE", "/api/gadgets/"+ids[5], "")
		a := b.secret(200, "POST", "/api/gadgets/bulk", `{"patches":[
			{"id":"`+ids[0]+`","data":{"name":"Zero","price":12}},
			{"id":"`+ids[1]+`","data":{"name":"G1"}},
			{"id":"`+ids[2]+`","data":{"price":"cheap","colour":"red"}},
			{"id":"`+ids[3]+`","data":{"name":"Three"},"expectedRevision":7},
			{"id":"`+ids[4]+`","data":{"code":"c0"}},
			{"id":"`+ids[5]+`","data":{"name":"Gone"}},
			{"id":"`+ids[6]+`","data":{"name":"Six","revision":1},"expectedRevision":1},
			{"id":"`+ids[7]+`","data":{"parent":"nobody"}}]}`)
		if a.counts() != "2 1 5" {
			t.Errorf("%s", a.raw)
		}
		for i, want := range []string{
			"updated 2", "unchanged 1", "refused <nil> validation_failed colour validation_failed price", "refused 1 changed_meanwhile <nil>",
			"refused <nil> value_not_unique code", "refused <nil> not_found <nil>", "updated 2", "refused <nil> validation_failed parent",
		} {
			if got := a.result(i); got != want {
				t.Errorf("row %d: %s, want %s", i, got, want)
			}
		}
		if r := b.secret(200, "GET", "/api/gadgets/"+ids[0], ""); r.body["name"] != "Zero" || r.body["price"] != 12.0 {
			t.Errorf("%s", r.raw)
		}
		if r := b.secret(200, "GET", "/api/gadgets/"+ids[4], ""); r.body["code"] != "C4" || r.body["revision"] != 1.0 {
			t.Errorf("%s", r.raw)
		}
	})
}

// Rule collections-33.
func TestBulkRefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	ids := b.gadgetIDs(2)
	many := make([]string, 1001)
	for i := range many {
		many[i] = fmt.Sprint("id-", i)
	}
	for body, want := range map[string]string{
		patches([]string{ids[0], ids[1], ids[0]}, "X"): "patches.2.id",
		patches(many, "X"):                    "1 to 1000 records, not 1001",
		patches(nil, "X"):                     "1 to 1000 records, not 0",
		`{}`:                                  "patches",
		`{"patches":[{}]}`:                    "patches.0.data",
		`{"patches":[{"id":1,"data":{}}]}`:    "patches.0.id",
		`{"patches":[{"id":"a","data":[1]}]}`: "patches.0.data",
		`{"patches":[{"id":"a","data":{},"expectedRevision":0}]}`:         "patches.0.expectedRevision",
		`{"patches":[{"id":"a","data":{},"name":"x"}],"atomic":"always"}`: "patches.0.name",
	} {
		if a := b.secret(400, "POST", "/api/gadgets/bulk", body); !strings.Contains(a.raw, want) {
			t.Errorf("%.80s: %s", body, a.raw)
		}
	}
	b.secret(404, "POST", "/api/nothings/bulk", patches(ids, "X"))
	b.secret(403, "POST", "/api/stock-movements/bulk", patches(ids, "X"))
	if r := b.secret(200, "GET", "/api/gadgets/"+ids[0], ""); r.body["revision"] != 1.0 {
		t.Errorf("%s", r.raw)
	}
}

// Rule collections-33.
func TestBulkIsAllOrNothingIfAsked(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		ids := b.gadgetIDs(3)
		atomic := func(code string) string {
			return `{"atomic":true,"patches":[{"id":"` + ids[0] + `","data":{"name":"One"}},{"id":"` + ids[1] + `","data":{"code":"` + code +
				`"}},{"id":"` + ids[2] + `","data":{"name":""},"expectedRevision":1}]}`
		}
		a := b.secret(400, "POST", "/api/gadgets/bulk", atomic("X"))
		if a.reason() != "bulk_refused" || !strings.Contains(a.raw, `"field":"patches.2.data.name"`) || strings.Contains(a.raw, "patches.0") {
			t.Errorf("%s", a.raw)
		}
		ids[2] = b.make("gadgets", `{"name":"Last","code":"L"}`)
		good := strings.Replace(atomic("C0"), `{"name":""}`, `{"name":"Two"}`, 1)
		if a := b.secret(400, "POST", "/api/gadgets/bulk", good); !strings.Contains(a.raw, `"field":"patches.1.data.code"`) {
			t.Errorf("%s", a.raw)
		}
		if a := b.secret(200, "GET", "/api/gadgets?where[revision][greater_than]=1", ""); len(a.docs()) != 0 {
			t.Errorf("changed: %s", a.raw)
		}
		good = strings.Replace(good, "C0", "NEW", 1)
		for range 2 {
			if a := b.requestWithKey("ik_whole_0123456789abcd", "POST", "/api/gadgets/bulk", good); a.counts() != "3 0 0" {
				t.Errorf("%s", a.raw)
			}
		}
		if a := b.secret(200, "GET", "/api/gadgets?where[revision][equals]=2", ""); len(a.docs()) != 3 {
			t.Errorf("changed: %s", a.raw)
		}
	})
}

// Rule collections-33.
func TestBulkKeepsAccessAndTenants(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	ids := b.gadgetIDs(2)
	actors := b.actors()
	for actor, status := range map[string]int{
		"anonymous": 401, "client-key": 403, "customer": 403, "tenant-viewer": 403, "read-key": 403,
	} {
		headers, known := actors[actor]
		if !known {
			continue
		}
		if a := b.request("POST", "/api/gadgets/bulk", patches(ids, "X"), headers...); a.status != status {
			t.Errorf("%s: %d %s", actor, a.status, a.raw)
		}
	}
	a := b.request("POST", "/api/gadgets/bulk", patches(ids, "X"), "X-API-Key", b.other.SecretKey)
	if a.status != 200 || a.counts() != "0 0 2" || a.result(0) != "refused <nil> not_found <nil>" {
		t.Errorf("another tenant: %s", a.raw)
	}
	if a := b.secret(200, "GET", "/api/gadgets?where[revision][greater_than]=1", ""); len(a.docs()) != 0 {
		t.Errorf("changed: %s", a.raw)
	}
	g := b.graphql(200, `{"query":"mutation { bulkUpdate(collection: \"gadgets\", input: {patches: [{id: \"`+ids[0]+
		`\", data: {name: \"Over GraphQL\"}}]}) { updated results { id status revision errors { reason } } } }"}`, "X-API-Key", b.shop.SecretKey)
	if !strings.Contains(g.raw, `"updated":1`) || !strings.Contains(g.raw, `"revision":2`) {
		t.Errorf("%s", g.raw)
	}
}

// Rule collections-34. The request ends in the middle, once between two chunks and once among records that are changed
// one by one; its repetition does the rest.
func TestBulkGoesOnWhereACrashEndedIt(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		ids := b.gadgetIDs(160)
		crashes := map[string]bool{ids[110]: true, ids[70]: true}
		b.content.Hooks["gadgets"] = records.Hooks{Prepare: func(_ context.Context, w *records.Write) error {
			if crashes[w.ID] {
				delete(crashes, w.ID)
				return errors.New("the machine lost its power")
			}
			return nil
		}}
		body := strings.Replace(patches(ids, "New"), `{"name":"New60"}`, `{"code":"C1"}`, 1) // taken: its chunk is changed one by one
		send := func(body string) answer {
			return b.request("POST", "/api/gadgets/bulk", body, "X-API-Key", b.shop.SecretKey, "Idempotency-Key", "ik_crash_0123456789abcd")
		}
		for n := range 2 {
			if a := send(body); a.status != 500 {
				t.Fatalf("crash %d: %d %s", n, a.status, a.raw)
			}
		}
		first := send(body)
		if first.status != 200 || first.counts() != "159 0 1" || first.result(60) != "refused <nil> value_not_unique code" {
			t.Fatalf("%d %.300s", first.status, first.raw)
		}
		again := send(body)
		if again.raw != first.raw || again.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("the repetition: %.300s", again.raw)
		}
		if a := send(patches(ids, "Other")); a.status != 422 || a.reason() != "idempotency_key_reused" {
			t.Errorf("another request: %d %.300s", a.status, a.raw)
		}
		if a := b.secret(200, "GET", "/api/gadgets?limit=500&where[revision][equals]=2", ""); len(a.docs()) != 159 {
			t.Errorf("%d records were changed once", len(a.docs()))
		}
	})
}

// Rule collections-34.
func TestParallelBulkChangesWithOneKeyCountOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		ids := b.gadgetIDs(120)
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				a := b.request("POST", "/api/gadgets/bulk", patches(ids, "New"), "X-API-Key", b.shop.SecretKey, "Idempotency-Key", "ik_same_0123456789abcde")
				if a.status != 200 && a.reason() != "idempotency_in_progress" {
					t.Errorf("%d %.300s", a.status, a.raw)
				}
			})
		}
		for range 6 { // without a key, in the other order: nobody waits in a circle
			all.Go(func() {
				reverse := make([]string, len(ids))
				for i, id := range ids {
					reverse[len(ids)-1-i] = id
				}
				body := strings.ReplaceAll(patches(reverse, "New"), `"name"`, `"weight":1,"code"`)
				a := b.request("POST", "/api/gadgets/bulk", body, "X-API-Key", b.shop.SecretKey)
				if a.status != 200 || a.body["refused"] != 0.0 {
					t.Errorf("%d %.300s", a.status, a.raw)
				}
			})
		}
		all.Wait()
		a := b.secret(200, "GET", "/api/gadgets?limit=500&where[revision][equals]=3", "")
		if len(a.docs()) != len(ids) {
			t.Errorf("%d of %d records were changed once by each", len(a.docs()), len(ids))
		}
	})
}
