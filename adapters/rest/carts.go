package rest

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/shopping"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Carts are the operations of carts. Contract 5.
type Carts struct{ Shopping *shopping.Carts }

// Mount registers the routes under both prefixes.
func (a Carts) Mount(r fiber.Router) {
	commerce(r, func(r fiber.Router) {
		r.Post("/carts", a.create)
		r.Get("/carts/mine", a.mine)
		r.Get("/carts/:id", a.retrieve)
		r.Post("/carts/:id/items", a.addItem)
		r.Patch("/carts/:id/items/:line", a.updateItem)
		r.Delete("/carts/:id/items/:line", a.removeItem)
		r.Post("/carts/:id/clear", a.clear)
	})
}

func (a Carts) create(c *fiber.Ctx) error {
	body, err := readOptional(c)
	if err != nil {
		return err
	}
	call, err := keyed(c, "carts.create", body)
	if err != nil {
		return err
	}
	f := readFields(body)
	in := shopping.NewCart{Market: f.text("market"), Codes: f.texts("discountCodes")}
	in.Attributes, _ = f.attributes()
	f.objects("items", func(f fields) { in.Items = append(in.Items, readItem(f)) })
	if call.Server {
		in.Customer = f.text("customerId")
	}
	if err := f.done(); err != nil {
		return err
	}
	answer, err := a.Shopping.Create(c.UserContext(), call, in)
	return replyOr(c, answer, err)
}

func (a Carts) mine(c *fiber.Ctx) error {
	call, err := caller(c)
	if err != nil {
		return err
	}
	answer, err := a.Shopping.Mine(c.UserContext(), call, c.Query("customerId"))
	return replyOr(c, answer, err)
}

func (a Carts) retrieve(c *fiber.Ctx) error {
	call, err := caller(c)
	if err != nil {
		return err
	}
	answer, err := a.Shopping.Retrieve(c.UserContext(), call, c.Params("id"))
	return replyOr(c, answer, err)
}

func (a Carts) addItem(c *fiber.Ctx) error {
	return a.change(c, "carts.addItem", readTree, func(t shopping.Target, f fields) (once.Answer, error) {
		item, market := readItem(f), f.text("market")
		if err := f.done(); err != nil {
			return once.Answer{}, err
		}
		return a.Shopping.AddItem(c.UserContext(), t, item, market)
	})
}

func (a Carts) updateItem(c *fiber.Ctx) error {
	return a.change(c, "carts.updateItem", readTree, func(t shopping.Target, f fields) (once.Answer, error) {
		in := cart.UpdateItem{Line: c.Params("line"), Quantity: f.integer("quantity")}
		if attributes, given := f.attributes(); given {
			in.Attributes = &attributes
		}
		if admissions, given := readAdmissions(f); given {
			in.Admissions = &admissions
		}
		if err := f.done(); err != nil {
			return once.Answer{}, err
		}
		return a.Shopping.UpdateItem(c.UserContext(), t, in)
	})
}

func (a Carts) removeItem(c *fiber.Ctx) error {
	return a.change(c, "carts.removeItem", queryTree, func(t shopping.Target, f fields) (once.Answer, error) {
		if err := f.done(); err != nil {
			return once.Answer{}, err
		}
		return a.Shopping.RemoveItem(c.UserContext(), t, c.Params("line"))
	})
}

func (a Carts) clear(c *fiber.Ctx) error {
	return a.change(c, "carts.clear", readOptional, func(t shopping.Target, f fields) (once.Answer, error) {
		if err := f.done(); err != nil {
			return once.Answer{}, err
		}
		return a.Shopping.Clear(c.UserContext(), t)
	})
}

// change reads what all mutations have in common.
func (a Carts) change(c *fiber.Ctx, operation string, read func(*fiber.Ctx) (map[string]any, error), do func(shopping.Target, fields) (once.Answer, error)) error {
	body, err := read(c)
	if err != nil {
		return err
	}
	call, err := keyed(c, operation, body)
	if err != nil {
		return err
	}
	f := readFields(body)
	answer, err := do(shopping.Target{Call: call, Cart: c.Params("id"), Expected: f.positive("expectedRevision")}, f)
	return replyOr(c, answer, err)
}

// queryTree reads expectedRevision, the one parameter of a request without a body.
func queryTree(c *fiber.Ctx) (map[string]any, error) {
	tree := map[string]any{}
	if revision := c.Query("expectedRevision"); revision != "" {
		tree["expectedRevision"] = collection.Numeral(revision)
	}
	return tree, nil
}

func replyOr(c *fiber.Ctx, answer once.Answer, err error) error {
	if err != nil {
		return err
	}
	return reply(c, answer)
}

func readItem(f fields) cart.Item {
	it := cart.Item{Variant: f.text("variantId")}
	if n := f.integer("quantity"); n != nil {
		it.Quantity = *n
	}
	it.Attributes, _ = f.attributes()
	it.Admissions, _ = readAdmissions(f)
	return it
}

// readAdmissions reads who attends; the old singular name is refused with a hint. Spec 9.2.
func readAdmissions(f fields) (list []cart.Admission, given bool) {
	if _, old := f.take("admission"); old {
		f.problem("admission", "This field does not exist. Use admissions, a list with one entry per unit.")
	}
	given = f.objects("admissions", func(f fields) {
		a := cart.Admission{Name: f.text("name"), Email: strings.ToLower(strings.TrimSpace(f.text("email"))), Phone: f.text("phone")}
		a.Attributes, _ = f.attributes()
		list = append(list, a)
	})
	return list, given
}
