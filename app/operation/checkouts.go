package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	checkoutParam = collection.Field{
		Name: "id", Alias: "checkoutId", Kind: collection.Relation, RelationTo: "checkouts", Doc: "The checkout.",
	}
	checkoutMember = collection.Field{
		Name: "checkout", Kind: collection.Relation, RelationTo: "checkouts", Required: true, Doc: "The checkout as it is now.",
	}
	orderMember = collection.Field{
		Name: "order", Kind: collection.Relation, RelationTo: "orders", Required: true, Doc: "The order that was placed.",
	}
	emailInput   = collection.Field{Name: "email", Kind: collection.Text, Doc: "The buyer's email."}
	addressInput = address.Group(collection.Field{Name: "shippingAddress", Doc: "Shipping address; required if any line requires shipping."})
)

// selectOptions are the options of a select field of a collection.
func selectOptions(s *collection.Schema, field string) []string {
	f, _ := s.Field(field)
	return f.Options
}

// saleReasons are the refusals of lines that can no longer be sold.
var saleReasons = append([]*fault.Error{catalog.ErrVariantUnavailable, inventory.ErrOutOfStock}, discount.Refusals...)

func joinReasons(groups ...[]*fault.Error) (all []*fault.Error) {
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// Checkouts are the operations of checkouts, and those of operators on checkouts that require attention.
// Rules: features/checkouts/RULES.md.
func Checkouts(c *checkouts.Service, a *refunds.Attention) []Operation {
	return []Operation{
		createCheckout(c), retrieveCheckoutByToken(c), retrieveCheckout(c), updateCheckout(c), completeCheckout(c), previousCheckout(c),
		resolvePaymentSession(a),
	}
}

func createCheckout(s *checkouts.Service) Operation {
	return Operation{
		Name: "checkouts.create", GraphQL: "checkoutCreate", Summary: "Create a checkout from a cart",
		Doc:     "Prices, codes and stock are checked again and frozen. An open checkout of the same cart is replaced unless it has a pending payment.",
		Mutates: true, Method: "POST", Path: "/checkouts", Surfaces: Both, Capability: CartCapability, KeyPolicy: KeyRequired,
		Input: []collection.Field{
			{Name: "cartId", Kind: collection.Relation, RelationTo: "carts", Required: true, Doc: "The cart."},
			{
				Name: "expectedRevision", Kind: collection.Integer, Min: collection.Bound(1),
				Doc: "Optional: rejects a cart that has changed since this revision.",
			},
			emailInput,
			{
				Name: "customer", Kind: collection.Relation, RelationTo: "customers", Fields: sale.ContactFields,
				Doc: "The buyer; only a server may name a customer other than the caller.",
			},
			addressInput,
			{Name: "notes", Kind: collection.Textarea, Doc: "The buyer's notes."},
		},
		Output: []collection.Field{
			checkoutMember,
			{Name: "checkoutToken", Kind: collection.Text, Required: true, Doc: "The checkout token. Shown only once: store it."},
		},
		Results: []ports.ReceiptResult{ports.ReceiptCreated},
		Reasons: joinReasons(saleReasons, []*fault.Error{
			tenant.ErrFeatureDisabled, cart.ErrAdmissionsMismatch, cart.ErrNotActive, cart.ErrRevisionConflict, checkout.ErrCartEmpty,
			checkout.ErrTooLarge, payment.ErrSlotHeld,
			catalog.ErrMarketNotFound, shipping.ErrUnavailable, tax.ErrUnavailable, identity.ErrErased, ports.ErrClaimLost, ports.ErrProviderUnavailable,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			c := readCheckout(in)
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Create(ctx, call, c)
		},
	}
}

// previousCheckout is createCheckout of the previous generation.
func previousCheckout(s *checkouts.Service) Operation {
	return Operation{
		Name: "orders.checkout", GraphQL: "orderCheckout", Summary: "Create a checkout from a cart (previous generation)",
		Doc:     "The order is null until the checkout is paid. A shop that places orders before payment returns only the unpaid order.",
		Mutates: true, Method: "POST", Path: "/orders/checkout", Surfaces: Both,
		AllowedKinds: []tenant.Kind{tenant.Customer, tenant.SecretKey}, KeyPolicy: KeyOptional, Deprecated: true,
		Input: []collection.Field{
			{Name: "cartId", Kind: collection.Relation, RelationTo: "carts", Required: true, Doc: "The cart."},
			{Name: "customerSnapshot", Kind: collection.Group, Fields: sale.ContactFields, Required: true, Doc: "The buyer."},
			addressInput,
			{Name: "discountCodes", Kind: collection.Texts, Doc: "Discount codes instead of the cart's; all of them must apply."},
			{Name: "orderNumber", Kind: collection.Text, Doc: "Number of the order; it must not be taken."},
			{
				Name: "paymentId", Kind: collection.Text, VisibleTo: collection.Staff,
				Doc: "Id of an external payment; stored in the order's metadata.",
			},
		},
		Output: []collection.Field{
			{
				Name: "checkout", Kind: collection.Relation, RelationTo: "checkouts", Required: true, OmitMissing: true,
				Doc: "The checkout as it is now.",
			},
			{Name: "order", Kind: collection.Relation, RelationTo: "orders", Doc: "The order; null until it is placed."},
			{
				Name: "checkoutToken", Kind: collection.Text, Required: true, OmitMissing: true,
				Doc: "The checkout token. Shown only once: store it.",
			},
		},
		Results: []ports.ReceiptResult{ports.ReceiptCreated},
		Reasons: joinReasons(saleReasons, []*fault.Error{
			tenant.ErrFeatureDisabled, cart.ErrAdmissionsMismatch, cart.ErrNotActive, checkout.ErrCartEmpty, checkout.ErrTooLarge,
			payment.ErrSlotHeld, catalog.ErrMarketNotFound,
			shipping.ErrUnavailable, tax.ErrUnavailable, checkout.ErrAddressRequired, identity.ErrErased, ports.ErrClaimLost, ports.ErrProviderUnavailable,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			c := checkouts.Input{
				Cart: in.Text("cartId"), EmailField: "customerSnapshot.email", Address: readAddress(in),
				OrderNumber: in.Text("orderNumber"), PaymentID: in.Text("paymentId"),
			}
			in.Object("customerSnapshot", func(in *Input) {
				c.Contact = readContact(in)
			})
			if codes := in.Texts("discountCodes"); codes != nil {
				c.Codes = &codes
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Legacy(ctx, call, c)
		},
	}
}

// checkoutState is what a checkout's retrieval answers.
var checkoutState = []collection.Field{
	checkoutMember,
	{
		Name: "paymentSession", Kind: collection.Relation, RelationTo: "payment-sessions", Required: true, OmitMissing: true,
		Doc: "The pending payment session.",
	},
	{
		Name: "order", Kind: collection.Relation, RelationTo: "orders", Required: true, OmitMissing: true,
		Doc: "The order that was placed.",
	},
	{
		Name: "status", Kind: collection.Select, Options: selectOptions(checkout.Schema, "status"), Required: true,
		Doc: "Status of the checkout; it determines which other members are present.",
	},
	{
		Name: "reason", Kind: collection.Select, Options: payment.AttentionReasons, Required: true, OmitMissing: true,
		Doc: "Why it requires attention.",
	},
}

func retrieveCheckout(s *checkouts.Service) Operation {
	return Operation{
		Name: "checkouts.retrieve", GraphQL: "checkoutRetrieve", Summary: "Show a checkout",
		Doc:    "Includes the payment session while one is pending, the order once the checkout is completed, and the reason if it requires attention.",
		Method: "GET", Path: "/checkouts/{id}", Surfaces: Both, Capability: CheckoutCapability, Params: []collection.Field{checkoutParam},
		Output: checkoutState,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			body, err := s.Retrieve(ctx, call, in.Param("id"))
			return idempotency.Response{Result: ports.ReceiptOK, Body: body}, err
		},
	}
}

func retrieveCheckoutByToken(s *checkouts.Service) Operation {
	return Operation{
		Name: "checkouts.retrieveByToken", GraphQL: "checkoutByToken", Summary: "Show the checkout of a token",
		Doc:    "For a page that has the checkout token and nothing else, such as the one that a payment returns to.",
		Method: "GET", Path: "/checkouts/by-token", Surfaces: Public, Capability: CheckoutCapability, Output: checkoutState,
		Run: func(ctx context.Context, call idempotency.Call, _ *Input) (idempotency.Response, error) {
			body, err := s.RetrieveByToken(ctx, call)
			return idempotency.Response{Result: ports.ReceiptOK, Body: body}, err
		},
	}
}

func updateCheckout(s *checkouts.Service) Operation {
	return Operation{
		Name: "checkouts.update", GraphQL: "checkoutUpdate", Summary: "Change the buyer or address of a checkout",
		Doc:     "Only while no payment is pending. Omitted fields keep their value; lines and codes stay frozen; shipping is recalculated for the address.",
		Mutates: true, Method: "PATCH", Path: "/checkouts/{id}", Surfaces: Both, Capability: CheckoutCapability, KeyPolicy: KeyRequired,
		Params: []collection.Field{checkoutParam},
		Input:  []collection.Field{emailInput, addressInput},
		Output: []collection.Field{checkoutMember},
		Reasons: []*fault.Error{
			tenant.ErrFeatureDisabled, payment.ErrSlotHeld, checkout.ErrExpired, checkout.ErrLinkExpired, checkout.ErrNotOpen, checkout.ErrOffered,
			shipping.ErrUnavailable, tax.ErrUnavailable, catalog.ErrMarketNotFound, checkout.ErrTooLarge, ports.ErrClaimLost,
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			update := checkouts.UpdateInput{Checkout: in.Param("id"), Email: in.Text("email"), Address: readAddress(in)}
			if update.Email == "" && in.Given("email") {
				in.Problem("email", "This field takes an email address.")
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Update(ctx, call, update)
		},
	}
}

func completeCheckout(s *checkouts.Service) Operation {
	return Operation{
		Name: "checkouts.complete", GraphQL: "checkoutComplete", BeyondQuota: true, Summary: "Place the order of a checkout that costs nothing",
		Doc:     "A completed checkout returns its order again.",
		Mutates: true, Method: "POST", Path: "/checkouts/{id}/complete", Surfaces: Both, Capability: CheckoutCapability,
		KeyPolicy: KeyRequired, Params: []collection.Field{checkoutParam},
		Output: []collection.Field{checkoutMember, orderMember},
		Reasons: joinReasons(saleReasons, []*fault.Error{
			tenant.ErrFeatureDisabled, checkout.ErrPaymentRequired, checkout.ErrExpired, checkout.ErrLinkExpired, checkout.ErrNotOpen,
			checkout.ErrAddressRequired, payment.ErrSlotHeld, ports.ErrClaimLost,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.CompleteFree(ctx, call, in.Param("id"))
		},
	}
}

func readCheckout(in *Input) checkouts.Input {
	c := checkouts.Input{
		Cart: in.Text("cartId"), ExpectedRevision: in.PositiveInteger("expectedRevision"), Address: readAddress(in),
		Notes: in.Text("notes"),
	}
	c.Customer = in.Reference("customer", func(in *Input) {
		c.Contact = readContact(in)
	})
	if email := in.Text("email"); email != "" {
		c.Contact.Email = email
	}
	return c
}

// readContact parses a buyer. The number as E.164 is ours to work out, whatever is sent.
func readContact(in *Input) sale.Contact {
	return sale.Contact{Name: in.Text("name"), Email: in.Text("email"), Phone: in.Text("phone"), PhoneE164: in.Text("phoneE164")}
}

// readAddress parses a shipping address, nil when missing. Rule shipping-10.
func readAddress(in *Input) *address.Address {
	var a *address.Address
	in.Object("shippingAddress", func(in *Input) {
		r := collection.Record{}
		for _, f := range address.Fields {
			r[f.Name] = in.Text(f.Name)
		}
		a = address.From(r)
		a.Country = strings.ToUpper(a.Country)
	})
	return a
}
