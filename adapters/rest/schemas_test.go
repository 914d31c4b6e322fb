package rest_test

import (
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Rule collections-35: what a page needs to show and edit records of any collection, for whoever asks.
func TestSchemasAreDescribed(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	admin := b.adminOf(b.shop)
	_, packer := b.member("pat", "packer")

	all := admin("GET", "/schemas", "")
	described := map[string]map[string]any{}
	for _, one := range all.body["collections"].([]any) {
		c := one.(map[string]any)
		described[c["slug"].(string)] = c
	}
	for _, s := range b.registry.All() {
		c := described[s.Slug]
		if c == nil {
			t.Errorf("%s is not described", s.Slug)
			continue
		}
		var want []string
		for _, f := range s.AllFields() {
			if f.VisibleTo != collection.ServerOnly {
				want = append(want, f.Name)
			}
		}
		if got := namesOf(c["fields"]); !slices.Equal(got, want) {
			t.Errorf("%s has the fields %v, want %v", s.Slug, got, want)
		}
	}

	orders := described["orders"]
	if orders["perEnvironment"] != true || orders["searchable"] != true || orders["timeline"] != true || len(orders["may"].([]any)) != 1 {
		t.Errorf("orders are described as %v", orders["may"])
	}
	if orders["label"] != "Order" || orders["labels"] != "Orders" {
		t.Errorf("orders are called %v and %v", orders["label"], orders["labels"])
	}
	if password := fieldNamed(t, described["users"]["inputs"], "password"); password["label"] != "Password" {
		t.Errorf("the password of a user is described as %v", password)
	}
	status := fieldNamed(t, orders["fields"], "status")
	if status["kind"] != "select" || status["readOnly"] != true || !slices.Contains(status["options"].([]any), any("paid")) {
		t.Errorf("the status of an order is described as %v", status)
	}
	if tags := fieldNamed(t, orders["fields"], "tags"); tags["kind"] != "texts" || tags["readOnly"] == true || tags["labels"] != true {
		t.Errorf("the tags of an order are described as %v", tags)
	}
	lines := fieldNamed(t, orders["fields"], "lines")
	if price := fieldNamed(t, lines["fields"], "unitPrice"); price["kind"] != "money" || price["currency"] != "currency" {
		t.Errorf("the price of a line is described as %v", price)
	}

	if got := packer("GET", "/schemas?collection=orders,customers", "").body["collections"].([]any); len(got) != 1 {
		t.Errorf("a packer, who may not read customers, is told of %d collections", len(got))
	}
	if a := admin("GET", "/schemas?collection=orders,ordrs", ""); a.status != 400 {
		t.Errorf("a collection that is not there: %d %s", a.status, a.raw)
	}
	if a := b.request("GET", "/api/schemas", "", "X-Client-Key", b.shop.ClientKey); a.status != 403 {
		t.Errorf("a client key: %d %s", a.status, a.raw)
	}
}

// Rule collections-35: labels and help are in the language of the caller, who may keep them as long as they are right.
func TestSchemasAreDescribedInTheLanguageOfTheCaller(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	ask := func(language, tag string) answer {
		t.Helper()
		return b.request("GET", "/api/schemas?collection=discounts", "", "X-API-Key", b.shop.SecretKey, "Accept-Language", language, "If-None-Match", tag)
	}
	english, told := ask("en", ""), ask("ko-KR", "")
	for language, c := range map[string]struct {
		answer               answer
		label, field, option string
	}{
		"en": {english, "Discount code", "Type", "Percentage"},
		"ko": {told, "할인 코드", "할인 유형", "정률 할인"},
	} {
		one := c.answer.body["collections"].([]any)[0].(map[string]any)
		kind := fieldNamed(t, one["fields"], "type")
		option := kind["optionLabels"].(map[string]any)["percentage"]
		if c.answer.header.Get("Content-Language") != language || one["label"] != c.label || kind["label"] != c.field || option != c.option {
			t.Errorf("in %s: %v, %v, %v, %q", language, one["label"], kind["label"], option, c.answer.header.Get("Content-Language"))
		}
		tag := c.answer.header.Get("ETag")
		if a := ask(language, tag); tag == "" || a.status != 304 || c.answer.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("in %s the same again, for %q: %d %v", language, tag, a.status, a.header)
		}
	}
	if a := ask("en", told.header.Get("ETag")); a.status != 200 {
		t.Errorf("the words of another language: %d", a.status)
	}
	if a, b := fieldNamed(t, english.body["collections"].([]any)[0].(map[string]any)["fields"], "code")["doc"],
		fieldNamed(t, told.body["collections"].([]any)[0].(map[string]any)["fields"], "code")["doc"]; a == b {
		t.Errorf("the help is %q in both languages", a)
	}
}

func namesOf(fields any) (names []string) {
	for _, f := range fields.([]any) {
		names = append(names, f.(map[string]any)["name"].(string))
	}
	return names
}

func fieldNamed(t *testing.T, fields any, name string) map[string]any {
	t.Helper()
	for _, f := range fields.([]any) {
		if f.(map[string]any)["name"] == name {
			return f.(map[string]any)
		}
	}
	t.Fatalf("there is no field %s", name)
	return nil
}
