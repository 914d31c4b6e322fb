package sqlstore_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// Whoever could have lost a commit is another database, and all instances see that alike.
func TestEpochChangesWithEveryRestart(t *testing.T) {
	testservers.OnBothDatabases(t, func(t *testing.T) {
		portstest.Epochs(t, func(t *testing.T) portstest.EpochsFixture {
			dir := testservers.TempDir(t)
			open := func(name string) ports.Epochs {
				return openStore(t, sqlstore.Options{Path: filepath.Join(dir, name)}, []*collection.Schema{portstest.Parcels})
			}
			return portstest.EpochsFixture{
				Instances: []ports.Epochs{open("shop.db")}, Another: open("another.db"),
				Restart: func(*testing.T) []ports.Epochs { return []ports.Epochs{open("shop.db")} },
			}
		})
	}, func(t *testing.T) {
		portstest.Epochs(t, restartablePostgres)
	})
}

// restartablePostgres is a Postgres of its own, with two instances.
func restartablePostgres(t *testing.T) portstest.EpochsFixture {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
	t.Cleanup(cancel)
	server, err := testservers.StartPostgresWithoutFsync(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	another, _, err := testservers.Database(ctx, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	open := func(url string) ports.Epochs {
		return openStore(t, sqlstore.Options{URL: url}, []*collection.Schema{portstest.Parcels})
	}
	f := portstest.EpochsFixture{Instances: []ports.Epochs{open(server.URL), open(server.URL)}, Another: open(another)}
	f.Restart = func(t *testing.T) []ports.Epochs {
		t.Helper()
		server.Kill()
		if err := server.Start(ctx); err != nil {
			t.Fatal(err)
		}
		return f.Instances
	}
	return f
}
