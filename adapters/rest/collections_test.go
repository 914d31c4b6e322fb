package rest_test

import (
	"net/url"
	"strings"
	"testing"
)

// pin replaces values that differ between runs, given as pairs of old and new, so that whole bodies can be compared.
func pin(body string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		body = strings.ReplaceAll(body, pairs[i], pairs[i+1])
	}
	return body
}

func TestEnvelopes(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		const at = "2026-01-31T09:00:00.000Z"
		shop := string(b.shop.Tenant.ID)
		a := b.secret(201, "POST", "/api/gadgets", `{"name":"Lamp","price":19000,"size":{"width":3},"extra":{"b":1.50,"a":[true]}}`)
		id := a.doc()["id"].(string)
		const doc = `{"id":"ID","tenant":"SHOP","environment":"live","createdAt":"` + at + `","updatedAt":"` + at +
			`","revision":1,"name":"Lamp","code":null,"price":19000,"cost":null,"shown":true,"weight":null,"made":null,"colours":[],"parent":null,"friends":[],"owner":null,"size":{"width":3},"extra":{"a":[true],"b":1.50}}`
		changed := strings.NewReplacer("19000", "null", `"revision":1`, `"revision":2`).Replace(doc)
		for _, c := range []struct{ name, method, path, body, want string }{
			{"create", "", "", "", `{"message":"Gadget successfully created.","doc":` + doc + `}`},
			{"get", "GET", "/api/gadgets/" + id, "", doc},
			{
				"list", "GET", "/api/gadgets", "",
				`{"docs":[` + doc + `],"totalDocs":1,"limit":10,"totalPages":1,"page":1,"pagingCounter":1,"hasPrevPage":false,"hasNextPage":false,"prevPage":null,"nextPage":null}`,
			},
			{
				"a page past the end", "GET", "/api/gadgets?page=4&limit=1", "",
				`{"docs":[],"totalDocs":1,"limit":1,"totalPages":1,"page":4,"pagingCounter":4,"hasPrevPage":true,"hasNextPage":false,"prevPage":3,"nextPage":null}`,
			},
			{
				"count only", "GET", "/api/gadgets?limit=0", "",
				`{"docs":[],"totalDocs":1,"limit":0,"totalPages":1,"page":1,"pagingCounter":1,"hasPrevPage":false,"hasNextPage":false,"prevPage":null,"nextPage":null}`,
			},
			{
				"nothing found", "GET", "/api/gadgets?where[name][equals]=x&page=-1", "",
				`{"docs":[],"totalDocs":0,"limit":10,"totalPages":1,"page":1,"pagingCounter":1,"hasPrevPage":false,"hasNextPage":false,"prevPage":null,"nextPage":null}`,
			},
			{"count", "GET", "/api/gadgets/count", "", `{"totalDocs":1}`},
			{"select", "GET", "/api/gadgets/" + id + "?select[name]=true", "", `{"id":"ID","name":"Lamp"}`},
			{
				"update", "PATCH", "/api/gadgets/" + id, `{"name":"Lamp","price":null}`,
				`{"message":"Updated successfully.","doc":` + changed + `}`,
			},
			{
				"delete", "DELETE", "/api/gadgets/" + id, "",
				`{"id":"ID","message":"Deleted successfully.","doc":` + changed + `}`,
			},
		} {
			got := a
			if c.method != "" {
				got = b.secret(200, c.method, c.path, c.body)
			}
			if body := pin(got.raw, id, "ID", shop, "SHOP"); body != c.want {
				t.Errorf("%s:\n got %s\nwant %s", c.name, body, c.want)
			}
		}
		if got := b.request("GET", "/api/gadgets/"+id, "", "X-API-Key", b.shop.SecretKey); got.status != 404 ||
			got.reason() != "not_found" {
			t.Errorf("a deleted record: %d %s", got.status, got.raw)
		}
	})
}

func TestInvalidWritesListAllFieldsAndChangeNothing(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		id := b.make("gadgets", `{"name":"Lamp","code":"a1"}`)
		for name, c := range map[string]struct {
			method, path, body string
			status             int
			want               []string
		}{
			"every problem at once": {
				"POST", "/api/gadgets", `{"price":1.5,"colours":["green"],"size":{"width":1.5},"nope":1,"made":"soon"}`, 400,
				[]string{
					`{"field":"nope"`, `{"field":"name","message":"This field is required."}`,
					`"field":"price","message":"KRW has 0 fraction digits."`, `"field":"colours.0"`, `"field":"size.width"`,
					`"field":"made"`, `"name":"ValidationError"`, `"code":"BAD_USER_INPUT"`,
				},
			},
			"a hidden field is not read-only but write-only": {"PATCH", "/api/gadgets/" + id, `{"secret":"x"}`, 200, nil},
			"a server-owned field": {
				"PATCH", "/api/gadgets/" + id, `{"tenant":"x"}`, 400, []string{`"field":"tenant","message":"This field is read-only."`},
			},
			"a relation to nothing": {
				"PATCH", "/api/gadgets/" + id, `{"parent":"x"}`, 400, []string{`"field":"parent","message":"There is no such record."`},
			},
			"a unique value, folded":              {"POST", "/api/gadgets", `{"name":"B","code":"A1"}`, 400, []string{`"field":"code"`}},
			"a missing record":                    {"PATCH", "/api/gadgets/x", `{"name":"B"}`, 404, []string{`"NOT_FOUND"`}},
			"an unknown collection":               {"POST", "/api/nothings", `{}`, 404, []string{`"route_not_found"`}},
			"delete of a command-only collection": {"DELETE", "/api/orders/x", ``, 405, []string{`"METHOD_NOT_ALLOWED"`}},
			"create in a command-only collection": {"POST", "/api/orders", `{}`, 405, []string{`"collection_operated"`}},
			"delete where there is none":          {"DELETE", "/api/tenants/x", ``, 405, []string{`"METHOD_NOT_ALLOWED"`}},
			"a plan": {
				"PATCH", "/api/tenants/" + string(b.shop.Tenant.ID), `{"plan":"free"}`, 403, []string{`"plan_not_changeable"`},
			},
			"a user by a secret key": {"POST", "/api/users", `{"email":"new@mine.example"}`, 403, []string{`"FORBIDDEN"`}},
		} {
			t.Run(name, func(t *testing.T) {
				a := b.request(c.method, c.path, c.body, "X-API-Key", b.shop.SecretKey)
				if a.status != c.status || a.status == 405 && a.header.Get("Allow") == "" {
					t.Errorf("%d %s %s", a.status, a.header.Get("Allow"), a.raw)
				}
				for _, want := range c.want {
					if !strings.Contains(a.raw, want) {
						t.Errorf("%s does not contain %s", a.raw, want)
					}
				}
				if strings.Contains(a.raw, "secret") && name == "a hidden field is not read-only but write-only" {
					t.Error(a.raw)
				}
			})
		}
		if a := b.secret(200, "GET", "/api/gadgets", ""); len(a.docs()) != 1 {
			t.Error(a.raw)
		}
	})
}

func TestQueriesFilterAndSort(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		parent := b.make("gadgets", `{"name":"Box","price":500,"weight":1.25,"made":"2026-01-01"}`)
		b.make("gadgets", `{"name":"Red Lamp","price":1000,"colours":["red"],"parent":"`+parent+`","made":"2026-01-05T10:00:00Z"}`)
		b.make("gadgets", `{"name":"100% Wool_Ätsch","price":1500,"colours":["red","blue"],"friends":["`+parent+`"],"shown":false}`)
		for _, c := range []struct{ query, want string }{
			{"sort=name", "100% Wool_Ätsch Box Red Lamp"},
			{"sort=-price", "100% Wool_Ätsch Red Lamp Box"},
			{"sort=shown,-name", "100% Wool_Ätsch Red Lamp Box"},
			{"sort=parent.name,name", "100% Wool_Ätsch Box Red Lamp"},
			{"where[name][equals]=Box", "Box"},
			{"where[price][not_equals]=500&sort=name", "100% Wool_Ätsch Red Lamp"},
			{"where[price][greater_than]=500&where[price][less_than_equal]=1000", "Red Lamp"},
			{"where[price][greater_than_equal]=1000&sort=price", "Red Lamp 100% Wool_Ätsch"},
			{"where[weight][less_than]=1.3", "Box"},
			{"where[made][less_than]=2026-01-05T10:00:00.001Z&sort=made", "Box Red Lamp"},
			{"where[name][in]=Box,Nothing", "Box"},
			{"where[name][in][0]=Box&where[name][in][1]=Red%20Lamp&sort=name", "Box Red Lamp"},
			{"where[name][not_in]=Box&sort=name", "100% Wool_Ätsch Red Lamp"},
			{"where[name][like]=lamp+RED", "Red Lamp"},
			{"where[name][contains]=0%25+w", "100% Wool_Ätsch"},
			{"where[name][contains]=%25%25", ""},
			{"where[name][like]=ätsch", "100% Wool_Ätsch"},
			{"where[colours][contains]=blue", "100% Wool_Ätsch"},
			{"where[friends][contains]=" + parent, "100% Wool_Ätsch"},
			{"where[parent][exists]=true", "Red Lamp"},
			{"where[parent][equals]=" + parent, "Red Lamp"},
			{"where[parent.name][equals]=Box", "Red Lamp"},
			{"where[parent][name][like]=bo", "Red Lamp"},
			{"where[size.width][exists]=false&sort=name", "100% Wool_Ätsch Box Red Lamp"},
			{"where[shown][equals]=false", "100% Wool_Ätsch"},
			{"where[or][0][name][equals]=Box&where[or][1][and][0][price][equals]=1000&where[or][1][and][1][shown][equals]=true&sort=name", "Box Red Lamp"},
			{
				"where=" + url.QueryEscape(`{"or":[{"name":{"equals":"Box"}},{"price":{"in":[1500]}}]}`) + "&sort=-price",
				"100% Wool_Ätsch Box",
			},
			{"sort=name&limit=1&page=2", "Box"},
		} {
			if got := b.secret(200, "GET", "/api/gadgets?"+c.query, "").names(); got != c.want {
				t.Errorf("%s: %q, want %q", c.query, got, c.want)
			}
		}
		form := "where[or][0][name][equals]=Box&where[or][1][name][equals]=Red+Lamp&sort=name"
		for _, header := range []string{"X-HTTP-Method-Override", "X-Payload-HTTP-Method-Override"} {
			a := b.request("POST", "/api/gadgets", form, "Content-Type", "application/x-www-form-urlencoded",
				header, "GET", "X-API-Key", b.shop.SecretKey)
			if a.status != 200 || a.names() != "Box Red Lamp" {
				t.Errorf("%s: %d %s", header, a.status, a.raw)
			}
		}
		for _, bad := range []string{
			"where[nope][equals]=1", "where[name][sounds_like]=1", "where[name]=1", "where[secret][equals]=x", "where[secret][exists]=true",
			"sort=secret", "sort=nope", "sort=colours",
			"where[price][equals]=cheap", "where[made][equals]=soon", "limit=501", "limit=-1", "limit=x", "page=x", "depth=11", "depth=-1",
			"where[name[equals]=x", "where={", "select[secret]=true", "where[parent.secret][equals]=x", "sort=parent.secret",
		} {
			if a := b.request("GET", "/api/gadgets?"+bad, "", "X-API-Key", b.shop.SecretKey); a.status != 400 || a.body["errors"] == nil {
				t.Errorf("%s: %d %s", bad, a.status, a.raw)
			}
		}
		if a := b.secret(400, "GET", "/api/gadgets?page=99999999999", ""); !strings.Contains(a.raw, `"message":"page is too large."`) {
			t.Errorf("the message must not deny that it is a whole number: %s", a.raw)
		}
	})
}

func TestRelationsAreEmbeddedToTheRequestedDepth(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		top := b.make("gadgets", `{"name":"Top"}`)
		middle := b.make("gadgets", `{"name":"Middle","parent":"`+top+`"}`)
		gone := b.make("gadgets", `{"name":"Gone"}`)
		leaf := b.make("gadgets", `{"name":"Leaf","parent":"`+middle+`","friends":["`+gone+`","`+top+`"]}`)
		b.secret(200, "DELETE", "/api/gadgets/"+gone, "")
		get := func(depth string) map[string]any {
			return b.secret(200, "GET", "/api/gadgets/"+leaf+"?depth="+depth, "").body
		}
		if r := get("0"); r["parent"] != middle || r["friends"].([]any)[0] != nil || r["friends"].([]any)[1] != top {
			t.Errorf("depth 0: %v", r)
		}
		if r := get("1"); r["parent"].(map[string]any)["parent"] != top || r["friends"].([]any)[0] != nil {
			t.Errorf("depth 1: %v", r)
		}
		if r := get("10"); r["parent"].(map[string]any)["parent"].(map[string]any)["name"] != "Top" {
			t.Errorf("depth 10: %v", r)
		}
		list := b.secret(200, "GET", "/api/gadgets?depth=1&where[name][equals]=Leaf", "")
		if list.docs()[0].(map[string]any)["parent"].(map[string]any)["name"] != "Middle" {
			t.Error(list.raw)
		}
	})
}

func TestIdempotencyKeyOnGenericWrite(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		send := func(body string) answer {
			return b.request("POST", "/api/gadgets", body, "X-API-Key", b.shop.SecretKey, "Idempotency-Key", "ik_0123456789012345")
		}
		first, again := send(`{"name":"Once"}`), send(`{"name":"Once"}`)
		if first.status != 201 || again.status != 201 || first.raw != again.raw || again.header.Get("Idempotency-Replayed") != "true" ||
			first.header.Get("Idempotency-Replayed") != "" {
			t.Errorf("%d %s\n%d %s", first.status, first.raw, again.status, again.raw)
		}
		if other := send(`{"name":"Twice"}`); other.status != 422 || other.reason() != "idempotency_key_reused" {
			t.Errorf("%d %s", other.status, other.raw)
		}
		if a := b.secret(200, "GET", "/api/gadgets/count", ""); a.body["totalDocs"] != 1.0 {
			t.Error(a.raw)
		}
		if a := b.request("POST", "/api/gadgets", `{"name":"X"}`, "X-API-Key", b.shop.SecretKey, "Idempotency-Key",
			"short"); a.reason() != "idempotency_key_invalid" {
			t.Error(a.raw)
		}
	})
}

// A user acts in both environments with one login, and may send the same request with the same key in each.
func TestIdempotencyKeyCountsWithinItsEnvironment(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		bearer, _ := b.login()
		for name, send := range map[string]func(environment string) answer{
			"REST": func(environment string) answer {
				return b.request("POST", "/api/gadgets", `{"name":"Once"}`, "Authorization", bearer, "X-Environment", environment,
					"Idempotency-Key", "ik_0123456789012345")
			},
			"GraphQL": func(environment string) answer {
				return b.request("POST", "/api/graphql", `{"query":"mutation { createGadget(data: {name: \"Once\"}) { id environment } }"}`,
					"Authorization", bearer, "X-Environment", environment, "Idempotency-Key", "ik_0123456789012345")
			},
		} {
			live, test := send("live"), send("test")
			if live.status >= 300 || test.status >= 300 || test.header.Get("Idempotency-Replayed") != "" ||
				!strings.Contains(live.raw, `"environment":"live"`) || !strings.Contains(test.raw, `"environment":"test"`) {
				t.Errorf("%s: live %d %s\ntest %d %s", name, live.status, live.raw, test.status, test.raw)
			}
			for environment, first := range map[string]answer{"live": live, "test": test} {
				if again := send(environment); again.raw != first.raw {
					t.Errorf("%s: %s answered\n%s, then\n%s", name, environment, first.raw, again.raw)
				}
			}
		}
	})
}

func TestRepeatedRequestMayWriteItsNumbersDifferently(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		send := func(body string) answer {
			return b.request("POST", "/api/gadgets", body, "X-API-Key", b.shop.SecretKey, "Idempotency-Key", "ik_0123456789012345")
		}
		first := send(`{"name":"Once","price":1,"weight":20.5,"extra":{"n":[100]}}`)
		again := send(`{"name":"Once","price":1.0,"weight":20.50,"extra":{"n":[1e2]}}`)
		if first.status != 201 || again.raw != first.raw || again.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%d %s\n%d %s", first.status, first.raw, again.status, again.raw)
		}
		if other := send(`{"name":"Once","price":1.01,"weight":20.5,"extra":{"n":[100]}}`); other.reason() != "idempotency_key_reused" {
			t.Errorf("%d %s", other.status, other.raw)
		}
	})
}

func TestBulkWritesAreIndependent(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		for _, body := range []string{`{"name":"A"}`, `{"name":"B"}`, `{"name":"C"}`} {
			b.make("gadgets", body)
		}
		for _, method := range []string{"PATCH", "DELETE"} {
			if a := b.request(method, "/api/gadgets?where[name][equals]=nobody", `{"name":"X"}`, "X-Client-Key", b.shop.ClientKey); a.status != 403 {
				t.Errorf("%s of nothing by a client key: %d %s", method, a.status, a.raw)
			}
		}
		for _, query := range []string{"", "?where=", "?where={}", `?where={"and":[]}`, `?where={"or":[{"name":{"equals":"A"}},{}]}`} {
			for _, method := range []string{"PATCH", "DELETE"} {
				if a := b.request(method, "/api/gadgets"+query, `{}`, "X-API-Key", b.shop.SecretKey); a.status != 400 ||
					!strings.Contains(a.raw, `"field":"where"`) {
					t.Errorf("%s of everything by %q: %d %s", method, query, a.status, a.raw)
				}
			}
		}
		if a := b.secret(200, "PATCH", "/api/gadgets?where[name][in]=A,B&sort=name", `{"price":5}`); len(a.docs()) != 2 ||
			len(a.body["errors"].([]any)) != 0 {
			t.Error(a.raw)
		}
		some := b.secret(400, "PATCH", "/api/gadgets?where[name][exists]=true", `{"code":"only-one"}`)
		if len(some.docs()) != 1 || len(some.body["errors"].([]any)) != 2 || some.body["errors"].([]any)[0].(map[string]any)["id"] == nil {
			t.Error(some.raw)
		}
		if a := b.secret(200, "DELETE", "/api/gadgets?where[price][equals]=5", ""); len(a.docs()) != 2 {
			t.Error(a.raw)
		}
		if a := b.secret(200, "GET", "/api/gadgets", ""); a.names() != "C" {
			t.Error(a.raw)
		}
		if a := b.request("DELETE", "/api/orders?where[id][exists]=true", "", "X-API-Key", b.shop.SecretKey); a.status != 405 {
			t.Error(a.status, a.raw)
		}
	})
}

func TestPayloadFormsAreRead(t *testing.T) {
	b := newSQLiteHarness(t)
	form := "--x\r\nContent-Disposition: form-data; name=\"_payload\"\r\n\r\n{\"name\":\"Form\"}\r\n--x--\r\n"
	a := b.request("POST", "/api/gadgets", form, "X-API-Key", b.shop.SecretKey, "Content-Type", "multipart/form-data; boundary=x")
	if a.status != 201 || a.doc()["name"] != "Form" {
		t.Errorf("%d %s", a.status, a.raw)
	}
	file := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\nabc\r\n--x--\r\n"
	if a := b.request("POST", "/api/gadgets", file, "X-API-Key", b.shop.SecretKey, "Content-Type", "multipart/form-data; boundary=x"); a.status != 415 {
		t.Errorf("%d %s", a.status, a.raw)
	}
	if a := b.request("POST", "/api/gadgets", "--x\r\n", "X-API-Key", b.shop.SecretKey, "Content-Type",
		"multipart/form-data; boundary=x"); a.status != 400 {
		t.Errorf("%d %s", a.status, a.raw)
	}
}

// Parallel writes with one key run once, and all get the same response.
func TestParallelWritesWithOneKeyRunOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		answers := make(chan answer, 8)
		for range cap(answers) {
			go func() {
				answers <- b.request("POST", "/api/gadgets", `{"name":"One","code":"ONE"}`,
					"X-API-Key", b.shop.SecretKey, "Idempotency-Key", "ik_parallel_0123456789")
			}()
		}
		first, fresh := <-answers, 0
		for a, left := first, cap(answers); ; a = <-answers {
			if a.status != 201 || a.raw != first.raw {
				t.Errorf("%d %s", a.status, a.raw)
			}
			if a.header.Get("Idempotency-Replayed") == "" {
				fresh++
			}
			if left--; left == 0 {
				break
			}
		}
		if fresh != 1 {
			t.Errorf("%d of them ran", fresh)
		}
	})
}
