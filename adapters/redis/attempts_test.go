package redis_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/redis"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestAttempts(t *testing.T) {
	t.Parallel()
	client, err := redis.Connect(testservers.Redis(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	portstest.Attempts(t, redis.NewAttempts(client, "test:", 15*time.Minute, token.NewAttempts(15*time.Minute)))
}
