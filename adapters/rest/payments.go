package rest

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// Payments are the operations of payment sessions. Contract 8.
type Payments struct{ Buying *buying.Buying }

// Mount registers the routes; confirm and release stand under the server prefix only.
func (a Payments) Mount(r fiber.Router) {
	commerce(r, func(r fiber.Router) {
		r.Post("/payment-sessions", a.create)
		r.Get("/payment-sessions/:id", a.retrieve)
		r.Post("/payment-sessions/:id/cancel", a.cancel)
	})
	server := r.Group(serverPrefix)
	server.Post("/payment-sessions/:id/confirm", a.confirm)
	server.Post("/payment-sessions/:id/release", a.release)
}

func (a Payments) create(c *fiber.Ctx) error {
	body, err := readTree(c)
	if err != nil {
		return err
	}
	call, err := keyed(c, "paymentSessions.create", body)
	if err != nil {
		return err
	}
	f := readFields(body)
	in := buying.NewSession{Checkout: f.text("checkoutId"), Action: payment.Action{
		Kind: payment.Widget, Connection: f.text("connectionId"), SuccessURL: f.text("successUrl"), FailURL: f.text("failUrl"),
	}}
	if in.Checkout == "" {
		f.problem("checkoutId", "This field is required.")
	}
	if err := f.done(); err != nil {
		return err
	}
	answer, err := a.Buying.OpenSession(c.UserContext(), call, in)
	return replyOr(c, answer, err)
}

func (a Payments) retrieve(c *fiber.Ctx) error {
	call, err := caller(c)
	if err != nil {
		return err
	}
	answer, err := a.Buying.Session(c.UserContext(), call, c.Params("id"))
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, answer)
}

func (a Payments) cancel(c *fiber.Ctx) error {
	return a.end(c, "paymentSessions.cancel", func(call once.Call, f fields) (once.Answer, error) {
		if err := f.done(); err != nil {
			return once.Answer{}, err
		}
		return a.Buying.Cancel(c.UserContext(), call, c.Params("id"))
	})
}

func (a Payments) release(c *fiber.Ctx) error {
	return a.end(c, "paymentSessions.release", func(call once.Call, f fields) (once.Answer, error) {
		note := strings.TrimSpace(f.text("note"))
		if err := f.done(); err != nil {
			return once.Answer{}, err
		}
		return a.Buying.Release(c.UserContext(), call, c.Params("id"), note)
	})
}

func (a Payments) end(c *fiber.Ctx, operation string, do func(once.Call, fields) (once.Answer, error)) error {
	body, err := readOptional(c)
	if err != nil {
		return err
	}
	call, err := keyed(c, operation, body)
	if err != nil {
		return err
	}
	answer, err := do(call, readFields(body))
	return replyOr(c, answer, err)
}

func (a Payments) confirm(c *fiber.Ctx) error {
	body, err := readTree(c)
	if err != nil {
		return err
	}
	call, err := keyed(c, "paymentSessions.confirm", body)
	if err != nil {
		return err
	}
	f := readFields(body)
	in := buying.Confirmation{Session: c.Params("id"), PaymentKey: f.text("paymentKey"), OrderID: f.text("orderId"), Amount: readMoney(f, "amount")}
	for name, value := range map[string]string{"paymentKey": in.PaymentKey, "orderId": in.OrderID} {
		if value == "" {
			f.problem(name, "This field is required.")
		}
	}
	if err := f.done(); err != nil {
		return err
	}
	answer, err := a.Buying.Confirm(c.UserContext(), call, in)
	return replyOr(c, answer, err)
}

// readMoney reads a required Money: {amount, currency}. Contract 1.
func readMoney(f fields, name string) (m money.Money) {
	given := f.object(name, func(f fields) {
		currency := money.Currency(strings.ToUpper(f.text("currency")))
		if !currency.Valid() {
			f.problem("currency", "This field takes an ISO 4217 code.")
			currency = "XXX" // any, so that the amount is looked at too
		}
		v, _ := f.take("amount")
		n, isNumber := v.(collection.Numeral)
		var err error
		if m, err = money.Parse(string(n), currency); !isNumber || err != nil {
			f.problem("amount", amountProblem(isNumber, err))
		}
	})
	if !given {
		f.problem(name, "This field is required.")
	}
	return m
}

func amountProblem(isNumber bool, err error) string {
	if !isNumber {
		return "This field takes an amount."
	}
	return fault.From(err).Message
}
