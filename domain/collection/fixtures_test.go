package collection_test

import (
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

type (
	record = collection.Record
	tree   = map[string]any
)

func num(text string) collection.JSONNumber { return collection.JSONNumber(text) }

func dec(text string) money.Decimal {
	d, err := money.ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

// authors and books are test collections with a field of every kind.
var (
	authors = &collection.Schema{Slug: "authors", Singular: "Author", Plural: "Authors", Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true},
		{Name: "secret", Kind: collection.Text, VisibleTo: collection.ServerOnly},
		{Name: "salary", Kind: collection.Money, VisibleTo: collection.Staff},
		{Name: "favourite", Kind: collection.Relation, RelationTo: "books"},
	}}
	pictures = &collection.Schema{
		Slug: "media", Singular: "Media", Plural: "allMedia", Fields: []collection.Field{{Name: "url", Kind: collection.Text}},
	}
	books = &collection.Schema{Slug: "books", Singular: "Book", Plural: "Books", PerEnvironment: true, Fields: []collection.Field{
		{Name: "title", Alias: "name", Kind: collection.Text, Required: true, MaxLength: 10},
		{Name: "blurb", Kind: collection.Textarea},
		{Name: "body", Kind: collection.RichText},
		{Name: "rating", Kind: collection.Number, Min: collection.Bound(0), Max: collection.Bound(5)},
		{Name: "currency", Kind: collection.Text, Uppercase: true, MaxLength: 3},
		{Name: "price", Kind: collection.Money, Min: collection.Bound(1), Max: collection.Bound(1000)},
		{Name: "listPrice", Kind: collection.Money, Currency: "currency"},
		{Name: "pages", Kind: collection.Integer, Min: collection.Bound(1), Max: collection.Bound(9999)},
		{Name: "sold", Kind: collection.Boolean, Default: false},
		{Name: "releasedAt", Kind: collection.Date},
		{Name: "contact", Kind: collection.Email},
		{
			Name: "format", Kind: collection.Select, Options: []string{"paper", "e-book"}, Aliases: map[string]string{"ebook": "e-book"},
			Default: "paper",
		},
		{Name: "moods", Kind: collection.Selects, Options: []string{"sad", "glad"}},
		{Name: "author", Kind: collection.Relation, RelationTo: "authors"},
		{Name: "editors", Kind: collection.RelationMany, RelationTo: "authors"},
		{Name: "cover", Kind: collection.Upload},
		{Name: "plates", Kind: collection.UploadMany},
		{Name: "words", Kind: collection.Texts},
		{Name: "chapters", Kind: collection.Array, Fields: []collection.Field{
			{Name: "id", Kind: collection.Text, ReadOnly: true},
			{Name: "title", Kind: collection.Text, Required: true},
			{Name: "length", Kind: collection.Integer, Default: int64(1)},
			{Name: "translator", Kind: collection.Relation, RelationTo: "authors"},
		}},
		{Name: "notes", Kind: collection.Array, Fields: []collection.Field{{Name: "fee", Kind: collection.Money}}},
		{Name: "shelf", Kind: collection.Group, Fields: []collection.Field{
			{Name: "row", Kind: collection.Integer, Default: int64(3)},
			{Name: "label", Kind: collection.Text},
			{Name: "sign", Kind: collection.Group, Fields: []collection.Field{
				{Name: "colour", Kind: collection.Text, Default: "red"}, {Name: "keeper", Kind: collection.Relation, RelationTo: "authors"},
			}},
		}},
		{Name: "extra", Kind: collection.JSON},
		{Name: "homes", Kind: collection.Texts, URLKind: collection.OriginURL},
		{Name: "site", Kind: collection.Text, URLKind: collection.PageURL},
		{Name: "isbn", Kind: collection.Text, Immutable: true},
		{Name: "copies", Kind: collection.Integer, ReadOnly: true, Default: int64(0)},
		{Name: "stock", Kind: collection.Integer, Source: "anywhere", VisibleTo: collection.Staff},
	}}
)

func registry() *collection.Registry {
	r, err := collection.NewRegistry(authors, pictures, books)
	if err != nil {
		panic(err)
	}
	return r
}

func writer() collection.InputParser {
	n := 0
	return collection.InputParser{Schema: books, Currency: "USD", NewID: func() string { n++; return "row" + strconv.Itoa(n) }}
}

func parser(a collection.Audience) *collection.QueryParser {
	return &collection.QueryParser{Registry: registry(), Schema: books, Audience: a, Fold: strings.ToLower}
}
