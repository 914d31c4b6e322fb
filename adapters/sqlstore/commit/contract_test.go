package commit_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestCommitterContract(t *testing.T) {
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		portstest.Committer(t, func(t *testing.T) portstest.CommitterFixture {
			s, look := open(t, portstest.Parcels)
			return portstest.CommitterFixture{
				Store: s, Committer: s.Committer(), Events: func(t *testing.T, id tenant.ID, record string) (numbers []int64) {
					for _, text := range look.Rows(fmt.Sprintf(
						"SELECT record_sequence FROM events WHERE tenant = '%s' AND record = '%s' ORDER BY record_sequence", id, record)) {
						n, err := strconv.ParseInt(text, 10, 64)
						if err != nil {
							t.Fatal(err)
						}
						numbers = append(numbers, n)
					}
					return numbers
				},
			}
		})
	})
}
