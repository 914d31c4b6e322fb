package search

import (
	"cmp"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
)

// Hit is what tells a record from others in a list of what was found.
type Hit struct {
	Title    string // the number or name; the id where there is none
	Subtitle string // who or what else; "" for nothing
	Status   string // "" in collections without one
}

// HitOf is the Hit of a record of a target; of is the order of a return, or nil.
func HitOf(s *collection.Schema, r, of collection.Record) (h Hit) {
	h.Status = r.Text("status")
	switch s {
	case order.Schema:
		h.Title, h.Subtitle = r.Text("orderNumber"), buyer(r)
	case returns.Schema:
		h.Title, h.Subtitle = of.Text("orderNumber"), buyer(of)
	case identity.Customers:
		h.Title, h.Subtitle = r.Text("name"), r.Text("email")
	case draft.Schema:
		h.Title = buyer(r)
	case catalog.Products:
		h.Title, h.Subtitle = r.Text("name"), r.Text("slug")
	}
	if h.Title == "" {
		h.Title, h.Subtitle = cmp.Or(h.Subtitle, r.ID()), ""
	}
	return h
}

// buyer is the name of who buys, else their address.
func buyer(r collection.Record) string {
	snapshot := r.Group("customerSnapshot")
	return cmp.Or(snapshot.Text("name"), r.Group("shippingAddress").Text("recipientName"), snapshot.Text("email"), r.Text("email"))
}
