package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// requestWithKey sends a request with the secret key of the acting shop and an idempotency key.
func (b *harness) requestWithKey(key, method, path, body string) answer {
	b.t.Helper()
	return b.request(method, path, body, "X-API-Key", b.shop.SecretKey, "Idempotency-Key", key)
}

// A refusal that depends on stored data is as final for its key as a success; an invalid request can be corrected.
func TestRefusalIsReplayed(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		taken, other := b.make("gadgets", `{"name":"First","code":"TAKEN"}`), b.make("gadgets", `{"name":"Other"}`)
		gone := b.make("gadgets", `{"name":"Gone"}`)
		b.secret(200, "DELETE", "/api/gadgets/"+gone, "")
		for name, c := range map[string]struct {
			method, path, body string
			status             int
			undo               func() // makes the same request possible
		}{
			"a value that is taken": {
				"POST", "/api/gadgets", `{"name":"A","code":"taken"}`, 400,
				func() { b.secret(200, "PATCH", "/api/gadgets/"+taken, `{"code":null}`) },
			},
			"a missing record":    {"PATCH", "/api/gadgets/" + gone, `{"name":"B"}`, 404, func() {}},
			"a field of no sense": {"PATCH", "/api/gadgets/" + other, `{"parent":"` + gone + `"}`, 400, func() {}},
			"a deleted record":    {"DELETE", "/api/gadgets/" + gone, ``, 404, func() {}},
			"a rule of its kind":  {"POST", "/api/discounts", `{"code":"HALF","type":"percentage","value":500}`, 400, func() {}},
		} {
			final := name != "a rule of its kind" && name != "a field of no sense"
			key := "ik_refused_" + strings.ReplaceAll(name, " ", "_")
			first := b.requestWithKey(key, c.method, c.path, c.body)
			if first.status != c.status { // an unavailable database decides nothing: the same request may succeed now
				t.Errorf("%s: the first response is %d %s", name, first.status, first.raw)
				continue
			}
			c.undo()
			again := b.requestWithKey(key, c.method, c.path, c.body)
			if again.status != c.status || (first.raw == again.raw) != final || first.header.Get("Idempotency-Replayed") != "" {
				t.Errorf("%s: %d %s\nand again %d %s", name, first.status, first.raw, again.status, again.raw)
			}
			if final != (again.header.Get("Idempotency-Replayed") == "true") {
				t.Errorf("%s: replayed %q", name, again.header.Get("Idempotency-Replayed"))
			}
			if c.method == "DELETE" {
				continue
			}
			reused := b.requestWithKey(key, c.method, c.path, `{"name":"C"}`)
			if final && reused.reason() != "idempotency_key_reused" {
				t.Errorf("%s: %d %s", name, reused.status, reused.raw)
			}
		}
		const key = "ik_corrected_01234567"
		if a := b.requestWithKey(key, "POST", "/api/gadgets", `{"name":"","price":"cheap"}`); a.status != 400 {
			t.Error(a.raw)
		}
		if a := b.requestWithKey(key, "POST", "/api/gadgets", `{"name":"Corrected","price":1}`); a.status != 201 {
			t.Errorf("a corrected request under its key: %d %s", a.status, a.raw)
		}
		if a := b.request("POST", "/api/gadgets", `{"name":"X"}`, "X-Client-Key", b.shop.ClientKey, "Idempotency-Key", key); a.status != 403 ||
			a.header.Get("Idempotency-Replayed") != "" {
			t.Errorf("%d %s", a.status, a.raw)
		}
	})
}

func TestBulkWriteIsIdempotent(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		for _, body := range []string{
			`{"name":"A","price":1}`, `{"name":"B","price":1}`, `{"name":"C","price":1}`, `{"name":"D","price":2}`,
		} {
			b.make("gadgets", body)
		}
		const at, key = "/api/gadgets?where[price][equals]=1&sort=name", "ik_many_0123456789abc"
		first := b.requestWithKey(key, "PATCH", at, `{"price":2}`)
		if first.status != 200 || len(first.docs()) != 3 || first.header.Get("Idempotency-Replayed") != "" {
			t.Fatalf("%d %s", first.status, first.raw)
		}
		b.secret(200, "PATCH", "/api/gadgets?where[name][equals]=A", `{"price":1}`)
		again := b.requestWithKey(key, "PATCH", at, `{"price":2}`)
		if again.status != 200 || again.raw != first.raw || again.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%d %s", again.status, again.raw)
		}
		if a := b.secret(200, "GET", "/api/gadgets?where[price][equals]=1", ""); a.names() != "A" {
			t.Errorf("a repetition wrote again: %s", a.raw)
		}
		for _, c := range [][2]string{
			{at, `{"price":3}`}, {at + "&limit=1", `{"price":2}`}, {"/api/gadgets?where[price][equals]=2", `{"price":2}`},
		} {
			if a := b.requestWithKey(key, "PATCH", c[0], c[1]); a.status != 422 || a.reason() != "idempotency_key_reused" {
				t.Errorf("%s: %d %s", c, a.status, a.raw)
			}
		}
		failed := b.requestWithKey("ik_some_0123456789abc", "PATCH", "/api/gadgets?where[name][in]=A,B&sort=name", `{"code":"one"}`)
		if failed.status != 400 || len(failed.docs()) != 1 || len(failed.body["errors"].([]any)) != 1 {
			t.Errorf("%d %s", failed.status, failed.raw)
		}
		b.secret(200, "PATCH", "/api/gadgets?where[code][equals]=ONE", `{"code":null}`)
		if a := b.requestWithKey("ik_some_0123456789abc", "PATCH", "/api/gadgets?where[name][in]=A,B&sort=name", `{"code":"one"}`); a.raw != failed.raw {
			t.Errorf("%s\n%s", failed.raw, a.raw)
		}
		deleted := b.requestWithKey("ik_gone_0123456789abc", "DELETE", "/api/gadgets?where[name][in]=A,B", "")
		b.make("gadgets", `{"name":"A"}`)
		if a := b.requestWithKey("ik_gone_0123456789abc", "DELETE", "/api/gadgets?where[name][in]=A,B", ""); len(deleted.docs()) != 2 ||
			a.raw != deleted.raw {
			t.Errorf("%s\n%s", deleted.raw, a.raw)
		}
		if a := b.secret(200, "GET", "/api/gadgets?sort=name", ""); a.names() != "A C D" {
			t.Error(a.raw)
		}
	})
}

// Parallel repetitions of a bulk write write each record once.
func TestParallelBulkWritesWithOneKeyRunOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		for i := range 10 {
			b.make("gadgets", fmt.Sprintf(`{"name":"G%d","price":1}`, i))
		}
		raws := make(chan string, 4)
		for range cap(raws) {
			go func() {
				raws <- b.requestWithKey("ik_parallel_many_01234", "PATCH", "/api/gadgets?where[price][equals]=1", `{"price":2}`).raw
			}()
		}
		first := <-raws
		for range cap(raws) - 1 {
			if raw := <-raws; raw != first {
				t.Errorf("%s\n%s", first, raw)
			}
		}
		if n := strings.Count(first, `"price":2`); n != 10 {
			t.Errorf("%d records are in the response: %s", n, first)
		}
		if got := b.countEvents("gadgets", "update"); got != 10 {
			t.Errorf("%d changes", got)
		}
	})
}

// countEvents counts the events of a collection in every shop.
func (b *harness) countEvents(slug, operation string) (n int) {
	b.t.Helper()
	db, err := b.database()
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(b.t.Context(),
		`SELECT count(*) FROM events WHERE collection = '`+slug+`' AND operation = '`+operation+`'`).Scan(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

func TestBulkWritesAreBoundedAndTenantScoped(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		if a := b.request("POST", "/api/gadgets", `{"name":"Theirs","price":1}`, "X-API-Key", b.other.SecretKey); a.status != 201 {
			t.Fatal(a.raw)
		}
		for i := range 501 {
			b.make("gadgets", fmt.Sprintf(`{"name":"G%03d","price":1}`, i))
		}
		for _, method := range []string{"PATCH", "DELETE"} {
			if a := b.secret(400, method, "/api/gadgets?where[price][equals]=1", `{"price":2}`); !strings.Contains(a.raw,
				"The filter matches 501 records; at most 500 can be written at once.") {
				t.Error(a.raw)
			}
		}
		if a := b.secret(200, "PATCH", "/api/gadgets?where[price][equals]=1&sort=-name&limit=2&select[name]=true",
			`{"weight":2}`); a.names() != "G500 G499" || a.body["message"] != "Updated 2 Gadgets successfully." {
			t.Error(a.raw)
		}
		if a := b.secret(200, "DELETE", "/api/gadgets?where[price][equals]=1&sort=name&limit=1", ""); a.names() != "G000" ||
			a.body["message"] != "Deleted 1 Gadget successfully." {
			t.Error(a.raw)
		}
		if a := b.secret(200, "PATCH", "/api/gadgets?where[price][equals]=1", `{"price":2}`); len(a.docs()) != 500 ||
			len(a.body["errors"].([]any)) != 0 {
			t.Errorf("%.500s", a.raw)
		}
		if n := b.countEvents("gadgets", "update"); n != 502 {
			t.Errorf("%d events", n)
		}
		if a := b.secret(200, "PATCH", "/api/gadgets?where[name][equals]=Theirs", `{"price":2}`); len(a.docs()) != 0 {
			t.Error(a.raw)
		}
		if a := b.request("GET", "/api/gadgets", "", "X-API-Key", b.other.SecretKey); a.names() != "Theirs" ||
			a.docs()[0].(map[string]any)["price"] != 1.0 {
			t.Error(a.raw)
		}
	})
}

// Records that are created with the same name at the same time get different slugs.
func TestParallelRecordsOfOneNameGetUniqueSlugs(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		answers := make(chan answer, 8)
		for range cap(answers) {
			go func() {
				answers <- b.request("POST", "/api/products", `{"name":"Same Name","price":1000,"status":"draft"}`,
					"X-API-Key", b.shop.SecretKey)
			}()
		}
		var slugs []string
		for range cap(answers) {
			a := <-answers
			if a.status != 201 {
				t.Errorf("%d %s", a.status, a.raw)
				continue
			}
			slugs = append(slugs, a.doc()["slug"].(string))
		}
		slices.Sort(slugs)
		if want := "same-name same-name-2 same-name-3 same-name-4 same-name-5 same-name-6 same-name-7 same-name-8"; strings.Join(slugs, " ") != want {
			t.Error(slugs)
		}
		if a := b.secret(400, "POST", "/api/products",
			`{"name":"Other","price":1000,"status":"draft","slug":"same-name"}`); !strings.Contains(a.raw, `"field":"slug"`) {
			t.Errorf("a slug chosen by the client: %s", a.raw)
		}
	})
}

// Slugs that fold alike are equal, so names that fold alike get different slugs, as equal names do.
func TestNamesThatFoldAlikeGetUniqueSlugs(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		for _, c := range [][2]string{
			{"straße", "straße"}, {"STRASSE", "strasse-2"}, {"Strasse", "strasse-3"}, {"ﬁsh", "ﬁsh"}, {"fish", "fish-2"},
		} {
			if a := b.secret(201, "POST", "/api/brands", `{"name":"`+c[0]+`"}`); a.doc()["slug"] != c[1] {
				t.Errorf("%s: %s", c[0], a.raw)
			}
			if a := b.secret(201, "POST", "/api/products", `{"name":"`+c[0]+`","price":5,"status":"draft"}`); a.doc()["slug"] != c[1] {
				t.Errorf("%s: %s", c[0], a.raw)
			}
		}
		b.secret(400, "POST", "/api/brands", `{"name":"Chosen","slug":"STRASSE"}`)
	})
}
