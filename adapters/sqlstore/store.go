package sqlstore

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/commit"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/deliveries"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/eventlog"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/figures"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/productindex"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/searchindex"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Store is the store on either database. It is safe for concurrent use.
type Store struct {
	engine   *engine
	accounts Accounts
	keys     *APIKeys
	sweeper  *sweeper
}

// Open connects, migrates the database to the registry and returns the store.
func Open(ctx context.Context, o Options) (*Store, error) {
	e, err := newEngine(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := migrationOf(e).Run(ctx); err != nil {
		return nil, errors.Join(err, e.db.Close())
	}
	e.db.AskEpoch(ctx) // so that the first requests know it
	sweeps := &sweeper{
		engine: e, backfill: backfiller{engine: e}, parts: o.Background.Task("sweeps"), reservations: o.Background.Task("expired reservations"),
	}
	return &Store{engine: e, accounts: Accounts{e.db}, keys: &APIKeys{store: e}, sweeper: sweeps}, nil
}

// Plan lists what Open would do to the database of o, as SQL, and does none of it; nothing means that it is
// up to date. A SQLite file that does not exist is made, empty.
func Plan(ctx context.Context, o Options) (steps []string, err error) {
	e, err := newEngine(ctx, o)
	if err != nil {
		return nil, err
	}
	steps, err = migrationOf(e).Plan(ctx)
	return steps, errors.Join(err, e.db.Close())
}

// migrationOf is the migration to the tables of e.
func migrationOf(e *engine) migrate.Migration {
	return migrate.Migration{
		DB: e.db, Shapes: e.shapeList, SystemTables: systemTables(), NotifyOf: e.options.NotifyOf,
		BackfillAll: e.options.Backfill, Fold: e.options.Fold, Log: e.options.Logger,
	}
}

// Close ends all connections; work under way fails.
func (s *Store) Close() error {
	s.engine.sequencer.Close()
	return s.engine.db.Close()
}

// Durability reads the settings in force on the connections that commit.
func (s *Store) Durability(ctx context.Context) (db.Durability, error) {
	return s.engine.db.Durability(ctx)
}

// Ready reports whether requests can be served safely: the database answers, its durability settings can be
// read, and on Postgres the serving roles are under row-level security. Errors: fault.ErrUnavailable, and
// what is wrong.
func (s *Store) Ready(ctx context.Context) error { return s.engine.db.Ready(ctx) }

// Circuits is the state of the breaker in front of Postgres. SQLite has none: it is a file of this process,
// which cannot be away, and whose locks have a time limit of their own.
func (s *Store) Circuits() []ports.Circuit {
	state, ok := s.engine.db.CircuitState()
	if !ok {
		return nil
	}
	return []ports.Circuit{{Name: "database", State: ports.CircuitState(state)}}
}

// Analyze has the database gather the statistics by which it plans, after many records were written.
func (s *Store) Analyze(ctx context.Context) error { return migrationOf(s.engine).Analyze(ctx) }

// CircuitRefusal is the error of any call of s while the circuit is open, without asking the database: it says when
// the circuit may close. Nil otherwise. Errors: fault.ErrUnavailable.
func (s *Store) CircuitRefusal() error { return s.engine.db.CircuitRefusal() }

// Time is the time of the database's own clock, which all instances share.
func (s *Store) Time(ctx context.Context) (time.Time, error) {
	var microseconds int64
	clock := "1000 * " + s.engine.dialect.Clock()
	if s.engine.dialect.Postgres {
		clock = "CAST(extract(epoch FROM " + s.engine.dialect.Clock() + ") * 1000000 AS bigint)"
	}
	_, err := db.QueryRow(ctx, s.engine.db.Reader(db.SystemScope), []any{&microseconds}, "SELECT "+clock)
	return time.UnixMicro(microseconds).UTC(), err
}

// RunExclusive runs work while no other instance on this database migrates it, or runs such work. On SQLite,
// which has one server, it runs at once.
func (s *Store) RunExclusive(ctx context.Context, work func(context.Context) error) error {
	return migrate.RunExclusive(ctx, s.engine.db, work)
}

// Committer is the committer of s; a store needs only one.
func (s *Store) Committer() *commit.Committer {
	o := s.engine.options
	return commit.New(commit.Options{
		DB: s.engine.db, Shapes: s.engine.shapes, Writer: s.engine.writer, EventsCommitted: s.engine.sequencer.Wake,
		AfterCommit: o.AfterCommit, TraceBatch: o.TraceBatch, Task: o.Background.Task("committer"),
	})
}

// Atomically implements ports.Store.
func (s *Store) Atomically(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
	return s.engine.transact(ctx, scope, func(ctx context.Context, t *txn) error { return fn(ctx, txPorts(t)) })
}

// Read implements ports.Store.
func (s *Store) Read(scope ports.Scope) ports.Reader { return s.engine.view(scope) }

// EventLog is the log of s.
func (s *Store) EventLog() eventlog.Log {
	return eventlog.New(eventlog.Options{DB: s.engine.db, Tables: s.engine.events, Unfiltered: s.engine.skipTenantFilter})
}

// RunSequencer numbers committed events until ctx ends. Every instance runs it; one at a time works. On
// SQLite events are numbered as they are written and there is nothing to do.
func (s *Store) RunSequencer(ctx context.Context) error { return s.engine.sequencer.Run(ctx) }

// EventsNumbered is sent when there are new events to read: after the sequencer of this process numbered some, and while
// Subscribe runs, after those of others did.
func (s *Store) EventsNumbered() *background.Signal { return &s.engine.sequencer.Numbered }

// Sequence numbers the events that wait and returns how many: none while another instance is at it.
func (s *Store) Sequence(ctx context.Context) (numbered int64, err error) {
	for more := true; more && err == nil; {
		var n int64
		n, more, err = s.engine.sequencer.Round(ctx)
		numbered += n
	}
	return numbered, err
}

// Explain is how the database would find the page of a list and count it, as the serving role sees it: for
// tests, and for whoever wonders about a slow one.
func (s *Store) Explain(ctx context.Context, scope ports.Scope, q collection.Query) (plan string, err error) {
	return s.engine.lists.Explain(ctx, s.engine.view(scope).at(), q)
}

// Deliveries are the deliveries of s.
func (s *Store) Deliveries() deliveries.Queue {
	return deliveries.New(s.engine.db, s.engine.shapes[webhook.Deliveries.Slug], s.engine.writer, s.engine.options.Now, s.engine.options.Logger)
}

// SearchIndex has what the records of s are found by.
func (s *Store) SearchIndex() searchindex.Index { return searchindex.New(s.engine.db) }

// ProductSearch finds the products of s for shoppers. Each has a cache of its own.
func (s *Store) ProductSearch() *productindex.Index {
	return productindex.New(s.engine.db, s.engine.options.Fold, productIndexBytes)
}

// productIndexBytes bounds what is cached of the product indexes. A shop of a million products needs about half of it.
const productIndexBytes = 256 << 20

// Accounts are the accounts of all people.
func (s *Store) Accounts() Accounts { return s.accounts }

// APIKeys are the API keys of all tenants, and their tenants.
func (s *Store) APIKeys() *APIKeys { return s.keys }

// NoticePlaces are how far the teams of all shops were told of events.
func (s *Store) NoticePlaces() NoticePlaces { return NoticePlaces{s.engine.db, noticePlaces} }

// MailPlaces are how far the events of all shops were mailed about.
func (s *Store) MailPlaces() NoticePlaces { return NoticePlaces{s.engine.db, mailPlaces} }

// MailQueue finds mails that are due.
func (s *Store) MailQueue() MailQueue { return MailQueue{s.engine.db} }

// StockPlaceReader tells where units lie.
func (s *Store) StockPlaceReader() StockPlaceReader { return StockPlaceReader{s.engine.db} }

// ProcessedWebhooks are the events of webhooks that s remembers.
func (s *Store) ProcessedWebhooks() ProcessedWebhooks { return ProcessedWebhooks{s.engine.db} }

// OrderCounts counts the orders of series of numbers.
func (s *Store) OrderCounts() OrderCounts { return OrderCounts{s.engine.db} }

// Reports adds up what was ordered and paid.
func (s *Store) Reports() figures.Figures { return figures.New(s.engine.db) }

// ReportSums keeps sums of days and months.
func (s *Store) ReportSums() figures.Figures { return figures.New(s.engine.db) }

// PaymentTasks is the background work on payments that is due.
func (s *Store) PaymentTasks() PaymentTaskQueue { return PaymentTaskQueue{s.engine.db} }

// Revocations are the revoked tokens.
func (s *Store) Revocations() Revocations { return Revocations{s.engine.db} }

// Logins are the logins of all people.
func (s *Store) Logins() Logins { return Logins{s.engine.db} }

// Usage is how many calls tenants made.
func (s *Store) Usage() Usage { return Usage{s.engine.db} }

// BackgroundFailures are the items of background work that were set aside.
func (s *Store) BackgroundFailures() BackgroundFailures { return BackgroundFailures{s.engine.db} }

// LedgerReader is the journal of money, to be checked.
func (s *Store) LedgerReader() LedgerReader { return LedgerReader{s.engine.db} }

// BlobSweep finds the blobs that no record names.
func (s *Store) BlobSweep() BlobSweep { return BlobSweep{s.engine.db} }

// EmailRequests finds the requests for email tokens that were not finished.
func (s *Store) EmailRequests() EmailRequestQueue { return EmailRequestQueue{s.engine.db} }

// ErasureFinder finds what is personal.
func (s *Store) ErasureFinder() ErasureFinder { return ErasureFinder{s.engine} }

// TenantErasure erases tenants.
func (s *Store) TenantErasure() TenantErasure { return TenantErasure{s.engine} }

// Claims are the claims of s.
func (s *Store) Claims() Claims { return s.engine.claims }

var _ ports.Epochs = (*Store)(nil)

// KnownEpoch implements ports.Epochs.
func (s *Store) KnownEpoch() ports.Epoch { return s.engine.db.LastEpoch() }

// CurrentEpoch implements ports.Epochs.
func (s *Store) CurrentEpoch(ctx context.Context) (ports.Epoch, bool) {
	return s.engine.db.AskEpoch(ctx)
}

var _ ports.ChangeNotifier = (*Store)(nil)

// Subscribe implements ports.ChangeNotifier, and listens for EventsNumbered. A SQLite file does not say whose records
// another process changed: there every change counts as missed.
func (s *Store) Subscribe(ctx context.Context, changed func(tenant.ID), missed func()) error {
	return s.engine.db.Listen(ctx, map[string]func(payload string){
		migrate.NotifyChannel:  func(payload string) { changed(tenant.ID(payload)) },
		eventlog.NotifyChannel: s.engine.sequencer.Hear,
	}, func() {
		s.engine.sequencer.HearMissed()
		missed()
	})
}

// Sweep releases expired stock reservations, unless they were renewed meanwhile, and deletes receipts,
// revocations, sealed tokens and processed webhooks past their expiry. Rows that older versions wrote get the
// columns that those do not know. It works across tenants and is safe to run on several instances at once.
func (s *Store) Sweep(ctx context.Context, now time.Time) (Swept, error) {
	return s.sweeper.sweep(ctx, now)
}

// ReleaseExpired is the part of Sweep that others wait for, at little cost: stock that expired reservations hold, and rows
// of older versions, which lists do not find before.
func (s *Store) ReleaseExpired(ctx context.Context, now time.Time) (Swept, error) {
	return s.sweeper.release(ctx, now)
}

// TokenNeeds lists which versions of the server's secret are still needed by receipts and waiting sealed
// tokens, in no order.
func (s *Store) TokenNeeds(ctx context.Context) ([]ports.SecretDependents, error) {
	return tokenNeeds(ctx, s.engine.db)
}
