package sqlstore_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func fold(s string) string { return cases.Fold().String(norm.NFKC.String(s)) }

// both opens an empty store on each dialect.
var both = map[string]func(*testing.T) sqlstore.Options{
	"sqlite": func(t *testing.T) sqlstore.Options {
		return sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "data.db")}
	},
	"postgres": func(t *testing.T) sqlstore.Options {
		return sqlstore.Options{URL: testservers.Postgres(t), Connections: 8}
	},
}

func open(t *testing.T, o sqlstore.Options, r *collection.Registry) *sqlstore.Store {
	t.Helper()
	o.Registry, o.Fold = r, fold
	return opened(t, o)
}

func TestRecordStoreContract(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			portstest.Records(t, fold, func(t *testing.T, r *collection.Registry) ports.Store { return open(t, options(t), r) })
		})
	}
}
