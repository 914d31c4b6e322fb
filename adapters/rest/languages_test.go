package rest_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// speaks gives the shop its languages, the first of which is the default one.
func (b *harness) speaks(locales ...string) {
	b.t.Helper()
	list := `"` + strings.Join(locales, `","`) + `"`
	b.secret(200, "PATCH", "/api/tenants/"+string(b.shop.Tenant.ID), `{"settings":{"locale":"`+locales[0]+`","locales":[`+list+`]}}`)
}

// names are the values of a field in a list.
func names(a answer, field string) string {
	var all []string
	for _, doc := range a.docs() {
		all = append(all, fmt.Sprint(doc.(map[string]any)[field]))
	}
	return strings.Join(all, ",")
}

func TestTextsAreReadInTheLanguageAskedFor(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.speaks("en", "ko", "ja")
		id := b.secret(201, "POST", "/api/products", `{"name":"Cup","status":"published","price":9,"description":"For tea"}`).doc()["id"].(string)
		at := "/api/products/" + id
		in := b.secret(200, "PATCH", at+"?locale=ko", `{"name":"잔","description":"차를 위해"}`).doc()
		if in["name"] != "잔" || in["slug"] != "cup" {
			t.Error("the answer to a change in a language is in it", in)
		}
		b.secret(200, "PATCH", at+"?locale=all", `{"name":{"en":"Mug","ja":"マグ"}}`)
		visitor := []string{"X-Client-Key", b.shop.ClientKey}
		for query, want := range map[string]string{
			"": "Mug For tea", "?locale=en": "Mug For tea", "?locale=ko": "잔 차를 위해", "?locale=ja": "マグ For tea",
			"?locale=ja&fallback-locale=none": "マグ <nil>", "?locale=ja&fallback-locale=ko": "マグ 차를 위해", "?locale=ja&fallback-locale=false": "マグ <nil>",
			"?locale=all": "map[en:Mug ja:マグ ko:잔] map[en:For tea ja:<nil> ko:차를 위해]",
		} {
			got := b.secret(200, "GET", at+query, "").body
			if shown := fmt.Sprint(got["name"], " ", got["description"]); shown != want {
				t.Errorf("%s: %s, want %s", query, shown, want)
			}
			if query == "?locale=all" {
				continue
			}
			list := b.request("GET", "/api/products"+query, "", visitor...)
			if names(list, "name") != strings.Fields(want)[0] || strings.Contains(list.raw, "translat") {
				t.Errorf("visitors, %s: %s", query, list.raw)
			}
		}
		for accept, want := range map[string]string{
			"": "Mug en", "ko-KR,ko;q=0.9": "잔 ko", "fr, ja;q=0.5, en;q=0.4": "マグ ja", "fr": "Mug en", "ko;q=0": "Mug en", "xx;;": "Mug en",
		} {
			headers := append(slices.Clip(visitor), "Accept-Language", accept)
			for _, path := range []string{at, "/api/commerce/products/detail?slug=cup", "/api/commerce/products/listing"} {
				a := b.request("GET", path, "", headers...)
				name, tag, _ := strings.Cut(want, " ")
				if a.status != 200 || !strings.Contains(a.raw, `"name":"`+name+`"`) || a.header.Get("Content-Language") != tag ||
					!strings.Contains(strings.Join(a.header.Values("Vary"), ","), "Accept-Language") {
					t.Errorf("%s, %s: %s %v", path, accept, a.raw, a.header)
				}
			}
			over := b.graphql(200, document(`{Products{docs{name}}}`), headers...)
			if !strings.Contains(over.raw, strings.Fields(want)[0]) {
				t.Errorf("over GraphQL, %s: %s", accept, over.raw)
			}
			if own := b.request("GET", at, "", "X-API-Key", b.shop.SecretKey, "Accept-Language", accept); own.body["name"] != "Mug" {
				t.Errorf("a server reads the default language whatever it accepts: %s", own.raw)
			}
		}
		if a := b.secret(400, "GET", at+"?locale=de", ""); !strings.Contains(a.raw, "en, ko, ja") {
			t.Error(a.raw)
		}
		if a := b.request("GET", at+"?locale=all", "", visitor...); a.status != 400 {
			t.Error("visitors read one language", a.raw)
		}
		first, second := b.secret(200, "GET", at, "").header.Get("ETag"), b.secret(200, "GET", at+"?locale=ko", "").header.Get("ETag")
		if first == second {
			t.Error("two languages have one tag", first)
		}
		for tag, status := range map[string]int{`"1.ko"`: 412, second: 200} {
			if a := b.request("PATCH", at+"?locale=ko", `{"name":"컵"}`, "X-API-Key", b.shop.SecretKey, "If-Match", tag); a.status != status {
				t.Error(tag, a.status, a.raw)
			}
		}
	})
}

func TestTextsAreWrittenInTheLanguageNamed(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.speaks("en", "ko", "zh-Hant")
		doc := b.secret(201, "POST", "/api/posts", `{"title":"News","content":{"text":"Hello"},"translations":{"ko":{"title":"소식"}}}`).doc()
		at := "/api/posts/" + doc["id"].(string)
		if fmt.Sprint(doc["translatedIn"]) != "[]" {
			t.Error("its text is missing in Korean", doc)
		}
		doc = b.secret(200, "PATCH", at+"?locale=ko", `{"content":{"text":"안녕"}}`).doc()
		if fmt.Sprint(doc["translatedIn"]) != "[ko]" {
			t.Error("all is translated", doc)
		}
		for _, c := range []struct{ path, body, want string }{
			{"?locale=ko", `{"title":"` + strings.Repeat("가", 501) + `"}`, "translations.ko.title"},
			{"", `{"translations":{"de":{"title":"Neues"}}}`, "translations.de"},
			{"", `{"translations":{"en":{"title":"News"}}}`, "translations.en"},
			{"", `{"translations":{"ko":{"status":"draft"}}}`, "translations.ko.status"},
			{"?locale=all", `{"title":"News"}`, "title"},
			{"?locale=all", `{"title":{"ko":"소식","en":null}}`, "title"},
			{"", `{"title":null}`, "title"},
		} {
			if a := b.secret(400, "PATCH", at+c.path, c.body); !strings.Contains(a.raw, `"field":"`+c.want+`"`) {
				t.Errorf("%s %s: %s", c.path, c.body, a.raw)
			}
		}
		if a := b.secret(400, "POST", "/api/posts?locale=ko", `{"title":"소식"}`); !strings.Contains(a.raw, `"field":"title"`) {
			t.Error("a record needs its title in the default language", a.raw)
		}
		whole := b.secret(200, "GET", at, "")
		if a := b.secret(200, "PATCH", at, whole.raw); names(answer{body: map[string]any{"docs": []any{a.doc()}}}, "title") != "News" {
			t.Error("a record that is sent back", a.raw)
		}
		b.secret(200, "PATCH", at+"?locale=ko", `{"title":null}`)
		if got := b.secret(200, "GET", at+"?locale=ko", "").body["title"]; got != "News" {
			t.Error("a translation that was taken away", got)
		}
		again := `{"title":"뉴스"}`
		for i, locale := range []string{"ko", "ko", "zh-Hant"} {
			a := b.request("PATCH", at+"?locale="+locale, again, "X-API-Key", b.shop.SecretKey, "Idempotency-Key", "languages-0123456789")
			if (a.status == 200) != (i < 2) {
				t.Error("one key for two languages", locale, a.status, a.raw)
			}
		}
		gql := b.graphql(200, document(`mutation($id:String!){updatePost(id:$id,locale:zh_Hant,data:{title:"新聞"}){title}}`, "variables",
			map[string]any{"id": doc["id"]}), "X-API-Key", b.shop.SecretKey)
		read := b.graphql(200, document(`{Posts(locale:"zh-Hant",fallbackLocale:none){docs{title content}} n:Post(id:"`+doc["id"].(string)+`"){title}}`),
			"X-API-Key", b.shop.SecretKey)
		if !strings.Contains(gql.raw, "新聞") || !strings.Contains(read.raw, `{"title":"新聞","content":null}`) ||
			!strings.Contains(read.raw, `"n":{"title":"新聞"}`) {
			t.Error(gql.raw, read.raw)
		}
		two := b.graphql(200, document(`{a:Posts(locale:ko){docs{title}} b:Posts(locale:en){docs{title}}}`), "X-API-Key", b.shop.SecretKey)
		if !strings.Contains(two.raw, "one language") {
			t.Error(two.raw)
		}
	})
}

func TestListsGoByTheLanguageAskedFor(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.speaks("en", "ko")
		for _, p := range []string{
			`{"name":"Apple","slug":"apple","translations":{"ko":{"name":"하","slug":"사과"}}}`,
			`{"name":"Banana","slug":"banana","translations":{"ko":{"name":"가"}}}`,
			`{"name":"Cherry","slug":"cherry"}`,
		} {
			b.secret(201, "POST", "/api/categories", p)
		}
		b.secret(201, "POST", "/api/products", `{"name":"Pie","price":1,"status":"published","category":"`+
			names(b.secret(200, "GET", "/api/categories?where[slug][equals]=apple", ""), "id")+`"}`)
		for query, want := range map[string]string{
			"sort=name": "Apple,Banana,Cherry", "sort=name&locale=ko": "Cherry,가,하", "sort=-name&locale=ko": "하,가,Cherry",
			"sort=name&locale=ko&fallback-locale=none":                 "<nil>,가,하",
			"where[name][like]=가&locale=ko":                            "가",
			"where[name][like]=cherry&locale=ko":                       "Cherry",
			"where[name][like]=cherry&locale=ko&fallback-locale=none":  "",
			"where[name][equals]=Apple&locale=ko":                      "",
			"where[name][not_equals]=가&locale=ko&sort=name":            "Cherry,하",
			"where[slug][equals]=사과&locale=ko":                         "하",
			"where[slug][equals]=apple&locale=ko":                      "",
			"where[slug][equals]=cherry&locale=ko":                     "Cherry",
			"where[slug][in]=사과,cherry&locale=ko&sort=name":            "Cherry,하",
			"where[slug][equals]=사과":                                   "",
			"where[name][exists]=false&locale=ko&fallback-locale=none": "<nil>",
			"where[translatedIn][not_in]=ko":                           "Cherry",
			"where[translatedIn][contains]=ko&sort=name":               "Apple,Banana",
		} {
			encoded := strings.NewReplacer("가", url.QueryEscape("가"), "사과", url.QueryEscape("사과")).Replace(query)
			for range 2 { // the second count is from the cache
				a := b.secret(200, "GET", "/api/categories?"+encoded, "")
				if got := names(a, "name"); got != want || fmt.Sprint(a.body["totalDocs"]) != fmt.Sprint(len(a.docs())) {
					t.Errorf("%s: %s, want %s, of %v", query, got, want, a.body["totalDocs"])
				}
			}
		}
		through := b.secret(200, "GET", "/api/products?locale=ko&depth=1&where[category.name][equals]="+url.QueryEscape("하")+"&sort=category.name", "")
		if len(through.docs()) != 1 || !strings.Contains(through.raw, `"name":"하"`) {
			t.Error("through a relation", through.raw)
		}
		if a := b.secret(400, "POST", "/api/categories", `{"name":"Pear","translations":{"ko":{"slug":"사과"}}}`); !strings.Contains(a.raw, "translations") {
			t.Error("a handle is unique in its language", a.status, a.raw)
		}
		b.secret(201, "POST", "/api/categories", `{"name":"Plum","slug":"`+"사과"+`"}`)
	})
}

func TestRowsAreComparedInTheLanguageAskedFor(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.speaks("en", "ko", "ja")
		cup := b.make("products", `{"name":"Cup","price":9,"status":"published"}`)
		for name, texts := range map[string][2]string{"Color": {"Red", "빨강"}, "Glaze": {"Blue", ""}, "Size": {"Ｌ", "Large"}} { // and in Korean
			named := `"` + name + `"`
			option := b.secret(201, "POST", "/api/product-options", `{"product":"`+cup+`","name":`+named+`,"values":[{"label":"`+texts[0]+
				`"},{"label":"One"}],"translations":{"ko":{"name":`+named+`},"ja":{"name":`+named+`}}}`).doc()
			if texts[1] != "" {
				row := option["values"].([]any)[0].(map[string]any)["id"].(string)
				b.secret(200, "PATCH", "/api/product-options/"+option["id"].(string), `{"translations":{"ko":{"values.`+row+`.label":"`+texts[1]+`"}}}`)
			}
		}
		for _, c := range []struct{ operator, value, in, want string }{
			{"equals", "빨강", "locale=ko", "Color"}, {"equals", "빨강", "", ""}, {"equals", "빨강", "locale=ja", ""},
			{"equals", "빨강", "locale=ja&fallback-locale=ko", "Color"}, {"equals", "Blue", "locale=ja&fallback-locale=ko", ""},
			{"equals", "Red", "locale=ko", ""}, {"equals", "Red", "", "Color"}, {"equals", "Blue", "locale=ko", "Glaze"},
			{"equals", "Blue", "locale=ko&fallback-locale=none", ""}, {"not_equals", "빨강", "locale=ko", "Glaze,Size"},
			{"in", "빨강,Blue", "locale=ko", "Color,Glaze"}, {"not_in", "빨강,Blue", "locale=ko", "Size"},
			{"like", "LARGE", "locale=ko", "Size"}, {"contains", "l", "locale=ko", "Glaze,Size"}, {"like", "l", "", "Glaze,Size"},
			{"like", "large", "", ""}, {"exists", "false", "locale=ko&fallback-locale=none", "Glaze"}, {"exists", "false", "locale=ko", ""},
			{"greater_than", "가", "locale=ko", "Color"}, {"less_than_equal", "Large", "locale=ko&fallback-locale=none", "Size"},
		} {
			query := "where[values.label][" + c.operator + "]=" + url.QueryEscape(c.value) + "&" + c.in
			a := b.secret(200, "GET", "/api/product-options?sort=name&"+query, "")
			count := b.secret(200, "GET", "/api/product-options/count?"+query, "").body["totalDocs"]
			if found := names(a, "name"); found != c.want || fmt.Sprint(count) != fmt.Sprint(len(a.docs())) {
				t.Errorf("%s: %s, want %s, of %v", query, found, c.want, count)
			}
		}
		where := map[string]any{"values__label": map[string]any{"in": []string{"빨강", "x"}}}
		over := b.graphql(200, document(`query($w:ProductOption_where){a:ProductOptions(locale:ko,where:$w){docs{name}}
			b:countProductOptions(locale:ko,where:$w){totalDocs}}`, "variables", map[string]any{"w": where}), "X-API-Key", b.shop.SecretKey)
		if !strings.Contains(over.raw, `{"a":{"docs":[{"name":"Color"}]},"b":{"totalDocs":1}}`) {
			t.Error("over GraphQL", over.raw)
		}
		visitor := b.request("GET", "/api/product-options?where[values.label][equals]="+url.QueryEscape("빨강"), "",
			"X-Client-Key", b.shop.ClientKey, "Accept-Language", "ko")
		if names(visitor, "name") != "Color" {
			t.Error("a shopper whose browser prefers Korean", visitor.raw)
		}
	})
}

func TestLanguagesOfAShop(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		tenantAt := "/api/tenants/" + string(b.shop.Tenant.ID)
		b.speaks("en", "KO-kr", "en", "ja")
		got := b.secret(200, "GET", tenantAt, "").body["settings"].(map[string]any)["locales"]
		if fmt.Sprint(got) != "[en ko-KR ja]" {
			t.Error(got)
		}
		id := b.secret(201, "POST", "/api/tags", `{"name":"New","translations":{"ko-KR":{"name":"새"}}}`).doc()["id"].(string)
		for body, status := range map[string]int{
			`{"settings":{"locales":["klingon"]}}`:               400,
			`{"settings":{"locale":"ja"}}`:                       409,
			`{"settings":{"locale":null}}`:                       200, // en, too
			`{"settings":{"locale":"ja","locales":["ja","en"]}}`: 409,
		} {
			b.secret(status, "PATCH", tenantAt, body)
		}
		b.secret(200, "PATCH", tenantAt, `{"settings":{"locales":["en","ja"]}}`)
		b.secret(400, "GET", "/api/tags/"+id+"?locale=ko-KR", "")
		kept := b.secret(200, "GET", "/api/tags/"+id, "")
		b.secret(200, "PATCH", "/api/tags/"+id, kept.raw)
		b.speaks("en", "ko-KR")
		if again := b.secret(200, "GET", "/api/tags/"+id+"?locale=ko-KR", "").body["name"]; again != "새" {
			t.Error("the texts of a language come back with it", again)
		}
		b.secret(200, "PATCH", tenantAt, `{"settings":{"locales":[]}}`)
		b.secret(200, "PATCH", tenantAt, `{"settings":{"locale":"ja"}}`)
	})
}
