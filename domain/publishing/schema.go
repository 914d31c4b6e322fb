// Package publishing is what a shop tells besides what it sells: posts and pages.
//
// Decisions beyond the contract: what shoppers may read is a draft's opposite, whose time has come. Publishing without a
// date is publishing now, and the date is written down; with a date in the future the record reads published for those
// who run the shop, and appears to shoppers at that moment by itself. Taking it back to draft keeps the date. A post
// without a slug gets one from its title; a page is found by its slug, so it must have one. Who wrote a post is an id to
// shoppers: they do not read users.
package publishing

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// The statuses of posts and pages.
const (
	Draft     = "draft"
	Published = "published"
)

// The states of visibility, which shoppers' reads go by. Nobody sees them.
const (
	hidden    = "hidden"
	scheduled = "scheduled"
	visible   = "visible"
)

var (
	all  = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
	read = []collection.Verb{collection.Read}
)

// told is the access row of both collections: shoppers read what is visible, editors and above write. Contract 2.
func told() collection.Access {
	return collection.Access{
		Viewer: read, Editor: all, Admin: all, SecretKey: all,
		Public: true, PublicWhere: map[string]any{"visibility": map[string]any{"equals": visible}},
	}
}

// state is the fields that decide who reads a record.
func state() []collection.Field {
	return []collection.Field{
		{Name: "status", Kind: collection.Select, Options: []string{Draft, Published}, Default: Draft, Indexed: true, Doc: "Shoppers see what is published, from publishedAt on."},
		{Name: "publishedAt", Kind: collection.Date, Indexed: true, Doc: "When it appears; the moment of publishing when missing."},
		{Name: "visibility", Kind: collection.Select, Options: []string{hidden, scheduled, visible}, Owned: true, Read: collection.Nobody, Indexed: true, Doc: "What shoppers' reads go by.",
			Lapses: &collection.Lapse{From: scheduled, To: visible, At: "publishedAt"}},
	}
}

// Posts is the collection of articles. Contract 3.
var Posts = &collection.Schema{
	Slug: "posts", Singular: "Post", Plural: "Posts", Doc: "An article of the shop.", Access: told(),
	Fields: append([]collection.Field{
		{Name: "title", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 500, Doc: "Title."},
		{Name: "slug", Kind: collection.Text, Unique: true, Indexed: true, MaxLength: 255, Doc: "Handle in addresses, made from the title when missing."},
		{Name: "content", Kind: collection.RichText, Doc: "The text, in the format of the editor that made it."},
		{Name: "author", Kind: collection.Relation, To: "users", Indexed: true, Doc: "Who wrote it."},
		{Name: "categories", Kind: collection.RelationMany, To: "categories", Indexed: true, Doc: "Categories."},
		{Name: "tags", Kind: collection.RelationMany, To: "tags", Indexed: true, Doc: "Tags."},
		{Name: "images", Kind: collection.UploadMany, Doc: "Images in order; the first is the featured one."},
		{Name: "videos", Kind: collection.RelationMany, To: "videos", Doc: "Videos in order."},
	}, state()...),
}

// Pages is the collection of standing pages, such as an imprint. Contract 3.
var Pages = &collection.Schema{
	Slug: "pages", Singular: "Page", Plural: "Pages", Doc: "A standing page of the shop, such as its imprint.", Access: told(),
	Fields: append([]collection.Field{
		{Name: "title", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 500, Doc: "Title."},
		{Name: "slug", Kind: collection.Text, Required: true, Unique: true, Indexed: true, MaxLength: 255, Doc: "Handle in addresses."},
		{Name: "content", Kind: collection.RichText, Doc: "The text, in the format of the editor that made it."},
		{Name: "images", Kind: collection.UploadMany, Doc: "Images in order; the first is the featured one."},
	}, state()...),
}

// Schemas lists the collections of this package.
func Schemas() []*collection.Schema { return []*collection.Schema{Posts, Pages} }

// Complete fills in what follows from the status of a post or page at now: when it was published, and who sees it.
func Complete(next collection.Record, now time.Time) collection.Record {
	next = next.Clone()
	if next.Text("status") != Published {
		next["visibility"] = hidden
		return next
	}
	if next.Time("publishedAt").IsZero() {
		next["publishedAt"] = collection.Instant(now)
	}
	next["visibility"] = visible
	if next.Time("publishedAt").After(now) {
		next["visibility"] = scheduled
	}
	return next
}
