// The examples in the README of the Go SDK, which shows each of these functions.

package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"
	"time"

	cartwright "github.com/cartwright-dev/cartwright/adapters/sdk/go"
)

func open(address, key, folder string) (*cartwright.Client, error) {
	pending, err := cartwright.NewFileStore(folder)
	if err != nil {
		return nil, err
	}
	shop, err := cartwright.New(cartwright.Config{BaseURL: address, SecretKey: key, Pending: pending})
	if err != nil {
		return nil, err
	}
	_, err = shop.Pending.Resume(context.Background()) // what an earlier process did not hear the end of
	return shop, err
}

func buy(ctx context.Context, shop *cartwright.Client, variant string) (cartwright.Checkout, error) {
	made, err := shop.Carts.Create(ctx, cartwright.CartCreateInput{})
	if err != nil {
		return cartwright.Checkout{}, err
	}
	change, err := shop.Carts.AddItem(ctx, cartwright.CartAddItemInput{CartID: made.Cart.ID, VariantID: variant, Quantity: 2})
	if err != nil {
		return cartwright.Checkout{}, err
	}
	opened, err := shop.Checkouts.Create(ctx, cartwright.CheckoutCreateInput{CartID: change.Cart.ID, Email: "jiwoo@example.com"})
	return opened.Checkout, err
}

func price(ctx context.Context, shop *cartwright.Client, slug string) (string, error) {
	detail, err := shop.Products.Detail(ctx, cartwright.ProductDetailInput{Slug: slug})
	if err != nil {
		return "", err
	}
	if !detail.Found {
		return "not for sale: " + string(detail.Reason), nil
	}
	text := ""
	for _, v := range detail.Product.Variants {
		p := v.ResolvedPrice
		text += fmt.Sprintf("%s: %s %s, three for %s\n", v.Title, p.Amount, p.Currency, p.Amount.Times(3))
	}
	return text, nil
}

func rename(ctx context.Context, shop *cartwright.Client) error {
	brands := shop.Collections.Brands
	old, err := brands.Find(ctx, cartwright.Query{Where: cartwright.Where{"name": cartwright.Where{"equals": "Old"}}})
	if err != nil {
		return err
	}
	for _, b := range old.Docs {
		if _, err := brands.Update(ctx, b.ID, cartwright.BrandUpdate{Name: new("New")}); err != nil {
			return err
		}
		if _, err := brands.UpdateFields(ctx, b.ID, cartwright.Fields{"description": nil}); err != nil {
			return err
		}
	}
	return nil
}

func refund(ctx context.Context, shop *cartwright.Client, order string) (cartwright.Amount, error) {
	can, err := shop.ReturnRequests.Returnable(ctx, order)
	if err != nil {
		return "", err
	}
	in := cartwright.ReturnRequestCreateInput{Order: order}
	for _, line := range can.Lines {
		in.Lines = append(in.Lines, cartwright.ReturnLine{OrderLine: line.OrderLine, Quantity: line.Remaining})
	}
	asked, err := shop.ReturnRequests.Create(ctx, in)
	if err != nil {
		return "", err
	}
	id := asked.ReturnRequest.ID
	if _, err := shop.ReturnRequests.Approve(ctx, id); err != nil {
		return "", err
	}
	if _, err := shop.ReturnRequests.Receive(ctx, cartwright.ReturnRequestReceiveInput{ReturnRequestID: id}); err != nil {
		return "", err
	}
	done, err := shop.ReturnRequests.Refund(ctx, cartwright.ReturnRequestRefundInput{ReturnRequestID: id})
	return done.ReturnRequest.RefundAmount, err
}

func addOnce(ctx context.Context, shop *cartwright.Client, key, cart, variant string) error {
	in := cartwright.CartAddItemInput{CartID: cart, VariantID: variant, Quantity: 1}
	_, err := shop.Carts.AddItem(ctx, in, cartwright.WithIdempotencyKey(key), cartwright.WithTimeout(5*time.Second))
	return err
}

func decide(err error) string {
	var why *cartwright.Error
	switch {
	case err == nil:
		return "done"
	case errors.Is(err, cartwright.ReasonCartRevisionConflict):
		return "somebody was faster" // retrieve the cart, look at it, decide anew
	case errors.Is(err, cartwright.ReasonOutOfStock):
		return "out of tea"
	case errors.As(err, &why) && why.Retryable:
		return "try again in " + why.RetryAfter.String()
	case errors.As(err, &why):
		return "failed, see " + why.RequestID + " there"
	}
	return err.Error()
}

func hooks(secret string, queue chan<- string) http.Handler {
	return cartwright.WebhookHandler(func(ctx context.Context, e *cartwright.Event) error {
		if e.Collection != "orders" || !e.Changed("status") {
			return nil
		}
		order, err := cartwright.Decode[cartwright.Order](e.Doc)
		if err != nil {
			return err
		}
		select {
		case queue <- e.ID + " " + order.OrderNumber: // whoever reads the queue knows the ids it has seen
			return nil
		case <-ctx.Done():
			return ctx.Err() // the queue is full: 500, and the delivery comes again
		}
	}, nil, secret)
}

func awaitOrder(
	ctx context.Context, shop *cartwright.Client, session string, show func(cartwright.PaymentSessionInstructions),
) (*cartwright.Order, error) {
	for asked := 0; ; asked++ {
		got, err := shop.PaymentSessions.RetrieveAggregator(ctx, session)
		if err != nil || got.Order != nil {
			return got.Order, err
		}
		s := got.PaymentSession
		waits := s.Status == cartwright.PaymentSessionStatusProcessing && s.Observation != cartwright.PaymentSessionObservationExpired
		if !waits || s.Instructions.Account == "" {
			return nil, nil // there is nothing to wait for
		}
		if asked == 0 {
			show(s.Instructions)
		}
		select {
		case <-time.After(min(2*time.Second+time.Duration(asked)*500*time.Millisecond, 30*time.Second)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func transferMail(e *cartwright.Event) (to, text, page string, err error) {
	if e.Collection != "payment-sessions" || !e.Changed("instructions") {
		return "", "", "", nil
	}
	s, err := cartwright.Decode[cartwright.PaymentSession](e.Doc)
	if i := s.Instructions; err == nil && i.Account != "" && s.Email != "" {
		text = fmt.Sprintf("Dear %s,\n\nplease transfer %s %s to %s %s, account %s of %s, until %s.",
			cmp.Or(s.CustomerName, "customer"), i.Amount, i.Currency, i.Bank, i.BankCode, i.Account, i.Holder, i.Due.Format(time.RFC1123))
		to, page = s.Email, "<p>"+strings.ReplaceAll(html.EscapeString(text), "\n\n", "</p><p>")+"</p>"
	}
	return to, text, page, err
}

func fetchOrders(ctx context.Context, shop *cartwright.Client, to io.Writer) error {
	asked, err := shop.Exports.Start(ctx, cartwright.ExportStartInput{
		Kind: cartwright.ExportKindOrders, Format: cartwright.ExportFormatXlsx, Locale: cartwright.ExportLocaleKo,
	})
	if err != nil {
		return err
	}
	done, err := shop.Exports.Wait(ctx, asked.ID, func(e cartwright.Export) { fmt.Printf("%d of %d\n", e.Handled, e.Total) })
	if err == nil && done.Status != cartwright.ExportStatusDone {
		err = fmt.Errorf("the export is %s: %s", done.Status, done.Problem)
	}
	if err == nil {
		_, err = shop.Exports.Download(ctx, done.ID, to)
	}
	return err
}

func tryOut(ctx context.Context, shop *cartwright.Client, file io.Reader) (problems []string, err error) {
	sent, err := shop.Imports.Start(ctx, cartwright.ImportFile{
		File: file, Filename: "customers.csv", Kind: cartwright.ExportKindCustomers, DryRun: true,
	})
	if err != nil {
		return nil, err
	}
	if _, err := shop.Imports.Wait(ctx, sent.ID, nil); err != nil {
		return nil, err
	}
	in := cartwright.ImportRowsInput{ImportID: sent.ID, Status: cartwright.ChangeStatusRejected}
	for row, err := range shop.Imports.AllRows(ctx, in) {
		if err != nil {
			return nil, err
		}
		problems = append(problems, fmt.Sprintf("row %d, %s: %s", row.Row, row.Errors[0].Column, row.Errors[0].Message))
	}
	return problems, nil
}
