package portstest

import (
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// The scratch collections: every kind of field, relations over two hops, lists, groups, environments. No
// store knows them in advance.
var (
	countries = &collection.Schema{Slug: "countries", Singular: "Country", Plural: "Countries", Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Indexed: true}, {Name: "size", Kind: collection.Number}}}
	makers = &collection.Schema{Slug: "makers", Singular: "Maker", Plural: "Makers", Fields: []collection.Field{
		{Name: "name", Kind: collection.Text}, {Name: "country", Kind: collection.Relation, RelationTo: "countries"},
		{
			Name: "standing", Kind: collection.Select, Options: []string{"open", "closed"},
			Transition: &collection.TimedTransition{From: "open", To: "closed", At: "until"},
		},
		{Name: "until", Kind: collection.Date}}}
	media = &collection.Schema{
		Slug: "media", Singular: "Media", Plural: "Medias", Fields: []collection.Field{{Name: "alt", Kind: collection.Text}},
	}
	deals = &collection.Schema{
		Slug: "deals", Singular: "Deal", Plural: "Deals", PerEnvironment: true, UniqueSets: [][]string{{"maker", "order"}},
		Fields: []collection.Field{
			{Name: "code", Kind: collection.Text, Unique: true}, {Name: "maker", Kind: collection.Text},
			{Name: "order", Kind: collection.Integer}},
	}
	things = &collection.Schema{Slug: "scratch-things", Singular: "ScratchThing", Plural: "ScratchThings", Fields: []collection.Field{
		{Name: "title", Kind: collection.Text, Indexed: true},
		{Name: "body", Kind: collection.Textarea},
		{Name: "mail", Kind: collection.Email},
		{Name: "state", Kind: collection.Select, Options: []string{"draft", "published", "out-of-stock"}, Indexed: true,
			Transition: &collection.TimedTransition{From: "published", To: "out-of-stock", At: "soldAt"}},
		{Name: "weight", Kind: collection.Number, Indexed: true},
		{Name: "price", Kind: collection.Money, Indexed: true},
		{Name: "order", Kind: collection.Integer, Indexed: true}, // a reserved word
		{Name: "fragile", Kind: collection.Boolean},
		{Name: "soldAt", Kind: collection.Date, Indexed: true},
		{Name: "maker", Kind: collection.Relation, RelationTo: "makers", Indexed: true},
		{Name: "rivals", Kind: collection.RelationMany, RelationTo: "makers", Indexed: true},
		{Name: "cover", Kind: collection.Upload},
		{Name: "images", Kind: collection.UploadMany},
		{Name: "labels", Kind: collection.Texts, Indexed: true, MaxLength: 255},
		{Name: "marks", Kind: collection.Selects, Options: []string{"new", "hot"}},
		{Name: "sequence", Kind: collection.Integer}, // a name that the table itself may use
		{Name: "info", Kind: collection.Group, Fields: []collection.Field{
			{Name: "note", Kind: collection.Text},
			{Name: "maker", Kind: collection.Relation, RelationTo: "makers"}, {Name: "shots", Kind: collection.UploadMany, Indexed: true},
			{Name: "deep", Kind: collection.Group, Fields: []collection.Field{{Name: "rank", Kind: collection.Integer}}}}},
		{Name: "lines", Kind: collection.Array, Fields: []collection.Field{
			{Name: "name", Kind: collection.Text}, {Name: "quantity", Kind: collection.Integer}, {Name: "cost", Kind: collection.Money},
			{Name: "share", Kind: collection.Number}, {Name: "gift", Kind: collection.Boolean}, {Name: "at", Kind: collection.Date},
			{Name: "state", Kind: collection.Select, Options: []string{"draft", "published"}},
			{Name: "maker", Kind: collection.Relation, RelationTo: "makers"}, {Name: "tags", Kind: collection.Texts},
			{Name: "parts", Kind: collection.Array, Fields: []collection.Field{{Name: "name", Kind: collection.Text}}}}},
		{Name: "extra", Kind: collection.JSON},
		{Name: "story", Kind: collection.RichText},
		{Name: "hash", Kind: collection.Text, VisibleTo: collection.ServerOnly, Indexed: true},
	}}
)

// ScratchRegistry has the scratch collections.
func ScratchRegistry() *collection.Registry {
	r, err := collection.NewRegistry(countries, makers, media, deals, things)
	if err != nil {
		panic(err)
	}
	return r
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// later is the time of queries: some timed transitions are before it, some at it, some after.
var later = noon.Add(2 * time.Millisecond)

func decimal(text string) money.Decimal {
	d, err := money.ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

// scratchData are records that differ in every way that queries can distinguish, including nulls and
// difficult texts.
func scratchData() []stored {
	usd, krw, kwd := func(n int64) money.Money { return money.Of(n, "USD") }, func(n int64) money.Money { return money.Of(n, "KRW") },
		func(n int64) money.Money { return money.Of(n, "KWD") }
	titles := []any{
		nil, "", "Straße", "STRASSE 9", "İstanbul ısı", "ＡＢＣ wide", "100% _pure_", "100x xpurex", "a\\b 'quoted' \"twice\"",
		"\U0001F600 smile", "\uFFFDx", "nul\u0001\ttab", "zebra", "Zebra", "éclair", "e\u0301clair",
	}
	prices := []any{nil, usd(1999), krw(20), kwd(19_990), usd(-5), usd(0), usd(1_000_000_000_000), krw(19)}
	weights := []any{nil, decimal("0.1"), decimal("12.5"), decimal("-3"), decimal("0.00000001"), decimal("80000000000")}
	all := []stored{
		{countries, collection.Record{"id": "c1", "name": "Österreich", "size": decimal("83.879")}},
		{countries, collection.Record{"id": "c2", "name": "korea"}},
		{makers, collection.Record{"id": "m1", "name": "Ärzte", "country": "c1", "standing": "open", "until": later}},
		{makers, collection.Record{"id": "m2", "name": "beta", "country": "c2", "standing": "open", "until": later.Add(time.Millisecond)}},
		{makers, collection.Record{"id": "m3", "name": "gamma", "standing": "open"}},
		{media, collection.Record{"id": "i1", "alt": "Front"}},
	}
	for i := range 24 {
		r := collection.Record{
			"id": fmt.Sprintf("t%02d", (i*7)%24), "title": titles[i%len(titles)], "price": prices[i%len(prices)],
			"weight": weights[i%len(weights)],
		}
		if i%3 > 0 {
			r["order"], r["fragile"], r["sequence"] = int64(i%5-2), i%2 == 0, int64(i%4)
			r["soldAt"] = noon.Add(time.Duration(i%4) * time.Millisecond)
			r["maker"] = fmt.Sprint("m", 1+i%4) // m4 does not exist
			r["mail"], r["state"] = fmt.Sprintf("u%d@example.com", i%6), things.Fields[3].Options[i/2%3]
			r["labels"], r["marks"] = []string{"red", "100%", "Red \"x\""}[:i%4], []string{"hot"}
			r["rivals"], r["cover"], r["images"] = []string{"m1", "m2", "m9"}[i%3:], "i1", []string{"i1"}
		}
		if i%4 > 0 {
			c := money.Currency("USD")
			if m, ok := r.Money("price"); ok {
				c = m.Currency
			}
			r["info"] = collection.Record{
				"note": titles[(i+3)%len(titles)], "maker": fmt.Sprint("m", 1+i%3), "shots": []string{"i1", "i9"}[i%2:],
				"deep": collection.Record{"rank": int64(i % 3)},
			}
			r["lines"] = []collection.Record{
				{
					"name": titles[(i+5)%len(titles)], "quantity": int64(i % 3), "cost": money.Of(int64(i%3)*1000, c),
					"share": decimal("0.1"), "gift": i%2 == 0, "at": noon.Add(time.Duration(i%3) * time.Hour), "state": "draft",
					"maker": "m1", "tags": []string{"x"},
				},
				{"name": "Große Sache", "parts": []collection.Record{{"name": "ÄUSSERE"}}},
			}[:i%3]
			r["extra"] = map[string]any{"a": []any{collection.JSONNumber("1e400"), nil, true, "\u0000\\u0000\ufdd0"}, "_currency": "KRW"}
			r["story"], r["body"], r["hash"] = []any{"x"}, "Some BODY text", fmt.Sprint("h", i)
		}
		all = append(all, stored{things, withoutNulls(r)})
	}
	return all
}

// stored is a record of a collection.
type stored struct {
	schema *collection.Schema
	record collection.Record
}

// withoutNulls removes nulls below the top level, as stored documents do.
func withoutNulls(r collection.Record) collection.Record {
	for key, v := range r {
		switch v := v.(type) {
		case nil:
			delete(r, key)
		case collection.Record:
			withoutNulls(v)
		case []collection.Record:
			for _, row := range v {
				withoutNulls(row)
			}
		}
	}
	return r
}
