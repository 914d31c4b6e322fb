package program

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// serverPair is a sandbox provider (the bank) in a process of its own, and servers that share it, a database
// and a Redis.
type serverPair struct {
	*testing.T

	env           []string
	base          serverProcess // lives as long as the test
	db            *sql.DB
	credentials   credentials
	account       string
	bankSecret    string
	bankURL       string
	connection    string
	client        http.Client
	failpointsHit sync.Map // failpoints at which a server was killed
}

func newServerPair(t *testing.T) *serverPair {
	t.Helper()
	database, dir := demoDatabase(t)
	d := &serverPair{T: t, client: http.Client{Timeout: patience}}
	shared := []string{"CARTWRIGHT_DATA=" + dir, "CARTWRIGHT_DATABASE_URL=" + database, "CARTWRIGHT_LOG_LEVEL=error"}
	address, err := testservers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	d.bankURL = "http://" + address
	d.env = slices.Concat(shared, []string{"CARTWRIGHT_REDIS_URL=" + testservers.Redis(t), "CARTWRIGHT_SANDBOX_URL=" + d.bankURL})
	d.base = startProcess(t, d.env...)
	bankProcess := &testservers.Process{
		Path: d.base.Path, Args: []string{"sandbox", "--addr", address}, Env: append([]string{asServer + "=yes"}, shared...),
		URL: d.bankURL, Probe: "/healthz",
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := bankProcess.Start(ctx); err != nil {
		t.Fatalf("%v\n%s", err, bankProcess.Output())
	}
	t.Cleanup(bankProcess.Stop)
	d.readSecrets(dir)
	if d.db, err = sql.Open("pgx", database); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.db.Close() })
	return d
}

// readSecrets reads the credentials and secrets of the servers.
func (d *serverPair) readSecrets(dir string) {
	d.Helper()
	c := Config{Data: dir}
	text, err := os.ReadFile(c.File(credentialsFile))
	if err == nil {
		err = json.Unmarshal(text, &d.credentials)
	}
	if err != nil {
		d.Fatal(err)
	}
	versions, err := c.secrets()
	if err != nil {
		d.Fatal(err)
	}
	d.bankSecret, d.account = sandboxSecrets(versions)[0], onboarding.SandboxAccount(tenant.ID(d.credentials.TenantID))
	d.connection = textAt(d.must(d.base.URL, "GET", "/api/provider-connections?where[provider][equals]=sandbox", nil), "docs", "0", "id")
}

// call sends a request of the shop's server to a server or to the bank.
func (d *serverPair) call(base, method, path string, body any, header ...string) (status int, answer map[string]any, err error) {
	raw, ok := body.([]byte)
	if !ok && body != nil {
		if raw, err = json.Marshal(body); err != nil {
			return 0, nil, err
		}
	}
	req, err := http.NewRequestWithContext(d.Context(), method, base+path, bytes.NewReader(raw))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("X-API-Key", d.credentials.TestSecretKey)
	req.Header.Set("Idempotency-Key", "ik_"+rand.Text()+"abcdef")
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := d.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	return res.StatusCode, answer, err
}

func (d *serverPair) must(base, method, path string, body any, header ...string) map[string]any {
	d.Helper()
	status, answer, err := d.call(base, method, path, body, header...)
	if err != nil || status >= 300 {
		d.Fatalf("%s %s: %d %v %v", method, path, status, answer, err)
	}
	return answer
}

// paidSession is a payment session whose payment is captured at the bank without a notification.
type paidSession struct {
	checkout, cart, session, paymentID, paymentKey, variant string
	hosted                                                  bool
}

var paidSessionCount atomic.Int64

const commercePath = "/api/server/commerce"

func (d *serverPair) newPaidSession(hosted bool) paidSession {
	d.Helper()
	s := d.newCheckoutOnly(hosted)
	path, open := s.opening()
	d.must(d.base.URL, "POST", path, open)
	return d.capture(s)
}

// newCheckoutOnly is a paidSession before its payment session is opened.
func (d *serverPair) newCheckoutOnly(hosted bool) paidSession {
	d.Helper()
	n := strconv.FormatInt(paidSessionCount.Add(1), 10)
	at := d.base.URL
	product := textAt(d.must(at, "POST", "/api/products", map[string]any{
		"name": "Product " + n, "status": "published", "price": 10000, "variants": []any{map[string]any{"title": "One", "stock": 5}},
	}), "doc", "id")
	s := paidSession{
		hosted: hosted, variant: textAt(d.must(at, "GET", "/api/product-variants?where[product][equals]="+product, nil), "docs", "0", "id"),
	}
	d.must(at, "POST", "/api/discounts", map[string]any{"code": "CODE" + n, "type": "percentage", "value": 10, "usageLimit": 1})
	s.cart = textAt(d.must(at, "POST", commercePath+"/carts", map[string]any{
		"items": []any{map[string]any{"variantId": s.variant, "quantity": 1}}, "discountCodes": []string{"CODE" + n},
	}), "cart", "id")
	s.checkout = textAt(d.must(at, "POST", commercePath+"/checkouts", map[string]any{
		"cartId": s.cart, "email": "kim@example.com", "shippingAddress": map[string]any{
			"recipientName": "Kim", "postalCode": "06000", "address1": "Gangnam 1", "country": "KR",
		},
	}), "checkout", "id")
	return s
}

// opening is the request that opens the payment session.
func (s paidSession) opening() (path string, open map[string]any) {
	if s.hosted {
		return commercePath + "/payment-sessions/aggregator", map[string]any{
			"checkoutId": s.checkout, "mode": "hosted_v2", "method": "CARD_KR", "redirectUrl": "https://shop.example/back",
		}
	}
	return commercePath + "/payment-sessions", map[string]any{
		"checkoutId": s.checkout, "successUrl": "https://shop.example/ok", "failUrl": "https://shop.example/no",
	}
}

// capture approves and captures the payment of s at the bank.
func (d *serverPair) capture(s paidSession) paidSession {
	d.Helper()
	sessions := d.must(d.base.URL, "GET", "/api/payment-sessions?where[checkout][equals]="+s.checkout, nil)
	if s.session = textAt(sessions, "docs", "0", "id"); s.session == "" || textAt(sessions, "docs", "1", "id") != "" {
		d.Fatalf("want one payment session, got %v", sessions)
	}
	s.paymentID = textAt(sessions, "docs", "0", "paymentId")
	s.paymentKey = textAt(d.must(d.bankURL, "POST", "/sandbox/authorize", map[string]any{
		"paymentId": s.paymentID, "outcome": "approve", "webhooks": "never",
	}), "paymentKey")
	if !s.hosted {
		d.must(d.bankURL, "POST", "/v1/payments/"+s.paymentID+"/confirm", map[string]any{
			"paymentKey": s.paymentKey, "orderId": s.paymentID, "amount": 12000, "currency": "KRW",
		},
			"Authorization", "Bearer "+bank.AccountSecret(d.bankSecret, d.account))
	}
	return s
}
