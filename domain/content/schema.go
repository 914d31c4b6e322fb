// Package content declares the posts and pages of a shop.
//
// Details that the rules leave open: shoppers can read records that are published and whose publishedAt has
// passed. Publishing without a date sets it to the current time. With a date in the future the record has the
// status published for users of the shop and appears to shoppers at that time. Taking it back to draft keeps
// the date. A post without a slug gets one from its title; a page is found by its slug, so it must have one.
// Shoppers cannot read users; of the author of a post they see the name and the picture.
package content

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// The statuses of posts and pages.
const (
	Draft     = "draft"
	Published = "published"
)

// The states of visibility, which decide what shoppers can read. No API shows them.
const (
	hidden    = "hidden"
	scheduled = "scheduled"
	visible   = "visible"
)

var (
	all  = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
	read = []collection.Verb{collection.Read}
)

// contentAccess is the access row of both collections: shoppers read what is visible, editors and above write.
// Rule content-1.
func contentAccess() collection.Access {
	return collection.Access{
		Viewer: read, Editor: all, Admin: all, SecretKey: all,
		Public: true, PublicWhere: map[string]any{"visibility": map[string]any{"equals": visible}},
	}
}

// visibilityFields are the fields that decide who can read a record.
func visibilityFields() []collection.Field {
	return []collection.Field{
		{
			Name: "status", Kind: collection.Select, Options: []string{Draft, Published}, Default: Draft, Indexed: true,
			Doc: "Shoppers see what is published, from publishedAt on.",
		},
		{Name: "publishedAt", Kind: collection.Date, Indexed: true, Doc: "When it appears; the moment of publishing when missing."},
		{
			Name: "visibility", Kind: collection.Select, Options: []string{hidden, scheduled, visible}, ReadOnly: true,
			VisibleTo: collection.ServerOnly, Indexed: true, Doc: "What shoppers' reads go by.",
			Transition: &collection.TimedTransition{From: scheduled, To: visible, At: "publishedAt"},
		},
	}
}

// Posts is the collection of articles. Rule collections-20.
var Posts = &collection.Schema{
	Slug: "posts", Singular: "Post", Plural: "Posts", Doc: "An article of the shop.", Access: contentAccess(),
	Fields: collection.WithTranslations(append([]collection.Field{
		{Name: "title", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 500, Translatable: true, Doc: "Title."},
		{
			Name: "slug", Kind: collection.Text, Unique: true, Indexed: true, MaxLength: 255, Translatable: true,
			Doc: "Handle in addresses, made from the title when missing.",
		},
		{Name: "content", Kind: collection.RichText, Translatable: true, Doc: "The text, in the format of the editor that made it."},
		{Name: "author", Kind: collection.Relation, RelationTo: "users", Indexed: true, Doc: "Who wrote it."},
		{Name: "categories", Kind: collection.RelationMany, RelationTo: "categories", Indexed: true, Doc: "Categories."},
		{Name: "tags", Kind: collection.RelationMany, RelationTo: "tags", Indexed: true, Doc: "Tags."},
		{Name: "images", Kind: collection.UploadMany, Doc: "Images in order; the first is the featured one."},
		{Name: "videos", Kind: collection.RelationMany, RelationTo: "videos", Doc: "Videos in order."},
		collection.SEO(),
	}, visibilityFields()...)...),
}

// Pages is the collection of standing pages, such as an imprint. Rule content-3.
var Pages = &collection.Schema{
	Slug: "pages", Singular: "Page", Plural: "Pages", Doc: "A standing page of the shop, such as its imprint.", Access: contentAccess(),
	Fields: collection.WithTranslations(append([]collection.Field{
		{Name: "title", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 500, Translatable: true, Doc: "Title."},
		{
			Name: "slug", Kind: collection.Text, Required: true, Unique: true, Indexed: true, MaxLength: 255, Translatable: true,
			Doc: "Handle in addresses.",
		},
		{Name: "content", Kind: collection.RichText, Translatable: true, Doc: "The text, in the format of the editor that made it."},
		{Name: "images", Kind: collection.UploadMany, Doc: "Images in order; the first is the featured one."},
		collection.SEO(),
	}, visibilityFields()...)...),
}

// Schemas lists the collections of this package.
func Schemas() []*collection.Schema { return []*collection.Schema{Posts, Pages} }

// Complete fills in what follows from the status of a post or page at now: when it was published, and who can
// see it.
func Complete(next collection.Record, now time.Time) collection.Record {
	next = next.Clone()
	if next.Text("status") != Published {
		next["visibility"] = hidden
		return next
	}
	if next.Time("publishedAt").IsZero() {
		next["publishedAt"] = collection.TruncateTime(now)
	}
	next["visibility"] = visible
	if next.Time("publishedAt").After(now) {
		next["visibility"] = scheduled
	}
	return next
}
