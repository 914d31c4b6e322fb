package payments_test

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

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"

	providers "github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// slots is how many concurrent calls a connection of these tests may make.
const slots = 3

// hangingFixture is a bed with two connections; the provider of one does not answer while hangs is set.
type hangingFixture struct {
	*bed

	hung, well string // connections
	hangs      atomic.Bool
	waiting    atomic.Int64 // calls that wait for the provider
	release    func()       // answers them
}

func newHangingFixture(t *testing.T, store *sqlstore.Store) *hangingFixture {
	t.Helper()
	released := make(chan struct{})
	s := &hangingFixture{bed: &bed{paymentbed.New(t, store)}, release: sync.OnceFunc(func() { close(released) })}
	s.well = s.All(payment.Connections)[0].ID()
	account := s.Account + "-slow"
	secret := bank.AccountSecret(paymentbed.BankSecret, account)
	s.hung = s.Create(payment.Connections,
		`{"name":"Slow","provider":"sandbox","accountKey":"`+account+`","environment":"test","credentials":{"secretKey":"`+secret+`"}}`)
	to, err := url.Parse(s.BankURL)
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
	client := providers.NewClient(providers.Limits{
		Concurrency: slots, QueueTimeout: time.Millisecond, CallTimeout: time.Hour, LookupTimeout: time.Hour,
	}, nil)
	s.Restart(func(to *paymentbed.Settings) {
		to.Providers, to.PollInterval = map[string]ports.Provider{"sandbox": sandbox.New(front.URL, "", client)}, 20*time.Millisecond
	})
	return s
}

// open opens a session of a new checkout through a connection.
func (s *hangingFixture) open(connection string) (paymentbed.Answer, error) {
	in := paymentbed.WidgetSession(s.Checkout("mug").Text("checkout.id"))
	in.Connection = connection
	a, err := s.Payments.Sessions.Open(s.T.Context(), s.Server(paymentbed.Key(), "paymentSessions.create", ""), in)
	if err != nil {
		return nil, err
	}
	return s.Read(a.Body.Bytes()), nil
}

// eventually polls until done.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), paymentbed.Patience)
	defer cancel()
	for tick := time.NewTicker(5 * time.Millisecond); !done(); {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("in vain: " + what)
		}
	}
}

// onEachHangingFixture runs a rule on databases of its own, because the poller settles every session in a database.
func onEachHangingFixture(t *testing.T, rule func(t *testing.T, s *hangingFixture)) {
	t.Parallel()
	for name, o := range map[string]func(t *testing.T) sqlstore.Options{
		"sqlite": func(t *testing.T) sqlstore.Options {
			return sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "shop.db")}
		},
		"postgres": func(t *testing.T) sqlstore.Options {
			return sqlstore.Options{URL: testservers.Postgres(t), Connections: 4}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule(t, newHangingFixture(t, shops.Open(t, o(t))))
		})
	}
}

// Calls beyond a connection's limit are refused at once and keep their checkouts' slots for a retry; other
// connections, carts and the database are not slowed down, with four connections to Postgres in all.
func TestHangingProviderDelaysNoOtherConnection(t *testing.T) {
	onEachHangingFixture(t, func(t *testing.T, s *hangingFixture) {
		s.hangs.Store(true)
		ended := make(chan error, 40)
		for range cap(ended) {
			in := paymentbed.WidgetSession(s.Checkout("course").Text("checkout.id"))
			in.Connection = s.hung
			go func() {
				_, err := s.Payments.Sessions.Open(t.Context(), s.Server(paymentbed.Key(), "paymentSessions.create", ""), in)
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
			s.Must(s.Confirm(opened, s.Approve(opened, "approve")))
		}
		if s.waiting.Load() != slots || len(s.All(order.Schema)) != 2*slots {
			t.Errorf("%d calls hang, %d orders", s.waiting.Load(), len(s.All(order.Schema)))
		}
		s.release()
		for range slots {
			if err := <-ended; err != nil {
				t.Errorf("a call that was answered late: %v", err)
			}
		}
		for _, r := range s.All(payment.Sessions) {
			if r.Text("status") == "created" && !r.Bool("slotHeld") {
				t.Errorf("a refused call let go of the slot: %v", r)
			}
		}
	})
}

// A retry of the same payment while its provider hangs is refused before anything is written. Once the
// provider answers, the same key gets the payment.
func TestRetryAgainstAnOpenCircuitWritesNothing(t *testing.T) {
	onEachHangingFixture(t, func(t *testing.T, s *hangingFixture) {
		s.hangs.Store(true)
		in := paymentbed.WidgetSession(s.Checkout("mug").Text("checkout.id"))
		in.Connection = s.hung
		c := s.Server(paymentbed.Key(), "paymentSessions.create", "")
		held := make(chan error, slots)
		for range cap(held) {
			go func() {
				_, err := s.open(s.hung)
				held <- err
			}()
		}
		eventually(t, "all slots are taken", func() bool { return s.waiting.Load() == slots })
		if _, err := s.Payments.Sessions.Open(t.Context(), c, in); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Fatalf("the first try: %v", err)
		}
		before := s.All(payment.Sessions)
		s.Advance(time.Minute) // or a promise that is renewed would look the same
		if _, err := s.Payments.Sessions.Open(t.Context(), c, in); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("the second try: %v", err)
		}
		if after := s.All(payment.Sessions); !reflect.DeepEqual(after, before) {
			t.Errorf("it wrote %v\nover %v", after, before)
		}
		s.release()
		for range cap(held) {
			if err := <-held; err != nil {
				t.Error(err)
			}
		}
		a, err := s.Payments.Sessions.Open(t.Context(), c, in)
		if err != nil {
			t.Fatal(err)
		}
		opened := s.Read(a.Body.Bytes())
		s.Must(s.Confirm(opened, s.Approve(opened, "approve")))
	})
}

// While a provider's circuit is open, a retry is told that the provider cannot be reached, and until when: on neither
// database is this taken for the database's circuit, however often it happens.
func TestOpenCircuitOfAProviderIsNotTheDatabases(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
		t.Cleanup(down.Close)
		client := providers.NewClient(providers.Limits{MaxFailures: 1, OpenFor: time.Hour}, nil)
		b.Providers["sandbox"] = sandbox.New(down.URL, "", client)
		in := paymentbed.WidgetSession(b.Checkout("mug").Text("checkout.id"))
		c := b.Server(paymentbed.Key(), "paymentSessions.create", "")
		for i := range 8 {
			_, err := b.Payments.Sessions.Open(t.Context(), c, in)
			if f := fault.From(err); !errors.Is(err, ports.ErrProviderUnavailable) || f.RetryAfter < 59*time.Minute {
				t.Errorf("attempt %d: %v, retry after %s", i, err, f.RetryAfter)
			}
		}
		if err := b.Store.CircuitRefusal(); err != nil {
			t.Errorf("the circuit of the database: %v", err)
		}
	})
}

// The poller keeps settling other connections, round after round, while the lookups of one hang.
func TestPollerDoesNotWaitForOneConnection(t *testing.T) {
	onEachHangingFixture(t, func(t *testing.T, s *hangingFixture) {
		for range 2 * slots {
			if _, err := s.open(s.hung); err != nil {
				t.Fatal(err)
			}
		}
		s.hangs.Store(true)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Poller.Run(ctx) }()
		eventually(t, "the watcher hangs", func() bool { return s.waiting.Load() > 0 })
		for range 3 {
			opened, err := s.open(s.well)
			if err != nil {
				t.Fatal(err)
			}
			s.CaptureAtBank(opened, s.Approve(opened, "approve"))
			eventually(t, "an order is placed by the watcher", func() bool {
				s.Advance(time.Second)
				return slices.ContainsFunc(s.All(checkout.Schema), func(r collection.Record) bool {
					return r.ID() == opened.Text("paymentSession.checkout") && r.Text("status") == "completed"
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

// After a few consecutive lookups that did not reach the provider, the rest of its connection waits for the
// next round; their reservations expire all the same.
func TestReservationsExpireWhileTheProviderIsDown(t *testing.T) {
	onEachHangingFixture(t, func(t *testing.T, s *hangingFixture) {
		const sessions = 12
		for range sessions {
			if _, err := s.open(s.hung); err != nil {
				t.Fatal(err)
			}
		}
		asked := &countingAway{Provider: s.Providers["sandbox"]}
		s.Providers["sandbox"] = asked
		s.Advance(61 * time.Minute)
		s.Poller.PollOnce(t.Context(), ports.ForTenant(s.Shop.ID))
		if n := asked.lookups.Load(); n < 5 || n > 6 { // two look at the same time
			t.Errorf("%d lookups", n)
		}
		if l := s.Level("mug"); l.Reserved != 0 {
			t.Errorf("%d are still reserved", l.Reserved)
		}
		for _, r := range s.All(payment.Sessions) {
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
