package sqlstore_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestCommitter(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		portstest.Committer(t, func(t *testing.T) portstest.CommitterBed {
			s := open(t, portstest.Parcels)
			return portstest.CommitterBed{Store: s, Committer: s.Committer(), Events: func(t *testing.T, id tenant.ID, record string) []int64 {
				numbers, err := s.EventNumbers(t.Context(), id, record)
				if err != nil {
					t.Fatal(err)
				}
				return numbers
			}}
		})
	})
}
