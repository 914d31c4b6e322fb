package main

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/ordering"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// orderDemo imports the orders of the demo shop's former system into its test environment, as its server would: they show
// what an order without a return policy is. After a crash the same orders are found unchanged.
func (k *core) orderDemo(ctx context.Context, shop tenant.Facts, demo demoStore) error {
	server := tenant.Principal{Kind: tenant.SecretKey, Tenant: shop, Environment: tenant.Test, CanRead: true, CanWrite: true}
	rows := make([]any, len(demo.Orders))
	err := k.store.Atomically(ctx, ports.For(server), func(ctx context.Context, tx ports.Tx) error {
		for i, o := range demo.Orders {
			row := tree(o)
			rows[i] = row
			lines, _ := row["lines"].([]any)
			for _, l := range lines {
				line, _ := l.(map[string]any)
				variant, err := first(ctx, tx, catalog.Variants, "sku", line["sku"])
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
	o := ordering.Ordering{Store: k.store, Now: k.now, NewID: newID}
	done, err := o.Import(ctx, once.Call{Principal: server}, rows)
	if err == nil && len(done.Rejected) > 0 {
		err = errors.New(done.Rejected[0].Message)
	}
	return err
}
