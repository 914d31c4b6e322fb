package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/shopping"
	"github.com/cartwright-dev/cartwright/domain/cart"
)

// cartChange reads the input of a change of a cart, and makes it.
type cartChange func(context.Context, *shopping.Carts, shopping.Target, *Input) (once.Answer, error)

// change reads which cart is meant, and what its caller saw of it.
func change(s *shopping.Carts, do cartChange) func(context.Context, once.Call, *Input) (once.Answer, error) {
	return func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
		return do(ctx, s, shopping.Target{Call: call, Cart: in.Param("id"), Expected: in.Positive("expectedRevision")}, in)
	}
}

// previous is change of the previous generation, which knows no revisions.
func previous(s *shopping.Carts, do cartChange) func(context.Context, once.Call, *Input) (once.Answer, error) {
	return func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
		return do(ctx, s, shopping.Target{Call: call, Cart: in.Param("id"), Form: shopping.Flat}, in)
	}
}

func addItem(ctx context.Context, s *shopping.Carts, t shopping.Target, in *Input) (once.Answer, error) {
	item, market := readItem(in), in.Text("market")
	if err := in.Done(); err != nil {
		return once.Answer{}, err
	}
	return s.AddItem(ctx, t, item, market)
}

func updateItem(ctx context.Context, s *shopping.Carts, t shopping.Target, in *Input) (once.Answer, error) {
	update := readUpdate(in)
	if err := in.Done(); err != nil {
		return once.Answer{}, err
	}
	return s.UpdateItem(ctx, t, update)
}

func removeItem(ctx context.Context, s *shopping.Carts, t shopping.Target, in *Input) (once.Answer, error) {
	if err := in.Done(); err != nil {
		return once.Answer{}, err
	}
	return s.RemoveItem(ctx, t, in.Param("line"))
}

func clearCart(ctx context.Context, s *shopping.Carts, t shopping.Target, in *Input) (once.Answer, error) {
	if err := in.Done(); err != nil {
		return once.Answer{}, err
	}
	return s.Clear(ctx, t)
}

func setCodes(ctx context.Context, s *shopping.Carts, t shopping.Target, in *Input) (once.Answer, error) {
	codes := in.Texts("discountCodes")
	if err := in.Done(); err != nil {
		return once.Answer{}, err
	}
	return s.SetCodes(ctx, t, codes)
}

func setAttributes(ctx context.Context, s *shopping.Carts, t shopping.Target, in *Input) (once.Answer, error) {
	attributes, _ := in.TextMap("attributes")
	if err := in.Done(); err != nil {
		return once.Answer{}, err
	}
	return s.SetAttributes(ctx, t, attributes)
}

func applyCode(ctx context.Context, s *shopping.Carts, t shopping.Target, in *Input) (once.Answer, error) {
	code := in.Text("discountCode")
	if err := in.Done(); err != nil {
		return once.Answer{}, err
	}
	return s.ApplyCode(ctx, t, code)
}

func removeCode(ctx context.Context, s *shopping.Carts, t shopping.Target, in *Input) (once.Answer, error) {
	code := in.Text("discountCode")
	if err := in.Done(); err != nil {
		return once.Answer{}, err
	}
	return s.RemoveCode(ctx, t, code)
}

func create(ctx context.Context, s *shopping.Carts, call once.Call, in *Input, form shopping.Form) (once.Answer, error) {
	c := shopping.NewCart{Form: form, Market: in.Text("market"), Codes: in.Texts("discountCodes"), Customer: in.Text("customerId")}
	c.Attributes, _ = in.TextMap("attributes")
	in.Objects("items", func(in *Input) { c.Items = append(c.Items, readItem(in)) })
	if err := in.Done(); err != nil {
		return once.Answer{}, err
	}
	return s.Create(ctx, call, c)
}

func readItem(in *Input) cart.Item {
	it := cart.Item{Variant: in.Text("variantId")}
	if n := in.Integer("quantity"); n != nil {
		it.Quantity = *n
	}
	it.Attributes, _ = in.TextMap("attributes")
	it.Admissions, _ = readAdmissions(in)
	return it
}

func readUpdate(in *Input) cart.UpdateItem {
	update := cart.UpdateItem{Line: in.Param("line"), Quantity: in.Integer("quantity")}
	if attributes, given := in.TextMap("attributes"); given {
		update.Attributes = &attributes
	}
	if admissions, given := readAdmissions(in); given {
		update.Admissions = &admissions
	}
	return update
}

// readAdmissions reads who attends; the old singular name is refused with a hint. Spec 9.2.
func readAdmissions(in *Input) (list []cart.Admission, given bool) {
	in.Gone("admission", "This field does not exist. Use admissions, a list with one entry per unit.")
	given = in.Objects("admissions", func(in *Input) {
		a := cart.Admission{Name: in.Text("name"), Email: strings.ToLower(strings.TrimSpace(in.Text("email"))), Phone: in.Text("phone")}
		a.Attributes, _ = in.TextMap("attributes")
		list = append(list, a)
	})
	return list, given
}
