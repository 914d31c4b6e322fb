package drafts_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/draft"
)

func TestRefusedFinalizeLeavesTheDraftUnchanged(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for name, c := range map[string]struct {
			edit   string
			status int
			reason string
			at     string // what the refusal names
			want   string
			mend   string
		}{
			"no email": {
				`{"customerSnapshot":{"email":""}}`, 400, "customer_email_invalid", "errors.0.data.0.field", "customerSnapshot.email",
				`{"customerSnapshot":{"email":"kim@example.com"}}`,
			},
			"a bad email": {
				`{"customerSnapshot":{"email":"kim at example"}}`, 400, "customer_email_invalid", "errors.0.data.0.field",
				"customerSnapshot.email", `{"customerSnapshot":{"email":" Kim@Example.com "}}`,
			},
			"the email comes first": {
				`{"customerSnapshot":{"email":null},"lines":[` + b.lines("99 mug") + `],"discountCode":"NOPE","shippingAddress":null}`, 400,
				"customer_email_invalid", "", "",
				`{"customerSnapshot":{"email":"kim@example.com"},"lines":[` + b.lines("course") +
					`],"discountCode":null,"shippingAddress":{"recipientName":"Kim","postalCode":"06000","address1":"Gangnam"}}`,
			},
			"no lines": {`{"lines":[]}`, 422, "draft_empty", "", "", `{"lines":[` + b.lines("course") + `]}`},
			"too few": {
				`{"lines":[` + b.lines("course", "6 lamp", "26 lamp") + `],"discountCode":"NOPE"}`, 422, "out_of_stock",
				"errors.0.data.requested", "32", `{"lines":[` + b.lines("lamp") + `],"discountCode":null}`,
			},
			"how many there are": {
				`{"lines":[` + b.lines("11 mug") + `]}`, 422, "out_of_stock", "errors.0.data.available", "10",
				`{"lines":[` + b.lines("lamp") + `]}`,
			},
			"which variant": {
				`{"lines":[` + b.lines("31 lamp") + `]}`, 422, "out_of_stock", "errors.0.data.variantId", b.variants["lamp"],
				`{"lines":[` + b.lines("lamp") + `]}`,
			},
			"a bad code": {
				`{"discountCode":"NOPE","shippingAddress":null}`, 422, "discount_not_found", "errors.0.data.code", "NOPE",
				`{"discountCode":"TEN","shippingAddress":{"recipientName":"Kim","postalCode":"06000","address1":"Gangnam"}}`,
			},
			"no address": {
				`{"shippingAddress":null}`, 422, "shipping_address_required", "", "",
				`{"shippingAddress":{"recipientName":"Kim","postalCode":"06000","address1":"Gangnam"}}`,
			},
			"half an address": {
				`{"shippingAddress":{"address1":""}}`, 400, "validation_failed", "errors.0.data.0.field", "shippingAddress.address1",
				`{"shippingAddress":{"address1":"Gangnam"}}`,
			},
			"a postal code of letters": {
				`{"shippingAddress":{"postalCode":"ABC"}}`, 400, "validation_failed", "errors.0.data.0.field", "shippingAddress.postalCode",
				`{"shippingAddress":{"postalCode":"06000"}}`,
			},
		} {
			id := b.draft("", "lamp")
			if status, got := b.patch(id, c.edit); status != 200 {
				t.Fatalf("%s: %d %v", name, status, got["raw"])
			}
			before, mugs, lamps, orders := b.get(draft.Schema, id), b.level("mug"), b.level("lamp"), len(b.orders())
			k := key()
			status, got := b.finalize(id, k)
			if status != c.status || got.reason() != c.reason || c.at != "" && got.text(c.at) != c.want {
				t.Errorf("%s: %d %v", name, status, got["raw"])
			}
			if c.reason == "out_of_stock" && got.text("errors.0.data.lineId") == "" {
				t.Errorf("%s names no line: %v", name, got["raw"])
			}
			if after := b.get(draft.Schema, id); !reflect.DeepEqual(after, before) || b.level("mug") != mugs || b.level("lamp") != lamps ||
				len(b.orders()) != orders {
				t.Errorf("%s: the draft was %v, is %v", name, before, after)
			}
			if status, mended := b.patch(id, c.mend); status != 200 {
				t.Fatalf("%s: %d %v", name, status, mended["raw"])
			}
			if status, again := b.finalize(id, k); status != c.status || again.reason() != c.reason {
				t.Errorf("%s: the same key again: %d %v", name, status, again["raw"])
			}
			if status, done := b.finalize(id, key()); status != 201 {
				t.Errorf("%s: corrected, under a new key: %d %v", name, status, done["raw"])
			}
		}
	})
}

func TestClosedDraftCannotBeEdited(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		finalized, discarded := b.draft("", "mug"), b.draft("", "mug")
		if status, got := b.finalize(finalized, key()); status != 201 {
			t.Fatalf("%d %v", status, got["raw"])
		}
		if status, got := b.ask("POST", "/draft-orders/"+discarded+"/discard", "", owner...); status != 200 {
			t.Fatalf("%d %v", status, got["raw"])
		}
		for _, id := range []string{finalized, discarded} {
			before := b.get(draft.Schema, id)
			for _, edit := range []string{
				`{}`, `{"operatorNotes":"x"}`, `{"status":"draft"}`, `{"lines":[]}`, `{"nonsense":1}`, `{"order":null}`,
			} {
				if status, got := b.patch(id, edit); status != 409 || got.reason() != "draft_not_editable" {
					t.Errorf("%s: %d %v", edit, status, got["raw"])
				}
			}
			for _, action := range []string{"finalize", "discard"} {
				if status, got := b.ask("POST", "/draft-orders/"+id+"/"+action, "", append(owner, "Idempotency-Key", key())...); status != 409 ||
					got.reason() != "draft_not_editable" {
					t.Errorf("%s: %d %v", action, status, got["raw"])
				}
			}
			if status, got := b.ask("PATCH", "/draft-orders?where[id][equals]="+id, `{"operatorNotes":"x"}`, owner...); !strings.Contains(
				got.text("raw"), "draft_not_editable") {
				t.Errorf("many at once: %d %v", status, got["raw"])
			}
			if b.calculate(id).text("currency") != "KRW" {
				t.Error("what it would come to now can still be asked")
			}
			if after := b.get(draft.Schema, id); !reflect.DeepEqual(after, before) {
				t.Errorf("it was %v, is %v", before, after)
			}
		}
	})
}

func TestDraftRefusesInvalidInput(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		line := func(more string) string {
			return `{"lines":[{"variant":"` + b.variants["mug"] + `","quantity":1` + more + `}]}`
		}
		many := strings.Repeat(b.lines("mug")+",", draft.MaxLines) + b.lines("mug")
		for name, c := range map[string]struct{ body, field, says string }{
			"a price":                 {line(`,"unitPrice":1`), "lines.0.unitPrice", "The catalog prices the lines"},
			"a discount on a line":    {line(`,"discount":1`), "lines.0.discount", "The catalog prices the lines"},
			"terms without a reason":  {line(`,"terms":{"unitPrice":1}`), "lines.0.terms.reason", "Say why"},
			"a price below nothing":   {line(`,"terms":{"unitPrice":-1,"reason":"r"}`), "lines.0.terms.unitPrice", "0 or more"},
			"a part of a won off":     {line(`,"terms":{"discountAmount":0.5,"reason":"r"}`), "lines.0.terms.discountAmount", "fraction digits"},
			"more than all off":       {line(`,"terms":{"discountPercent":101,"reason":"r"}`), "lines.0.terms.discountPercent", "100 or less"},
			"no such shipping policy": {`{"shippingPolicy":"` + shops.NewID() + `"}`, "shippingPolicy", "no such record"},
			"anything else on a line": {line(`,"title":"x"`), "lines.0.title", "does not exist"},
			"no such currency":        {`{"currency":"XYZ","shippingFee":null}`, "currency", "ISO 4217"},
			"an unknown market":       {`{"market":"nowhere"}`, "market", "no such active market"},
			"no currency":             {`{"currency":null}`, "currency", "required"},
			"a part of a won":         {`{"shippingFee":0.5}`, "shippingFee", "fraction digits"},
			"less than nothing":       {`{"shippingFee":-1}`, "shippingFee", "0 or more"},
			"no units": {
				`{"lines":[{"variant":"` + b.variants["mug"] + `","quantity":0}]}`, "lines.0.quantity", "1 or more",
			},
			"too many units": {
				`{"lines":[{"variant":"` + b.variants["mug"] + `","quantity":10000}]}`, "lines.0.quantity", "9999 or less",
			},
			"half a unit": {
				`{"lines":[{"variant":"` + b.variants["mug"] + `","quantity":1.5}]}`, "lines.0.quantity", "whole number",
			},
			"no variant":         {`{"lines":[{"quantity":1}]}`, "lines.0.variant", "required"},
			"an unknown variant": {`{"lines":[{"variant":"` + shops.NewID() + `","quantity":1}]}`, "lines.0.variant", "no such record"},
			"too many lines":     {`{"lines":[` + many + `]}`, "lines", "200 lines"},
			"a status":           {`{"status":"finalized"}`, "status", "read-only"},
			"an order":           {`{"order":"` + shops.NewID() + `"}`, "order", "read-only"},
			"totals":             {`{"totals":{"total":1}}`, "totals", "read-only"},
			"an unknown field":   {`{"discount":1}`, "discount", "does not exist"},
		} {
			id := b.draft("", "mug")
			for at, ask := range map[string]func() (int, jsonAnswer){
				"create": func() (int, jsonAnswer) { return b.ask("POST", "/draft-orders", c.body, owner...) },
				"edit":   func() (int, jsonAnswer) { return b.patch(id, c.body) },
			} {
				status, got := ask()
				if status != 400 || got.reason() != "validation_failed" || got.text("errors.0.data.0.field") != c.field ||
					!strings.Contains(got.text("errors.0.data.0.message"), c.says) {
					t.Errorf("%s, %s: %d %v", name, at, status, got["raw"])
				}
			}
		}
		if status, made := b.ask("POST", "/draft-orders", `{"status":"draft","currency":"KRW","order":null,"totals":null}`, owner...); status != 201 ||
			made.text("doc.status") != "draft" || made.at("doc.totals.total") != nil {
			t.Errorf("what a draft is anyway may be said: %d %v", status, made["raw"])
		}
	})
}

func TestDraftRoundTripsThroughUpdate(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.draft(`,"discountCode":"TEN","shippingFee":100`, "2 mug", "lamp")
		_, read := b.ask("GET", "/draft-orders/"+id, "", owner...)
		status, got := b.patch(id, read.text("raw"))
		if status != 200 || got.text("doc.lines.0.id") != read.text("lines.0.id") {
			t.Errorf("%d %v", status, got["raw"])
		}
	})
}

func TestDraftAccess(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		k := func(headers ...string) []string { return append(headers, "Idempotency-Key", key()) }
		for who, c := range map[string]struct {
			headers         []string
			read, calculate int
			write           int
		}{
			"secret key":                {k("X-API-Key", "sk"), 200, 200, 200},
			"secret key that reads":     {k("X-API-Key", "sk_reader"), 200, 200, 403},
			"admin":                     {k("Authorization", "Bearer tenant-admin"), 200, 200, 200},
			"editor":                    {k("Authorization", "Bearer tenant-editor"), 200, 200, 200},
			"viewer":                    {k("Authorization", "Bearer tenant-viewer"), 200, 200, 403},
			"customer":                  {k("Authorization", "Bearer customer"), 403, 403, 403},
			"client key":                {k("X-Client-Key", "pk"), 403, 403, 403},
			"nobody":                    {k(), 401, 401, 401},
			"another shop":              {k("X-API-Key", "sk_stranger"), 404, 404, 404},
			"the other environment":     {k("X-API-Key", "sk_live"), 404, 404, 404},
			"a shop that sells nothing": {k("X-API-Key", "sk_blog"), 200, 403, 0},
		} {
			id := b.draft("", "course")
			at := "/draft-orders/" + id
			if status, got := b.ask("GET", at, "", c.headers...); status != c.read {
				t.Errorf("%s reads: %d %v", who, status, got["raw"])
			}
			if status, got := b.ask("POST", at+"/calculate", "", c.headers...); status != c.calculate {
				t.Errorf("%s calculates: %d %v", who, status, got["raw"])
			}
			if c.write == 0 {
				continue
			}
			if status, got := b.ask("PATCH", at, `{"operatorNotes":"x"}`, c.headers...); status != c.write {
				t.Errorf("%s edits: %d %v", who, status, got["raw"])
			}
			want := c.write
			if want == 200 {
				want = 201
			}
			if status, got := b.ask("POST", at+"/finalize", "", c.headers...); status != want {
				t.Errorf("%s finalizes: %d %v", who, status, got["raw"])
			}
			if status, got := b.ask("POST", "/draft-orders/"+b.draft("", "mug")+"/discard", "", c.headers...); status != c.write {
				t.Errorf("%s discards: %d %v", who, status, got["raw"])
			}
			if status, got := b.ask("DELETE", at, "", c.headers...); status != 405 {
				t.Errorf("%s deletes: %d %v", who, status, got["raw"])
			}
		}
	})
}

func TestNoDraftIsMadeInShopsThatDoNotSell(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		status, got := b.ask("POST", "/draft-orders", `{}`, "X-API-Key", "sk_blog")
		if status != 403 || got.reason() != "feature_disabled" {
			t.Errorf("%d %v", status, got["raw"])
		}
	})
}

func TestFinalizeRequiresAnIdempotencyKey(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.draft("", "course")
		if status, got := b.ask("POST", "/draft-orders/"+id+"/finalize", "", owner...); status != 400 ||
			got.reason() != "idempotency_key_required" {
			t.Errorf("%d %v", status, got["raw"])
		}
		if status, got := b.finalize(id, "ik_of_"+id); status != 400 || got.reason() != "idempotency_key_derived" {
			t.Errorf("%d %v", status, got["raw"])
		}
		k := key()
		if status, got := b.finalize(id, k); status != 201 {
			t.Errorf("%d %v", status, got["raw"])
		}
		if status, got := b.finalize(b.draft("", "course"), k); status != 422 || got.reason() != "idempotency_key_reused" {
			t.Errorf("%d %v", status, got["raw"])
		}
		if status, got := b.ask("POST", "/draft-orders/"+shops.NewID()+"/finalize", "", append(owner, "Idempotency-Key", key())...); status != 404 {
			t.Errorf("%d %v", status, got["raw"])
		}
		if status, got := b.ask("POST", "/draft-orders/"+id+"/finalize",
			`{"source":"checkout"}`, append(owner, "Idempotency-Key", key())...); status != 400 {
			t.Errorf("%d %v", status, got["raw"])
		}
	})
}
