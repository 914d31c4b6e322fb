package payments

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// bookedLately is how long a process remembers a payment that it booked; webhooks about one come within seconds.
	bookedLately = time.Minute
	// maxBookedLately bounds how many payments are remembered.
	maxBookedLately = 20_000
)

// underway is what this process knows of payments without asking anybody: which it is confirming or looking up, and which it
// has just booked. A provider tells of a payment while it answers our confirm, and while the buyer returns from its page; the
// second to come could find out nothing that is not stored, or about to be. This only saves look-ups: another process finds
// out by itself.
type underway struct {
	now func() time.Time

	mu       sync.Mutex
	working  map[string]*look         // by session
	sessions map[paymentName]string   // of both
	booked   map[string]bookedPayment // by session
	order    []string                 // booked sessions, oldest first

	opened, openedBefore map[paymentName]string // sessions by uniqueName, in two generations
}

// uniqueName is the field that no two sessions have in common. Providers may use another name twice.
const uniqueName = "paymentId"

// maxOpenedLately bounds how many opened sessions are remembered, twice.
const maxOpenedLately = 10_000

// look is a confirm or a look-up that is under way.
type look struct {
	over   chan struct{} // closed when it is
	booked *Outcome      // set before; nil if it did not book the payment
}

type bookedPayment struct {
	at    time.Time
	names []paymentName
}

// paymentName is an id under which webhooks for a connection tell of a payment, and the field of sessions that has it.
type paymentName struct{ connection, field, id string }

func newUnderway(now func() time.Time) *underway {
	return &underway{
		now: now, working: map[string]*look{}, sessions: map[paymentName]string{}, booked: map[string]bookedPayment{},
	}
}

// namesOf are the names in a reference to a payment.
func namesOf(connection string, ref ports.PaymentRef) []paymentName {
	return slices.DeleteFunc([]paymentName{
		{connection, uniqueName, ref.PaymentID}, {connection, "providerSessionId", ref.ProviderSessionID},
		{connection, "providerPaymentId", ref.ProviderPaymentID},
	}, func(n paymentName) bool { return n.id == "" })
}

func namesOfSession(s payment.Session) []paymentName {
	return namesOf(s.Connection, ports.PaymentRef{
		PaymentID: s.PaymentID, ProviderSessionID: s.ProviderSessionID, ProviderPaymentID: s.ProviderPaymentID,
	})
}

// begin notes that the payment of a session is being confirmed or looked up, until end, which is told what booked it, if that did.
func (u *underway) begin(s payment.Session) (end func(booked *Outcome)) {
	l, names := &look{over: make(chan struct{})}, namesOfSession(s)
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.working[s.ID] != nil {
		return func(*Outcome) {} // by somebody else, or by the confirm that this is part of
	}
	u.working[s.ID] = l
	for _, n := range names {
		u.sessions[n] = s.ID
	}
	return func(booked *Outcome) {
		u.mu.Lock()
		defer u.mu.Unlock()
		l.booked = booked
		close(l.over)
		delete(u.working, s.ID)
		if _, booked := u.booked[s.ID]; !booked {
			u.drop(names)
		}
	}
}

// book notes that the payment of a session was booked for its order. One by virtual account is not remembered: its bank may
// take the deposit back within minutes, and the buyer may pay again.
func (u *underway) book(s payment.Session) {
	if s.Status != payment.StatusSucceeded || s.Instructions != nil {
		return
	}
	names, now := namesOfSession(s), u.now()
	u.mu.Lock()
	defer u.mu.Unlock()
	for len(u.order) > 0 && (len(u.order) >= maxBookedLately || now.Sub(u.booked[u.order[0]].at) > bookedLately) {
		u.forget(u.order[0])
		u.order = u.order[1:]
	}
	if _, again := u.booked[s.ID]; !again {
		u.order = append(u.order, s.ID)
	}
	u.booked[s.ID] = bookedPayment{now, names}
	for _, n := range names {
		u.sessions[n] = s.ID
	}
}

// forget needs the lock.
func (u *underway) forget(session string) {
	u.drop(u.booked[session].names)
	delete(u.booked, session)
}

func (u *underway) drop(names []paymentName) {
	for _, n := range names {
		delete(u.sessions, n)
	}
}

// open notes the name that webhooks of a payment have, which belongs to its session for good.
func (u *underway) open(s payment.Session) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.opened) >= maxOpenedLately {
		u.openedBefore, u.opened = u.opened, nil
	}
	if u.opened == nil {
		u.opened = map[paymentName]string{}
	}
	u.opened[paymentName{s.Connection, uniqueName, s.PaymentID}] = s.ID
}

// sessionNamed is the session that this process opened lately under a name; "" where it has to be looked for.
func (u *underway) sessionNamed(n paymentName) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return cmp.Or(u.opened[n], u.openedBefore[n])
}

// areBooked reports whether all payments that refs name were booked lately. It waits for those that are under way.
func (u *underway) areBooked(ctx context.Context, connection string, refs []ports.PaymentRef) bool {
	for _, ref := range refs {
		names := namesOf(connection, ref)
		if len(names) == 0 {
			return false
		}
		for _, n := range names {
			u.mu.Lock()
			session, known := u.sessions[n]
			u.mu.Unlock()
			if !known {
				return false
			}
			u.wait(ctx, session)
			u.mu.Lock()
			b, booked := u.booked[session]
			u.mu.Unlock()
			if !booked || u.now().Sub(b.at) > bookedLately {
				return false
			}
		}
	}
	return len(refs) > 0
}

// wait waits until nobody is confirming the payment of a session or looking it up, or ctx ends. It returns what was waited
// for; nil if that was nothing, or is not over.
func (u *underway) wait(ctx context.Context, session string) *look {
	u.mu.Lock()
	l := u.working[session]
	u.mu.Unlock()
	if l == nil {
		return nil
	}
	select {
	case <-l.over:
		return l
	case <-ctx.Done():
		return nil
	}
}
