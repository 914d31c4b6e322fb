package rest_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func TestProductPagesAreFoundInEachLanguage(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.speaks("en", "ko")
		sell := func(name, slug, korean string) {
			b.secret(201, "POST", "/api/products", fmt.Sprintf(
				`{"name":%q,"slug":%q,"price":1,"status":"published","translations":{"ko":{"name":%q,"slug":%q}}}`, name, slug, name+" ko", korean))
		}
		sell("Cup", "cup", "잔")
		sell("Pot", "pot", "cup") // which is another's in English
		b.secret(201, "POST", "/api/products", `{"name":"Bowl","slug":"bowl","price":1,"status":"published"}`)
		sell("Dish", "dish", "bowl") // found after the bowl, whose English handle stands in for its Korean one
		for query, want := range map[string]string{
			"slug=bowl": "Bowl", "slug=bowl&locale=ko": "Dish ko", "slug=cup": "Cup", "slug=cup&locale=ko": "Pot ko",
			"slug=" + url.QueryEscape("잔") + "&locale=ko": "Cup ko", "slug=pot&locale=ko": "Pot ko",
			"slug=" + url.QueryEscape("잔"): "",
		} {
			a := b.request("GET", "/api/commerce/products/detail?"+query, "", "X-Client-Key", b.shop.ClientKey)
			product, _ := a.body["product"].(map[string]any)
			if got := fmt.Sprint(product["name"]); got != want && (want != "" || a.status != 404) {
				t.Errorf("%s: %s, want %s", query, a.raw, want)
			}
		}
		option := b.make("product-options", `{"product":"`+names(b.secret(200, "GET", "/api/products?where[slug][equals]=cup", ""), "id")+
			`","name":"Color","values":[{"label":"Red"}]}`)
		value := b.secret(200, "GET", "/api/product-options/"+option, "").body["values"].([]any)[0].(map[string]any)["id"].(string)
		b.secret(201, "POST", "/api/product-variants", `{"product":"`+names(b.secret(200, "GET", "/api/products?where[slug][equals]=cup", ""), "id")+
			`","optionValues":["`+value+`"]}`)
		b.secret(200, "PATCH", "/api/product-options/"+option+"?locale=ko", `{"name":"색","values":[{"id":"`+value+`","label":"빨강"}]}`)
		over := b.graphql(200, document(`query($s:String){productDetail(slug:$s,locale:ko){product{name options{name values{label}} variants{title}}}}`,
			"variables", map[string]any{"s": "잔"}), "X-Client-Key", b.shop.ClientKey)
		if !strings.Contains(over.raw, `"name":"색","values":[{"label":"빨강"}]`) || !strings.Contains(over.raw, `"title":"빨강"`) {
			t.Error(over.raw)
		}
	})
}

func TestEventsCarryEveryLanguage(t *testing.T) {
	b := newSQLiteHarness(t)
	b.speaks("en", "ko")
	id := b.secret(201, "POST", "/api/tags", `{"name":"New"}`).doc()["id"].(string)
	b.secret(200, "PATCH", "/api/tags/"+id+"?locale=ko", `{"name":"신상"}`)
	list := b.secret(200, "GET", "/api/events?record="+id, "")
	const texts, told = `"name":"New","slug":"new","description":null,"image":null,"translations":{"ko":{"name":"신상"}},"translatedIn":["ko"]`, `"translations"`
	if !strings.Contains(list.raw, texts) || strings.Count(list.raw, told) < 2 {
		t.Error(list.raw)
	}
}

// What becomes of the language of a cart is in the feature about languages.
func TestCartsKeepTheLanguageOfTheirBuyer(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.speaks("en", "ko", "ja")
		variant := b.sellable()
		product := names(b.secret(200, "GET", "/api/products", ""), "id")
		for locale, name := range map[string]string{"ko": "차", "ja": "茶"} {
			b.secret(200, "PATCH", "/api/products/"+product+"?locale="+locale, `{"name":"`+name+`"}`)
		}
		b.secret(201, "POST", "/api/markets", `{"name":"Japan","code":"jp","currency":"KRW","locale":"ja"}`)
		b.secret(400, "POST", "/api/markets", `{"name":"Germany","code":"de","currency":"KRW","locale":"de"}`)
		for i, c := range []struct{ query, accept, market, want string }{
			{"", "", "", "<nil> Tea"}, {"", "ko-KR", "", "ko 차"}, {"?locale=ja", "ko", "", "ja 茶"}, {"", "", "jp", "ja 茶"}, {"", "ko", "jp", "ko 차"},
			{"", "fr", "", "<nil> Tea"}, {"?locale=en", "", "jp", "<nil> Tea"}, {"", "en-US", "jp", "<nil> Tea"}, {"", "fr", "jp", "ja 茶"},
		} {
			body := fmt.Sprintf(`{"market":%q,"items":[{"variantId":%q,"quantity":1}]}`, c.market, variant)
			made := b.request("POST", "/api/commerce/carts"+c.query, body, "X-Client-Key", b.shop.ClientKey, "Accept-Language", c.accept)
			if made.status != 201 {
				t.Fatal(c, made.raw)
			}
			of := func(r map[string]any) string {
				return fmt.Sprint(r["locale"], " ", r["lines"].([]any)[0].(map[string]any)["title"])
			}
			if got := of(made.cart()); got != c.want {
				t.Errorf("%v: %s", c, made.raw)
			}
			at := "/api/commerce/carts/" + made.cart()["id"].(string)
			token := []string{"X-Client-Key", b.shop.ClientKey, "X-Cart-Token", made.body["cartToken"].(string), "Idempotency-Key"}
			more := b.request("POST", at+"/items", `{"variantId":"`+variant+`","quantity":1,"expectedRevision":1}`, append(token, newKey())...)
			if more.status != 200 || of(more.cart()) != c.want {
				t.Errorf("%d: with another unit: %s", i, more.raw)
			}
		}
	})
}
