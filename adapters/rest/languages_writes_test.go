package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestACopyOfATranslatedProductKeepsItsTexts(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.speaks("en", "ko", "ja")
		made := b.secret(201, "POST", "/api/products/complete", `{"name":"Cup","price":9,"status":"draft",
			"translations":{"ko":{"name":"잔","slug":"잔"},"ja":{"name":"カップ"}},
			"options":[{"name":"Color","values":[{"label":"Red"},{"label":"Blue"}],"translations":{"ko":{"name":"색"},"ja":{"name":"色"}}}],
			"variants":[{"optionValues":[{"option":"Color","value":"Red"}],"translations":{"ko":{"title":"빨간 잔"},"ja":{"title":"赤"}}}]}`).body
		product := made["product"].(map[string]any)
		option := product["options"].([]any)[0].(map[string]any)
		red := option["values"].([]any)[0].(map[string]any)["id"].(string)
		b.secret(200, "PATCH", "/api/product-options/"+option["id"].(string), `{"translations":{"ko":{"values.`+red+`.label":"빨강"}}}`)
		b.speaks("en", "ko") // the texts in Japanese are kept, and nothing can be written in it
		twin := b.secret(201, "POST", "/api/products/"+product["id"].(string)+"/duplicate", `{}`).body["product"].(map[string]any)
		if got := fmt.Sprint(twin["translations"]); got != "map[ko:map[name:잔]]" {
			t.Error("the product has its texts but for its handle", got)
		}
		option = twin["options"].([]any)[0].(map[string]any)
		now := option["values"].([]any)[0].(map[string]any)["id"].(string)
		if got := fmt.Sprint(option["translations"]); now == red || got != "map[ko:map[name:색 values."+now+".label:빨강]]" {
			t.Error("the option", now, got)
		}
		if got := fmt.Sprint(twin["variants"].([]any)[0].(map[string]any)["translations"]); got != "map[ko:map[title:빨간 잔]]" {
			t.Error("the variant", got)
		}
		label := b.secret(200, "GET", "/api/product-options/"+option["id"].(string)+"?locale=ko", "")
		if !strings.Contains(label.raw, "빨강") {
			t.Error(label.raw)
		}
	})
}

func TestAMutationNamesItsLanguageInEveryField(t *testing.T) {
	b := newSQLiteHarness(t)
	b.speaks("en", "ko")
	id := b.secret(201, "POST", "/api/tags", `{"name":"New"}`).doc()["id"].(string)
	for args, refused := range map[string]bool{"": true, ",locale:en": true, ",locale:ko": false} {
		a := b.graphql(200, document(`mutation($id:String!){__typename a:updateTag(id:$id,locale:ko,data:{name:"신상"}){name} b:updateTag(id:$id`+args+
			`,data:{name:"새"}){name}}`, "variables", map[string]any{"id": id}), "X-API-Key", b.shop.SecretKey)
		if refused != strings.Contains(a.raw, "nother document") {
			t.Errorf("%q: %s", args, a.raw)
		}
	}
	if got := b.secret(200, "GET", "/api/tags/"+id, "").body["name"]; got != "New" {
		t.Error("the text of the default language", got)
	}
}

func TestHandlesAreCheckedInEveryLanguage(t *testing.T) {
	b := newSQLiteHarness(t)
	b.speaks("en", "ko")
	for slug, name := range map[string]string{"products": "name", "brands": "name", "categories": "name", "tags": "name", "posts": "title", "pages": "title"} {
		rest := map[string]string{"products": `"price":1,"status":"draft",`, "posts": `"content":{"text":"x"},`, "pages": `"slug":"cup",`}[slug]
		a := b.secret(400, "POST", "/api/"+slug, `{`+rest+`"`+name+`":"Cup","translations":{"ko":{"slug":"a/b ?c"}}}`)
		if !strings.Contains(a.raw, `"field":"translations.ko.slug"`) || strings.Count(a.raw, `"field"`) != 1 {
			t.Error(slug, a.raw)
		}
	}
}

func TestAnswersToWritesEmbedRecordsInTheirLanguage(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.speaks("en", "ko")
		category := b.secret(201, "POST", "/api/categories", `{"name":"Tea","translations":{"ko":{"name":"차"}}}`).doc()["id"].(string)
		b.secret(201, "POST", "/api/products", `{"name":"Cup","price":9,"status":"draft","category":"`+category+`","translations":{"ko":{"name":"잔"}}}`)
		at := "/api/products/" + names(b.secret(200, "GET", "/api/products", ""), "id")
		for query, want := range map[string]string{"?depth=1": "Cup Tea", "?depth=1&locale=ko": "잔 차",
			"?depth=1&locale=all": "map[en:Cup ko:잔] map[en:Tea ko:차]"} {
			read := b.secret(200, "GET", at+query, "").body
			written := b.secret(200, "PATCH", at+query, `{}`).doc()
			for _, r := range []map[string]any{read, written} {
				if got := fmt.Sprint(r["name"], " ", r["category"].(map[string]any)["name"]); got != want {
					t.Errorf("%s: %s, want %s", query, got, want)
				}
			}
		}
	})
}

func TestEmbeddedTextsTellTheirLanguage(t *testing.T) {
	b := newSQLiteHarness(t)
	b.speaks("en", "ko")
	for query, want := range map[string]string{"?depth=1": "ko Accept-Language", "?depth=0": " "} {
		a := b.request("GET", "/api/market-prices"+query, "", "X-Client-Key", b.shop.ClientKey, "Accept-Language", "ko")
		vary := ""
		if strings.Contains(strings.Join(a.header.Values("Vary"), ","), "Accept-Language") {
			vary = "Accept-Language"
		}
		if got := a.header.Get("Content-Language") + " " + vary; got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

func TestCallsInTheDefaultLanguageRefuseOthers(t *testing.T) {
	b := newSQLiteHarness(t)
	b.speaks("en", "ko")
	at := "/api/products/" + b.secret(201, "POST", "/api/products", `{"name":"Cup","price":9,"status":"draft"}`).doc()["id"].(string)
	patches := `{"patches":[{"id":"` + strings.TrimPrefix(at, "/api/products/") + `","data":{"name":"잔"}}]}`
	for _, c := range [][3]string{
		{"PUT", at + "/complete", `{"name":"잔"}`}, {"GET", at + "/complete", ""}, {"POST", "/api/products/bulk", patches},
		{"POST", at + "/duplicate", `{}`}, {"POST", "/api/exports", `{"what":"products"}`},
	} {
		for _, query := range []string{"?locale=ko", "?locale[]=ko", "?fallback-locale=none"} {
			if a := b.secret(400, c[0], c[1]+query, c[2]); !strings.Contains(a.raw, "locale") {
				t.Error(c, query, a.raw)
			}
		}
	}
	if got := b.secret(200, "GET", at, "").body["name"]; got != "Cup" {
		t.Error("the text of the default language", got)
	}
}

func TestTheLanguageOfAnOverriddenReadIsInItsBody(t *testing.T) {
	b := newSQLiteHarness(t)
	b.speaks("en", "ko")
	b.secret(201, "POST", "/api/products", `{"name":"Cup","price":9,"status":"published","translations":{"ko":{"name":"잔"}}}`)
	for query, body := range map[string]string{"": "locale=ko", "?locale[]=ko": "", "?locale=ko": ""} {
		a := b.request("POST", "/api/commerce/products/listing"+query, body, "X-Client-Key", b.shop.ClientKey,
			"X-HTTP-Method-Override", "GET", "Content-Type", "application/x-www-form-urlencoded")
		if a.status != 200 || !strings.Contains(a.raw, `"name":"잔"`) {
			t.Errorf("%s %s: %d %s", query, body, a.status, a.raw)
		}
	}
}
