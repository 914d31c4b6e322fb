// Package placement is what every sale has in common: what it costs as the transaction sees it, and placing
// its order. Checkouts and drafts place their orders through it.
package placement

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// OrderParams is what an order needs besides the sale.
type OrderParams struct {
	Number string // unless the sale has one of its own that is free
	Now    time.Time
	NewID  func() string
	Actor  tenant.Actor // who placed it; zero: the buyer
}

// Place redeems the codes of x, takes its stock, and returns its order with the fulfillment orders, for the
// caller to write. x.ID is the holder of the reservation and of the discount uses. Errors:
// ports.ErrOutOfStock, ports.ErrDiscountUsageLimit, ports.ErrDiscountCustomerLimit; the transaction must then
// be rolled back.
func Place(ctx context.Context, tx ports.Tx, x checkout.Checkout, m OrderParams) (order.Order, []order.FulfillmentOrder, error) {
	if len(x.Codes) > 0 {
		uses, err := DiscountUses(ctx, tx, x)
		if err != nil {
			return order.Order{}, nil, err
		}
		if err := tx.DiscountUses.Redeem(ctx, x.Tenant, x.Environment, x.ID, uses); err != nil {
			return order.Order{}, nil, err
		}
	}
	number, err := orderNumber(ctx, tx, x, m.Number)
	if err != nil {
		return order.Order{}, nil, err
	}
	placed, work := order.Place(x, number, m.Now, m.NewID)
	cause := ports.StockCause{Kind: inventory.Sold, Order: placed.ID, Actor: m.Actor}
	if cause.Actor == (tenant.Actor{}) {
		cause.Actor = buyer(x)
	}
	taken, err := tx.Stock.Take(ctx, x.Tenant, x.Environment, x.ID, x.Demands(), cause)
	if err != nil {
		return order.Order{}, nil, err
	}
	return placed.WithStockTaken(taken), work, nil
}

// buyer is the buyer of x: a customer, or a guest.
func buyer(x checkout.Checkout) tenant.Actor {
	if x.Customer == "" {
		return tenant.Actor{Kind: tenant.Anonymous}
	}
	return tenant.Actor{Kind: tenant.Customer, ID: x.Customer}
}

// orderNumber is the number that was chosen for the order of x, or drawn if that one is taken.
func orderNumber(ctx context.Context, tx ports.Tx, x checkout.Checkout, drawn string) (string, error) {
	if x.OrderNumber == "" {
		return drawn, nil
	}
	page, err := tx.Records.Find(ctx, collection.Query{
		Schema: order.Schema, Where: order.Schema.Where("orderNumber", collection.Equals, x.OrderNumber), Limit: 1, Page: 1,
		SkipCount: true,
	})
	if err != nil || len(page.Docs) > 0 {
		return drawn, err
	}
	return x.OrderNumber, nil
}
