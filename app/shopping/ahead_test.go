package shopping_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/app/shopping"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// gate is a process whose steps wait for the test, which sees each change as it is decided.
type gate struct {
	*process

	decided chan struct{}
	steps   chan heldStep
}

// heldStep is a step on its way to the database. What is sent to pass happens to it; nil lets it through.
type heldStep struct {
	step ports.Step
	pass chan error
}

func (s *shop) gate(t *testing.T) *gate {
	g := &gate{s.process(t, mailbox.Options{}), make(chan struct{}, 100), make(chan heldStep, 100)}
	g.Committer, g.Quotes = heldCommitter{g.Committer, g}, seenQuotes{g.Quotes, g}
	g.Carts = shopping.New(*g.Carts, mailbox.Options{})
	return g
}

type heldCommitter struct {
	ports.Committer

	g *gate
}

func (c heldCommitter) Submit(ctx context.Context, step ports.Step) <-chan error {
	held, done := heldStep{step, make(chan error, 1)}, make(chan error, 1)
	c.g.steps <- held
	go func() {
		err := <-held.pass
		if err == nil {
			err = <-c.Committer.Submit(ctx, step)
		}
		done <- err
	}()
	return done
}

type seenQuotes struct {
	shopping.Quotes

	g *gate
}

func (q seenQuotes) Lookup(ctx context.Context, r quoting.Request) (quoting.Facts, error) {
	q.g.decided <- struct{}{}
	return q.Quotes.Lookup(ctx, r)
}

// reply is what a caller was told.
type reply struct {
	answer once.Answer
	err    error
}

// send adds one unit, and waits until that is decided.
func (g *gate) send(t *testing.T, call once.Call, cartID string, expected int64) chan reply {
	for len(g.decided) > 0 {
		<-g.decided
	}
	answer := make(chan reply, 1)
	go func() {
		a, err := g.add(t, call, cartID, expected, g.shop.variants[0], 1)
		answer <- reply{a, err}
	}()
	<-g.decided
	return answer
}

// untold fails when a caller was told something.
func untold(t *testing.T, answer chan reply) {
	t.Helper()
	select {
	case a := <-answer:
		t.Errorf("told %+v, %v before it was durable", a.answer, a.err)
	default:
	}
}

// next is the next step, which must bring these changes, the first of them made on the revision was.
func (g *gate) next(t *testing.T, changes int, was int64) heldStep {
	t.Helper()
	held := <-g.steps
	if len(held.step.Changes) != changes || changes > 0 && held.step.Changes[0].Before.Int("revision") != was {
		t.Errorf("%d changes, want %d on revision %d", len(held.step.Changes), changes, was)
	}
	return held
}

func (a reply) revision(t *testing.T, want int64) {
	t.Helper()
	if a.err != nil || a.answer.Fault != nil || a.answer.Revision != want {
		t.Errorf("%v, %v, revision %d, want %d", a.err, a.answer.Fault, a.answer.Revision, want)
	}
}

func TestAChangeDecidedAheadIsSubmittedWhenTheOneBeforeIsDurable(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		g := s.gate(t)
		c := g.begin(t)
		first := g.send(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0)
		held := g.next(t, 1, 1)
		second := g.send(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0)
		untold(t, first)
		if len(g.steps) != 0 {
			t.Error("it was submitted before")
		}
		held.pass <- nil
		(<-first).revision(t, 2)
		held = g.next(t, 1, 2)
		untold(t, second)
		held.pass <- nil
		(<-second).revision(t, 3)
		gapless(t, "events", s.db.sequences(t, c.Cart.ID), 3)
	})
}

func TestWhatWasDecidedOnALostRaceIsDecidedOnTheWinner(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		g, other := s.gate(t), s.process(t, mailbox.Options{})
		c := g.begin(t)
		first := g.send(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0)
		held := g.next(t, 1, 1)
		second := g.send(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0)
		a, err := other.add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, s.variants[0], 40)
		reply{a, err}.revision(t, 2) // the number that the second change was decided on, though another cart
		held.pass <- nil
		g.next(t, 1, 2).pass <- nil // the first again
		(<-first).revision(t, 3)
		g.next(t, 1, 3).pass <- nil
		last := <-second
		last.revision(t, 4)
		if got := read(t, last.answer, last.err); got.Cart.Lines[0].Quantity != 42 {
			t.Errorf("quantity %d", got.Cart.Lines[0].Quantity)
		}
		if got := g.look(t, c.Cart.ID); got.Cart.Lines[0].Quantity != 42 {
			t.Errorf("quantity %d is stored", got.Cart.Lines[0].Quantity)
		}
		gapless(t, "events", s.db.sequences(t, c.Cart.ID), 4)
	})
}

func TestARefusalThatRestsOnAChangeIsToldOnceThatIsDurable(t *testing.T) {
	s := newShop(t, oneDatabase(t), 1)
	g := s.gate(t)
	c := g.begin(t)
	for name, tc := range map[string]struct {
		ends    error
		refused bool
	}{"the change is durable": {nil, true}, "the change failed": {fault.ErrUnavailable, false}} {
		now := g.look(t, c.Cart.ID).Cart.Revision
		first := g.send(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0)
		held := g.next(t, 1, now)
		second := g.send(t, s.guest("carts.addItem", newKey(), c.CartToken), c.Cart.ID, now)
		untold(t, second)
		held.pass <- tc.ends
		if a := <-first; !errors.Is(a.err, tc.ends) {
			t.Errorf("%s: %v", name, a.err)
		}
		held = <-g.steps
		untold(t, second)
		held.pass <- nil
		a := <-second
		if a.err != nil || tc.refused != (a.answer.Fault != nil && errors.Is(a.answer.Fault, cart.ErrRevisionConflict)) {
			t.Errorf("%s: %v, %v", name, a.err, a.answer.Fault)
		}
		if tc.refused && a.answer.Fault != nil && a.answer.Fault.Data["currentRevision"] != now+1 {
			t.Errorf("%s: current revision %v", name, a.answer.Fault.Data["currentRevision"])
		}
	}
}

func TestAKeyDecidedAheadAgainIsAnsweredAgain(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		g := s.gate(t)
		c := g.begin(t)
		call := s.server("carts.addItem", newKey())
		first := g.send(t, call, c.Cart.ID, 0)
		held := g.next(t, 1, 1)
		second := g.send(t, call, c.Cart.ID, 0)
		other := g.send(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0)
		held.pass <- nil
		a := <-first
		a.revision(t, 2)
		g.next(t, 2, 2).pass <- nil // which the receipt refuses
		g.next(t, 1, 2).pass <- nil
		again := <-second
		again.revision(t, 2)
		if a.answer.Replayed || !again.answer.Replayed || string(again.answer.Body) != string(a.answer.Body) {
			t.Errorf("replayed %v, then %v:\n%s\n%s", a.answer.Replayed, again.answer.Replayed, a.answer.Body, again.answer.Body)
		}
		(<-other).revision(t, 3)
		gapless(t, "events", s.db.sequences(t, c.Cart.ID), 3)
	})
}
