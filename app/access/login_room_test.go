package access

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// roomTest is a room in which both places are taken, and the order in which the others come in.
type roomTest struct {
	room    loginRoom
	entered chan string
	refused chan string
}

func newRoomTest(t *testing.T) (x *roomTest, first []func()) {
	t.Helper()
	x = &roomTest{entered: make(chan string, 1000), refused: make(chan string, 1000)}
	for range maxChecking {
		leave, err := x.room.enter(t.Context(), "busy", "busy")
		if err != nil {
			t.Fatal(err)
		}
		first = append(first, leave)
	}
	return x, first
}

// come lets a login wait; it leaves as soon as it had its turn.
func (x *roomTest) come(ctx context.Context, shop tenant.ID, address string) {
	go func() {
		leave, err := x.room.enter(ctx, shop, address)
		if err != nil {
			x.refused <- address
			return
		}
		x.entered <- string(shop) + address
		leave()
	}()
	synctest.Wait()
}

func drain(c chan string) (all []string) {
	for {
		select {
		case one := <-c:
			all = append(all, one)
		default:
			return all
		}
	}
}

// However many logins of one address wait, that of another one is next but one.
func TestAddressesTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		x, first := newRoomTest(t)
		for range 50 {
			x.come(t.Context(), "", "attacker")
		}
		x.come(t.Context(), "", "clerk")
		for range 3 {
			x.come(t.Context(), "a", "shopper")
		}
		first[0]()
		synctest.Wait()
		order := drain(x.entered)
		if at := slices.Index(order, "clerk"); at < 0 || at > 3 || len(order) != 54 {
			t.Errorf("the clerk had turn %d of %d", at, len(order))
		}
		if at := slices.Index(order, "ashopper"); at < 0 || at > 2 {
			t.Errorf("the shopper of another shop had turn %d", at)
		}
		first[1]()
		if x.room.checking != 0 || len(x.room.waiting) != 0 || len(x.room.shops) != 0 {
			t.Errorf("%+v stays", &x.room)
		}
	})
}

// One address cannot fill the room, and when several did, who comes from elsewhere displaces one of theirs.
func TestFullRoomAdmitsOtherAddresses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		x, first := newRoomTest(t)
		for range maxWaitingAddress + 10 {
			x.come(t.Context(), "", "a")
		}
		if n := len(drain(x.refused)); n != 10 || len(x.room.waiting) != maxWaitingAddress {
			t.Errorf("%d of one address were refused, %d wait", n, len(x.room.waiting))
		}
		for range maxWaiting {
			x.come(t.Context(), "", "b")
		}
		crowd := drain(x.refused)
		if len(x.room.waiting) != maxWaiting || !slices.Contains(crowd, "a") || !slices.Contains(crowd, "b") {
			t.Errorf("%d wait; refused were %v", len(x.room.waiting), crowd)
		}
		x.come(t.Context(), "", "clerk")
		x.come(t.Context(), "other", "shopper")
		if all := drain(x.refused); slices.Contains(all, "clerk") || slices.Contains(all, "shopper") || len(all) != 2 {
			t.Errorf("refused were %v", all)
		}
		for _, leave := range first {
			leave()
		}
		synctest.Wait()
		if order := drain(x.entered); !slices.Contains(order, "clerk") || !slices.Contains(order, "othershopper") || len(order) != maxWaiting {
			t.Errorf("%d came in: %v", len(order), order)
		}
	})
}

// Addresses of which each sends one login fill the room of a shop; another shop still gets in.
func TestManyAddressesOfOneShopLeaveRoomForOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		x, first := newRoomTest(t)
		for i := range maxWaiting + 20 {
			x.come(t.Context(), "attacked", fmt.Sprint(i))
		}
		if n := len(drain(x.refused)); n != 20 {
			t.Errorf("%d were refused", n)
		}
		x.come(t.Context(), "other", "shopper")
		first[0]()
		synctest.Wait()
		if at := slices.Index(drain(x.entered), "othershopper"); at < 0 || at > 2 {
			t.Errorf("the shopper of another shop had turn %d", at)
		}
		first[1]()
	})
}

func TestCanceledLoginLeavesTheRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		x, first := newRoomTest(t)
		ctx, cancel := context.WithCancel(t.Context())
		x.come(ctx, "", "a")
		x.come(t.Context(), "", "b")
		cancel()
		synctest.Wait()
		for _, leave := range first {
			leave()
		}
		synctest.Wait()
		if order := drain(x.entered); !slices.Equal(order, []string{"b"}) || x.room.checking != 0 {
			t.Errorf("%v came in, %d are there", order, x.room.checking)
		}
	})
}
