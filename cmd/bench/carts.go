package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// cartClients are the numbers of clients at which carts are measured, one client per cart, in ascending
// order.
var cartClients = []int{64, 256}

// cartsOnPostgres measures carts on Postgres.
func (p *benchConfig) cartsOnPostgres(ctx context.Context, s *testbed, dir string) error {
	shop, err := openShop(ctx, s.server, cartClients[len(cartClients)-1], p.length)
	if err != nil {
		return err
	}
	s.server.Stop() // the copy needs the database to itself
	peer, err := newPgbenchCarts(ctx, s, shop, dir)
	if err != nil {
		return err
	}
	if err := s.server.Start(ctx); err != nil {
		return err
	}
	shop.post.client.CloseIdleConnections() // those of the stopped server
	var comparisons []comparison
	for _, clients := range cartClients {
		comparisons = append(comparisons, comparison{
			title: fmt.Sprintf("cart addItem at %d carts ÷ one transaction per mutation", clients), part: "carts", minRatio: 2,
			peer: func(length time.Duration, cpu *cpuMeter) (result, error) {
				return peer.run(ctx, peer.each, clients, length, cpu)
			},
			server: func(length time.Duration) result { return shop.addItemsWithAccount(clients, length) },
		})
	}
	purchases, err := openCheckoutLoad(ctx, s.server)
	if err != nil {
		return err
	}
	if p.wants("checkouts", "hung") {
		if err := purchases.warm(ctx, s.database); err != nil {
			return err
		}
	}
	comparisons = append(comparisons,
		purchases.comparisons(p, "", func(buyers int, length time.Duration, cpu *cpuMeter) (result, error) { //nolint:contextcheck // see drivenPurchases
			return peer.run(ctx, peer.steps, buyers, length, cpu)
		})...)
	comparisons = append(comparisons, purchases.whileProviderHangs(p, "", shop)...) //nolint:contextcheck // see hang
	comparisons = append(comparisons,
		comparison{
			title: fmt.Sprintf("one cart with %d clients ÷ one transaction per mutation", p.carts), part: "hot", minRatio: 10,
			peer: func(length time.Duration, cpu *cpuMeter) (result, error) {
				return peer.run(ctx, peer.one, p.carts, length, cpu)
			},
			server: func(length time.Duration) result { return shop.addToOneCart(p.carts, length) },
		},
		shop.reading(p))
	for i := range comparisons {
		comparisons[i].serverProcesses, comparisons[i].peerProcesses = s.processes(), s.processes()
	}
	if err := p.compareAll(ctx, s, comparisons); err != nil || !p.wants("checkouts") {
		return err
	}
	return purchases.lastUnits(ctx)
}

// reading compares retrieve with addItem.
func (h *cartLoad) reading(p *benchConfig) comparison {
	return comparison{
		title: "retrieve a cart ÷ addItem", part: "retrieve", minRatio: 2,
		peer: func(length time.Duration, _ *cpuMeter) (result, error) {
			r := h.addItems(p.carts, length)
			return r, r.first
		},
		server: func(length time.Duration) result { return h.retrieve(p.carts, length) },
	}
}

// cartsOnSQLite measures carts on the embedded database, which must be fresh.
func (p *benchConfig) cartsOnSQLite(ctx context.Context, s *testbed, dir string) error {
	shop, err := openShop(ctx, s.server, max(p.carts, slices.Max(p.buyers)), p.length)
	if err != nil {
		return err
	}
	peer, err := openSQLiteCarts(ctx, shop, filepath.Join(dir, "cartwright.db"))
	if err != nil {
		return err
	}
	server := s.processes()
	purchases, err := openCheckoutLoad(ctx, s.server)
	if err != nil {
		return errors.Join(err, peer.close())
	}
	buying := purchases.comparisons(p, "SQLite, ", func(buyers int, length time.Duration, _ *cpuMeter) (result, error) { //nolint:contextcheck // see mutate
		return peer.buy(buyers, length)
	})
	for i := range buying {
		buying[i].serverProcesses, buying[i].peerProcesses = server, selfOnly
	}
	hanging := purchases.whileProviderHangs(p, "SQLite, ", shop) //nolint:contextcheck // see hang
	for i := range hanging {
		hanging[i].serverProcesses, hanging[i].peerProcesses = server, server
	}
	reading := shop.reading(p)
	reading.serverProcesses, reading.peerProcesses = server, server
	reading.title = "SQLite, " + reading.title
	err = p.compareAll(ctx, s, slices.Concat([]comparison{
		shop.addingOnSQLite(p, server, "transaction", 3, peer.unprepared),
		shop.addingOnSQLite(p, server, "prepared transaction", 0, peer.prepared),
		reading,
	}, buying, hanging))
	if closed := peer.close(); err == nil {
		err = closed
	}
	return err
}

// addingOnSQLite compares addItem with mutate, which title names.
func (h *cartLoad) addingOnSQLite(
	p *benchConfig, server []process, title string, need float64, mutate func(client, n int) error,
) comparison {
	return comparison{
		title: fmt.Sprintf("SQLite, cart addItem at %d carts ÷ one %s per mutation", p.carts, title), part: "carts", minRatio: need,
		serverProcesses: server, peerProcesses: selfOnly,
		peer: func(length time.Duration, _ *cpuMeter) (result, error) {
			r := runClients("database/sql, one "+title, p.carts, length, mutate)
			return r, r.first
		},
		server: func(length time.Duration) result { return h.addItems(p.carts, length) },
	}
}

// buy runs plainSteps transactions for each purchase.
func (p *sqliteCarts) buy(buyers int, length time.Duration) (result, error) {
	r := runClients("database/sql, prepared transactions", buyers, length, func(client, n int) error {
		for range plainSteps {
			if err := p.prepared(client, n); err != nil {
				return err
			}
		}
		return nil
	})
	return r, r.first
}
