package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Two people open the same form; the one who saves second is told, and nothing is lost.
func TestAChangeBasedOnAnotherRevisionIsRefused(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		id := b.make("brands", `{"name":"Sea"}`)
		path := "/api/brands/" + id
		opened := b.secret(200, "GET", path, "")
		if opened.body["revision"] != 1.0 || opened.header.Get("ETag") != `"1"` {
			t.Fatalf("a new record: revision %v, tag %s", opened.body["revision"], opened.header.Get("ETag"))
		}
		if saved := b.secret(200, "PATCH", path, `{"name":"Lake","expectedRevision":1}`); saved.doc()["revision"] != 2.0 {
			t.Fatalf("the first to save: %s", saved.raw)
		}
		as := []string{"X-API-Key", b.shop.SecretKey}
		graphql := func(field string) answer {
			a := b.graphql(200, `{"query":"mutation { `+field+` { id } }"}`, as...)
			a.status = 412
			return a
		}
		for what, send := range map[string]func() answer{
			"member":       func() answer { return b.secret(412, "PATCH", path, `{"name":"Pond","expectedRevision":1}`) },
			"ahead":        func() answer { return b.secret(412, "PATCH", path, `{"name":"Pond","expectedRevision":3}`) },
			"whole record": func() answer { return b.secret(412, "PATCH", path, `{"name":"Pond","revision":1}`) },
			"tag": func() answer {
				return b.request("PATCH", path, `{"name":"Pond"}`, append(slices.Clone(as), "If-Match", `"1"`)...)
			},
			"other tags": func() answer {
				return b.request("PATCH", path, `{"name":"Pond"}`, append(slices.Clone(as), "If-Match", `"1", "21", "x"`)...)
			},
			"no tag": func() answer {
				return b.request("PATCH", path, `{"name":"Pond"}`, append(slices.Clone(as), "If-Match", `2`)...)
			},
			"delete":        func() answer { return b.secret(412, "DELETE", path+"?expectedRevision=1", "") },
			"delete by tag": func() answer { return b.request("DELETE", path, "", append(slices.Clone(as), "If-Match", `"1"`)...) },
			"GraphQL update": func() answer {
				return graphql(`updateBrand(id: \"` + id + `\", data: {name: \"Pond\", expectedRevision: 1})`)
			},
			"GraphQL delete": func() answer { return graphql(`deleteBrand(id: \"` + id + `\", expectedRevision: 1)`) },
		} {
			a := send()
			if a.status != 412 || !strings.Contains(a.raw, `"reason":"changed_meanwhile"`) || !strings.Contains(a.raw, `"revision":2`) {
				t.Errorf("%s: %d %s", what, a.status, a.raw)
			}
		}
		for what, value := range map[string]string{"a word": `"two"`, "a fraction": `1.5`, "zero": `0`, "less": `-1`, "a list": `[2]`} {
			if a := b.secret(400, "PATCH", path, `{"name":"Pond","expectedRevision":`+value+`}`); !strings.Contains(a.raw, "expectedRevision") {
				t.Errorf("%s: %s", what, a.raw)
			}
		}
		b.secret(400, "DELETE", path+"?expectedRevision=two", "")
		if now := b.secret(200, "GET", path, ""); now.body["name"] != "Lake" || now.body["revision"] != 2.0 {
			t.Errorf("after refusals: %s", now.raw)
		}
		b.secret(404, "PATCH", "/api/brands/none", `{"name":"Pond","expectedRevision":1}`)
	})
}

func TestAChangeBasedOnThePresentRevisionIsMade(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		id := b.make("brands", `{"name":"Sea"}`)
		path := "/api/brands/" + id
		as := []string{"X-API-Key", b.shop.SecretKey}
		for i, tag := range []string{`"1"`, `W/"2"`, `"7", "3"`, `*`, ""} {
			headers := as
			if tag != "" {
				headers = append(slices.Clone(as), "If-Match", tag)
			}
			a := b.request("PATCH", path, fmt.Sprintf(`{"name":"Sea %d"}`, i), headers...)
			if a.status != 200 || a.doc()["revision"] != float64(i+2) {
				t.Errorf("If-Match %s: %d %s", tag, a.status, a.raw)
			}
		}
		whole := b.secret(200, "GET", path, "")
		b.secret(200, "PATCH", path, whole.raw) // as a client that knows no revisions sends it back
		found := b.secret(200, "GET", "/api/brands?where[revision][greater_than]=6&where[id][equals]="+id, "").docs()
		if len(found) != 1 || found[0].(map[string]any)["revision"] != 7.0 {
			t.Errorf("found by revision: %v", found)
		}
		if seen := b.graphql(200, `{"query":"{ Brand(id: \"`+id+`\") { revision } }"}`, as...); !strings.Contains(seen.raw, `"revision":7`) {
			t.Errorf("over GraphQL: %s", seen.raw)
		}
		key := "key-of-the-eighth-change"
		first := b.requestWithKey(key, "PATCH", path, `{"name":"Bay","expectedRevision":7}`)
		again := b.requestWithKey(key, "PATCH", path, `{"name":"Bay","expectedRevision":7}`)
		if first.status != 200 || again.status != 200 || again.doc()["revision"] != 8.0 {
			t.Errorf("repeated: %s, then %s", first.raw, again.raw)
		}
		b.secret(200, "DELETE", path+"?expectedRevision=8", "")
	})
}

func TestOfManyChangesOfOneRevisionOneIsMade(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		path := "/api/brands/" + b.make("brands", `{"name":"Sea"}`)
		var made, refused atomic.Int64
		var all sync.WaitGroup
		for i := range 64 {
			all.Go(func() {
				switch a := b.request("PATCH", path, fmt.Sprintf(`{"name":"Sea %d","expectedRevision":1}`, i), "X-API-Key", b.shop.SecretKey); a.status {
				case 200:
					made.Add(1)
				case 412:
					refused.Add(1)
				default:
					t.Errorf("%d %s", a.status, a.raw)
				}
			})
		}
		all.Wait()
		if made.Load() != 1 || refused.Load() != 63 {
			t.Errorf("%d made, %d refused", made.Load(), refused.Load())
		}
		if now := b.secret(200, "GET", path, ""); now.body["revision"] != 2.0 {
			t.Errorf("then: %s", now.raw)
		}
	})
}

// Where no revision is compared, none may be named: a caller who relies on it would undo what somebody else did.
func TestNoRevisionIsIgnored(t *testing.T) {
	b := newSQLiteHarness(t)
	id := b.make("brands", `{"name":"Sea"}`)
	path, these := "/api/brands/"+id, "/api/brands?where[id][equals]="+id
	for what, call := range map[string][]string{
		"a delete that says it in a body":      {"DELETE", path, `{"expectedRevision":7}`},
		"a delete of many that says it in one": {"DELETE", these, `{"expectedRevision":7}`},
		"a change of many with a tag":          {"PATCH", these, `{"name":"Lake"}`, `"7"`},
		"a delete of many with a tag":          {"DELETE", these, "", `"7"`},
		"a bulk change with a tag":             {"POST", "/api/brands/bulk", `{"patches":[{"id":"` + id + `","data":{"name":"Lake"}}]}`, `"7"`},
	} {
		headers := []string{"X-API-Key", b.shop.SecretKey}
		if len(call) > 3 {
			headers = append(headers, "If-Match", call[3])
		}
		if a := b.request(call[0], call[1], call[2], headers...); a.status != 400 || a.reason() != "validation_failed" {
			t.Errorf("%s: %d %s", what, a.status, a.raw)
		}
	}
	if now := b.secret(200, "GET", path, ""); now.body["name"] != "Sea" || now.body["revision"] != 1.0 {
		t.Errorf("after refusals: %s", now.raw)
	}
	b.secret(200, "DELETE", path, `{"name":"Sea"}`)
}

// A form with a file, or with a record in it, compares the tag as JSON does; a file that is refused leaves no bytes.
func TestFormsCompareTheTag(t *testing.T) {
	b := newSQLiteHarness(t)
	id := b.upload("a.txt", "first")["id"].(string)
	path, stale := "/api/media/"+id, []string{"If-Match", `"7"`}
	for what, a := range map[string]answer{
		"a record in a form": b.sendForm("PATCH", path, []entry{{"_payload", "", `{"alt":"Sea"}`}}, stale...),
		"a file":             b.sendForm("PATCH", path, []entry{{"file", "b.txt", "second"}}, stale...),
	} {
		if a.status != 412 || a.reason() != "changed_meanwhile" {
			t.Errorf("%s: %d %s", what, a.status, a.raw)
		}
	}
	if now := b.secret(200, "GET", path, ""); now.body["revision"] != 1.0 || now.body["filename"] != "a.txt" {
		t.Errorf("after refusals: %s", now.raw)
	}
	if n := b.sweepBlobs(); n != 1 {
		t.Errorf("%d files were left without a record, want that which was refused", n)
	}
	if a := b.sendForm("PATCH", path, []entry{{"file", "b.txt", "second"}}, "If-Match", `"1"`); a.status != 200 || a.doc()["filename"] != "b.txt" {
		t.Errorf("with the present tag: %d %s", a.status, a.raw)
	}
}

// A product in one piece is read with the tag by which its change can be based on that.
func TestProductInOnePieceHasATag(t *testing.T) {
	b := newSQLiteHarness(t)
	product, path := b.trio()
	send := func(tag string) answer {
		return b.request("PUT", path, `{"name":"Mug"}`, "X-API-Key", b.shop.SecretKey, "If-Match", tag)
	}
	tag := b.secret(200, "GET", path, "").header.Get("ETag")
	if want := fmt.Sprintf(`"%v"`, product["revision"]); tag != want {
		t.Fatalf("tag %s, want %s", tag, want)
	}
	if a := send(tag); a.status != 200 {
		t.Errorf("with the present tag: %d %s", a.status, a.raw)
	}
	if a := send(tag); a.status != 412 {
		t.Errorf("with the tag from before: %d %s", a.status, a.raw)
	}
}
