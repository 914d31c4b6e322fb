package program

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// importDemoOrders imports the orders of the demo shop's former system into its test environment, as the
// shop's server would. They are examples of orders without a return policy. After a crash the import is
// repeated without changes.
func (k *core) importDemoOrders(ctx context.Context, shop tenant.Settings, demo demoData) error {
	server := tenant.Principal{Kind: tenant.SecretKey, Tenant: shop, Environment: tenant.Test, CanRead: true, CanWrite: true}
	rows := make([]any, len(demo.Orders))
	err := k.store.Atomically(ctx, ports.ForPrincipal(server), func(ctx context.Context, tx ports.Tx) error {
		for i, o := range demo.Orders {
			row := exactObject(o)
			rows[i] = row
			lines, _ := row["lines"].([]any)
			for _, l := range lines {
				line, _ := l.(map[string]any)
				variant, err := firstID(ctx, tx, catalog.Variants, "sku", line["sku"])
				if err != nil {
					return err
				}
				line["variant"] = variant
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	o := orders.Service{Store: k.store, Now: k.now, NewID: newID}
	done, err := o.Import(ctx, idempotency.Call{Principal: server}, rows)
	if err == nil && len(done.Rejected) > 0 {
		err = errors.New(done.Rejected[0].Message)
	}
	return err
}
