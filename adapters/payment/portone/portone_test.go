package portone_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/portone"
	"github.com/cartwright-dev/cartwright/adapters/payment/portone/portonefake"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// fixture is an adapter with its own fake.
type fixture struct {
	fake     *portonefake.PortOne
	client   *payment.Client
	provider *portone.Provider
	conn     ports.Connection
}

func open(t *testing.T) *fixture {
	d := &fixture{
		fake: portonefake.New(), conn: connection(), client: payment.NewClient(payment.Limits{MaxFailures: 1, OpenFor: time.Hour}, nil),
	}
	server := httptest.NewServer(d.fake)
	t.Cleanup(server.Close)
	d.provider = portone.New(server.URL, d.client)
	return d
}

func request(id string) ports.PaymentRequest {
	return ports.PaymentRequest{
		PaymentID: id, Kind: domain.Hosted, Amount: money.Of(15000, "KRW"), OrderName: "Linen shirt", Method: "PAY_PAL",
		SuccessURL: "https://shop.example/thanks", Buyer: ports.Buyer{Name: "Kim", Email: "kim@shop.example", Phone: "010-1234-5678"},
	}
}

const key = "0198c1f2-0000-7000-8000-00000000000"

// send makes a call whose first attempt was age ago.
func (d *fixture) send(t *testing.T, key string, r ports.ProviderRequest, age time.Duration) (ports.Outcome, error) {
	t.Helper()
	return d.attempt(t, 1, key, r, age)
}

// prepare sends the request of a page.
func prepare(id string) ports.PrepareRequest {
	return ports.PrepareRequest{PaymentRequest: request(id)}
}

// attempt is the nth attempt of a call.
func (d *fixture) attempt(t *testing.T, n int, key string, r ports.ProviderRequest, age time.Duration) (ports.Outcome, error) {
	t.Helper()
	body, err := d.provider.Build(d.conn, r)
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.provider.Do(t.Context(), d.conn, ports.ProviderCall{
		Operation: r.Operation(), ProviderKey: key, Request: body, Attempt: n, StartedAt: d.fake.Now, FirstAttemptAt: d.fake.Now.Add(-age),
	})
	if err != nil && (strings.Contains(err.Error(), portonefake.Secret) || strings.Contains(err.Error(), "Kim")) {
		t.Errorf("the error leaks a secret: %v", err)
	}
	return got, err
}

func (d *fixture) hosted(t *testing.T, id string) ports.PaymentRef {
	t.Helper()
	got, err := d.send(t, key+id, prepare(id), 0)
	if err != nil {
		t.Fatal(err)
	}
	return ports.PaymentRef{PaymentID: id, ProviderSessionID: got.Prepared.SessionID}
}

func (d *fixture) paid(t *testing.T, id string) ports.PaymentRef {
	t.Helper()
	ref := d.hosted(t, id)
	if !d.fake.Buy(id, ref.ProviderSessionID, nil, "PAID") {
		t.Fatal("the buyer could not pay")
	}
	return ref
}

func (d *fixture) want(t *testing.T, ref ports.PaymentRef, want ports.ProviderState) ports.ProviderPayment {
	t.Helper()
	got, err := d.provider.Lookup(t.Context(), d.conn, ref)
	if err != nil || got.State != want {
		t.Errorf("got %+v, %v, want %q", got, err, want)
	}
	return got
}

func wantCode(t *testing.T, err, kind error, code string) {
	t.Helper()
	if got := fault.From(err).Data["providerCode"]; !errors.Is(err, kind) || got != code {
		t.Errorf("got %v with %v, want %v with %s", err, got, kind, code)
	}
}

func TestClosedPageReadsExpired(t *testing.T) {
	t.Parallel()
	d := open(t)
	ref := d.hosted(t, "Payment1")
	d.want(t, ref, ports.ProviderOpen)
	for i := range 2 { // closing is idempotent
		if got, err := d.send(t, fmt.Sprint(key, i), ports.CloseRequest{PaymentRef: ref}, 0); err != nil || !got.Closed {
			t.Errorf("close: %v, %v", got, err)
		}
	}
	if d.fake.Buy("Payment1", ref.ProviderSessionID, nil, "PAID") {
		t.Error("a closed page took money")
	}
	d.want(t, ref, ports.ProviderExpired)
}

func TestPageExpires(t *testing.T) {
	t.Parallel()
	d := open(t)
	ref := d.hosted(t, "Payment1")
	declined := d.hosted(t, "Payment2")
	d.fake.Buy("Payment2", declined.ProviderSessionID, nil, "FAILED")
	d.want(t, declined, ports.ProviderFailed)
	paid := d.paid(t, "Payment3")
	d.fake.Now = d.fake.Now.Add(3 * time.Hour)
	d.want(t, ref, ports.ProviderExpired)
	d.want(t, declined, ports.ProviderExpired)
	d.want(t, paid, ports.ProviderPaid)
	if d.fake.PageAskedWithSecret {
		t.Error("a page was looked up with the secret")
	}
}

func TestBrowserActionCannotBeClosed(t *testing.T) {
	t.Parallel()
	d := open(t)
	_, err := d.send(t, key, ports.CloseRequest{PaymentRef: ports.PaymentRef{PaymentID: "Payment1"}}, 0)
	wantCode(t, err, ports.ErrProviderRejected, "NOT_CLOSABLE")
	if len(d.fake.Calls) != 0 {
		t.Errorf("calls %v", d.fake.Calls)
	}
}

func TestBrowserActionAmountIsPreRegistered(t *testing.T) {
	t.Parallel()
	d := open(t)
	req := prepare("Payment1")
	req.Kind = domain.Standard
	if _, err := d.send(t, key, req, 0); err != nil {
		t.Fatal(err)
	}
	act, err := d.provider.Action(d.conn, req.PaymentRequest, domain.Prepared{})
	if err != nil {
		t.Fatal(err)
	}
	action := act.(map[string]any)
	action["totalAmount"] = "1"
	if d.fake.Buy("Payment1", "", action, "PAID") {
		t.Error("PortOne did not know the amount")
	}
	action["totalAmount"] = "15000"
	if !d.fake.Buy("Payment1", "", action, "PAID") {
		t.Error("the buyer could not pay")
	}
	_, err = d.send(t, key+"again", req, 0)
	wantCode(t, err, ports.ErrProviderRejected, "ALREADY_PAID")
}

func TestOnlyOwnPaymentIDsAreLookedUp(t *testing.T) {
	t.Parallel()
	d := open(t)
	for _, id := range []string{"", "..", "../login", "Payment1/cancel", "Payment1?x", "Pay", strings.Repeat("x", 41)} {
		d.want(t, ports.PaymentRef{PaymentID: id}, ports.ProviderAbsent)
	}
	if len(d.fake.Calls) != 0 {
		t.Errorf("calls %v", d.fake.Calls)
	}
}

// Anybody who knows a page's id reads it, so that it holds nothing of its buyer. Fact portone-10.
func TestHostedPageHasNothingOfItsBuyer(t *testing.T) {
	t.Parallel()
	d := open(t)
	body, err := d.provider.Build(d.conn, prepare("Payment1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, personal := range []string{"Kim", "kim@shop.example", "010-1234-5678", "customer"} {
		if strings.Contains(string(body), personal) {
			t.Errorf("the page holds %s: %s", personal, body)
		}
	}
}

func TestHostedPageCountry(t *testing.T) {
	t.Parallel()
	d := open(t)
	for asked, want := range map[[2]string]string{{"", ""}: "KR", {"", "JP"}: "JP", {"US", "JP"}: "US"} {
		req := prepare("Payment1")
		req.Country = asked[0]
		d.conn.Credentials["country"] = asked[1]
		body, err := d.provider.Build(d.conn, req)
		if err != nil || !strings.Contains(string(body), `"country":"`+want+`"`) {
			t.Errorf("%v: %s, %v", asked, body, err)
		}
	}
}

func TestEnvironmentIsReported(t *testing.T) {
	t.Parallel()
	d := open(t)
	ref := d.paid(t, "Payment1")
	for channel, want := range map[string]tenant.Environment{"TEST": tenant.Test, "LIVE": tenant.Live, "": "", "STAGING": ""} {
		d.fake.Channel = channel
		if got := d.want(t, ref, ports.ProviderPaid); got.Environment != want {
			t.Errorf("channel %q: environment %q", channel, got.Environment)
		}
	}
}

func TestProviderDiscountKeepsTheAmount(t *testing.T) {
	t.Parallel()
	d := open(t)
	got := d.want(t, d.paid(t, "Payment1"), ports.ProviderPaid) // the fake's bank discounts 500: amount.paid is 14500
	if got.Amount != money.Of(15000, "KRW") || got.Method != "KAKAOPAY" || got.ReceiptURL == "" {
		t.Errorf("got %+v", got)
	}
}

func TestOutstandingRequestIsUnavailable(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.paid(t, "Payment1")
	d.fake.Replies[`"`+key+`"`] = &portonefake.Reply{At: d.fake.Now}
	_, err := d.send(t, key, refund(5000), 0)
	wantCode(t, err, ports.ErrProviderUnavailable, "IDEMPOTENCY_OUTSTANDING_REQUEST")
	if d.client.CircuitOpen(d.conn.ID) {
		t.Error("the circuit opened")
	}
}

// A prepare whose answer was lost is repeated: it returns the same page while that may be open, and a new one
// afterwards, although PortOne keeps the key for longer.
func TestExpiredPageIsNotReused(t *testing.T) {
	t.Parallel()
	d := open(t)
	began, seen := d.fake.Now, map[string]bool{}
	for _, c := range []struct {
		after time.Duration
		pages int
	}{{0, 1}, {2*time.Hour - time.Second, 1}, {2*time.Hour + time.Minute, 2}, {4*time.Hour - time.Second, 2}, {9 * time.Hour, 3}} {
		d.fake.Now = began.Add(c.after)
		got, err := d.send(t, key, prepare("Payment1"), c.after)
		if err != nil {
			t.Fatalf("after %s: %v", c.after, err)
		}
		if seen[got.Prepared.SessionID] = true; len(seen) != c.pages {
			t.Errorf("after %s: pages %v", c.after, seen)
		}
		d.want(t, ports.PaymentRef{PaymentID: "Payment1", ProviderSessionID: got.Prepared.SessionID}, ports.ProviderOpen)
	}
}

func TestPageLivesAsLongAsTheReservation(t *testing.T) {
	t.Parallel()
	d := open(t)
	limits := d.provider.Describe().Limits
	for reservation, want := range map[time.Duration]time.Duration{
		time.Hour: time.Hour, 24 * time.Hour: 2 * time.Hour, time.Second: time.Minute,
	} {
		id := fmt.Sprintf("Payment%d", int(reservation.Seconds()))
		r := prepare(id)
		r.AskedAt = d.fake.Now
		r.ExpiresAt = limits.PageEnd(r.AskedAt.Add(reservation), r.AskedAt)
		got, err := d.send(t, key+id, r, 0)
		if err != nil || !got.Prepared.PageEnd.Equal(d.fake.Now.Add(want)) {
			t.Errorf("a reservation of %v: %+v %v", reservation, got, err)
		}
		// While the page may be open a repeated prepare gets the same one, then another.
		for age, same := range map[time.Duration]bool{want - time.Second: true, want: false} {
			again, err := d.attempt(t, 2, key+id, r, age)
			if err != nil || (again.Prepared.SessionID == got.Prepared.SessionID) != same {
				t.Errorf("a reservation of %v, repeated after %v: %+v %v", reservation, age, again, err)
			}
		}
	}
}

// A connection is tested by what takes its secret: a page, whose made-up id PortOne may refuse, does not.
//
// Rule payments-72.
func TestConnectionIsTestedWithoutAPage(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		if strings.HasPrefix(r.URL.Path, "/payment-sessions") {
			t.Errorf("asked for %s", r.URL.Path)
		}
		_, _ = io.WriteString(w, `{"type":"PAYMENT_NOT_FOUND"}`)
	}))
	defer server.Close()
	p := portone.New(server.URL, payment.NewClient(payment.Limits{}, nil))
	if got, err := p.Lookup(t.Context(), connection(), ports.NoPayment); err != nil || got.State != ports.ProviderAbsent {
		t.Errorf("%+v %v", got, err)
	}
}
