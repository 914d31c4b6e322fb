package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"golang.org/x/sync/errgroup"
)

// loadTest is a testbed under load.
type loadTest struct {
	*testbed

	carts    int
	shared   int // clients per cart
	buyers   int
	families int // of carts
	log      func(format string, args ...any)
}

// run loads the testbed for the given time while faults hit at random moments, then checks everything
// acknowledged. The seed decides on faults, their parameters and order, and what shoppers do; network timing
// stays random.
func (s loadTest) run(ctx context.Context, seed uint64, length time.Duration) (sum summary, err error) {
	before, err := s.initialState(ctx)
	if err != nil {
		return sum, err
	}
	stop := make(chan struct{})
	work, loading := errgroup.WithContext(ctx)
	histories := make([]*cartHistory, s.carts)
	for i := range histories {
		if histories[i], err = newCart(ctx, s.caller); err != nil {
			return sum, err
		}
		for range s.shared {
			work.Go(func() error { return histories[i].load(loading, stop, s.caller, s.variants) })
		}
	}
	families := make([]*cartFamily, s.families)
	for i := range families {
		if families[i], err = s.newCartFamily(ctx, seed, uint64(i)); err != nil {
			return sum, err
		}
		for _, shopper := range families[i].shoppers {
			work.Go(func() error { return shopper.load(loading, stop) })
		}
	}
	bought := &purchases{}
	for i := range s.buyers {
		work.Go(func() error { return bought.load(loading, stop, s.caller, s.variants[i%len(s.variants)]) })
	}
	market := s.newMarket(seed, tradersUnderFaults, bought)
	for _, trader := range market.traders {
		work.Go(func() error { return trader.load(loading, stop) })
	}
	office := &backOffice{testbed: s.testbed}
	for _, clerk := range office.clerks() {
		work.Go(func() error { return clerk.load(loading, stop) })
	}
	work.Go(func() error {
		defer close(stop)
		dice := rand.New(rand.NewPCG(seed, seed))
		sum.Faults, err = chaos(loading, dice, s.faults(dice, s.log), time.After(length), s.log)
		return err
	})
	if err := work.Wait(); err != nil {
		return sum, err
	}
	if err := s.checkLinearizable(ctx, families, &sum); err != nil {
		return sum, err
	}
	if err := market.check(ctx); err != nil {
		return sum, err
	}
	sum.Trades = market.history.Len()
	if err := office.replay(ctx); err != nil {
		return sum, err
	}
	return sum, s.verify(ctx, acknowledgedWork{histories, bought, office}, before, &sum)
}

// acknowledgedWork is everything acknowledged.
type acknowledgedWork struct {
	carts     []*cartHistory
	purchases *purchases
	office    *backOffice
}

// checkLinearizable checks the histories of the families, and that a flushed Redis changes no response.
func (s loadTest) checkLinearizable(ctx context.Context, families []*cartFamily, sum *summary) error {
	for _, h := range families {
		if err := h.resolveUnanswered(ctx); err != nil {
			return err
		}
		if err := h.check(); err != nil {
			return err
		}
		sum.Operations += h.history.Len()
	}
	if s.redis != nil {
		if err := s.flush(ctx); err != nil {
			return err
		}
	}
	for _, h := range families {
		if err := h.replay(ctx); err != nil {
			return err
		}
	}
	return nil
}

// summary counts what a run did.
type summary struct {
	Faults     map[string]int
	Adds       int
	Sales      int
	Canceled   int // of the sales
	Operations int // in linearizable histories of carts
	Trades     int // in the linearizable history of the market
	Office     officeSummary
}

// initialState is the totals before the load, after a check of the durability settings.
func (s loadTest) initialState(ctx context.Context) (totals, error) {
	if err := s.checkDurabilitySettings(ctx); err != nil {
		return totals{}, err
	}
	before, err := readTotals(ctx, s.caller, s.stocked())
	if err != nil {
		return before, err
	}
	a, done, err := s.auditor(ctx)
	if err != nil {
		return before, err
	}
	defer done()
	before.charged, err = a.netCharged(ctx)
	return before, err
}

// verify compares everything acknowledged with what is stored, through the servers and in the database.
func (s loadTest) verify(ctx context.Context, done acknowledgedWork, before totals, sum *summary) error {
	for _, h := range done.carts {
		sum.Adds += len(h.adds)
		if err := h.check(ctx, s.caller); err != nil {
			return err
		}
	}
	sum.Sales, sum.Canceled = len(done.purchases.sales), done.purchases.canceled()
	sum.Office = done.office.summary()
	after, err := readTotals(ctx, s.caller, s.stocked())
	if err != nil {
		return err
	}
	want, err := done.purchases.tally()
	if err != nil {
		return err
	}
	want = want.plus(done.office.tally())
	if err := errors.Join(after.check(before, want), done.office.check(ctx, want.refunds)); err != nil {
		return err
	}
	a, end, err := s.auditor(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := s.checkDatabase(ctx); err != nil {
		return err
	}
	return a.checkLedger(ctx, before.charged, want.revenue)
}
