package identity

import (
	"reflect"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

func TestMergeTakesWhatIsMissing(t *testing.T) {
	home := collection.Record{"label": "Home", "recipientName": "Kim", "address1": "Gangnam 1", "isDefault": true}
	work := collection.Record{"label": "Work", "recipientName": "Kim", "address1": "Jongno 2", "isDefault": true}
	into := collection.Record{
		"email": "a@shop.example", "name": "Kim", "groups": []string{"vip"}, "note": "Likes tea.", "addresses": []collection.Record{home},
		"metadata": map[string]any{"size": "M"}, "marketingConsent": false,
	}
	from := collection.Record{
		"email": "b@shop.example", "name": "K.", "phone": "010-1", "groups": []string{"vip", "press"}, "note": "Called twice.",
		"addresses": []collection.Record{{"label": "Old", "recipientName": "Kim", "address1": "Gangnam 1"}, work},
		"metadata":  map[string]any{"size": "L", "vat": "1"}, "marketingConsent": true,
	}
	got := Merge(into, from)
	movedWork := work.Clone()
	movedWork["isDefault"] = false
	for name, want := range map[string]any{
		"email": "a@shop.example", "name": "Kim", "phone": "010-1", "groups": []string{"vip", "press"}, "note": "Likes tea.\nCalled twice.",
		"addresses": []collection.Record{home, movedWork}, "metadata": map[string]any{"size": "M", "vat": "1"}, "marketingConsent": false,
	} {
		if !reflect.DeepEqual(got[name], want) {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	if into.Text("phone") != "" || len(into["addresses"].([]collection.Record)) != 1 || work["isDefault"] != true {
		t.Error("the customers were changed in place")
	}
	alone := Merge(collection.Record{"email": "a@shop.example", "metadata": "text"}, from)
	if alone.Text("note") != "Called twice." || alone["metadata"] != "text" || len(alone["addresses"].([]collection.Record)) != 2 {
		t.Errorf("%v", alone)
	}
}

// Rule access-66.
func TestMergeKeepsTheEarlierRequestToBeErased(t *testing.T) {
	early, late := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ into, from, want any }{
		"nobody asked":        {nil, nil, nil},
		"who stays asked":     {early, nil, early},
		"who goes asked":      {nil, late, late},
		"who goes asked 1st":  {late, early, early},
		"who stays asked 1st": {early, late, early},
	} {
		got := Merge(collection.Record{"erasureRequestedAt": c.into}, collection.Record{"erasureRequestedAt": c.from})
		if got["erasureRequestedAt"] != c.want {
			t.Errorf("%s: %v", name, got["erasureRequestedAt"])
		}
	}
}

// Rule access-70. Who takes a request over waits for an answer, and is not told the one to their request before.
func TestMergeOfARequestForgetsWhatWasDeclined(t *testing.T) {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	declined := collection.Record{"erasureDeclinedAt": day, "erasureDeclineReason": "An order is open."}
	got := Merge(declined, collection.Record{"erasureRequestedAt": day.AddDate(0, 0, 1)})
	if got.Time("erasureRequestedAt").IsZero() || got["erasureDeclinedAt"] != nil || got["erasureDeclineReason"] != nil {
		t.Errorf("with a request: %v", got)
	}
	if got := Merge(declined, collection.Record{}); got["erasureDeclineReason"] != "An order is open." {
		t.Errorf("without one: %v", got)
	}
}
