package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestACopyOfATranslatedProductKeepsItsTexts(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.speaks("en", "ko", "ja")
		made := b.secret(201, "POST", "/api/products/complete", `{"name":"Cup","price":9,"status":"draft","translations":{"ko":{"name":"잔","slug":"잔"},"ja":{"name":"カップ"}},
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
