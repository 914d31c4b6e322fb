// Package stored_test tests the GraphQL schema, its resolvers and loaders on real stores. The tests have a
// folder of their own so that fuzzing the parser of documents compiles no store.
package stored_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/cartwright-dev/cartwright/adapters/blob"
	"github.com/cartwright-dev/cartwright/adapters/graphql"
	"github.com/cartwright-dev/cartwright/adapters/imagesize"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/uploads"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// shop is an engine over a real store with a tenant.
type shop struct {
	testing.TB

	content *records.Service
	api     *graphql.API
	engine  *graphql.Engine
	reads   *recordingStore // records every read
	facts   tenant.Settings
	by      tenant.Principal // the caller; a secret key unless changed
	key     string           // idempotency key of documents
	log     *bytes.Buffer
}

// bothDatabases runs test on SQLite and on a real Postgres, in parallel.
func bothDatabases(t *testing.T, test func(t *testing.T, s *shop), more ...*collection.Schema) {
	t.Helper()
	testservers.OnBothDatabases(t, func(t *testing.T) {
		test(t, onSQLite(t, more...))
	}, func(t *testing.T) {
		url := testservers.Postgres
		if len(more) == 0 {
			url = migrated.Postgres
		}
		test(t, open(t, sqlstore.Options{URL: url(t)}, more...))
	})
}

func onSQLite(t testing.TB, more ...*collection.Schema) *shop {
	t.Helper()
	if len(more) == 0 {
		return open(t, sqlstore.Options{Path: migratedFile.Copy(t)})
	}
	return open(t, sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "shop.db")}, more...)
}

// migrated and migratedFile have the empty tables of the product's own collections.
var (
	migrated     = testservers.Template{Fill: func(url string) error { return migrate(sqlstore.Options{URL: url}) }}
	migratedFile = testservers.FileTemplate{Fill: func(path string) error { return migrate(sqlstore.Options{Path: path}) }}
)

func migrate(o sqlstore.Options) error {
	var err error
	if o.Registry, err = collection.NewRegistry(registry.Schemas()...); err != nil {
		return err
	}
	o.Fold, o.Logger = fold, slog.New(slog.DiscardHandler)
	store, err := sqlstore.Open(context.Background(), o)
	if err != nil {
		return err
	}
	return store.Close()
}

func fold(s string) string { return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s))) }

func newID() string { return uuid.Must(uuid.NewV7()).String() }

func open(t testing.TB, o sqlstore.Options, more ...*collection.Schema) *shop {
	t.Helper()
	registry, err := collection.NewRegistry(append(registry.Schemas(), more...)...)
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC) }
	o.Registry, o.Fold, o.Logger, o.Now = registry, fold, slog.New(slog.DiscardHandler), now
	store, err := sqlstore.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &shop{TB: t, reads: &recordingStore{Store: store}, log: &bytes.Buffer{}}
	hooks := records.CatalogHooks(s.reads, registry)
	maps.Copy(hooks, records.IdentityHooks(records.Identities{
		Store: s.reads, Accounts: store.Accounts(), Passwords: token.NewPasswords(token.MinimumCost),
	}, registry))
	hooks[media.Schema.Slug] = uploads.Hooks()
	s.content = &records.Service{Store: s.reads, Registry: registry, Hooks: hooks, Fold: fold, Now: now, NewID: newID}
	blobs, err := blob.Open(t.Context(), blob.Options{URL: "mem://", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	files := &uploads.Service{
		Records: s.content, Store: store, BlobSweep: store.BlobSweep(), Blobs: blobs, ImageSizer: imagesize.Sizer{}, Now: now,
	}
	api, err := graphql.New(graphql.Options{Content: s.content, Operations: operation.Media(files, s.content)})
	if err != nil {
		t.Fatal(err)
	}
	s.api = api
	s.engine = graphql.NewEngine(api, slog.New(slog.NewTextHandler(s.log, nil)))
	f := onboarding.Service{
		Store: store, RecordWriter: records.InTransaction{Service: s.content},
		Passwords: token.NewPasswords(token.MinimumCost), Now: now, NewID: newID,
	}
	draft, err := f.Prepare(onboarding.TenantInput{Name: "Mine", Plan: "enterprise", Locale: "en", TimeZone: "UTC"})
	if err == nil {
		err = f.Create(t.Context(), draft)
	}
	if err != nil {
		t.Fatal(err)
	}
	page, err := store.Read(ports.Scope{System: true}).Find(t.Context(), collection.Query{Schema: identity.Tenants, Limit: 1, Page: 1})
	if err != nil {
		t.Fatal(err)
	}
	s.facts = identity.SettingsFrom(page.Docs[0])
	s.by = tenant.Principal{Kind: tenant.SecretKey, ID: "secret", Tenant: s.facts, Environment: tenant.Live, CanRead: true, CanWrite: true}
	return s
}

// as is s as another caller of the shop.
func (s *shop) as(kind tenant.Kind) *shop {
	other := *s
	other.by = tenant.Principal{Kind: kind, ID: string(kind), Tenant: s.facts, Environment: tenant.Live}
	return &other
}

type tree = map[string]any

// response is a decoded GraphQL response.
type response struct {
	Data   json.RawMessage
	Errors []struct {
		Message    string
		Path       []any
		Extensions map[string]any
	}
	raw string
}

// execute executes a document, which may fail.
func (s *shop) execute(document string, variables tree) response {
	s.Helper()
	raw := s.engine.Answer(s.Context(), gqlrequest.Request{
		Document: document, Variables: variables, Call: idempotency.Call{Principal: s.by, Key: s.key, RequestID: "r-1"},
	})
	out := response{raw: string(raw.Body)}
	if err := json.Unmarshal(raw.Body, &out); err != nil {
		s.Fatalf("%s: %v", raw.Body, err)
	}
	return out
}

// data executes a document that must not fail.
func (s *shop) data(document string, variables tree) string {
	s.Helper()
	out := s.execute(document, variables)
	if len(out.Errors) > 0 {
		s.Fatalf("%s\n%s\n%s", document, out.raw, s.log)
	}
	return string(out.Data)
}

// want executes a document and compares its data.
func (s *shop) want(document, data string) {
	s.Helper()
	if got := s.data(document, nil); got != data {
		s.Errorf("%s\ngot  %s\nwant %s", document, got, data)
	}
}

// refused executes a document that must fail with these errors, each given as "code reason".
func (s *shop) refused(document string, want ...string) response {
	s.Helper()
	out := s.execute(document, nil)
	var got []string
	for _, e := range out.Errors {
		got = append(got, e.Extensions["code"].(string)+" "+e.Extensions["reason"].(string))
	}
	if !slices.Equal(got, want) {
		s.Errorf("%s\ngot %v: %s", document, got, out.raw)
	}
	return out
}

// id is the id in the data of a mutation.
func (s *shop) id(document string) string {
	s.Helper()
	var out map[string]struct{ ID string }
	if err := json.Unmarshal([]byte(s.data(document, nil)), &out); err != nil {
		s.Fatal(err)
	}
	for _, v := range out {
		return v.ID
	}
	return ""
}

// recordingStore records its reads: "find products", "many media".
type recordingStore struct {
	ports.Store

	mu    sync.Mutex
	reads []string
}

func (r *recordingStore) Read(scope ports.Scope) ports.Reader {
	return &recordingReader{r.Store.Read(scope), r}
}

// take returns the recorded reads, sorted, and clears them.
func (r *recordingStore) take() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	reads := r.reads
	r.reads = nil
	slices.Sort(reads)
	return strings.Join(reads, ", ")
}

func (r *recordingStore) record(read string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads = append(r.reads, read)
}

type recordingReader struct {
	ports.Reader

	store *recordingStore
}

func (r *recordingReader) Get(ctx context.Context, s *collection.Schema, id string) (collection.Record, error) {
	r.store.record("get " + s.Slug)
	return r.Reader.Get(ctx, s, id)
}

func (r *recordingReader) GetMany(ctx context.Context, s *collection.Schema, ids []string, room *collection.Room) (map[string]collection.Record, error) {
	r.store.record("many " + s.Slug)
	return r.Reader.GetMany(ctx, s, ids, room)
}

func (r *recordingReader) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	r.store.record("find " + q.Schema.Slug)
	return r.Reader.Find(ctx, q)
}

func (r *recordingReader) Deleted(ctx context.Context, ids []string) (map[string]int64, error) {
	r.store.record("gone")
	return r.Reader.Deleted(ctx, ids)
}
