package rest_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/personaldata"
)

func TestInterruptedErasureGoesOn(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "plain", nil)
		b.holdPerson(b.shop.Tenant.ID, here, needle)
		id, admin := here["customers"].ID(), b.adminOf(b.shop)
		if a := admin("POST", "/customers/"+id+"/erase", ""); a.status != 200 {
			t.Fatal(a.raw)
		}
		interrupted := 0
		for attempts := int64(0); admin("GET", "/customers/"+id, "").body["erasedAt"] == nil; attempts++ {
			if attempts > 100 {
				t.Fatal("it does not end")
			}
			b.clock.Add((2 * time.Minute).Milliseconds())
			left := &atomic.Int64{}
			left.Store(1 + attempts%2)
			e := personaldata.Eraser{Store: mortalStore{b.store, left}, Find: b.store.ErasureFinder(), Now: b.content.Now, NewID: newID}
			if _, err := e.Run(t.Context()); errors.Is(err, errKilled) {
				interrupted++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if left := b.rowsWith(needle); len(left) > 0 || interrupted < len(erasedSchemas())/2 {
			t.Errorf("interrupted %d times, left: %.3000v", interrupted, left)
		}
	})
}

// Many erase the customer at once while others write about them: it begins once, and what was written is erased or was refused.
func TestErasuresAtOnceChangeOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "plain", nil)
		b.holdPerson(b.shop.Tenant.ID, here, needle)
		id, admin := here["customers"].ID(), b.adminOf(b.shop)
		sequence := func() float64 { return admin("GET", "/customers/"+id, "").body["revision"].(float64) }
		was := sequence()
		calls := []func(n int) answer{
			func(int) answer { return admin("POST", "/customers/"+id+"/erase", "") },
			func(n int) answer {
				return admin("PATCH", "/orders/"+here["orders"].ID(), fmt.Sprintf(`{"notes":"%s %d"}`, needle, n))
			},
			func(n int) answer {
				return b.request("POST", "/api/server/commerce/carts", `{"customerId":"`+id+`","attributes":{"for":"`+needle+`"}}`, "X-API-Key",
					b.shop.SecretKey, "Idempotency-Key", fmt.Sprintf("ik_0123456789abcdef%d", n))
			},
			func(int) answer {
				_, err := b.eraser().Run(t.Context())
				return answer{status: map[bool]int{true: 200, false: 500}[err == nil], raw: fmt.Sprint(err)}
			},
		}
		var all sync.WaitGroup
		for n := range 64 {
			all.Go(func() {
				a := calls[n%len(calls)](n)
				if a.status != 200 && a.status != 201 && (a.status != 409 || a.reason() != "customer_erased" && a.reason() != "stale_write") {
					t.Errorf("call %d: %d %s", n%len(calls), a.status, a.raw)
				}
			})
		}
		all.Wait()
		if now := sequence(); now != was+1 {
			t.Errorf("the customer was changed %v times", now-was)
		}
		e := b.eraser()
		for range 6 {
			b.clock.Add((2 * time.Minute).Milliseconds())
			if _, err := e.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if left := b.rowsWith(needle); len(left) > 0 || admin("GET", "/customers/"+id, "").body["erasedAt"] == nil {
			t.Errorf("left: %.3000v", left)
		}
	})
}
