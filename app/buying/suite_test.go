package buying_test

import (
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
)

func TestMain(m *testing.M) { shops.Main(m) }

var bankAt = sync.OnceValue(openBank)

// openBank serves the sandbox provider; its clock stands still.
func openBank() (url string) {
	store, err := bank.OpenSQLite(shops.Suite.Context(), filepath.Join(shops.Suite.Dir, "bank.db"))
	if err != nil {
		shops.Suite.Fatal(err)
	}
	service, err := bank.New(bank.Options{Store: store, Secret: bankSecret, Now: func() time.Time { return start }})
	if err != nil {
		shops.Suite.Fatal(err)
	}
	server := httptest.NewServer(service)
	shops.Suite.Cleanup(func() {
		server.CloseClientConnections()
		if err := service.Close(); err != nil {
			shops.Suite.Error(err)
		}
		server.Close()
	})
	return server.URL
}
