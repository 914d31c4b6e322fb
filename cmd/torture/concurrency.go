package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
)

// concurrencyCase is a scenario of many concurrent requests, and its required outcome.
type concurrencyCase struct {
	name string
	run  func(ctx context.Context, st *testbed) error
}

var concurrencyCases = []concurrencyCase{
	{"64 clients fill one cart", hotCart},
	{"1,000 carts are filled at once", manyCarts},
	{"50 connections send one key", oneKey},
	{"carts are merged while they are filled", mergeWhileFilled},
	{"100 buyers want 30 units", scarceUnits},
	{"50 orders want a code for one use", singleUseCode},
	{"16 buyers trade the last units", tradeAtOnce},
}

// concurrently runs n calls at once and joins their errors.
func concurrently(n int, call func(i int) error) error {
	errs := make([]error, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	all.Wait()
	return errors.Join(errs...)
}

// addItem adds units of a variant to a cart, and reports the answer.
func (c *caller) addItem(ctx context.Context, cart, variant string, n int64) (answer, cartBody, error) {
	a, err := c.send(ctx, request{"POST", cartPath + "/" + cart + "/items", newKey(), map[string]any{"variantId": variant, "quantity": n}})
	if err != nil || a.status != http.StatusOK {
		return a, cartBody{}, err
	}
	var out cartBody
	return a, out, a.into(&out)
}

func (b cartBody) units() (n int64) {
	for _, l := range b.Cart.Lines {
		n += l.Quantity
	}
	return n
}

func (c *caller) getCart(ctx context.Context, cart string) (out cartBody, err error) {
	_, err = c.must(ctx, request{"GET", cartPath + "/" + cart, "", nil}, &out)
	return out, err
}

func hotCart(ctx context.Context, st *testbed) error {
	const clients = 64
	each := 4
	if st.mailbox == "off" {
		each = 1 // every change conflicts with all others: one succeeds per round
	}
	cart, err := newCart(ctx, st.caller)
	if err != nil {
		return err
	}
	revisions := make([]int64, clients*each)
	err = concurrently(clients, func(i int) error {
		for n := range each {
			_, out, err := st.caller.addItem(ctx, cart.id, st.variants[i%cartVariants], 1)
			if err != nil {
				return err
			}
			revisions[i*each+n] = out.Cart.Revision
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(revisions)
	for i, revision := range revisions {
		if revision != int64(i+2) {
			return fmt.Errorf("the revisions of the responses have a gap or a duplicate: %v", revisions)
		}
	}
	now, err := st.caller.getCart(ctx, cart.id)
	if err == nil && (now.units() != int64(clients*each) || now.Cart.Revision != int64(clients*each+1)) {
		err = fmt.Errorf("%d units at revision %d", now.units(), now.Cart.Revision)
	}
	return err
}

func manyCarts(ctx context.Context, st *testbed) error {
	return concurrently(1000, func(i int) error {
		cart, err := newCart(ctx, st.caller)
		if err != nil {
			return err
		}
		want := int64(1 + i%7)
		if _, _, err := st.caller.addItem(ctx, cart.id, st.variants[i%cartVariants], want); err != nil {
			return err
		}
		now, err := st.caller.getCart(ctx, cart.id)
		if err == nil && (now.units() != want || now.Cart.Revision != 2) {
			err = fmt.Errorf("cart %s: %d units at revision %d, want %d at 2", cart.id, now.units(), now.Cart.Revision, want)
		}
		return err
	})
}

// oneKey sends one change over 50 connections to all servers: it takes effect once, and all get the same response.
func oneKey(ctx context.Context, st *testbed) error {
	cart, err := newCart(ctx, st.caller)
	if err != nil {
		return err
	}
	r := request{"POST", cartPath + "/" + cart.id + "/items", newKey(), map[string]any{"variantId": st.variants[0], "quantity": 3}}
	answers := make([]answer, 50)
	if err := concurrently(len(answers), func(i int) (err error) {
		client := newCaller(st.caller.secret, st.caller.bases[i%len(st.caller.bases)]) // with its own connections
		defer client.http.CloseIdleConnections()
		answers[i], err = client.must(ctx, r, nil)
		return err
	}); err != nil {
		return err
	}
	first := 0
	for _, a := range answers {
		if !a.replayed {
			first++
		}
		if !bytes.Equal(a.body, answers[0].body) || a.revision != 2 {
			return fmt.Errorf("two different answers to one key, at revision %d:\n%s\n%s", a.revision, answers[0].body, a.body)
		}
	}
	now, err := st.caller.getCart(ctx, cart.id)
	if err == nil && (first != 1 || now.units() != 3 || now.Cart.Revision != 2) {
		err = fmt.Errorf("%d first answers, %d units at revision %d", first, now.units(), now.Cart.Revision)
	}
	return err
}

// mergeWhileFilled merges carts into one while all of them are filled: no acknowledged unit is lost or
// duplicated.
func mergeWhileFilled(ctx context.Context, st *testbed) error {
	const sources, each = 6, 20
	carts := make([]string, 1+sources) // the first is the target
	for i := range carts {
		cart, err := newCart(ctx, st.caller)
		if err != nil {
			return err
		}
		carts[i] = cart.id
	}
	var filled atomic.Int64
	err := concurrently(3*len(carts), func(i int) error {
		source := carts[i/3]
		if i%3 == 2 { // one of three merges half-way
			if source == carts[0] {
				return nil
			}
			if err := waitFor(ctx, func() bool { return filled.Load() > int64(i) }); err != nil {
				return err
			}
			_, err := st.caller.must(ctx, request{
				"POST", cartPath + "/merge", newKey(), map[string]any{"sourceCartId": source, "targetCartId": carts[0]},
			}, nil)
			return err
		}
		for range each {
			a, _, err := st.caller.addItem(ctx, source, st.variants[i%cartVariants], 1)
			switch {
			case err != nil:
				return err
			case a.status == http.StatusOK:
				filled.Add(1)
			case source == carts[0] || !bytes.Contains(a.body, []byte(`"cart_not_active"`)):
				return fmt.Errorf("%d %s", a.status, a.body)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	now, err := st.caller.getCart(ctx, carts[0])
	if err == nil && now.units() != filled.Load() {
		err = fmt.Errorf("%d units after %d were acknowledged", now.units(), filled.Load())
	}
	return err
}
