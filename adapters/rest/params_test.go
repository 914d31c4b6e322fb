package rest_test

import (
	"net/url"
	"strings"
	"testing"
)

// Fields of a record, and of the records it embeds, can be selected or left out.
func TestFieldsAreSelectedAndPopulated(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		top := b.make("gadgets", `{"name":"Top","price":100,"size":{"width":1}}`)
		leaf := b.make("gadgets", `{"name":"Leaf","parent":"`+top+`","friends":["`+top+`"],"size":{"width":3}}`)
		const common = "select[tenant]=false&select[environment]=false&select[createdAt]=false&select[updatedAt]=false&select[revision]=false&select[cost]=false&select[extra]=false&select[made]=false&select[weight]=false&select[owner]=false&select[colours]=false&select[code]=false"
		for _, c := range []struct{ query, want string }{
			{"select[name]=true", `{"id":"LEAF","name":"Leaf"}`},
			{"select[size]=true&select[parent]=true", `{"id":"LEAF","parent":"TOP","size":{"width":3}}`},
			{"select[size][width]=true", `{"id":"LEAF","size":{"width":3}}`},
			{
				common + "&select[friends]=false&select[id]=false",
				`{"id":"LEAF","name":"Leaf","price":null,"shown":true,"parent":"TOP","size":{"width":3}}`,
			},
			{
				common + "&select[friends]=false&select[size][width]=false&select[price]=false&select[shown]=false",
				`{"id":"LEAF","name":"Leaf","parent":"TOP","size":{}}`,
			},
			{"select[parent]=true&depth=1&populate[gadgets][name]=true", `{"id":"LEAF","parent":{"id":"TOP","name":"Top"}}`},
			{
				"select[friends]=true&depth=1&populate[gadgets][size][width]=true&populate[gadgets][price]=true",
				`{"id":"LEAF","friends":[{"id":"TOP","price":100,"size":{"width":1}}]}`,
			},
			{"select[name]=true&populate[gadgets][name]=true", `{"id":"LEAF","name":"Leaf"}`},
			{"select[name]=true&draft=true&trash=false&locale=en&fallback-locale=none&joins=false", `{"id":"LEAF","name":"Leaf"}`},
		} {
			want := pin(c.want, "LEAF", leaf, "TOP", top)
			if a := b.secret(200, "GET", "/api/gadgets/"+leaf+"?"+c.query, ""); a.raw != want {
				t.Errorf("%s: %s, want %s", c.query, a.raw, want)
			}
			if a := b.secret(200, "GET", "/api/gadgets?where[name][equals]=Leaf&"+c.query, ""); !strings.HasPrefix(a.raw, `{"docs":[`+want+`]`) {
				t.Errorf("list, %s: %s, want %s", c.query, a.raw, want)
			}
			if a := b.secret(200, "PATCH", "/api/gadgets/"+leaf+"?"+c.query, `{}`); a.raw != `{"message":"Updated successfully.","doc":`+want+`}` {
				t.Errorf("update, %s: %s, want %s", c.query, a.raw, want)
			}
			if a := b.secret(200, "PATCH", "/api/gadgets?where[name][equals]=Leaf&"+c.query, `{}`); !strings.HasPrefix(a.raw, `{"docs":[`+want+`]`) {
				t.Errorf("update of many, %s: %s, want %s", c.query, a.raw, want)
			}
		}
		a := b.secret(201, "POST", "/api/gadgets?depth=1&select[parent]=true&populate[gadgets][name]=true",
			`{"name":"New","parent":"`+top+`"}`)
		if want := pin(`{"id":"NEW","parent":{"id":"TOP","name":"Top"}}`, "NEW", a.doc()["id"].(string), "TOP", top); !strings.Contains(a.raw, want) {
			t.Errorf("create: %s, want %s", a.raw, want)
		}
		if a := b.request("GET", "/api/gadgets?select[cost]=true", "", "X-Client-Key", b.shop.ClientKey); a.status != 400 ||
			!strings.Contains(a.raw, `"field":"select"`) {
			t.Errorf("a visitor selects what is for staff: %d %s", a.status, a.raw)
		}
		if a := b.request("GET", "/api/gadgets?depth=1&populate[gadgets][cost]=true", "", "X-Client-Key", b.shop.ClientKey); a.status != 400 ||
			!strings.Contains(a.raw, `"field":"populate"`) {
			t.Errorf("a visitor populates what is for staff: %d %s", a.status, a.raw)
		}
	})
}

// Invalid parameters are refused by name; none is guessed or ignored.
func TestInvalidParametersAreRejected(t *testing.T) {
	b := newSQLiteHarness(t)
	id := b.make("gadgets", `{"name":"A"}`)
	for _, c := range []struct{ method, path, field string }{
		{"GET", "?limit=abc", "limit"},
		{"GET", "?limit=1.5", "limit"},
		{"GET", "?limit=-1", "limit"},
		{"GET", "?limit=501", "limit"},
		{"GET", "?limit=1&limit=2", "limit"},
		{"GET", "?limit[]=1", "limit"},
		{"GET", "?page=x", "page"},
		{"GET", "?page=1.0", "page"},
		{"GET", "?page=99999999999999999999", "page"},
		{"GET", "?depth=x", "depth"},
		{"GET", "?depth=11", "depth"},
		{"GET", "?depth=-1", "depth"},
		{"GET", "?sort[a]=b", "sort"},
		{"GET", "?select=name", "select"},
		{"GET", "?select[name]=yes", "select"},
		{"GET", "?select[name]=", "select"},
		{"GET", "?select[]=name", "select"},
		{"GET", "?select[name]=true&select[price]=false", "select"},
		{"GET", "?select[nope]=true", "select"},
		{"GET", "?select[nope]=false", "select"},
		{"GET", "?select[secret]=true", "select"},
		{"GET", "?select[secret]=false", "select"},
		{"GET", "?select[parent][name]=true", "select"},
		{"GET", "?select[size][depth]=true", "select"},
		{"GET", "?populate=gadgets", "populate"},
		{"GET", "?populate[gadgets]=true", "populate"},
		{"GET", "?populate[gadgets][nope]=true", "populate"},
		{"GET", "?populate[nothings][name]=true", "populate"},
		{"GET", "?populate[gadgets][secret]=true", "populate"},
		{"GET", "?joins[things][limit]=1", "joins"},
		{"GET", "?joins=true", "joins"},
		{"GET", "?draft=maybe", "draft"},
		{"GET", "?pagination=0", "pagination"},
		{"GET", "?were[name][equals]=A", "were"},
		{"GET", "?Where[name][equals]=A", "Where"},
		{"GET", "?__proto__[limit]=1", "__proto__"},
		{"GET", "/count?nope=1", "nope"},
		{"GET", "/count?limit=x", "limit"},
		{"GET", "/" + id + "?where[name][equals]=A", "where"},
		{"GET", "/" + id + "?limit=1", "limit"},
		{"GET", "/" + id + "?depth=1.5", "depth"},
		{"POST", "?where[name][equals]=A", "where"},
		{"PATCH", "/" + id + "?where[name][equals]=A", "where"},
		{"DELETE", "/" + id + "?where[name][equals]=B", "where"},
		{"PATCH", "?where[name][equals]=A&limit=0", "limit"},
		{"PATCH", "?where[name][equals]=A&limit=501", "limit"},
		{"PATCH", "?where[name][equals]=A&page=2", "page"},
		{"DELETE", "?where[name][equals]=A&wher[name][equals]=B", "wher"},
	} {
		if a := b.request(c.method, "/api/gadgets"+c.path, `{"name":"A"}`, "X-API-Key", b.shop.SecretKey); a.status != 400 ||
			!strings.Contains(a.raw, `"field":"`+c.field+`"`) {
			t.Errorf("%s %s: %d %s", c.method, c.path, a.status, a.raw)
		}
	}
	for _, query := range []string{
		"where={", "where[name[equals]=A", "where=%ff", "where=[]", "where=1", "where[and]=1", "where[and][0]=1",
		"where[name][equals][x]=1", "where=" + url.QueryEscape(`{"name":{"equals":"\ud800"}}`),
	} {
		if a := b.request("GET", "/api/gadgets?"+query, "", "X-API-Key", b.shop.SecretKey); a.status != 400 || a.body["errors"] == nil {
			t.Errorf("%s: %d %s", query, a.status, a.raw)
		}
	}
	if a := b.secret(200, "GET", "/api/gadgets", ""); a.names() != "A" {
		t.Error(a.raw)
	}
}

// The same query can be written in many forms.
func TestEquivalentQueryForms(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		for _, body := range []string{
			`{"name":"A B","price":100}`, `{"name":"C+D","price":200}`, `{"name":"E,F","price":300}`, `{"name":"","code":"x"}`,
		} {
			b.request("POST", "/api/gadgets", body, "X-API-Key", b.shop.SecretKey)
		}
		for query, want := range map[string]string{
			"sort=name":                           "A B C+D E,F",
			"sort[]=name":                         "A B C+D E,F",
			"sort=-price,name":                    "E,F C+D A B",
			"where=&sort=name":                    "A B C+D E,F",
			"where={}&sort=name":                  "A B C+D E,F",
			"where[and][]=&sort=name":             "A B C+D E,F",
			"where[or][]=":                        "",
			"where[name][in][]=":                  "",
			"where[name][in]=A+B,C%2BD&sort=name": "A B C+D",
			"where[name][in]=A B&where[name][in]=C%2BD&sort=name":                                                      "A B C+D",
			"where[name][in][]=A%20B&where[name][in][]=E,F&sort=name":                                                  "A B E,F",
			"where[name][in][5]=E,F&where[name][in][1]=A%20B&sort=name":                                                "A B E,F",
			"where%5Bname%5D%5Bequals%5D=C%2BD":                                                                        "C+D",
			"sort=name&where[name][equals]=A+B&limit=5":                                                                "A B",
			"where[AND][0][name][equals]=A B":                                                                          "A B",
			"where[Or][0][name][equals]=A B&where[Or][1][price][equals]=300&sort=name":                                 "A B E,F",
			"where[and][0][price][greater_than]=100&where[or][0][name][like]=a&where[or][1][name][like]=d":             "C+D",
			"where[price][equals]=100&where[and][0][name][equals]=C%2BD":                                               "",
			"where[or][3][price][equals]=100&where[or][1][price][equals]=200&sort=name":                                "A B C+D",
			"where[price][greater_than]=100&where[price][less_than]=300":                                               "C+D",
			"where[price][equals]=1e2":                                                                                 "A B",
			"where[parent][equals]=&sort=name":                                                                         "A B C+D E,F",
			"where[parent][equals]=null&sort=name":                                                                     "A B C+D E,F",
			"where[made][equals]=&where[price][not_equals]=&sort=name":                                                 "A B C+D E,F",
			"where[name][equals]=":                                                                                     "",
			"where=" + url.QueryEscape(`{"or":[{"name":{"equals":"A B"}},{"price":{"in":[200,3e2]}}]}`) + "&sort=name": "A B C+D E,F",
			"where=" + url.QueryEscape(`{"parent":{"equals":null},"price":{"greater_than_equal":200}}`) + "&sort=name": "C+D E,F",
			"page=0&limit=1&sort=name":                                                                                 "A B",
			"page=-7&limit=1&sort=name":                                                                                "A B",
			"pagination=false&sort=name":                                                                               "A B C+D E,F",
			"limit=&page=&depth=&sort=name":                                                                            "A B C+D E,F",
		} {
			if got := b.secret(200, "GET", "/api/gadgets?"+strings.ReplaceAll(query, " ", "%20"), "").names(); got != want {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
		if a := b.secret(200, "GET", "/api/gadgets?pagination=false", ""); a.body["limit"] != 500.0 {
			t.Error(a.raw)
		}
	})
}

// A query that is too long for a URL is sent as the body of a POST that stands for a GET.
func TestMethodOverrideReadsQueryFromBody(t *testing.T) {
	b := newSQLiteHarness(t)
	id := b.make("gadgets", `{"name":"A","price":100}`)
	b.make("gadgets", `{"name":"B","price":200}`)
	send := func(path, kind, body string) answer {
		return b.request("POST", "/api/gadgets"+path, body, "X-API-Key", b.shop.SecretKey, "Content-Type", kind,
			"X-Payload-HTTP-Method-Override", "get")
	}
	const form, json = "application/x-www-form-urlencoded; charset=UTF-8", "application/json"
	for name, c := range map[string]struct{ path, kind, body, want string }{
		"form": {"", form, "where[name][equals]=A&select[name]=true", `{"docs":[{"id":"` + id + `","name":"A"}],"totalDocs":1,`},
		"JSON": {
			"", json,
			`{"where":{"price":{"less_than":150}},"select":{"name":true},"limit":3,"page":1,"depth":0,"sort":"name","pagination":true}`,
			`{"docs":[{"id":"` + id + `","name":"A"}],"totalDocs":1,"limit":3,`,
		},
		"sort as a JSON list": {"", json, `{"sort":["-name"],"limit":0}`, `{"docs":[],"totalDocs":2,`},
		"with some in the address": {
			"?limit=1", form, "where[name][in]=A,B&select[name]=true&sort=name",
			`{"docs":[{"id":"` + id + `","name":"A"}],"totalDocs":2,"limit":1,`,
		},
		"no body":    {"?limit=0", form, "", `{"docs":[],"totalDocs":2,`},
		"count":      {"/count", form, "where[name][equals]=A", `{"totalDocs":1}`},
		"one record": {"/" + id, form, "select[name]=true", `{"id":"` + id + `","name":"A"}`},
	} {
		if a := send(c.path, c.kind, c.body); a.status != 200 || !strings.HasPrefix(a.raw, c.want) {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	long := "where[name][in]=" + strings.Repeat("some-name,", 4_000) + "A&select[name]=true"
	if a := send("", form, long); a.status != 200 || len(a.docs()) != 1 {
		t.Errorf("a long one: %d %.300s", a.status, a.raw)
	}
	for name, c := range map[string]struct {
		path, kind, body string
		status           int
	}{
		"twice":                 {"?limit=1", form, "limit=2", 400},
		"unknown":               {"", form, "limits=2", 400},
		"broken JSON":           {"", json, `{"limit":`, 400},
		"a JSON list":           {"", json, `[]`, 400},
		"a limit of a fraction": {"", json, `{"limit":1.5}`, 400},
		"another type":          {"", "text/plain", "limit=1", 415},
		"another address":       {"/" + id + "/more", form, "", 404},
	} {
		if a := send(c.path, c.kind, c.body); a.status != c.status {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
}
