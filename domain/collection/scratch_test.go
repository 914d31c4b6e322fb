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

func num(text string) collection.Numeral { return collection.Numeral(text) }

func dec(text string) money.Decimal {
	d, err := money.ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

// authors and books are scratch collections with a field of every kind.
var (
	authors = &collection.Schema{Slug: "authors", Singular: "Author", Plural: "Authors", Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true},
		{Name: "secret", Kind: collection.Text, Read: collection.Nobody},
		{Name: "salary", Kind: collection.Money, Read: collection.Staff},
		{Name: "favourite", Kind: collection.Relation, To: "books"},
	}}
	pictures = &collection.Schema{Slug: "media", Singular: "Media", Plural: "allMedia", Fields: []collection.Field{{Name: "url", Kind: collection.Text}}}
	books    = &collection.Schema{Slug: "books", Singular: "Book", Plural: "Books", Environmented: true, Fields: []collection.Field{
		{Name: "title", Alias: "name", Kind: collection.Text, Required: true, MaxLength: 10},
		{Name: "blurb", Kind: collection.Textarea},
		{Name: "body", Kind: collection.RichText},
		{Name: "rating", Kind: collection.Number, Min: collection.At(0), Max: collection.At(5)},
		{Name: "currency", Kind: collection.Text, Upper: true, MaxLength: 3},
		{Name: "price", Kind: collection.Money, Min: collection.At(1), Max: collection.At(1000)},
		{Name: "listPrice", Kind: collection.Money, Currency: "currency"},
		{Name: "pages", Kind: collection.Integer, Min: collection.At(1), Max: collection.At(9999)},
		{Name: "sold", Kind: collection.Boolean, Default: false},
		{Name: "releasedAt", Kind: collection.Date},
		{Name: "contact", Kind: collection.Email},
		{Name: "format", Kind: collection.Select, Options: []string{"paper", "e-book"}, Aliases: map[string]string{"ebook": "e-book"}, Default: "paper"},
		{Name: "moods", Kind: collection.Selects, Options: []string{"sad", "glad"}},
		{Name: "author", Kind: collection.Relation, To: "authors"},
		{Name: "editors", Kind: collection.RelationMany, To: "authors"},
		{Name: "cover", Kind: collection.Upload},
		{Name: "plates", Kind: collection.UploadMany},
		{Name: "words", Kind: collection.Texts},
		{Name: "chapters", Kind: collection.Array, Fields: []collection.Field{
			{Name: "id", Kind: collection.Text, Owned: true},
			{Name: "title", Kind: collection.Text, Required: true},
			{Name: "length", Kind: collection.Integer, Default: int64(1)},
			{Name: "translator", Kind: collection.Relation, To: "authors"},
		}},
		{Name: "notes", Kind: collection.Array, Fields: []collection.Field{{Name: "fee", Kind: collection.Money}}},
		{Name: "shelf", Kind: collection.Group, Fields: []collection.Field{
			{Name: "row", Kind: collection.Integer, Default: int64(3)},
			{Name: "label", Kind: collection.Text},
			{Name: "sign", Kind: collection.Group, Fields: []collection.Field{{Name: "colour", Kind: collection.Text, Default: "red"}, {Name: "keeper", Kind: collection.Relation, To: "authors"}}},
		}},
		{Name: "extra", Kind: collection.JSON},
		{Name: "homes", Kind: collection.Texts, Web: collection.WebOrigin},
		{Name: "site", Kind: collection.Text, Web: collection.WebPage},
		{Name: "isbn", Kind: collection.Text, Immutable: true},
		{Name: "copies", Kind: collection.Integer, Owned: true, Default: int64(0)},
		{Name: "stock", Kind: collection.Integer, Source: "anywhere", Read: collection.Staff},
	}}
)

func registry() *collection.Registry {
	r, err := collection.NewRegistry(authors, pictures, books)
	if err != nil {
		panic(err)
	}
	return r
}

func writer() collection.Writer {
	n := 0
	return collection.Writer{Schema: books, Currency: "USD", NewID: func() string { n++; return "row" + strconv.Itoa(n) }}
}

func parser(a collection.Audience) *collection.Parser {
	return &collection.Parser{Registry: registry(), Schema: books, Audience: a, Fold: strings.ToLower}
}
