package redis_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/redis"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestReceiptCache(t *testing.T) {
	t.Parallel()
	client, err := redis.Connect(testservers.Redis(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	cache := redis.NewReceipts(client, "test:")
	portstest.ReceiptCache(t, func(*testing.T) ports.ReceiptCache { return cache })
}
