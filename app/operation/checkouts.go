package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	checkoutParam  = collection.Field{Name: "id", Alias: "checkoutId", Kind: collection.Relation, To: "checkouts", Doc: "The checkout."}
	checkoutMember = collection.Field{Name: "checkout", Kind: collection.Relation, To: "checkouts", Required: true, Doc: "The checkout as it is now."}
	orderMember    = collection.Field{Name: "order", Kind: collection.Relation, To: "orders", Required: true, Doc: "The order that was placed."}
	emailInput     = collection.Field{Name: "email", Kind: collection.Text, Doc: "The buyer's email."}
	addressInput   = collection.Field{Name: "shippingAddress", Kind: collection.Group, Fields: checkout.AddressFields, Doc: "Where the goods go; needed when anything ships."}
)

// choices are what the select of a collection may hold.
func choices(s *collection.Schema, field string) []string {
	f, _ := s.Field(field)
	return f.Options
}

// saleReasons is why what was put into a cart can no longer be sold.
var saleReasons = append([]*fault.Error{catalog.ErrVariantUnavailable, inventory.ErrOutOfStock}, discount.Refusals...)

func reasons(groups ...[]*fault.Error) (all []*fault.Error) {
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// Checkouts is the operations of checkouts, and what operators do about those that require attention. Contract 8.
func Checkouts(b *buying.Buying) []Operation {
	return []Operation{createCheckout(b), retrieveCheckout(b), updateCheckout(b), completeCheckout(b), checkOut(b), resolvePaymentSession(b)}
}

func createCheckout(b *buying.Buying) Operation {
	return Operation{
		Name: "checkouts.create", GraphQL: "checkoutCreate", Summary: "Check a cart out",
		Doc:     "Prices, codes and stock are looked at again and frozen. An open checkout of the same cart gives way to the new one unless a payment of it is under way.",
		Changes: true, Method: "POST", Path: "/checkouts", At: Both, Holder: CartHolder, Key: KeyRequired,
		Input: []collection.Field{
			{Name: "cartId", Kind: collection.Relation, To: "carts", Required: true, Doc: "The cart."},
			{Name: "expectedRevision", Kind: collection.Integer, Min: collection.At(1), Doc: "Refuses a cart that changed since; may be left out."},
			emailInput,
			{Name: "customer", Kind: collection.Relation, To: "customers", Fields: checkout.ContactFields, Doc: "Who buys; only a server may name another customer than the caller."},
			addressInput,
			{Name: "notes", Kind: collection.Textarea, Doc: "The buyer's notes."},
		},
		Output: []collection.Field{
			checkoutMember,
			{Name: "checkoutToken", Kind: collection.Text, Required: true, Doc: "The right to use the checkout. It is told once: keep it."},
		},
		Results: []ports.Result{ports.Created},
		Reasons: reasons(saleReasons, []*fault.Error{
			tenant.ErrFeatureDisabled, cart.ErrNotActive, cart.ErrRevisionConflict, checkout.ErrCartEmpty, payment.ErrSlotHeld,
			catalog.ErrMarketNotFound, shipping.ErrUnavailable, ports.ErrFenced,
		}),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			c := readCheckout(in)
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.Create(ctx, call, c)
		},
	}
}

// checkOut is createCheckout as the previous generation knew it.
func checkOut(b *buying.Buying) Operation {
	return Operation{
		Name: "orders.checkout", GraphQL: "orderCheckout", Summary: "Check a cart out (previous generation)",
		Doc:     "The order is null until it is paid. A shop that makes orders at once answers the order alone, unpaid.",
		Changes: true, Method: "POST", Path: "/orders/checkout", At: Both, Who: []tenant.Kind{tenant.Customer, tenant.SecretKey}, Key: KeyOptional, Deprecated: true,
		Input: []collection.Field{
			{Name: "cartId", Kind: collection.Relation, To: "carts", Required: true, Doc: "The cart."},
			{Name: "customerSnapshot", Kind: collection.Group, Fields: checkout.ContactFields, Required: true, Doc: "Who buys."},
			addressInput,
			{Name: "discountCodes", Kind: collection.Texts, Doc: "Discount codes instead of the cart's; all of them have to apply."},
			{Name: "orderNumber", Kind: collection.Text, Doc: "The order takes this number if it is free."},
			{Name: "paymentId", Kind: collection.Text, Read: collection.Staff, Doc: "A payment outside; the order keeps it in its metadata."},
		},
		Output: []collection.Field{
			{Name: "checkout", Kind: collection.Relation, To: "checkouts", Required: true, Sparse: true, Doc: "The checkout as it is now."},
			{Name: "order", Kind: collection.Relation, To: "orders", Doc: "The order, once there is one."},
			{Name: "checkoutToken", Kind: collection.Text, Required: true, Sparse: true, Doc: "The right to use the checkout. It is told once: keep it."},
		},
		Results: []ports.Result{ports.Created},
		Reasons: reasons(saleReasons, []*fault.Error{
			tenant.ErrFeatureDisabled, cart.ErrNotActive, checkout.ErrCartEmpty, payment.ErrSlotHeld, catalog.ErrMarketNotFound,
			shipping.ErrUnavailable, checkout.ErrAddressRequired, ports.ErrFenced,
		}),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			c := buying.NewCheckout{
				Cart: in.Text("cartId"), EmailAt: "customerSnapshot.email", Address: readAddress(in), OrderNumber: in.Text("orderNumber"), PaymentID: in.Text("paymentId"),
			}
			in.Object("customerSnapshot", func(in *Input) {
				c.Contact = checkout.Contact{Name: in.Text("name"), Email: in.Text("email"), Phone: in.Text("phone")}
			})
			if codes := in.Texts("discountCodes"); codes != nil {
				c.Codes = &codes
			}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.CheckOut(ctx, call, c)
		},
	}
}

func retrieveCheckout(b *buying.Buying) Operation {
	return Operation{
		Name: "checkouts.retrieve", GraphQL: "checkoutRetrieve", Summary: "Show a checkout",
		Doc:    "With the payment session while one is pending, with the order once it is completed, with a reason when a person has to look.",
		Method: "GET", Path: "/checkouts/{id}", At: Both, Holder: CheckoutHolder, Params: []collection.Field{checkoutParam},
		Output: []collection.Field{
			checkoutMember,
			{Name: "paymentSession", Kind: collection.Relation, To: "payment-sessions", Required: true, Sparse: true, Doc: "The payment under way."},
			{Name: "order", Kind: collection.Relation, To: "orders", Required: true, Sparse: true, Doc: "The order that was placed."},
			{Name: "status", Kind: collection.Select, Options: choices(checkout.Schema, "status"), Required: true, Doc: "The checkout's status: which of the other members there are."},
			{Name: "reason", Kind: collection.Select, Options: payment.AttentionReasons, Required: true, Sparse: true, Doc: "Why it requires attention."},
		},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			body, err := b.Retrieve(ctx, call, in.Param("id"))
			return once.Answer{Result: ports.OK, Body: body}, err
		},
	}
}

func updateCheckout(b *buying.Buying) Operation {
	return Operation{
		Name: "checkouts.update", GraphQL: "checkoutUpdate", Summary: "Change buyer or address of a checkout",
		Doc:     "While no payment is under way. What is left out stays; lines and codes are frozen, shipping follows the address.",
		Changes: true, Method: "PATCH", Path: "/checkouts/{id}", At: Both, Holder: CheckoutHolder, Key: KeyRequired,
		Params: []collection.Field{checkoutParam},
		Input:  []collection.Field{emailInput, addressInput},
		Output: []collection.Field{checkoutMember},
		Reasons: []*fault.Error{
			tenant.ErrFeatureDisabled, payment.ErrSlotHeld, checkout.ErrExpired, checkout.ErrNotOpen, shipping.ErrUnavailable, catalog.ErrMarketNotFound,
			ports.ErrFenced,
		},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			update := buying.CheckoutUpdate{Checkout: in.Param("id"), Email: in.Text("email"), Address: readAddress(in)}
			if update.Email == "" && in.Given("email") {
				in.Problem("email", "This field takes an email address.")
			}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.Update(ctx, call, update)
		},
	}
}

func completeCheckout(b *buying.Buying) Operation {
	return Operation{
		Name: "checkouts.complete", GraphQL: "checkoutComplete", Summary: "Place the order of a checkout that costs nothing",
		Doc:     "A completed checkout answers its order again.",
		Changes: true, Method: "POST", Path: "/checkouts/{id}/complete", At: Both, Holder: CheckoutHolder, Key: KeyRequired,
		Params: []collection.Field{checkoutParam},
		Output: []collection.Field{checkoutMember, orderMember},
		Reasons: reasons(saleReasons, []*fault.Error{
			tenant.ErrFeatureDisabled, checkout.ErrPaymentRequired, checkout.ErrExpired, checkout.ErrNotOpen, checkout.ErrAddressRequired,
			payment.ErrSlotHeld, ports.ErrFenced,
		}),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.Complete(ctx, call, in.Param("id"))
		},
	}
}

func readCheckout(in *Input) buying.NewCheckout {
	c := buying.NewCheckout{
		Cart: in.Text("cartId"), ExpectedRevision: in.Positive("expectedRevision"), Address: readAddress(in), Notes: in.Text("notes"),
	}
	c.Customer = in.Reference("customer", func(in *Input) {
		c.Contact = checkout.Contact{Name: in.Text("name"), Email: in.Text("email"), Phone: in.Text("phone")}
	})
	if email := in.Text("email"); email != "" {
		c.Contact.Email = email
	}
	return c
}

// readAddress reads a shipping address, nil when missing. Contract 8.
func readAddress(in *Input) *checkout.Address {
	var a *checkout.Address
	in.Object("shippingAddress", func(in *Input) {
		a = &checkout.Address{
			RecipientName: in.Text("recipientName"), Phone: in.Text("phone"), PostalCode: in.Text("postalCode"), Address1: in.Text("address1"),
			Address2: in.Text("address2"), DeliveryMessage: in.Text("deliveryMessage"), Country: strings.ToUpper(in.Text("country")),
		}
	})
	return a
}
