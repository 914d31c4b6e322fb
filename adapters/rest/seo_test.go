package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// Rule catalog-35.
func TestPagesSayWhatSearchEnginesShow(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		image, _ := b.upload("share.png", pngImage(t, 2, 2))["id"].(string)
		group := fmt.Sprintf(`"seo":{"title":"A title","description":"About it.","noIndex":true,"image":%q}`, image)
		visitor := []string{"X-Client-Key", b.shop.ClientKey}
		for slug, fields := range map[string]string{
			"products": `"name":"Cup","price":1,"status":"published"`, "categories": `"name":"Cups"`,
			"posts": `"title":"News","status":"published"`, "pages": `"title":"Imprint","slug":"imprint","status":"published"`,
		} {
			id := b.make(slug, "{"+fields+","+group+"}")
			path := "/api/" + slug + "/" + id
			wantSEO := func(want string) {
				t.Helper()
				seo, _ := b.request("GET", path+"?depth=0", "", visitor...).body["seo"].(map[string]any)
				if got := fmt.Sprintf("%v, %v, %v, %v", seo["title"], seo["description"], seo["noIndex"], seo["image"] == image); got != want {
					t.Errorf("%s: %s, want %s", slug, got, want)
				}
			}
			wantSEO("A title, About it., true, true")
			b.secret(200, "PATCH", path, `{"seo":{"title":null,"noIndex":false}}`)
			wantSEO("<nil>, About it., false, true")
			long := b.secret(400, "PATCH", path, `{"seo":{"title":"`+strings.Repeat("x", 256)+`"}}`)
			if !strings.Contains(long.raw, `"seo.title"`) {
				t.Errorf("%s: %s", slug, long.raw)
			}
		}
		shown := b.graphql(200, `{"query":"{ Products { docs { seo { title description noIndex image { id } } } } }"}`, visitor...)
		if !strings.Contains(shown.raw, `"seo":{"title":null,"description":"About it.","noIndex":false,"image":{"id":"`+image+`"}}`) {
			t.Error(shown.raw)
		}
	})
}

// Rule catalog-35: a product in one piece and files have it, too.
func TestFormsAndFilesCarryWhatSearchEnginesShow(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		image, _ := b.upload("share.png", pngImage(t, 2, 2))["id"].(string)
		made := b.secret(201, "POST", "/api/products/complete", fmt.Sprintf(
			`{"name":"Cup","slug":"cup","status":"draft","price":1,"seo":{"title":"Cups","image":%q}}`, image))
		product, _ := made.body["product"].(map[string]any)
		if got := fmt.Sprint(product["seo"]); got != "map[description:<nil> image:"+image+" noIndex:<nil> title:Cups]" {
			t.Error(got)
		}
		b.imported("products", rowsOf("handle,seoDescription,noIndex", "cup,Thrown by hand,true")).want("done 1 0 0")
		file := b.exported("products", "csv", "en")
		if !strings.Contains(file, "SEO title,SEO description,Hidden from search engines") || !strings.Contains(file, ",Cups,Thrown by hand,true") {
			t.Error(file)
		}
		b.imported("products", rowsOf("handle,seoTitle", "cup,"+strings.Repeat("x", 256))).want("done 0 0 1", "2 rejected seoTitle:validation_failed")
	})
}
