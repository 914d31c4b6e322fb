package payments_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// roundTripCounter is a proxy in front of Postgres that counts round trips: a Sync or a simple query of the
// protocol is one.
type roundTripCounter struct {
	t     *testing.T
	to    string
	trips atomic.Int64
}

func listenBefore(t *testing.T, database string) (*roundTripCounter, string) {
	t.Helper()
	at, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	w := &roundTripCounter{t: t, to: at.Host}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	shops.Suite.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go w.pass(client)
		}
	}()
	at.Host = l.Addr().String()
	return w, at.String()
}

func (w *roundTripCounter) pass(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", w.to)
	if err != nil {
		return
	}
	defer server.Close()
	go func() { _, _ = io.Copy(client, server); _ = client.Close() }()
	if w.message(client, server, nil) != nil { // the first has no type
		return
	}
	for {
		var kind [1]byte
		if _, err := io.ReadFull(client, kind[:]); err != nil || w.message(client, server, kind[:]) != nil {
			return
		}
	}
}

func (w *roundTripCounter) message(from io.Reader, to io.Writer, kind []byte) error {
	var length [4]byte
	if _, err := io.ReadFull(from, length[:]); err != nil {
		return err
	}
	body := make([]byte, binary.BigEndian.Uint32(length[:])-4)
	if _, err := io.ReadFull(from, body); err != nil {
		return err
	}
	if len(kind) > 0 && (kind[0] == 'S' || kind[0] == 'Q') {
		w.trips.Add(1)
	}
	_, err := to.Write(append(append(kind, length[:]...), body...))
	return err
}

// answered is a provider that starts the count when it has answered a lookup or a confirm.
type answered struct {
	ports.Provider

	tripwire *roundTripCounter
}

func (a answered) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	p, err := a.Provider.Lookup(ctx, conn, ref)
	a.tripwire.trips.Store(0)
	return p, err
}

func (a answered) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	said, err := a.Provider.Do(ctx, conn, call)
	if call.Operation == ports.OpConfirm {
		a.tripwire.trips.Store(0)
	}
	return said, err
}

// The result is the fewest of several runs, because the store's own connections send something now and then.
func TestSettleTakesTwoRoundTripsAfterTheLookup(t *testing.T) {
	t.Parallel()
	w, url := listenBefore(t, testservers.Postgres(shops.Suite))
	b := newBed(t, shops.Open(shops.Suite, sqlstore.Options{URL: url, Connections: 2}))
	b.Providers["sandbox"] = answered{b.Providers["sandbox"], w}
	b.Create(discount.Schema, `{"code":"OFTEN","type":"percentage","value":10,"usageLimit":100}`)
	settle := func(s paymentbed.Answer) {
		if _, err := b.Payments.Settler.Settle(t.Context(), b.Shop.ID, s.Text("paymentSession.id")); err != nil {
			t.Fatal(err)
		}
	}
	opened := func(codes []string, names ...string) paymentbed.Answer {
		x := b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""),
			b.CheckoutInput(b.Cart(codes, names...))))
		return b.Pay(x.Text("checkout.id"))
	}
	captured := func(s paymentbed.Answer) paymentbed.Answer {
		b.CaptureAtBank(s, b.Approve(s, "approve"))
		return s
	}
	for name, c := range map[string]struct {
		most    int64
		session func() paymentbed.Answer
		settle  func(paymentbed.Answer)
		status  string
	}{
		"a payment that becomes an order": {
			2, func() paymentbed.Answer { return captured(opened(nil, "2 mug", "course")) }, settle, "succeeded",
		},
		"a payment with a code": {3, func() paymentbed.Answer { return captured(opened([]string{"OFTEN"}, "mug")) }, settle, "succeeded"},
		"an unknown payment":    {0, func() paymentbed.Answer { return opened(nil, "mug") }, settle, "pending"},
		"a payment in progress": {
			2, func() paymentbed.Answer { s := opened(nil, "mug"); b.Approve(s, "approve"); return s }, settle, "processing",
		},
		"a confirm": {
			2, func() paymentbed.Answer { return opened(nil, "mug") },
			func(s paymentbed.Answer) { b.Must(b.Confirm(s, b.Approve(s, "approve"))) }, "succeeded",
		},
	} {
		fewest := int64(1 << 20)
		for range 6 { // the first prepares the statements
			s := c.session()
			c.settle(s)
			fewest = min(fewest, w.trips.Load())
			if r := b.Get(payment.Sessions, s.Text("paymentSession.id")); r.Text("status") != c.status {
				t.Fatalf("%s: %v", name, r)
			}
		}
		if fewest > c.most || c.most > 0 && fewest == 0 {
			t.Errorf("%s: %d round trips", name, fewest)
		}
	}
}
