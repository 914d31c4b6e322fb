package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// cartChange parses the input of a change of a cart, and runs it.
type cartChange func(context.Context, *carts.Service, carts.Target, *Input) (idempotency.Response, error)

// runCartChange parses the id of the cart and the revision that the caller expects.
func runCartChange(s *carts.Service, do cartChange) func(context.Context, idempotency.Call, *Input) (idempotency.Response, error) {
	return func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
		return do(ctx, s, carts.Target{Call: call, Cart: in.Param("id"), ExpectedRevision: in.PositiveInteger("expectedRevision")}, in)
	}
}

// runPreviousCartChange is runCartChange for the previous generation, which has no revisions.
func runPreviousCartChange(s *carts.Service, do cartChange) func(context.Context, idempotency.Call, *Input) (idempotency.Response, error) {
	return func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
		return do(ctx, s, carts.Target{Call: call, Cart: in.Param("id"), Form: carts.Flat}, in)
	}
}

func addLine(ctx context.Context, s *carts.Service, t carts.Target, in *Input) (idempotency.Response, error) {
	item, market := readCartLine(in), in.Text("market")
	if err := in.Done(); err != nil {
		return idempotency.Response{}, err
	}
	return s.AddLine(ctx, t, item, market)
}

func updateLine(ctx context.Context, s *carts.Service, t carts.Target, in *Input) (idempotency.Response, error) {
	update := readLineUpdate(in)
	if err := in.Done(); err != nil {
		return idempotency.Response{}, err
	}
	return s.UpdateLine(ctx, t, update)
}

func removeLine(ctx context.Context, s *carts.Service, t carts.Target, in *Input) (idempotency.Response, error) {
	if err := in.Done(); err != nil {
		return idempotency.Response{}, err
	}
	return s.RemoveLine(ctx, t, in.Param("line"))
}

func clearCart(ctx context.Context, s *carts.Service, t carts.Target, in *Input) (idempotency.Response, error) {
	if err := in.Done(); err != nil {
		return idempotency.Response{}, err
	}
	return s.Clear(ctx, t)
}

func setCodes(ctx context.Context, s *carts.Service, t carts.Target, in *Input) (idempotency.Response, error) {
	codes := in.Texts("discountCodes")
	if err := in.Done(); err != nil {
		return idempotency.Response{}, err
	}
	return s.SetCodes(ctx, t, codes)
}

func setAttributes(ctx context.Context, s *carts.Service, t carts.Target, in *Input) (idempotency.Response, error) {
	attributes, _ := in.TextMap("attributes")
	if err := in.Done(); err != nil {
		return idempotency.Response{}, err
	}
	return s.SetAttributes(ctx, t, attributes)
}

func applyCode(ctx context.Context, s *carts.Service, t carts.Target, in *Input) (idempotency.Response, error) {
	code := in.Text("discountCode")
	if err := in.Done(); err != nil {
		return idempotency.Response{}, err
	}
	return s.ApplyCode(ctx, t, code)
}

func removeCode(ctx context.Context, s *carts.Service, t carts.Target, in *Input) (idempotency.Response, error) {
	code := in.Text("discountCode")
	if err := in.Done(); err != nil {
		return idempotency.Response{}, err
	}
	return s.RemoveCode(ctx, t, code)
}

func createCart(ctx context.Context, s *carts.Service, call idempotency.Call, in *Input, form carts.Form) (idempotency.Response, error) {
	c := carts.NewCart{Form: form, Market: in.Text("market"), Codes: in.Texts("discountCodes"), Customer: in.Text("customerId")}
	c.Attributes, _ = in.TextMap("attributes")
	in.Objects("items", func(in *Input) { c.Lines = append(c.Lines, readCartLine(in)) })
	if err := in.Done(); err != nil {
		return idempotency.Response{}, err
	}
	return s.Create(ctx, call, c)
}

func readCartLine(in *Input) cart.LineInput {
	it := cart.LineInput{Variant: in.Text("variantId")}
	if n := in.Integer("quantity"); n != nil {
		it.Quantity = *n
	}
	it.Attributes, _ = in.TextMap("attributes")
	it.Admissions, _ = readAdmissions(in)
	return it
}

func readLineUpdate(in *Input) cart.UpdateLine {
	update := cart.UpdateLine{Line: in.Param("line"), Quantity: in.Integer("quantity")}
	if attributes, given := in.TextMap("attributes"); given {
		update.Attributes = &attributes
	}
	if admissions, given := readAdmissions(in); given {
		update.Admissions = &admissions
	}
	return update
}

// readAdmissions parses the admissions; the old singular name is refused with a hint. Rule carts-12.
func readAdmissions(in *Input) (list []sale.Admission, given bool) {
	in.Removed("admission", "This field does not exist. Use admissions, a list with one entry per unit.")
	given = in.Objects("admissions", func(in *Input) {
		a := sale.Admission{Name: in.Text("name"), Email: strings.ToLower(strings.TrimSpace(in.Text("email"))), Phone: in.Text("phone")}
		a.PhoneE164 = in.Text("phoneE164") // is worked out anew
		a.Attributes, _ = in.TextMap("attributes")
		list = append(list, a)
	})
	return list, given
}
