package collection_test

import (
	"fmt"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Encoding a record into a large enough buffer allocates nothing, however many fields its collection has:
// each write of a cart encodes it five times.
func TestEncodingDoesNotAllocate(t *testing.T) {
	s := &collection.Schema{Slug: "wide", PerEnvironment: true}
	r := collection.Record{"id": "1", "tenant": "a", "environment": "live"}
	for i := range 40 {
		name := fmt.Sprint("field", i)
		s.Fields = append(s.Fields, collection.Field{Name: name, Kind: collection.Text})
		r[name] = "value"
	}
	room := make([]byte, 0, 4096)
	for name, encode := range map[string]func(){
		"answer":   func() { collection.AppendJSON(room, s, r, collection.View{Audience: collection.Staff}) },
		"document": func() { collection.AppendStored(room, s, r) },
	} {
		if n := testing.AllocsPerRun(100, encode); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// A declared field replaces an envelope field of its name.
func TestDeclaredFieldsReplaceEnvelopeFields(t *testing.T) {
	s := &collection.Schema{Slug: "x", PerEnvironment: true, Fields: []collection.Field{{Name: "createdAt", Kind: collection.Text}}}
	got := string(collection.AppendJSON(nil, s, collection.Record{"id": "1", "createdAt": "text"}, collection.View{}))
	want := `{"id":"1","tenant":null,"environment":null,"updatedAt":null,"createdAt":"text"}`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if f, _ := s.Field("createdAt"); f.Kind != collection.Text {
		t.Errorf("Field returned %v", f.Kind)
	}
}
