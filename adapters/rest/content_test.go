package rest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A post becomes visible to shoppers at its publication time, over every API, without a write.
func TestPostsAppearAtPublicationTime(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		now := time.UnixMilli(b.clock.Load()).UTC()
		news := func(fields string) map[string]any {
			return b.secret(201, "POST", "/api/posts", `{"title":"News",`+fields+`}`).doc()
		}
		draft := news(`"status":"draft"`)
		shown := news(`"status":"published"`)
		later := news(`"status":"published","publishedAt":"` + now.Add(time.Hour).Format(time.RFC3339) + `"`)
		if draft["publishedAt"] != nil || shown["publishedAt"] != "2026-01-31T09:00:00.000Z" || later["status"] != "published" {
			t.Errorf("%v %v %v", draft, shown, later)
		}
		if shown["slug"] != "news-2" || draft["slug"] != "news" {
			t.Errorf("slugs %v %v", draft["slug"], shown["slug"])
		}
		visitor := []string{"X-Client-Key", b.shop.ClientKey}
		finds := func(doc map[string]any) string {
			id := doc["id"].(string)
			one := b.request("GET", "/api/posts/"+id, "", visitor...)
			list := b.request("GET", "/api/posts?where[id][equals]="+id, "", visitor...)
			count := b.request("GET", "/api/posts/count?where[id][equals]="+id, "", visitor...)
			if strings.Contains(one.raw+list.raw, "visibility") {
				t.Errorf("shown: %s %s", one.raw, list.raw)
			}
			return fmt.Sprint(one.status, len(list.docs()), count.body["totalDocs"])
		}
		for name, c := range map[string]struct {
			doc          map[string]any
			before, then string
		}{
			"a draft": {draft, "404 0 0", "404 0 0"}, "a published one": {shown, "200 1 1", "200 1 1"},
			"a scheduled one": {later, "404 0 0", "200 1 1"},
		} {
			b.clock.Store(now.UnixMilli())
			if got := finds(c.doc); got != c.before {
				t.Errorf("%s: %s", name, got)
			}
			b.advance(time.Hour)
			if got := finds(c.doc); got != c.then {
				t.Errorf("%s, an hour on: %s", name, got)
			}
		}
		b.secret(200, "PATCH", "/api/posts/"+later["id"].(string), `{"status":"draft"}`)
		if got := finds(later); got != "404 0 0" {
			t.Errorf("taken back: %s", got)
		}
		for path, status := range map[string]int{
			"where[visibility][equals]=visible": 400, "sort=visibility": 400, "select[visibility]=true": 400,
		} {
			if a := b.secret(status, "GET", "/api/posts?"+path, ""); a.status != status {
				t.Errorf("%s: %d", path, a.status)
			}
		}
	})
}

// Of the author of a post, shoppers see the id, the name and the picture, over REST and GraphQL; of no other user
// anything. Staff see the whole user.
func TestShoppersSeeNameAndPictureOfAuthors(t *testing.T) {
	b := newSQLiteHarness(t)
	login := b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, b.shop.AdminEmail, b.shop.AdminPassword))
	admin := login.body["user"].(map[string]any)["id"].(string)
	bearer := "Bearer " + login.body["token"].(string)
	portrait := b.upload("portrait.png", pngImage(t, 3, 2))["id"].(string)
	if a := b.request("PATCH", "/api/users/"+admin, `{"firstName":"Jiwoo","lastName":"Kim","name":"J. Kim","picture":"`+portrait+`"}`,
		"Authorization", bearer); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.raw)
	}
	tag := b.make("tags", `{"name":"Tea"}`)
	post := b.make("posts", `{"title":"News","status":"published","author":"`+admin+`","tags":["`+tag+`"],"content":{"root":{"children":[]}}}`)
	client := []string{"X-Client-Key", b.shop.ClientKey}

	for query, want := range map[string]string{
		"select[author]=true&depth=0":                                `"` + admin + `"`,
		"select[author]=true&depth=1":                                `{"id":"` + admin + `","name":"J. Kim","picture":"` + portrait + `"}`,
		"select[author]=true&depth=1&populate[users][name]=true":     `{"id":"` + admin + `","name":"J. Kim"}`,
		"select[author]=true&depth=1&populate[users][picture]=false": `{"id":"` + admin + `","name":"J. Kim"}`,
		"select[author]=true&depth=2&populate[media][filename]=true": `{"id":"` + admin + `","name":"J. Kim","picture":{"id":"` + portrait +
			`","filename":"portrait.png"}}`,
	} {
		if a := b.request("GET", "/api/posts/"+post+"?"+query, "", client...); a.raw != `{"id":"`+post+`","author":`+want+`}` {
			t.Errorf("%s: %d %s", query, a.status, a.raw)
		}
	}
	whole := b.request("GET", "/api/posts/"+post+"?depth=3", "", client...)
	if !strings.Contains(whole.raw, `"name":"Tea"`) || strings.Contains(whole.raw, "@") || strings.Contains(whole.raw, "Jiwoo") {
		t.Errorf("%s", whole.raw)
	}
	graph := b.request("POST", "/api/graphql", `{"query":"{ Posts { docs { author { id name picture { id } email role firstName createdAt } } } }"}`, client...)
	if want := `"data":{"Posts":{"docs":[{"author":{"id":"` + admin + `","name":"J. Kim","picture":{"id":"` + portrait +
		`"},"email":null,"role":null,"firstName":null,"createdAt":null}}]}}}`; !strings.HasSuffix(graph.raw, want) {
		t.Errorf("%s", graph.raw)
	}
	for _, refused := range []string{
		"/api/posts?where[author.email][exists]=true", "/api/posts?where[author.name][equals]=J.%20Kim", "/api/posts?depth=1&populate[users][email]=true",
	} {
		if a := b.request("GET", refused, "", client...); a.status != 400 {
			t.Errorf("%s: %d %s", refused, a.status, a.raw)
		}
	}
	if a := b.request("GET", "/api/users/"+admin, "", client...); a.status != 403 {
		t.Errorf("%d %s", a.status, a.raw)
	}
	staff := b.request("GET", "/api/posts/"+post+"?depth=1", "", "Authorization", bearer)
	if author, _ := staff.body["author"].(map[string]any); author["email"] != b.shop.AdminEmail || author["firstName"] != "Jiwoo" {
		t.Errorf("staff: %s", staff.raw)
	}
}

func TestPagesAreFoundBySlug(t *testing.T) {
	b := newSQLiteHarness(t)
	if a := b.secret(400, "POST", "/api/pages", `{"title":"Imprint"}`); !strings.Contains(a.raw, `"field":"slug"`) {
		t.Errorf("%s", a.raw)
	}
	b.make("pages", `{"title":"Imprint","slug":"imprint","status":"published"}`)
	if a := b.secret(400, "POST", "/api/pages", `{"title":"Again","slug":"Imprint"}`); a.reason() != "value_not_unique" {
		t.Errorf("%s", a.raw)
	}
	a := b.request("GET", "/api/pages?where[slug][equals]=imprint", "", "X-Client-Key", b.shop.ClientKey)
	if len(a.docs()) != 1 {
		t.Errorf("%s", a.raw)
	}
	if a := b.request("POST", "/api/pages", `{"title":"x","slug":"x"}`, "X-Client-Key", b.shop.ClientKey); a.status != 403 {
		t.Errorf("%d", a.status)
	}
}

// A record does not grow change by change beyond its limit, and can be made smaller again.
func TestRecordCannotGrowWithoutEnd(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		large := fmt.Sprintf(`{"name":"Cup","price":1,"status":"draft","metadata":{"text":%q}}`, strings.Repeat("x", 1_000_000))
		id := b.secret(201, "POST", "/api/products", large).doc()["id"].(string)
		more := fmt.Sprintf(`{"description":%q}`, strings.Repeat("한", 30_000))
		if a := b.secret(422, "PATCH", "/api/products/"+id, more); a.reason() != "record_too_large" || !strings.Contains(a.raw, `"limit":1048576`) {
			t.Errorf("%.500s", a.raw)
		}
		b.secret(200, "PATCH", "/api/products/"+id, `{"metadata":{"text":"x"}}`)
		b.secret(200, "PATCH", "/api/products/"+id, more)
	})
}
