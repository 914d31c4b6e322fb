package sqlstore

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Options say which database to open and what it keeps.
type Options struct {
	URL         string               // postgres://…; "" is SQLite
	Path        string               // SQLite: the file; made when missing
	Registry    *collection.Registry // the collections
	Fold        func(string) string  // NFKC and full case folding: how searched text is compared
	Logger      *slog.Logger         // nil: the default one
	Connections int                  // Postgres: connections for requests; 0 is four per processor
	Deadline    time.Duration        // bound of a call whose context has no earlier one; 0 is 10 s
	QueryTime   time.Duration        // bound of a list outside a transaction; 0 is 5 s
	Now         func() time.Time     // nil: time.Now; only for cached look-ups
	Backfill    bool                 // at the start, write the columns of all rows again
	// BeforeStockCommit, if any, runs before the commit of every transaction that locked rows of stock, with
	// these and with what it moved, in order and without ids. Units that come with new records through the
	// Committer are not included.
	BeforeStockCommit func(ctx context.Context, tx ports.Tx, held []ports.StockKey, moved []ports.StockMovement) error
	// AfterCommit, if any, is called after every transaction of the Committer, whatever its outcome, with how
	// long each of its steps had waited for it, and its time.
	AfterCommit func(waited []time.Duration, took time.Duration)
	// TraceBatch, if any, is called before such a transaction, with the contexts of those whose steps it has,
	// and after its end.
	TraceBatch func(steps []context.Context) (ended func())
	// QueryHook, if any, sees the queries that bun makes.
	QueryHook bun.QueryHook
	// Background supervises the goroutines of the store; nil: their panics are logged and not counted.
	Background *background.Runner
	NotifyOf   map[string]bool // slugs of collections whose changes Subscribe reports; true: new records, too
}

// withDefaults fills what o leaves open.
func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Connections == 0 {
		o.Connections = 4 * runtime.GOMAXPROCS(0)
	}
	if o.Deadline == 0 {
		o.Deadline = 10 * time.Second
	}
	if o.QueryTime == 0 {
		o.QueryTime = 5 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
