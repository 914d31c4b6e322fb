package stripe_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/paymenttest"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
	"github.com/cartwright-dev/cartwright/domain/fault"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// connected is a connection of a connected account, by the key of its platform.
func connected() ports.Connection {
	conn := connection()
	conn.AccountKey = stripefake.ConnectedAccount
	conn.Credentials["connectedAccount"] = stripefake.ConnectedAccount
	return conn
}

// Everything that holds for an account holds for a connected one.
func TestConnectedAccountContract(t *testing.T) {
	t.Parallel()
	paymenttest.Provider(t, func(*testing.T) paymenttest.Harness {
		h := harness(stripefake.New())
		h.Connection, h.PublicCredentials = connected(), []string{"connectedAccount"}
		theirs := h.SetOtherIdentity
		h.SetOtherIdentity = func(answer map[string]any) paymenttest.Identity {
			id := theirs(answer)
			id.Account = stripefake.ConnectedAccount
			return id
		}
		return h
	})
}

// headers records the accounts that requests name.
type headers struct{ accounts []string }

func (h *headers) RoundTrip(r *http.Request) (*http.Response, error) {
	h.accounts = append(h.accounts, r.Header.Get("Stripe-Account"))
	return http.DefaultTransport.RoundTrip(r)
}

func TestEveryCallNamesTheConnectedAccount(t *testing.T) {
	t.Parallel()
	for want, conn := range map[string]ports.Connection{stripefake.ConnectedAccount: connected(), "": connection()} {
		sent := &headers{}
		s := &shop{Stripe: stripefake.New(), conn: conn, client: payment.NewClient(payment.Limits{OpenFor: time.Hour}, sent)}
		server := httptest.NewServer(s.Stripe)
		t.Cleanup(server.Close)
		s.provider = stripe.New(server.URL, s.client, s.Clock)
		ref := s.paid(t)
		s.want(t, ports.PaymentRef{ProviderPaymentID: ref.ProviderPaymentID}, ports.ProviderPaid)
		if _, err := s.send("key-refund", 1, refundOf(ref, 400, 1999)); err != nil {
			t.Error(err)
		}
		if _, err := s.send("key-close", 1, ports.CloseRequest{PaymentRef: ref}); !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("closed a paid session: %v", err)
		}
		if n := len(sent.accounts); n < 8 || slices.ContainsFunc(sent.accounts, func(a string) bool { return a != want }) {
			t.Errorf("%d calls named %q, want %q", n, sent.accounts, want)
		}
	}
}

func TestConnectedAccountIsThatOfTheConnection(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.conn = connected()
	ref := s.paid(t)
	if got := s.want(t, ref, ports.ProviderPaid); got.AccountKey != stripefake.ConnectedAccount {
		t.Errorf("the account is %q", got.AccountKey)
	}
	s.conn = connection() // the platform itself does not know the payment
	s.want(t, ref, ports.ProviderAbsent)
	s.conn.AccountKey = stripefake.ConnectedAccount // whose payments the platform's key does not see without naming it
	if got, err := s.provider.Lookup(t.Context(), s.conn, ref); code(err) != "account_mismatch" {
		t.Errorf("a look-up at the wrong account: %+v %v", got, err)
	}
	refund := ports.RefundRef{PaymentRef: ref, Key: "key-refund", Amount: price, RemainingBefore: price}
	if got, err := s.provider.LookupRefund(t.Context(), s.conn, refund); code(err) != "account_mismatch" {
		t.Errorf("a look-up of a refund at the wrong account: %+v %v", got, err)
	}
	posts := len(s.PostedRequests())
	for name, c := range map[string][2]string{
		"another account":  {stripefake.Account, stripefake.ConnectedAccount},
		"no account":       {stripefake.ConnectedAccount, ""},
		"not of its form":  {"acct_1\nX: y", "acct_1\nX: y"},
		"a foreign object": {"cus_1", "cus_1"},
	} {
		s.conn = connection()
		s.conn.AccountKey, s.conn.Credentials["connectedAccount"] = c[0], c[1]
		if _, err := s.send("key-2", 1, hosted); code(err) != "account_mismatch" || len(s.PostedRequests()) != posts {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.conn = connected()
	s.conn.AccountKey, s.conn.Credentials["connectedAccount"] = "acct_elsewhere", "acct_elsewhere"
	if _, err := s.send("key-3", 1, hosted); code(err) != "account_invalid" || len(s.PostedRequests()) != posts {
		t.Errorf("an account that is not connected: %v", err)
	}
}

func TestEventsOfOtherAccountsNameNothing(t *testing.T) {
	t.Parallel()
	f := stripefake.New()
	p := stripe.New("http://127.0.0.1", payment.NewClient(payment.Limits{}, nil), f.Clock)
	const object = `{"object":"checkout.session","id":"cs_1"}`
	for name, c := range map[string]struct {
		conn    ports.Connection
		account string
		names   int
	}{
		"the connected account":               {connected(), stripefake.ConnectedAccount, 1},
		"another connected account":           {connected(), "acct_elsewhere", 0},
		"an endpoint of the account itself":   {connected(), "", 1},
		"a connected account at the platform": {connection(), stripefake.ConnectedAccount, 0},
		"the platform":                        {connection(), "", 1},
	} {
		event := noticeOf(f, c.account, "whsec_1", "checkout.session.completed", object)
		hint, err := p.Hint(c.conn, []string{"whsec_1"}, event)
		if err != nil || hint.EventID == "" || len(hint.Payments) != c.names {
			t.Errorf("%s: %+v %v", name, hint, err)
		}
	}
}

func TestConnectedAccountIsCheckedWhenStored(t *testing.T) {
	t.Parallel()
	describe := stripe.New("", payment.NewClient(payment.Limits{}, nil), time.Now).Describe()
	for account, accepted := range map[string]bool{
		"": true, "acct_1": true, "acct_2": false, "acct_": false, "cus_1": false, "acct_1\n": false,
	} {
		err := describe.CheckCredentials("acct_1", map[string]string{"secretKey": stripefake.Key, "connectedAccount": account})
		if (err == nil) != accepted || err != nil && fault.From(err).Fields[0].Field != "credentials.connectedAccount" {
			t.Errorf("%q: %v", account, err)
		}
	}
	if missing := describe.Missing(domain.Hosted, map[string]string{"secretKey": stripefake.Key}); len(missing) > 0 {
		t.Errorf("accounts need no connected account: %v", missing)
	}
}
