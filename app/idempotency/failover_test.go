package idempotency_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/redis"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// patience bounds what depends on how busy the machine is.
const patience = 2 * time.Minute

// openAt is a store at a URL or path.
func openAt(t *testing.T, o sqlstore.Options) *sqlstore.Store {
	t.Helper()
	var err error
	if o.Registry, err = collection.NewRegistry(); err != nil {
		t.Fatal(err)
	}
	o.Fold, o.Logger, o.Deadline = strings.ToLower, slog.New(slog.DiscardHandler), patience
	s, err := sqlstore.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sharedCache makes runners of instances that share a real Redis.
func sharedCache(t *testing.T) func(s *sqlstore.Store) *idempotency.Runner {
	t.Helper()
	client, err := redis.ConnectWithTimeout(testservers.Redis(t), slog.New(slog.DiscardHandler), patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return func(s *sqlstore.Store) *idempotency.Runner {
		return &idempotency.Runner{
			Store: s, Claims: s.Claims(), Cache: redis.NewReceipts(client, "failover:", s), Now: time.Now, NewID: rand.Text, Lease: forever,
		}
	}
}

// untilAnswered asks again while the database comes back or the key is in progress.
func untilAnswered(t *testing.T, r *idempotency.Runner, c idempotency.Call, work idempotency.Work) idempotency.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		a, _, err := r.Run(ctx, c, work)
		if err == nil {
			return a
		}
		if f := fault.From(err); !f.Retryable || ctx.Err() != nil {
			t.Fatal(err)
		}
	}
}

// cached waits until another instance would answer from Redis.
func cached(t *testing.T, r *idempotency.Runner, c idempotency.Call) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		if _, ok := r.Cache.Find(ctx, c.ReceiptKey()); ok {
			return
		}
		if ctx.Err() != nil {
			t.Fatal("the receipt does not come to Redis")
		}
	}
}

// A standby that takes over without the last commit knows nothing of it, though Redis does. The retry has to do the
// work, or the client is told of an order that nobody has. Rule idempotency-24.
func TestPromotionThatLostACommitRunsItAgain(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	primary, err := testservers.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = primary.Stop() }) // it was killed, and leaves a folder
	runner := sharedCache(t)
	here, there := openAt(t, sqlstore.Options{URL: primary.URL}), openAt(t, sqlstore.Options{URL: primary.URL})
	t.Cleanup(func() { _, _ = here.Close(), there.Close() })
	a, b := runner(here), runner(there)
	kept, lost := call(), call()
	untilAnswered(t, a, kept, answers(kept, `{"by":"the primary"}`))
	standby, err := primary.Standby(ctx)
	if err != nil {
		t.Fatal(err)
	}
	untilAnswered(t, a, lost, answers(lost, `{"by":"the primary"}`))
	for _, c := range []idempotency.Call{kept, lost} {
		cached(t, b, c)
	}
	before := here.KnownEpoch()
	if before == "" || there.KnownEpoch() != before {
		t.Errorf("two instances of one database are in the epochs %q and %q", before, there.KnownEpoch())
	}
	t.Cleanup(func() { _ = standby.Stop() })
	if err := standby.TakeOver(ctx, primary); err != nil {
		t.Fatal(err)
	}
	// It may be the replay of an attempt that committed while the connection broke: the body says who did the work.
	if got := untilAnswered(t, b, lost, answers(lost, `{"by":"the standby"}`)); got.Body.String() != `{"by":"the standby"}` {
		t.Errorf("what the promotion lost was answered from Redis: %+v", got)
	}
	for name, r := range map[string]*idempotency.Runner{"the other instance": a, "the same instance": b} {
		if got := untilAnswered(t, r, lost, answers(lost, "{}")); !got.Replayed || got.Body.String() != `{"by":"the standby"}` {
			t.Errorf("%s, after that: %+v", name, got)
		}
		if got := untilAnswered(t, r, kept, answers(kept, "{}")); !got.Replayed || got.Body.String() != `{"by":"the primary"}` {
			t.Errorf("%s, what the standby has: %+v", name, got)
		}
	}
	if now := here.KnownEpoch(); now == before || now != there.KnownEpoch() {
		t.Errorf("epoch %q before the promotion, %q and %q after it", before, now, there.KnownEpoch())
	}
	cached(t, a, lost)
}

// A copy of the file that was made earlier is opened in its place, by our own command or by hand.
func TestRestoredFileThatLostACommitRunsItAgain(t *testing.T) {
	t.Parallel()
	dir, runner := testservers.TempDir(t), sharedCache(t)
	live, backup := filepath.Join(dir, "live.db"), filepath.Join(dir, "backup.db")
	s := openAt(t, sqlstore.Options{Path: live})
	kept, lost := call(), call()
	untilAnswered(t, runner(s), kept, answers(kept, `{"by":"the first"}`))
	if err := db.CopySQLite(t.Context(), live, backup); err != nil {
		t.Fatal(err)
	}
	untilAnswered(t, runner(s), lost, answers(lost, `{"by":"the first"}`))
	cached(t, runner(s), lost)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openAt(t, sqlstore.Options{Path: backup})
	t.Cleanup(func() { _ = s.Close() })
	if got := untilAnswered(t, runner(s), lost, answers(lost, `{"by":"the second"}`)); got.Replayed || got.Body.String() != `{"by":"the second"}` {
		t.Errorf("what the restore lost was answered from Redis: %+v", got)
	}
	if got := untilAnswered(t, runner(s), kept, answers(kept, "{}")); !got.Replayed || got.Body.String() != `{"by":"the first"}` {
		t.Errorf("what the backup has: %+v", got)
	}
}
