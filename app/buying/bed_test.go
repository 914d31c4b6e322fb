package buying_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	providers "github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/stocktaking"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/platform"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const bankSecret = "a secret of the sandbox only"

// bed is a shop of its own on a real database, with the sandbox provider behind HTTP.
type bed struct {
	*buying.Buying

	t        testing.TB
	store    *sqlstore.Store
	content  *content.Content
	shop     tenant.Facts
	account  string // at the provider
	bankURL  string
	at       atomic.Int64
	variants map[string]string // name → variant id
}

// both runs a rule on SQLite and on a real Postgres. The tests share the databases and the provider: each has its own
// shop, which is what tenancy is for.
func both(t *testing.T, rule func(t *testing.T, b *bed)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		rule(t, newBed(t, onSQLite()))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		rule(t, newBed(t, onPostgres()))
	})
}

// lasting is a TB whose cleanups run when all tests are done.
type lasting struct {
	testing.TB

	dir      string
	cleanups []func()
}

func (l *lasting) Cleanup(f func())         { l.cleanups = append(l.cleanups, f) }
func (l *lasting) Context() context.Context { return context.Background() }
func (l *lasting) Helper()                  {}
func (l *lasting) Fatal(args ...any)        { panic(fmt.Sprint(args...)) }
func (l *lasting) Error(args ...any)        { panic(fmt.Sprint(args...)) }

var suite = &lasting{}

func TestMain(m *testing.M) {
	var err error
	if suite.dir, err = os.MkdirTemp("", "buying"); err != nil {
		panic(err)
	}
	code := m.Run()
	for _, f := range slices.Backward(suite.cleanups) {
		f()
	}
	if err := os.RemoveAll(suite.dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

var (
	onSQLite   = sync.OnceValue(func() *sqlstore.Store { return openStore(sqlstore.Options{Path: filepath.Join(suite.dir, "shop.db")}) })
	onPostgres = sync.OnceValue(func() *sqlstore.Store {
		return openStore(sqlstore.Options{URL: testservers.Postgres(suite), Connections: 24})
	})
	bankAt = sync.OnceValue(openBank)
)

func openStore(o sqlstore.Options) *sqlstore.Store {
	var err error
	if o.Registry, err = collection.NewRegistry(platform.Schemas()...); err != nil {
		suite.Fatal(err)
	}
	o.Fold, o.Logger = strings.ToLower, slog.New(slog.DiscardHandler)
	o.Settle = stocktaking.Stocktaking{Now: time.Now, NewID: newID}.Settle
	store, err := sqlstore.Open(suite.Context(), o)
	if err != nil {
		suite.Fatal(err)
	}
	suite.Cleanup(func() {
		if err := store.Close(); err != nil {
			suite.Error(err)
		}
	})
	return store
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

func newBed(t testing.TB, store *sqlstore.Store) *bed {
	t.Helper()
	b := &bed{t: t, store: store, bankURL: bankAt(), variants: map[string]string{}, shop: tenant.Facts{ID: tenant.ID(newID()), Plan: tenant.Enterprise, Currency: "KRW", CommerceEnabled: true}}
	b.account = "shop-" + string(b.shop.ID)
	b.at.Store(start.UnixMilli())
	b.Buying = b.instance()
	registry, err := collection.NewRegistry(platform.Schemas()...)
	if err != nil {
		t.Fatal(err)
	}
	b.content = &content.Content{Store: b.store, Registry: registry, Fold: strings.ToLower, Now: b.now, NewID: newID}
	b.content.Hooks = content.CatalogHooks(b.content)
	b.content.Hooks[payment.Connections.Slug] = buying.ConnectionHooks(b.Vault)
	b.stockShop()
	return b
}

// start is when every test begins.
var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func (b *bed) now() time.Time          { return time.UnixMilli(b.at.Load()).UTC() }
func (b *bed) advance(d time.Duration) { b.at.Add(d.Milliseconds()) }

// instance is a server process of its own: memory is not shared with another one.
func (b *bed) instance() *buying.Buying {
	secrets, err := token.NewSecrets(map[int][]byte{1: []byte("thirty-two bytes of secret for it")})
	if err != nil {
		b.t.Fatal(err)
	}
	return &buying.Buying{
		Store: b.store, Vault: token.NewVault(secrets), Now: b.now, NewID: newID, Log: slog.New(slog.DiscardHandler),
		Once:      &once.Runner{Store: b.store, Claims: b.store.Claims(), Cache: memory.NewReceipts(1<<20, b.now), Now: b.now, NewID: newID},
		Providers: map[string]ports.Provider{"sandbox": sandbox.New(b.bankURL, providers.NewClient(providers.Limits{CallTimeout: 3 * time.Second, LookupTimeout: 3 * time.Second}, nil))},
	}
}

// openBank serves the sandbox provider; its clock stands still.
func openBank() (url string) {
	store, err := bank.OpenSQLite(suite.Context(), filepath.Join(suite.dir, "bank.db"))
	if err != nil {
		suite.Fatal(err)
	}
	service, err := bank.New(bank.Options{Store: store, Secret: bankSecret, Now: func() time.Time { return start }})
	if err != nil {
		suite.Fatal(err)
	}
	server := httptest.NewServer(service)
	suite.Cleanup(func() {
		server.CloseClientConnections()
		if err := service.Close(); err != nil {
			suite.Error(err)
		}
		server.Close()
	})
	return server.URL
}

// tree reads JSON the way the edge does.
func tree(t testing.TB, text string) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	m, _ := numerals(v).(map[string]any)
	return m
}

func numerals(v any) any {
	switch v := v.(type) {
	case json.Number:
		return collection.Numeral(v)
	case []any:
		for i := range v {
			v[i] = numerals(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numerals(v[k])
		}
	}
	return v
}

func (b *bed) owner() tenant.Principal {
	return tenant.Principal{Kind: tenant.System, Tenant: b.shop, Environment: tenant.Test, CanRead: true, CanWrite: true}
}

// create writes a record the way an operator does.
func (b *bed) create(s *collection.Schema, text string) string {
	b.t.Helper()
	var id string
	err := b.store.Atomically(b.t.Context(), ports.Of(b.shop.ID), func(ctx context.Context, tx ports.Tx) error {
		r, err := (content.Within{Content: b.content}).Create(ctx, tx, b.owner(), s, tree(b.t, text))
		id = r.ID()
		return err
	})
	if err != nil {
		b.t.Fatalf("%s %s: %v", s.Slug, text, err)
	}
	return id
}

// product puts a product with one variant on sale.
func (b *bed) product(name, price, stock, more string) {
	b.t.Helper()
	id := b.create(catalog.Products, `{"name":"`+name+`","status":"published","price":`+price+`,"variants":[{"title":"One","stock":`+stock+more+`}]}`)
	page, err := b.store.Read(ports.Of(b.shop.ID)).Find(b.t.Context(), collection.Query{
		Schema: catalog.Variants, Environment: "test", Where: catalog.Variants.Where("product", collection.Equals, id), Limit: 10, Page: 1,
	})
	if err != nil || len(page.Docs) != 1 {
		b.t.Fatalf("variants of %s: %v %v", name, page.Docs, err)
	}
	b.variants[name] = page.Docs[0].ID()
}

func (b *bed) stockShop() {
	b.t.Helper()
	now := b.now()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		shop := collection.Record{"id": string(b.shop.ID), "tenant": string(b.shop.ID), "name": "Shop", "slug": "shop-" + string(b.shop.ID), "plan": "enterprise", "currency": "KRW"}
		policy := shipping.NewPolicy(newID(), string(b.shop.ID), "KRW")
		return tx.Records.Write(ctx, collection.NewChange(identity.Tenants, nil, shop, newID(), now), collection.NewChange(shipping.Schema, nil, policy, newID(), now))
	})
	b.create(payment.Connections, `{"name":"Sandbox","provider":"sandbox","accountKey":"`+b.account+`","environment":"test","isDefault":true,"credentials":{"secretKey":"`+bank.AccountSecret(bankSecret, b.account)+`"}}`)
	b.product("mug", "12000", "100", "")
	b.product("lamp", "50000", "30", "")
	b.product("course", "30000", "1000", `,"kind":"digital"`)
	b.product("gift", "0", "5", `,"kind":"digital"`)
	b.create(discount.Schema, `{"code":"ONCE","type":"percentage","value":10,"usageLimit":1}`)
}

func (b *bed) atomically(fn func(ctx context.Context, tx ports.Tx) error) {
	b.t.Helper()
	if err := b.store.Atomically(b.t.Context(), ports.Of(b.shop.ID), fn); err != nil {
		b.t.Fatal(err)
	}
}

// cart stores a guest's cart with one line per product, quantity 1 unless the name says "3 mug".
func (b *bed) cart(codes []string, names ...string) string {
	b.t.Helper()
	x := cart.Cart{
		ID: newID(), Tenant: b.shop.ID, Environment: tenant.Test, Status: cart.Active, Revision: 1, Currency: "KRW", Sequence: 0,
		TokenHash: once.HashText("ct_guest"), ExpiresAt: b.now().Add(cart.Lifetime), Totals: cart.Totals{Subtotal: krw(0), Discount: krw(0), Total: krw(0)},
	}
	for _, name := range names {
		quantity := int64(1)
		if n, rest, ok := strings.Cut(name, " "); ok {
			quantity, name = int64(n[0]-'0'), rest
		}
		x.Lines = append(x.Lines, cart.Line{
			ID: newID(), Product: newID(), Variant: b.variants[name], Title: name, Quantity: quantity, UnitPrice: krw(1), Subtotal: krw(1), Discount: krw(0),
			Total: krw(1), Kind: "physical", RequiresShipping: name == "mug" || name == "lamp",
		})
	}
	for _, code := range codes {
		x.Codes = append(x.Codes, cart.Code{Code: code, Applied: true, Amount: krw(0)})
	}
	r := x.Record()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(cart.Schema, nil, r.Clone(), newID(), b.now()))
	})
	return x.ID
}

func krw(n int64) money.Money { return money.Of(n, "KRW") }

func key() string { return "ik_" + rand.Text() + "abcdef" }

// server is a call of the shop's server under a key; body tells requests apart.
func (b *bed) server(key, operation, body string) once.Call {
	return once.Call{
		Principal: tenant.Principal{Kind: tenant.SecretKey, ID: "key-1", Tenant: b.shop, Environment: tenant.Test, CanRead: true, CanWrite: true},
		Server:    true, Key: key, Operation: operation, Fingerprint: once.Fingerprint("POST", operation, nil, body), RequestID: newID(),
	}
}

// guest is a call of a shopper with a checkout token.
func (b *bed) guest(key, operation, token string) once.Call {
	c := b.server(key, operation, "")
	c.Principal, c.Server = tenant.Principal{Kind: tenant.ClientKey, ID: "pk-1", Tenant: b.shop, Environment: tenant.Test}, false
	c.CheckoutToken = token
	return c
}

// said is an answer read back.
type said map[string]any

func (s said) at(path string) any {
	var v any = map[string]any(s)
	for name := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func (s said) text(path string) string {
	switch v := s.at(path).(type) {
	case string:
		return v
	case collection.Numeral:
		return string(v)
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

func (b *bed) read(body []byte) said { return said(tree(b.t, string(body))) }

// must is the body of a success.
func (b *bed) must(a once.Answer, err error) said {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	if a.Fault != nil {
		b.t.Fatalf("refused: %v %v", a.Fault, a.Fault.Data)
	}
	return b.read(a.Body)
}

var home = &checkout.Address{RecipientName: "Kim", Phone: "010-1", PostalCode: "06000", Address1: "Gangnam 1", Country: "KR"}

func (b *bed) newCheckout(cartID string) buying.NewCheckout {
	return buying.NewCheckout{Cart: cartID, Contact: checkout.Contact{Name: "Kim", Email: "kim@example.com"}, Address: home}
}

// checkout opens a checkout of a new cart and returns its answer.
func (b *bed) checkout(names ...string) said {
	b.t.Helper()
	return b.must(b.Create(b.t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(b.cart(nil, names...))))
}

func session(checkoutID string) buying.NewSession {
	return buying.NewSession{Checkout: checkoutID, Action: payment.Action{Kind: payment.Widget, SuccessURL: "https://shop.example/ok", FailURL: "https://shop.example/no"}}
}

func (b *bed) pay(checkoutID string) said {
	b.t.Helper()
	return b.must(b.OpenSession(b.t.Context(), b.server(key(), "paymentSessions.create", ""), session(checkoutID)))
}

// approve is the buyer saying yes at the provider.
func (b *bed) approve(session said, outcome string) (paymentKey string) {
	b.t.Helper()
	body, _ := json.Marshal(map[string]string{"orderId": session.text("action.orderId"), "outcome": outcome})
	return b.post("/sandbox/authorize", body).text("paymentKey")
}

func (b *bed) post(path string, body []byte) said {
	b.t.Helper()
	res, err := http.Post(b.bankURL+path, "application/json", bytes.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		b.t.Fatalf("%s: %d %s %v", path, res.StatusCode, answer, err)
	}
	return b.read(answer)
}

// faults orders failures at the provider.
func (b *bed) faults(body string) {
	b.t.Helper()
	req, _ := http.NewRequestWithContext(b.t.Context(), http.MethodPut, b.bankURL+"/sandbox/faults", strings.NewReader(body))
	req.SetBasicAuth(bank.AccountSecret(bankSecret, b.account), "")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		b.t.Fatal(res.Status)
	}
}

func confirmation(session said, paymentKey string) buying.Confirmation {
	n, _ := money.Parse(session.text("action.amount.amount"), "KRW")
	return buying.Confirmation{Session: session.text("paymentSession.id"), PaymentKey: paymentKey, OrderID: session.text("action.orderId"), Amount: n}
}

func (b *bed) confirm(session said, paymentKey string) (once.Answer, error) {
	return b.Confirm(b.t.Context(), b.server(key(), "paymentSessions.confirm", ""), confirmation(session, paymentKey))
}

// get reads a record.
func (b *bed) get(s *collection.Schema, id string) collection.Record {
	b.t.Helper()
	r, err := b.store.Read(ports.Of(b.shop.ID)).Get(b.t.Context(), s, id)
	if err != nil {
		b.t.Fatalf("%s %s: %v", s.Slug, id, err)
	}
	return r
}

// all reads every record of a collection.
func (b *bed) all(s *collection.Schema) []collection.Record {
	b.t.Helper()
	page, err := b.store.Read(ports.Of(b.shop.ID)).Find(b.t.Context(), collection.Query{Schema: s, Limit: 500, Page: 1})
	if err != nil {
		b.t.Fatal(err)
	}
	return page.Docs
}

func (b *bed) level(name string) (l ports.Level) {
	b.t.Helper()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		levels, err := tx.Stock.Levels(ctx, tenant.Test, []string{b.variants[name]})
		l = levels[b.variants[name]]
		return err
	})
	return l
}

// balance is what the books say an order brought.
func (b *bed) balance(orderID string) (minor int64) {
	b.t.Helper()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		sums, err := tx.Ledger.Balance(ctx, orderID)
		minor = sums["KRW"]
		return err
	})
	return minor
}

// capture takes the money at the provider behind our back, as a late confirm of another system would.
func (b *bed) capture(session said, paymentKey string) {
	b.t.Helper()
	n, _ := money.Parse(session.text("action.amount.amount"), "KRW")
	body, _ := json.Marshal(map[string]any{"paymentKey": paymentKey, "orderId": session.text("action.orderId"), "amount": n.Minor, "currency": "KRW"})
	req, _ := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.bankURL+"/v1/payments/"+session.text("action.orderId")+"/confirm", bytes.NewReader(body))
	req.SetBasicAuth(bank.AccountSecret(bankSecret, b.account), "")
	req.Header.Set("Idempotency-Key", key())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		b.t.Fatal(res.Status)
	}
}
