package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestTemplatesAreCheckedWhenSaved(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		admin := b.adminOf(b.shop)
		made := admin("POST", "/mail-templates", `{"kind":"order_placed","locale":"KO-kr","subject":"{{name}} 님","body":"{{lines}}"}`)
		if made.status != 201 || !strings.Contains(made.raw, `"locale":"ko-KR"`) || !strings.Contains(made.raw, `"active":true`) {
			t.Fatal(made.status, made.raw)
		}
		id := made.doc()["id"].(string)
		for body, want := range map[string]string{
			`{"body":"a\n{{nobody}}"}`: "Line 2, column 1: there is no variable nobody.",
			`{"subject":"{{lines}}"}`:  "Line 1, column 1: lines has lines of its own",
		} {
			if a := admin("PATCH", "/mail-templates/"+id, body); a.status != 400 || !strings.Contains(a.raw, want) {
				t.Errorf("%s: %d %s", body, a.status, a.raw)
			}
		}
		if a := admin("POST", "/mail-templates", `{"kind":"order_placed","locale":"ko-KR","subject":"x","body":"x"}`); a.status != 400 {
			t.Error("a second one for the language", a.status, a.raw)
		}
		if a := admin("POST", "/mail-templates", `{"kind":"order_placed","locale":"no language","subject":"x","body":"x"}`); a.status != 400 {
			t.Error("a language that is none", a.status, a.raw)
		}
		if a := admin("DELETE", "/mail-templates/"+id, ""); a.status != 200 {
			t.Error(a.status, a.raw)
		}
	})
}

func TestPreviewIsTheMail(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		admin := b.adminOf(b.shop)
		preview := func(body string) answer { return admin("POST", "/mail-templates/preview", body) }
		order := b.seed(b.shop.Tenant, "mine", nil)["orders"]
		for body, want := range map[string]string{
			`{"kind":"order_placed","locale":"ja"}`:                                                          `"subject":"【` + b.shop.Name + `】`,
			`{"kind":"order_placed","locale":"de","subject":"Danke","body":"{{total}}"}`:                     `"locale":"de","subject":"Danke"`,
			`{"kind":"order_placed","locale":"en","body":"<b>{{name}}</b>"}`:                                 `&lt;b&gt;`,
			`{"kind":"order_placed","locale":"en","subject":"{{orderNumber}}","order":"` + order.ID() + `"}`: `"subject":"` + order.Text("orderNumber") + `"`,
		} {
			if a := preview(body); a.status != 200 || !strings.Contains(a.raw, want) {
				t.Errorf("%s: %d %s, want %s", body, a.status, a.raw, want)
			}
		}
		for body, status := range map[string]int{
			`{"kind":"order_placed","body":"{{nobody}}"}`: 400, `{"kind":"nothing"}`: 400, `{}`: 400,
			fmt.Sprintf(`{"kind":"invitation","order":%q}`, order.ID()): 400, fmt.Sprintf(`{"kind":"order_placed","order":%q}`, newID()): 404,
		} {
			if a := preview(body); a.status != status {
				t.Errorf("%s: %d %s, want %d", body, a.status, a.raw, status)
			}
		}
		if a := b.request("POST", "/api/mail-templates/preview", `{"kind":"order_placed"}`, "X-Client-Key", b.shop.TestClientKey); a.status != 403 {
			t.Error("a visitor", a.status, a.raw)
		}
		kinds := b.request("GET", "/api/mail-templates/kinds", "", "X-API-Key", b.shop.TestSecretKey, "Accept-Language", "ko")
		if kinds.status != 200 || !strings.Contains(kinds.raw, "주문번호") || strings.Count(kinds.raw, `"locale":"ja"`) != 14 {
			t.Error(kinds.status, kinds.raw)
		}
	})
}

// Only who may change templates has a test mail sent, and the answer is a delivery to them.
func TestTestMailsAreOfWhoEditsTemplates(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		order := b.seed(b.shop.Tenant, "mine", nil)["orders"]
		body := fmt.Sprintf(`{"kind":"order_placed","locale":"en","subject":"{{orderNumber}}","order":%q}`, order.ID())
		sent := b.adminOf(b.shop)("POST", "/mail-templates/test", body)
		delivery, _ := sent.body["delivery"].(map[string]any)
		if sent.status != 200 || delivery["recipient"] != b.shop.AdminEmail || delivery["test"] != true || strings.Contains(sent.raw, "draft") {
			t.Error(sent.status, sent.raw)
		}
		_, editor := b.member("ed", "tenant-editor")
		if a := editor("POST", "/mail-templates/test", body); a.status != 403 {
			t.Error("who may not change templates", a.status, a.raw)
		}
		if a := b.adminOf(b.other)("POST", "/mail-templates/test", body); a.status != 404 {
			t.Error("by an order of another shop", a.status, a.raw)
		}
	})
}
