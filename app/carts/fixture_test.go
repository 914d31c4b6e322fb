package carts_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/redis"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// database is an empty database. open opens it, each time as another process would; driver and source are for
// direct SQL access.
type database struct {
	open           func(t testing.TB) *sqlstore.Store
	driver, source string
}

// onBothDatabases runs test on SQLite and on a real Postgres.
func onBothDatabases(t *testing.T, test func(t *testing.T, db database)) {
	t.Run("sqlite", func(t *testing.T) { test(t, sqliteFile(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, postgresDatabase(t)) })
}

// oneDatabase is for rules that do not depend on the kind of database.
func oneDatabase(t testing.TB) database { return sqliteFile(t) }

func sqliteFile(t testing.TB) database {
	path := migratedFile.Copy(t)
	var s *sqlstore.Store // a SQLite file has one owner
	return database{func(t testing.TB) *sqlstore.Store {
		if s == nil {
			s = openStore(t, sqlstore.Options{Path: path})
		}
		return s
	}, "sqlite", path}
}

func postgresDatabase(t testing.TB) database {
	url := migrated.Postgres(t)
	return database{func(t testing.TB) *sqlstore.Store { return openStore(t, sqlstore.Options{URL: url}) }, "pgx", url}
}

// sequences are the recordSequences of the events of a record, in order.
func (db database) sequences(t testing.TB, record string) (list []int64) {
	t.Helper()
	conn, err := sql.Open(db.driver, db.source)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	rows, err := conn.QueryContext(t.Context(), "SELECT record_sequence FROM events WHERE record = $1 ORDER BY record_sequence", record)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// migrated and migratedFile have the tables of openStore and no rows.
var (
	migrated     = testservers.Template{Fill: func(url string) error { return migrate(sqlstore.Options{URL: url}) }}
	migratedFile = testservers.FileTemplate{Fill: func(path string) error { return migrate(sqlstore.Options{Path: path}) }}
)

func migrate(o sqlstore.Options) error {
	s, err := connect(context.Background(), o)
	if err != nil {
		return err
	}
	return s.Close()
}

func connect(ctx context.Context, o sqlstore.Options) (*sqlstore.Store, error) {
	registry, err := collection.NewRegistry(registry.Schemas()...)
	if err != nil {
		return nil, err
	}
	o.Registry, o.Fold, o.Logger = registry, strings.ToLower, slog.New(slog.DiscardHandler)
	return sqlstore.Open(ctx, o)
}

func openStore(t testing.TB, o sqlstore.Options) *sqlstore.Store {
	t.Helper()
	s, err := connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// shop is a tenant with variants in one database.
type shop struct {
	db       database
	store    *sqlstore.Store
	tenant   tenant.Settings
	product  string
	variants []string
	vault    ports.Vault
	now      *atomic.Int64 // unix milliseconds
}

func newShop(t testing.TB, db database, variants int) *shop {
	t.Helper()
	secrets, err := token.NewSecrets(map[int][]byte{1: []byte(strings.Repeat("s", 32))})
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{
		db: db, store: db.open(t), tenant: tenant.Settings{
			ID: tenant.ID(newID()), Currency: "KRW", Rounding: money.HalfUp, CommerceEnabled: true,
		},
		vault: token.NewVault(secrets), now: new(atomic.Int64),
	}
	s.now.Store(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).UnixMilli())
	s.product = s.write(t, catalog.Products, collection.Record{
		"name": "Shirt", "slug": "shirt", "status": catalog.Published, "price": money.Of(1000, "KRW"),
	})
	for range variants {
		s.variants = append(s.variants, s.variant(t, s.product, 1_000_000))
	}
	return s
}

// variant creates a variant with the given units on hand.
func (s *shop) variant(t testing.TB, product string, onHand int64) string {
	t.Helper()
	id := s.write(t, catalog.Variants, collection.Record{
		"product": product, "title": "plain", "kind": catalog.Physical, "trackInventory": true,
	})
	s.stock(t, product, id, onHand)
	return id
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

func (s *shop) clock() time.Time { return time.UnixMilli(s.now.Load()).UTC() }

func (s *shop) pass(d time.Duration) { s.now.Add(d.Milliseconds()) }

func (s *shop) write(t testing.TB, schema *collection.Schema, r collection.Record) string {
	t.Helper()
	r["id"], r["tenant"] = newID(), string(s.tenant.ID)
	err := s.store.Atomically(t.Context(), ports.ForTenant(s.tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(schema, nil, r.Clone(), newID(), s.clock()))
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.ID()
}

func (s *shop) stock(t testing.TB, product, variant string, n int64) {
	t.Helper()
	err := s.store.Atomically(t.Context(), ports.ForTenant(s.tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		return tx.Stock.Set(ctx, s.tenant.ID, tenant.Live, product, variant, ports.StockLevel{OnHand: n, Tracked: true}, ports.StockCause{})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// process is one server process on the tenant's database.
type process struct {
	*carts.Service

	shop  *shop
	store *sqlstore.Store
	cache ports.ReceiptCache
}

func (s *shop) process(t testing.TB, o mailbox.Options) *process {
	t.Helper()
	p := &process{shop: s, store: s.db.open(t)}
	p.flush()
	p.Service = carts.New(carts.Service{
		Store: p.store, Committer: p.store.Committer(), Cache: emptyCache{p}, Vault: s.vault,
		Offers: offers.NewCache(p.store, s.clock, time.Second), Now: s.clock, NewID: newID,
	}, o)
	return p
}

// flush empties the receipt cache.
func (p *process) flush() { p.cache = memory.NewReceipts(64<<20, p.shop.clock, p.store) }

// shareReceipts gives processes one receipt cache in a real Redis.
func shareReceipts(t testing.TB, processes []*process) {
	t.Helper()
	client, err := redis.ConnectWithTimeout(testservers.Redis(t), slog.New(slog.DiscardHandler), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	for _, p := range processes {
		p.cache = redis.NewReceipts(client, "shopping:", p.store)
	}
}

// emptyCache lets a test flush the cache of a running process.
type emptyCache struct{ p *process }

func (f emptyCache) Find(ctx context.Context, k ports.ReceiptKey) (ports.Receipt, bool) {
	return f.p.cache.Find(ctx, k)
}
func (f emptyCache) Epoch() ports.Epoch { return f.p.cache.Epoch() }
func (f emptyCache) Put(ctx context.Context, epoch ports.Epoch, r ports.Receipt) {
	f.p.cache.Put(ctx, epoch, r)
}
func (f emptyCache) Lease(ctx context.Context, k ports.ReceiptKey, owner string, d time.Duration) bool {
	return f.p.cache.Lease(ctx, k, owner, d)
}
func (f emptyCache) ReleaseLease(ctx context.Context, k ports.ReceiptKey, owner string) {
	f.p.cache.ReleaseLease(ctx, k, owner)
}

// newKey is an idempotency key in the generator's format.
func newKey() string {
	return "ik_" + strings.ReplaceAll(newID(), "-", "")
}

func (s *shop) principal(kind tenant.Kind, id string) tenant.Principal {
	return tenant.Principal{Kind: kind, ID: id, Tenant: s.tenant, Environment: tenant.Live, CanRead: true, CanWrite: true}
}

// server is a call of the tenant's server.
func (s *shop) server(operation, key string, body ...any) idempotency.Call {
	return idempotency.Call{
		Principal: s.principal(tenant.SecretKey, "sk"), Server: true, Key: key, Operation: operation,
		Fingerprint: idempotency.Fingerprint("POST", operation, nil, body), RequestID: newID(),
	}
}

// guest is a call of a visitor with a cart token.
func (s *shop) guest(operation, key, cartToken string, body ...any) idempotency.Call {
	c := s.server(operation, key, body...)
	c.Principal, c.Server, c.CartToken = s.principal(tenant.ClientKey, "pk"), false, cartToken
	return c
}

// shownLine is a line in a response.
type shownLine struct {
	ID, Variant string
	Quantity    int64
	Available   bool
}

// shown is the body of a response.
type shown struct {
	Cart *struct {
		ID, Status, Customer string
		Market               string
		Revision             int64
		Lines                []shownLine
		Totals               struct{ Total json.Number }
	}
	CartToken string
}

func read(t testing.TB, a idempotency.Response, err error) shown {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if a.Fault != nil {
		t.Fatal(a.Fault)
	}
	var out shown
	if err := json.Unmarshal(a.Body.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func (p *process) begin(t testing.TB) shown {
	t.Helper()
	a, err := p.Create(t.Context(), p.shop.guest("carts.create", newKey(), ""), carts.NewCart{})
	return read(t, a, err)
}

func (p *process) add(
	t testing.TB, call idempotency.Call, cartID string, expected int64, variant string, n int64,
) (idempotency.Response, error) {
	return p.AddLine(t.Context(), carts.Target{Call: call, Cart: cartID, ExpectedRevision: expected},
		cart.LineInput{Variant: variant, Quantity: n}, "")
}

func (p *process) look(t testing.TB, cartID string) shown {
	t.Helper()
	a, err := p.Retrieve(t.Context(), p.shop.server("carts.retrieve", ""), cartID, carts.Wrapped)
	return read(t, a, err)
}
