package carts_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/app/mailbox"
)

// BenchmarkAddItem adds to 64 carts in parallel, each cart from one client that always knows its revision.
func BenchmarkAddItem(b *testing.B) {
	for name, open := range map[string]func(testing.TB) database{"postgres": postgresDatabase, "sqlite": sqliteFile} {
		b.Run(name, func(b *testing.B) { benchmarkAddItem(b, open(b), 64) })
	}
}

// BenchmarkHotCart adds to one cart from 64 clients.
func BenchmarkHotCart(b *testing.B) {
	for name, open := range map[string]func(testing.TB) database{"postgres": postgresDatabase, "sqlite": sqliteFile} {
		b.Run(name, func(b *testing.B) { benchmarkAddItem(b, open(b), 1) })
	}
}

func benchmarkAddItem(b *testing.B, db database, carts int) {
	const clients = 64
	s := newShop(b, db, 10)
	p := s.process(b, mailbox.Options{})
	begun := make([]shown, carts)
	for i := range begun {
		begun[i] = p.begin(b)
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ResetTimer()
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			c := begun[i%carts]
			for n := 0; left.Add(-1) >= 0; n++ {
				benchmarkOne(b, p, c, i+n)
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "changes/s")
}

func benchmarkOne(b *testing.B, p *process, c shown, n int) {
	a, err := p.add(b, p.shop.server("carts.addItem", newKey()), c.Cart.ID, 0, p.shop.variants[n%10], 1)
	if err != nil || a.Fault != nil {
		b.Error(err, a.Fault)
	}
}
