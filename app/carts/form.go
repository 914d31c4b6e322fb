package carts

import (
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Form is how responses show a cart, and what the API generation requires of changes. Rules carts-15,
// carts-24.
type Form uint8

// The forms.
const (
	Wrapped Form = iota // {cart}: the current API generation
	Flat                // the cart itself with flat totals: the previous generation, without revisions and with optional keys
)

// cartRoom is room for the JSON of most carts.
const cartRoom = 4096

// cartBody is the body that shows a cart after a change. The cart in it is the same for every reader, so that
// response, receipt and event share its bytes: staff sees no field that others do not.
func cartBody(record collection.Record) *reply.Body {
	return reply.Of(collection.Staff, cartMember(record)).WithRoom(cartRoom)
}

func cartMember(record collection.Record) reply.Member {
	return reply.Member{Name: "cart", Schema: cart.Schema, Record: record}
}

// changedBody is cartBody in the form asked for, and the JSON of the cart alone.
func changedBody(form Form, record collection.Record, c cart.Cart) (body *reply.Body, doc []byte) {
	body = cartBody(record)
	doc = body.First()
	if form == Flat {
		shown := cartMember(record)
		shown.Text = doc
		body = flatBody(shown, c)
	}
	return body, doc
}

// flatBody is the body that shows a cart as the previous generation does, with its totals beside its fields.
// Its shippingFee is null until an address is known, and zero where nothing is shipped.
func flatBody(shown reply.Member, c cart.Cart) *reply.Body {
	shown.Name = ""
	var fee any
	if !c.RequiresShipping() {
		fee = money.Of(0, c.Currency)
	}
	return reply.Of(collection.Staff, shown,
		reply.Member{Name: "itemsTotal", Value: c.Totals.Subtotal},
		reply.Member{Name: "shippingFee", Value: fee},
		reply.Member{Name: "discountAmount", Value: c.Totals.Discount},
		reply.Member{Name: "totalAmount", Value: c.Totals.Total}).WithRoom(cartRoom)
}
