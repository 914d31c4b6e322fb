package sqlstore_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestErasure(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			portstest.Erasure(t, func(t *testing.T) portstest.ErasureFixture {
				s := openStore(t, options(t), portstest.ErasureSchemas())
				f := portstest.ErasureFixture{Finder: s.ErasureFinder(), Logins: s.Logins(), Queue: s.EmailRequests()}
				f.Store, f.Logs, f.Number = s, []ports.EventLog{s.EventLog()}, func(t *testing.T) { number(t, s) }
				return f
			})
		})
	}
}
