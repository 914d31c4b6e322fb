package timeline_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/timeline"
)

var parcels = &collection.Schema{
	Slug: "parcels", Singular: "ParcelLabel", Plural: "ParcelLabels", Fields: []collection.Field{
		{Name: "status", Kind: collection.Select, Options: []string{"open", "sent"}},
		{Name: "note", Kind: collection.Textarea},
		{Name: "fee", Kind: collection.Money},
		{Name: "urgent", Kind: collection.Boolean},
		{Name: "shippingAddress", Kind: collection.Group, Fields: []collection.Field{
			{Name: "postalCode", Kind: collection.Text}, {Name: "city", Kind: collection.Text},
		}},
		{Name: "items", Kind: collection.Array, Fields: []collection.Field{{Name: "sku", Kind: collection.Text}}},
	},
}

func object(t *testing.T, text string) (o map[string]any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		t.Fatal(err)
	}
	return numerals(o).(map[string]any)
}

// numerals has collection.JSONNumber in place of json.Number.
func numerals(v any) any {
	switch x := v.(type) {
	case json.Number:
		return collection.JSONNumber(x)
	case map[string]any:
		for name := range x {
			x[name] = numerals(x[name])
		}
	}
	return v
}

func TestChangesAreToldForPeople(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ before, after, changes, summary string }{
		{`{"status":"open"}`, `{"status":"sent"}`, `status/Status: open → sent`, "Status changed from open to sent"},
		{`{"note":null,"status":"open"}`, `{"note":"Ring twice","status":"sent"}`,
			`status/Status: open → sent, note/Note: <nil> → Ring twice`, "Status changed from open to sent, and one more field"},
		{`{"note":null}`, `{"note":"Ring"}`, `note/Note: <nil> → Ring`, "Note changed from nothing to Ring"},
		{`{"note":"Ring\ntwice"}`, `{"note":null}`, "note/Note: Ring\ntwice → <nil>", "Note changed"},
		{`{"note":"` + strings.Repeat("x", 61) + `"}`, `{"note":""}`, "note/Note: " + strings.Repeat("x", 61) + " → ", "Note changed"},
		{`{"fee":1500,"urgent":false}`, `{"fee":{"amount":2000,"currency":"KRW"},"urgent":true}`,
			`fee/Fee: 1500 → map[amount:2000 currency:KRW], urgent/Urgent: false → true`, "Fee changed from 1500 to 2000 KRW, and one more field"},
		{`{"shippingAddress":{"postalCode":"1","city":"Seoul"}}`, `{"shippingAddress":{"postalCode":"1","city":"Busan"}}`,
			`shippingAddress.city/Shipping address: city: Seoul → Busan`, "Shipping address: city changed from Seoul to Busan"},
		{`{"shippingAddress":null}`, `{"shippingAddress":{"postalCode":"1","city":"Busan"}}`,
			`shippingAddress.postalCode/Shipping address: postal code: <nil> → 1, shippingAddress.city/Shipping address: city: <nil> → Busan`,
			"Shipping address: postal code changed from nothing to 1, and one more field"},
		{`{"items":[{"sku":"A"}]}`, `{"items":[]}`, `items/Items: [map[sku:A]] → []`, "Items changed"},
		{`{"status":"open"}`, `{"status":"open"}`, ``, "Parcel label changed"},
	} {
		before, after := object(t, x.before), object(t, x.after)
		var names, told []string
		for name := range after {
			names = append(names, name)
		}
		changes := timeline.Between(parcels, names, before, after)
		for _, c := range changes {
			told = append(told, fmt.Sprintf("%s/%s: %v → %v", c.Path, c.Label, c.From, c.To))
		}
		if got := strings.Join(told, ", "); got != x.changes {
			t.Errorf("%s to %s: %q, want %q", x.before, x.after, got, x.changes)
		}
		if got := timeline.Summary(parcels, collection.Updated, changes); got != x.summary {
			t.Errorf("%s to %s: %q, want %q", x.before, x.after, got, x.summary)
		}
	}
	if got := timeline.Summary(parcels, collection.Created, nil); got != "Parcel label created" {
		t.Error(got)
	}
	if got := timeline.Summary(parcels, collection.Deleted, nil); got != "Parcel label deleted" {
		t.Error(got)
	}
	if unnamed := timeline.Between(parcels, nil, object(t, `{"note":"a"}`), object(t, `{"note":"b"}`)); unnamed != nil {
		t.Error("what the event does not name has not changed", unnamed)
	}
}

func TestANewRecordTellsWhatWasDecidedForIt(t *testing.T) {
	t.Parallel()
	sale := &collection.Schema{Slug: "sales", Singular: "Sale", Plural: "Sales", Fields: []collection.Field{
		{Name: "method", Kind: collection.Text, ToldWhenCreated: true},
		{Name: "note", Kind: collection.Text},
		{Name: "lines", Kind: collection.Array, Fields: []collection.Field{
			{Name: "sku", Kind: collection.Text},
			{Name: "terms", Kind: collection.Group, ToldWhenCreated: true, Fields: []collection.Field{
				{Name: "unitPrice", Kind: collection.Money}, {Name: "reason", Kind: collection.Text},
			}},
		}},
	}}
	for after, want := range map[string]string{
		`{"note":"x","lines":[{"sku":"A","terms":null}]}`: "",
		`{"method":"Express","lines":[{"sku":"A"},{"sku":"B","terms":{"unitPrice":800,"reason":"a scratch"}}]}`: "method/Method: Express, " +
			"lines.1.terms.unitPrice/Lines 2: terms: unit price: 800, lines.1.terms.reason/Lines 2: terms: reason: a scratch",
	} {
		var told []string
		for _, c := range timeline.Made(sale, object(t, after)) {
			told = append(told, fmt.Sprintf("%s/%s: %v", c.Path, c.Label, c.To))
		}
		if got := strings.Join(told, ", "); got != want {
			t.Errorf("%s tells %q", after, got)
		}
	}
}
