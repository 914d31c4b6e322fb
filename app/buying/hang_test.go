package buying_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	providers "github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// slots is how many calls a connection of these tests may have under way.
const slots = 3

// stuck is a shop with two connections, the provider of one of which never answers while it hangs.
type stuck struct {
	*bed

	hung, well string // connections
	hangs      atomic.Bool
	waiting    atomic.Int64 // calls that the provider keeps
	release    func()       // it keeps none any more
}

func newStuck(t *testing.T, store *sqlstore.Store) *stuck {
	t.Helper()
	released := make(chan struct{})
	s := &stuck{bed: newBed(t, store), release: sync.OnceFunc(func() { close(released) })}
	s.well = s.all(payment.Connections)[0].ID()
	account := s.account + "-slow"
	secret := bank.AccountSecret(bankSecret, account)
	s.hung = s.create(payment.Connections, `{"name":"Slow","provider":"sandbox","accountKey":"`+account+`","environment":"test","credentials":{"secretKey":"`+secret+`"}}`)
	to, err := url.Parse(s.bankURL)
	if err != nil {
		t.Fatal(err)
	}
	bank := httputil.NewSingleHostReverseProxy(to)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, _, _ := r.BasicAuth(); user == secret && s.hangs.Load() {
			s.waiting.Add(1)
			<-released
			s.waiting.Add(-1)
		}
		bank.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.release()
		front.Close()
	})
	client := providers.NewClient(providers.Limits{Concurrency: slots, Patience: time.Millisecond, CallTimeout: time.Hour, LookupTimeout: time.Hour}, nil)
	s.Providers = map[string]ports.Provider{"sandbox": sandbox.New(front.URL, "", client)}
	s.PollEvery = 20 * time.Millisecond
	return s
}

// open takes the slot of a new checkout with a payment at a connection.
func (s *stuck) open(connection string) (said, error) {
	in := session(s.checkout("mug").text("checkout.id"))
	in.Connection = connection
	a, err := s.OpenSession(s.t.Context(), s.server(key(), "paymentSessions.create", ""), in)
	if err != nil {
		return nil, err
	}
	return s.read(a.Body), nil
}

// eventually polls; what it waits for is done by others.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for tick := time.NewTicker(5 * time.Millisecond); !done(); {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("in vain: " + what)
		}
	}
}

// eachStuck runs a rule on databases of its own, since the watcher looks at all that is in one.
func eachStuck(t *testing.T, rule func(t *testing.T, s *stuck)) {
	t.Parallel()
	for name, o := range map[string]func(t *testing.T) sqlstore.Options{
		"sqlite": func(t *testing.T) sqlstore.Options {
			return sqlstore.Options{Path: filepath.Join(testservers.Folder(t), "shop.db")}
		},
		"postgres": func(t *testing.T) sqlstore.Options {
			return sqlstore.Options{URL: testservers.Postgres(t), Connections: 4}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule(t, newStuck(t, shops.Open(t, o(t))))
		})
	}
}

// More calls than a connection may have are refused at once and keep their checkouts' slots for a retry; other
// connections, carts and the database have all to themselves meanwhile, with four connections to Postgres for all.
func TestAProviderThatHangsKeepsNobodyElseWaiting(t *testing.T) {
	eachStuck(t, func(t *testing.T, s *stuck) {
		s.hangs.Store(true)
		ended := make(chan error, 40)
		for range cap(ended) {
			in := session(s.checkout("course").text("checkout.id"))
			in.Connection = s.hung
			go func() {
				_, err := s.OpenSession(t.Context(), s.server(key(), "paymentSessions.create", ""), in)
				ended <- err
			}()
		}
		for range cap(ended) - slots {
			if err := <-ended; !errors.Is(err, ports.ErrProviderUnavailable) {
				t.Errorf("a call beyond the slots: %v", err)
			}
		}
		eventually(t, "all slots are taken", func() bool { return s.waiting.Load() == slots })
		for range 2 * slots { // among them changes of carts, and calls of the same provider
			opened, err := s.open(s.well)
			if err != nil {
				t.Fatal(err)
			}
			s.must(s.confirm(opened, s.approve(opened, "approve")))
		}
		if s.waiting.Load() != slots || len(s.all(order.Schema)) != 2*slots {
			t.Errorf("%d calls hang, %d orders", s.waiting.Load(), len(s.all(order.Schema)))
		}
		s.release()
		for range slots {
			if err := <-ended; err != nil {
				t.Errorf("a call that was answered late: %v", err)
			}
		}
		for _, r := range s.all(payment.Sessions) {
			if r.Text("status") == "created" && !r.Bool("slotHeld") {
				t.Errorf("a refused call let go of the slot: %v", r)
			}
		}
	})
}

// Who asks again for the same payment, while its provider hangs, is turned away before anything is written. Once it answers,
// the same key gets the payment.
func TestTryingAgainBeforeAProviderThatHangsWritesNothing(t *testing.T) {
	eachStuck(t, func(t *testing.T, s *stuck) {
		s.hangs.Store(true)
		in := session(s.checkout("mug").text("checkout.id"))
		in.Connection = s.hung
		c := s.server(key(), "paymentSessions.create", "")
		held := make(chan error, slots)
		for range cap(held) {
			go func() {
				_, err := s.open(s.hung)
				held <- err
			}()
		}
		eventually(t, "all slots are taken", func() bool { return s.waiting.Load() == slots })
		if _, err := s.OpenSession(t.Context(), c, in); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Fatalf("the first try: %v", err)
		}
		before := s.all(payment.Sessions)
		s.advance(time.Minute) // or a promise that is renewed would look the same
		if _, err := s.OpenSession(t.Context(), c, in); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("the second try: %v", err)
		}
		if after := s.all(payment.Sessions); !reflect.DeepEqual(after, before) {
			t.Errorf("it wrote %v\nover %v", after, before)
		}
		s.release()
		for range cap(held) {
			if err := <-held; err != nil {
				t.Error(err)
			}
		}
		a, err := s.OpenSession(t.Context(), c, in)
		if err != nil {
			t.Fatal(err)
		}
		opened := s.read(a.Body)
		s.must(s.confirm(opened, s.approve(opened, "approve")))
	})
}

// The watcher goes on looking at other connections, round after round, while the look-ups of one hang.
func TestTheWatcherWaitsForNoConnectionInParticular(t *testing.T) {
	eachStuck(t, func(t *testing.T, s *stuck) {
		for range 2 * slots {
			if _, err := s.open(s.hung); err != nil {
				t.Fatal(err)
			}
		}
		s.hangs.Store(true)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Run(ctx) }()
		eventually(t, "the watcher hangs", func() bool { return s.waiting.Load() > 0 })
		for range 3 {
			opened, err := s.open(s.well)
			if err != nil {
				t.Fatal(err)
			}
			s.capture(opened, s.approve(opened, "approve"))
			eventually(t, "an order is placed by the watcher", func() bool {
				s.advance(time.Second)
				return slices.ContainsFunc(s.all(checkout.Schema), func(r collection.Record) bool {
					return r.ID() == opened.text("paymentSession.checkout") && r.Text("status") == "completed"
				})
			})
		}
		if s.waiting.Load() == 0 {
			t.Error("nothing hangs any more")
		}
		stop()
		s.release()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// Once a few look-ups in a row have reached nobody, the others of that connection are left for the next round; their
// reservations end all the same.
func TestReservationsEndThoughTheProviderIsAway(t *testing.T) {
	eachStuck(t, func(t *testing.T, s *stuck) {
		const sessions = 12
		for range sessions {
			if _, err := s.open(s.hung); err != nil {
				t.Fatal(err)
			}
		}
		asked := &countingAway{}
		s.Providers = map[string]ports.Provider{"sandbox": asked}
		s.advance(61 * time.Minute)
		s.Sweep(t.Context(), ports.Of(s.shop.ID))
		if n := asked.lookups.Load(); n < 5 || n > 6 { // two look at the same time
			t.Errorf("%d look-ups", n)
		}
		if l := s.level("mug"); l.Reserved != 0 {
			t.Errorf("%d are still reserved", l.Reserved)
		}
		for _, r := range s.all(payment.Sessions) {
			if r.Text("observation") != "expired" || !r.Bool("slotHeld") {
				t.Errorf("%v", r)
			}
		}
	})
}

// countingAway is a provider that cannot be reached.
type countingAway struct {
	ports.Provider

	lookups atomic.Int64
}

func (c *countingAway) Lookup(context.Context, ports.Connection, ports.PaymentRef) (ports.ProviderPayment, error) {
	c.lookups.Add(1)
	return ports.ProviderPayment{}, ports.ErrProviderUnavailable
}
