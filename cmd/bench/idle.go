package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// What carts may leave behind, however many there were: a few goroutines of pools, and memory independent of
// the number of carts. After 100,000 carts it was 1.2 to 3.1 MB; heap profiles attribute it to buffers of pgx
// for each connection that ever sent a batch (half a megabyte and more), and which connections do so is
// chance. The bound is 50 bytes per cart; a key alone has a hundred, a goroutine two thousand and a cached
// state seven thousand. All other caches are bounded: statements by the connection pools, prices by
// offers.Cache, API keys and counts of lists by sqlstore, processed requests by carts.
const (
	idleClients    = 64
	moreGoroutines = 4
	moreBytes      = 5_000_000
	idleLimit      = 3 * time.Minute // a state is cached for up to two minutes, see mailbox.Options
	idlePoll       = time.Second
)

// idle prints what an unused server costs, then creates and changes many carts once, and waits until the server uses as
// little as before.
func (p *benchConfig) idle(ctx context.Context, s *testbed) error {
	if err := p.idleCosts(ctx, s); err != nil {
		return err
	}
	if p.idleCarts == 0 {
		return nil
	}
	shop, err := openShop(ctx, s.server, 0, 0)
	if err != nil {
		return err
	}
	shop.post.client.CloseIdleConnections()
	before, err := s.heapAfterGC(ctx)
	if err != nil {
		return err
	}
	peak, stop := s.watchHeap(ctx)
	began := time.Now()
	err = shop.createAndChange(p.idleCarts)
	took := time.Since(began)
	stop()
	if err != nil {
		return err
	}
	fmt.Printf("%d carts created and changed once by %d clients in %.0f s\n", p.idleCarts, idleClients, took.Seconds())
	fmt.Println("at rest before:", before)
	fmt.Println("at most, with garbage:", peak)
	if err := s.waitUntilIdle(ctx, before, p.idleCarts); err != nil {
		return err
	}
	resident, err := residentMB(s.server)
	fmt.Printf("resident memory after the carts: %.1f MB\n", resident)
	return err
}

// waitUntilIdle waits until the server uses no more than before plus what carts may leave behind.
func (s *testbed) waitUntilIdle(ctx context.Context, before footprint, carts int) error {
	began := time.Now()
	for first := true; ; first = false {
		now, err := s.heapAfterGC(ctx)
		if err != nil {
			return err
		}
		grown := now.heap - before.heap
		back := now.goroutines <= before.goroutines+moreGoroutines && grown <= moreBytes
		if late := time.Since(began) > idleLimit; first || back || late {
			fmt.Printf("%.0f s after the last change: %v, %.0f bytes per cart more than before\n",
				time.Since(began).Seconds(), now, float64(grown)/float64(carts))
			if late && !back {
				return fmt.Errorf("%d idle carts use more than %d goroutines or %d bytes", carts, moreGoroutines, moreBytes)
			}
		}
		if back {
			return nil
		}
		time.Sleep(idlePoll)
	}
}

// footprint is the memory and goroutines of a server.
type footprint struct {
	goroutines, heap int // heap in bytes
}

func (w footprint) String() string {
	return fmt.Sprintf("%d goroutines, %.1f MB of heap", w.goroutines, float64(w.heap)/1e6)
}

// heapAfterGC makes the server collect its garbage, and returns the remaining heap.
func (s *testbed) heapAfterGC(ctx context.Context) (w footprint, err error) {
	for range 2 {
		if w.heap, err = profilerNumber(ctx, s.debug, "heap?gc=1&debug=1", "# HeapAlloc = "); err != nil {
			return w, err
		}
	}
	w.goroutines, err = profilerNumber(ctx, s.debug, "goroutine?debug=1", "goroutine profile: total ")
	return w, err
}

// watchHeap samples the server's heap, garbage included; most is the largest once stop has returned.
func (s *testbed) watchHeap(ctx context.Context) (most *footprint, stop func()) {
	most = &footprint{}
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for tick := time.NewTicker(idlePoll); ctx.Err() == nil; {
			heap, _ := profilerNumber(ctx, s.debug, "heap?debug=1", "# HeapAlloc = ")
			goroutines, _ := profilerNumber(ctx, s.debug, "goroutine?debug=1", "goroutine profile: total ")
			most.heap, most.goroutines = max(most.heap, heap), max(most.goroutines, goroutines)
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	})
	return most, func() {
		cancel()
		done.Wait()
	}
}

// createAndChange creates n carts and then changes each of them once.
func (h *cartLoad) createAndChange(n int) error {
	wires := newRawConns(h.post.base, idleClients)
	defer closeAll(wires)
	carts := make([]cartRef, n)
	err := runEach(n, func(client, i int) (err error) {
		carts[i], err = h.open(wires[client], &h.stalls[i%tenants])
		return err
	})
	if err != nil {
		return err
	}
	return runEach(n, func(client, i int) error { return wires[client].expect(`{"cart":`, h.add(carts[i], 0)) })
}

// runEach has the clients do n operations together, until one fails.
func runEach(n int, call func(client, i int) error) error {
	var next, failed atomic.Int64
	errs := make([]error, idleClients)
	var all sync.WaitGroup
	for client := range idleClients {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && failed.Load() == 0; i = int(next.Add(1)) - 1 {
				if errs[client] = call(client, i); errs[client] != nil {
					failed.Add(1)
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// open creates an empty cart.
func (h *cartLoad) open(w *rawConn, s *shopTenant) (cartRef, error) {
	status, body, err := w.do(request{method: "POST", path: cartsPath, secret: s.secret, key: h.key(), body: []byte(`{"items": []}`)})
	var created struct {
		Cart struct {
			ID string `json:"id"`
		} `json:"cart"`
	}
	if err == nil && status != 201 {
		err = fmt.Errorf("create a cart: status %d: %s", status, body)
	}
	if err == nil {
		err = json.Unmarshal(body, &created)
	}
	return cartRef{s, created.Cart.ID}, err
}
