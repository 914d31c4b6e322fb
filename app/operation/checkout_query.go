package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// CheckoutQuery is the list of checkouts among the operations of the shop's server, whose client uses no other transport
// for them. It is the list of the collection: same conditions, same envelope, same rights. Spec 4.6.
func CheckoutQuery(c *content.Content) []Operation {
	return []Operation{{
		Name: "checkouts.query", GraphQL: "checkoutQuery", Summary: "List checkouts",
		Doc:    "As the collection lists them: by any of their fields, in any order, page by page. Without an order the newest come first.",
		Method: get, Path: "/checkouts", At: Server,
		Input: slices.Concat(listInput(checkout.Schema), []collection.Field{
			{Name: "depth", Kind: collection.Integer, Min: collection.At(0), Max: collection.At(collection.MaxDepth), Doc: "Levels of relations that are shown as records in place of ids."},
		}),
		Output:  listOf(collection.Field{To: checkout.Schema.Slug, Doc: "The checkouts of the page."}),
		Reasons: []*fault.Error{collection.ErrQuery, content.ErrTooMuch, ports.ErrSlow},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			q := content.Query{Where: in.Condition("where"), Sort: in.Text("sort"), Show: content.Show{Depth: in.Count("depth", 0)}}
			q.Page, q.Limit = in.Count("page", 1), in.Count("limit", collection.DefaultLimit)
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			page, err := c.List(ctx, call.Principal, checkout.Schema, q)
			if err != nil {
				return once.Answer{}, err
			}
			body, err := page.Append(nil)
			return once.Answer{Result: ports.OK, Body: body}, err
		},
	}}
}

// listInput is what a list of the records of s can be asked for.
func listInput(s *collection.Schema) []collection.Field {
	return []collection.Field{
		{Name: "page", Kind: collection.Integer, Doc: "Which page, from 1."},
		{Name: "limit", Kind: collection.Integer, Doc: "How many a page holds, 0 to 500; 10 when left out, 0 only counts."},
		{Name: "sort", Kind: collection.Text, Doc: "Fields by which to order, with commas; a minus in front turns the order round. Newest first when left out."},
		{Name: "where", Kind: collection.JSON, To: s.Slug, Doc: "Which of them."},
	}
}
