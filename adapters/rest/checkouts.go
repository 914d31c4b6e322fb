package rest

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/checkout"
)

// Checkouts are the operations of checkouts. Contract 8.
type Checkouts struct{ Buying *buying.Buying }

// Mount registers the routes under both prefixes.
func (a Checkouts) Mount(r fiber.Router) {
	commerce(r, func(r fiber.Router) {
		r.Post("/checkouts", a.create)
		r.Get("/checkouts/:id", a.retrieve)
		r.Patch("/checkouts/:id", a.update)
		r.Post("/checkouts/:id/complete", a.complete)
	})
}

func (a Checkouts) create(c *fiber.Ctx) error {
	body, err := readTree(c)
	if err != nil {
		return err
	}
	call, err := keyed(c, "checkouts.create", body)
	if err != nil {
		return err
	}
	f := readFields(body)
	in := buying.NewCheckout{Cart: f.text("cartId"), ExpectedRevision: f.positive("expectedRevision"), Address: readAddress(f), Notes: f.text("notes")}
	in.Customer, in.Contact = readCustomer(f)
	if email := f.text("email"); email != "" {
		in.Contact.Email = email
	}
	if in.Cart == "" {
		f.problem("cartId", "This field is required.")
	}
	if err := f.done(); err != nil {
		return err
	}
	answer, err := a.Buying.Create(c.UserContext(), call, in)
	return replyOr(c, answer, err)
}

// readCustomer reads who buys: the id of a customer, or an object that describes one.
func readCustomer(f fields) (id string, contact checkout.Contact) {
	if _, isText := f.in["customer"].(string); isText {
		return f.text("customer"), contact
	}
	f.object("customer", func(f fields) {
		id = f.text("id")
		contact = checkout.Contact{Name: f.text("name"), Email: f.text("email"), Phone: f.text("phone")}
	})
	return id, contact
}

// readAddress reads a shipping address, nil when missing. Contract 8.
func readAddress(f fields) *checkout.Address {
	var a *checkout.Address
	f.object("shippingAddress", func(f fields) {
		a = &checkout.Address{
			RecipientName: f.text("recipientName"), Phone: f.text("phone"), PostalCode: f.text("postalCode"), Address1: f.text("address1"),
			Address2: f.text("address2"), DeliveryMessage: f.text("deliveryMessage"), Country: strings.ToUpper(f.text("country")),
		}
	})
	return a
}

func (a Checkouts) retrieve(c *fiber.Ctx) error {
	call, err := caller(c)
	if err != nil {
		return err
	}
	answer, err := a.Buying.Retrieve(c.UserContext(), call, c.Params("id"))
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, answer)
}

func (a Checkouts) update(c *fiber.Ctx) error {
	body, err := readTree(c)
	if err != nil {
		return err
	}
	call, err := keyed(c, "checkouts.update", body)
	if err != nil {
		return err
	}
	f := readFields(body)
	in := buying.CheckoutUpdate{Checkout: c.Params("id"), Email: f.text("email"), Address: readAddress(f)}
	if err := f.done(); err != nil {
		return err
	}
	answer, err := a.Buying.Update(c.UserContext(), call, in)
	return replyOr(c, answer, err)
}

func (a Checkouts) complete(c *fiber.Ctx) error {
	body, err := readOptional(c)
	if err != nil {
		return err
	}
	call, err := keyed(c, "checkouts.complete", body)
	if err != nil {
		return err
	}
	if err := readFields(body).done(); err != nil {
		return err
	}
	answer, err := a.Buying.Complete(c.UserContext(), call, c.Params("id"))
	return replyOr(c, answer, err)
}
