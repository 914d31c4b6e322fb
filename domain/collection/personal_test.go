package collection_test

import (
	"reflect"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

var people = &collection.Schema{
	Slug: "people", Singular: "Person", Plural: "People",
	Fields: []collection.Field{
		{Name: "email", Kind: collection.Email, Required: true, Personal: true},
		{Name: "second", Kind: collection.Email, Personal: true},
		{Name: "name", Kind: collection.Text, NonNull: true, Personal: true},
		{Name: "labels", Kind: collection.Texts, Personal: true},
		{Name: "words", Kind: collection.JSON, NonNull: true, Personal: true},
		{Name: "data", Kind: collection.JSON, Personal: true},
		{Name: "number", Kind: collection.Text},
		{Name: "at", Kind: collection.Group, Fields: []collection.Field{
			{Name: "street", Kind: collection.Text, Personal: true}, {Name: "country", Kind: collection.Text},
		}},
		{Name: "rows", Kind: collection.Array, Fields: []collection.Field{
			{Name: "note", Kind: collection.Textarea, Personal: true}, {Name: "units", Kind: collection.Integer},
		}},
	},
}

func TestRedact(t *testing.T) {
	t.Parallel()
	ann := func() collection.Record {
		return collection.Record{
			"id": "p1", "email": "ann@people.example", "second": "a@people.example", "name": "Ann", "labels": []string{"vip"},
			"words": map[string]any{"engrave": "Ann"}, "data": map[string]any{"age": true}, "number": "N-1",
			"at":   collection.Record{"street": "Elm 1", "country": "KR"},
			"rows": []collection.Record{{"note": "for Ann", "units": int64(2)}, {"units": int64(1)}},
		}
	}
	was := ann()
	got, changed := people.Redact(was)
	want := collection.Record{
		"id": "p1", "email": "erased-p1@erased.invalid", "second": nil, "name": "erased", "labels": nil, "words": map[string]any{}, "data": nil,
		"number": "N-1", "at": collection.Record{"street": nil, "country": "KR"},
		"rows": []collection.Record{{"note": nil, "units": int64(2)}, {"units": int64(1)}},
	}
	if !changed || !reflect.DeepEqual(got, want) {
		t.Errorf("redacted: %v", got)
	}
	if !reflect.DeepEqual(was, ann()) {
		t.Errorf("the record itself was changed: %v", was)
	}
	if again, changed := people.Redact(got); changed || !reflect.DeepEqual(again, want) {
		t.Errorf("redacted twice: %v", again)
	}
	empty := collection.Record{"id": "p2", "number": "N-2", "rows": []collection.Record{}}
	if same, changed := people.Redact(empty); changed || !reflect.DeepEqual(same, empty) {
		t.Errorf("a record without anything personal: %v", same)
	}
}

func TestPersonalPaths(t *testing.T) {
	t.Parallel()
	want := []string{"email", "second", "name", "labels", "words", "data", "at.street", "rows.note"}
	if got := people.PersonalPaths(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

// The address of an erasure is nobody's.
func TestErasedAddressesStay(t *testing.T) {
	t.Parallel()
	of := collection.ErasedEmail("0190c5d2-1f6b-7a31-9c53-4a2b6c7d8e9f")
	if _, changed := people.Redact(collection.Record{"id": "p1", "email": of, "second": of}); changed {
		t.Error("the address of another record's erasure was replaced")
	}
	for text, want := range map[string]bool{
		of: true, "erased-g1@erased.invalid": true, "Erased-g1@erased.invalid": false, "erased-@erased.invalid": false,
		"erased-ann at elm street@erased.invalid": false, "ann@erased.invalid": false, "erased-g1@erased.invalid.example": false, "": false,
		"erased-g1@erasedxinvalid": false,
	} {
		if got := collection.IsErasedEmail(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
