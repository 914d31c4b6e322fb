package reply_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

var mugs = &collection.Schema{Slug: "mugs", Fields: []collection.Field{
	{Name: "name", Kind: collection.Text},
	{Name: "cost", Kind: collection.Money, VisibleTo: collection.Staff},
	{Name: "secret", Kind: collection.Text},
	{Name: "hash", Kind: collection.Text, VisibleTo: collection.ServerOnly},
	{Name: "shop", Kind: collection.Relation, RelationTo: "mugs"},
}}

func mug() collection.Record {
	return collection.Record{"id": "m1", "name": `a "mug"`, "cost": money.Of(150, "USD"), "hash": "h", "shop": "m2"}
}

const (
	shownToStaff    = `{"id":"m1","tenant":null,"createdAt":null,"updatedAt":null,"revision":0,"name":"a \"mug\"","cost":1.5,"secret":null,"shop":"m2"}`
	shownToEveryone = `{"id":"m1","tenant":null,"createdAt":null,"updatedAt":null,"name":"a \"mug\"","secret":null,"shop":"m2"}`
)

func TestMembersAreWrittenInOrder(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for want, members := range map[string]reply.Object{
		`{}`: {},
		`{"a":null,"b":"x","c":1,"d":1.5,"e":"2026-01-02T03:04:05.000Z","f":{"y":1,"z":true}}`: {
			{Name: "a"}, {Name: "b", Value: "x"}, {Name: "c", Value: int64(1)}, {Name: "d", Value: money.Of(150, "USD")},
			{Name: "e", Value: at}, {Name: "f", Value: map[string]any{"z": true, "y": 1}},
		},
		`{"doc":null,"docs":[` + shownToEveryone + `],"none":[]}`: {
			{Name: "doc", Schema: mugs}, {Name: "docs", Schema: mugs, Value: reply.Records{mug()}},
			{Name: "none", Schema: mugs, Value: reply.Records(nil)},
		},
		`{"list":[1,{"a":1,"b":2},[]]}`: {
			{Name: "list", Value: reply.List{1, reply.Object{{Name: "a", Value: 1}, {Value: reply.JSON(`{"b":2}`)}}, reply.List(nil)}},
		},
		shownToEveryone:                 {{Schema: mugs, Record: mug()}},
		`{"name":"a \"mug\"","last":1}`: {{Fields: mugs.Fields[:1], Record: mug()}, {Value: reply.JSON(`{}`)}, {Name: "last", Value: 1}},
		`{"first":1,"name":"a \"mug\"","z":2}`: {
			{Name: "first", Value: 1}, {Fields: mugs.Fields[:2], Record: mug()}, {Name: "z", Value: 2},
		},
	} {
		if got := reply.Of(collection.Everyone, members...).String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := reply.Of(collection.Staff, reply.Member{Schema: mugs, Record: mug()}).String(); got != shownToStaff {
		t.Errorf("staff is shown %s", got)
	}
}

func TestBytesAreMadeOnceAndShared(t *testing.T) {
	t.Parallel()
	b := reply.Of(collection.Everyone, reply.Member{Name: "doc", Schema: mugs, Record: mug()},
		reply.Member{Name: "n", Value: 1}).WithRoom(4096)
	if &b.Receipt()[0] != &b.Bytes()[0] || &b.First()[0] != &b.Bytes()[len(`{"doc":`)] {
		t.Error("receipt, reply and event have bytes of their own")
	}
	if string(b.First()) != shownToEveryone {
		t.Errorf("the first member is %s", b.First())
	}
	var none *reply.Body
	if none.Bytes() != nil || none.Receipt() != nil || reply.FromText(nil) != nil {
		t.Error("no body has bytes")
	}
}

// A receipt lives for days in the database and in caches: what grants access is never in it.
func TestNoReceiptHasSecret(t *testing.T) {
	t.Parallel()
	doc := reply.Member{Name: "doc", Schema: mugs, Record: collection.Record{"id": "m1", "name": `"secret":null`}}
	kept := `{"doc":{"id":"m1","tenant":null,"createdAt":null,"updatedAt":null,"name":"\"secret\":null","secret":null,"shop":null}}`
	for want, s := range map[string]reply.Secret{
		kept: {Name: "cartToken"},
		`{"doc":{"id":"m1","tenant":null,"createdAt":null,"updatedAt":null,"name":"\"secret\":null","secret":null,"shop":null},"cartToken":"ct_1"}`: {
			Name: "cartToken", Text: "ct_1",
		},
		`{"doc":{"id":"m1","tenant":null,"createdAt":null,"updatedAt":null,"name":"\"secret\":null","secret":"whsec_1","shop":null},"secret":"whsec_1"}`: {
			Name: "secret", Text: "whsec_1", Within: "doc",
		},
	} {
		for name, b := range map[string]*reply.Body{"made": reply.Of(collection.Everyone, doc), "replayed": reply.FromText([]byte(kept))} {
			b = b.WithSecret(s)
			if string(b.Bytes()) != want || string(b.Receipt()) != kept || string(b.Bytes()) != want {
				t.Errorf("%s: the reply is %s, the receipt %s", name, b.Bytes(), b.Receipt())
			}
			source, err := b.Source(collection.Everyone)
			shown, _ := source.(map[string]any)
			if err != nil || s.Text != "" && shown[s.Name] != s.Text {
				t.Errorf("%s: fields are resolved from %v %v", name, source, err)
			}
		}
	}
}

func TestFieldsAreResolvedFromMembers(t *testing.T) {
	t.Parallel()
	mugTree := func(shop any) map[string]any {
		return map[string]any{"id": "m1", "tenant": nil, "createdAt": nil, "updatedAt": nil, "name": `a "mug"`, "secret": nil, "shop": shop}
	}
	shownShop := map[string]any{"id": "m2", "tenant": nil, "createdAt": nil, "updatedAt": nil, "name": "shop", "secret": nil, "shop": nil}
	withN := func(t map[string]any) map[string]any { t["n"] = 1; return t }
	record, shop := mug(), collection.Record{"id": "m2", "name": "shop", "cost": money.Of(1, "USD")}
	embedded := &collection.View{Depth: 1, Resolve: func(_, id string) (*collection.Schema, collection.Record, bool) {
		return mugs, map[string]collection.Record{"m2": shop}[id], true
	}}
	for name, c := range map[string]struct {
		audience, viewer collection.Audience
		members          reply.Object
		want             any
	}{
		"a record as it is": {
			collection.Staff, collection.Staff, reply.Object{{Name: "doc", Schema: mugs, Record: record}}, map[string]any{"doc": record},
		},
		"a record of which the viewer may see more": {
			collection.Everyone, collection.Staff, reply.Object{{Name: "doc", Schema: mugs, Record: record}},
			map[string]any{"doc": mugTree("m2")},
		},
		"an embedded record": {
			collection.Everyone, collection.Everyone, reply.Object{{Name: "doc", Schema: mugs, Record: record, View: embedded}},
			map[string]any{"doc": mugTree(shownShop)},
		},
		"the members of a record in place": {
			collection.Everyone, collection.Everyone, reply.Object{{Schema: mugs, Record: record}, {Name: "n", Value: 1}},
			withN(mugTree("m2")),
		},
		"a record alone": {collection.Everyone, collection.Everyone, reply.Object{{Schema: mugs, Record: record}}, record},
		"no record":      {collection.Everyone, collection.Everyone, reply.Object{{Name: "doc", Schema: mugs}}, map[string]any{"doc": nil}},
		"a list of records": {
			collection.Everyone, collection.Everyone, reply.Object{{Name: "docs", Schema: mugs, Value: reply.Records{record}}},
			map[string]any{"docs": []collection.Record{record}},
		},
		"values as plain JSON": {collection.Everyone, collection.Everyone, reply.Object{
			{Name: "amount", Value: money.Of(150, "USD")}, {Name: "at", Value: time.Unix(0, 0).UTC()},
			{Name: "list", Value: reply.List{reply.Object{{Name: "a", Value: "b"}}}}, {Name: "stored", Value: reply.JSON(`{"n":1.50}`)},
		}, map[string]any{
			"amount": collection.JSONNumber("1.5"), "at": "1970-01-01T00:00:00.000Z", "list": []any{map[string]any{"a": "b"}},
			"stored": map[string]any{"n": collection.JSONNumber("1.50")},
		}},
	} {
		got, err := reply.Of(c.audience, c.members...).Source(c.viewer)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v %v, want %v", name, got, err, c.want)
		}
	}
}
