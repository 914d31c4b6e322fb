package drafts_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/drafts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// refusal is what came in the place of a success, nil for one.
func refusal(a idempotency.Response, err error) error {
	if err == nil && a.Fault != nil {
		return a.Fault
	}
	return err
}

// retryUntilDone repeats a request as long as it is invited to.
func retryUntilDone(ask func() (idempotency.Response, error)) (idempotency.Response, error) {
	for {
		a, err := ask()
		if f, ok := errors.AsType[*fault.Error](err); !ok || !f.Retryable {
			return a, err
		}
	}
}

func TestConcurrentFinalizesMakeOneOrder(t *testing.T) {
	for name, next := range map[string]func() func() string{
		"of one key":      func() func() string { k := key(); return func() string { return k } },
		"each of its own": func() func() string { return key },
	} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				id, pick := b.draft(`,"discountCode":"ONCE"`, "2 mug"), next()
				keys := make([]string, 20)
				for i := range keys {
					keys[i] = pick()
				}
				instances := []*drafts.Service{b.drafting, b.instance()}
				var won atomic.Int64
				shops.Concurrently(len(keys), func(i int) {
					a, err := retryUntilDone(func() (idempotency.Response, error) {
						return instances[i%2].Finalize(t.Context(), b.call(keys[i], id), id)
					})
					switch err := refusal(a, err); {
					case err == nil:
						won.Add(1)
					case !errors.Is(err, draft.ErrNotEditable):
						t.Errorf("%d: %v", i, err)
					}
				})
				if n := won.Load(); name == "of one key" && n != 20 || name != "of one key" && n != 1 {
					t.Errorf("%d succeeded", n)
				}
				if l := b.level("mug"); l.OnHand != 8 || len(b.orders()) != 1 || len(b.all(order.FulfillmentOrders)) != 1 {
					t.Errorf("%+v, %d orders", l, len(b.orders()))
				}
			})
		})
	}
}

// An edit, a discard and finalizes at once: the first to lock the draft decides, and the order is what the
// draft said then.
func TestEditRacingFinalizeIsAppliedOrRefused(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for range 8 {
			id, instance := b.draft("", "mug"), b.instance()
			before := len(b.orders())
			var edited, discarded, finalized atomic.Bool
			shops.Concurrently(3, func(i int) {
				switch i {
				case 0:
					status, got := b.patch(id, `{"lines":[`+b.lines("2 course")+`]}`)
					edited.Store(status == 200)
					if status != 200 && got.reason() != "draft_not_editable" {
						t.Errorf("the edit: %d %v", status, got["raw"])
					}
				case 1:
					err := refusal(retryUntilDone(func() (idempotency.Response, error) {
						return instance.Finalize(t.Context(), b.call(key(), id), id)
					}))
					finalized.Store(err == nil)
					if err != nil && !errors.Is(err, draft.ErrNotEditable) {
						t.Errorf("the finalize: %v", err)
					}
				default:
					status, got := b.ask("POST", "/draft-orders/"+id+"/discard", "", owner...)
					discarded.Store(status == 200)
					if status != 200 && got.reason() != "draft_not_editable" {
						t.Errorf("the discard: %d %v", status, got["raw"])
					}
				}
			})
			if finalized.Load() == discarded.Load() {
				t.Fatalf("finalized %v, discarded %v", finalized.Load(), discarded.Load())
			}
			r := b.get(draft.Schema, id)
			if want := map[bool]int{true: before + 1, false: before}[finalized.Load()]; len(b.orders()) != want {
				t.Errorf("%d orders", len(b.orders()))
			}
			if discarded.Load() {
				continue
			}
			o := b.get(order.Schema, r.Text("order"))
			for i, line := range o.Rows("lines") {
				if said := r.Rows("lines")[i]; line.Text("variant") != said.Text("variant") ||
					line.Int("quantity") != said.Int("quantity") {
					t.Errorf("the draft says %v, its order %v", said, line)
				}
			}
		}
	})
}

func TestConcurrentFinalizesNeverOversell(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		ids := make([]string, 7)
		for i := range ids {
			ids[i] = b.draft("", "2 mug")
		}
		var won atomic.Int64
		shops.Concurrently(len(ids), func(i int) {
			a, err := retryUntilDone(func() (idempotency.Response, error) {
				return b.drafting.Finalize(t.Context(), b.call(key(), ids[i]), ids[i])
			})
			switch err := refusal(a, err); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, ports.ErrOutOfStock):
				t.Errorf("%v", err)
			default:
				f, _ := errors.AsType[*fault.Error](err)
				if f.Data["lineId"] == nil || f.Data["variantId"] != b.variants["mug"] {
					t.Errorf("it names %v", f.Data)
				}
			}
		})
		if won.Load() != 5 || b.level("mug").OnHand != 0 || len(b.orders()) != 5 {
			t.Errorf("%d of 7 got 2 of 10: %+v", won.Load(), b.level("mug"))
		}
	})
}

func TestConcurrentFinalizesRespectTheCodeLimit(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		ids := []string{
			b.draft(`,"discountCode":"ONCE"`, "course"), b.draft(`,"discountCode":"ONCE"`, "course"),
			b.draft(`,"discountCode":"ONCE"`, "course"),
		}
		var won atomic.Int64
		shops.Concurrently(len(ids), func(i int) {
			a, err := retryUntilDone(func() (idempotency.Response, error) {
				return b.drafting.Finalize(t.Context(), b.call(key(), ids[i]), ids[i])
			})
			switch err := refusal(a, err); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, ports.ErrDiscountUsageLimit):
				t.Errorf("%v", err)
			}
		})
		if won.Load() != 1 || len(b.orders()) != 1 {
			t.Errorf("%d used it", won.Load())
		}
	})
}

// crash ends an instance at a point.
type crash struct{}

func TestFinalizeRecoversFromACrash(t *testing.T) {
	for point, stands := range map[string]int{drafts.FailBeforeCommit: 0, drafts.FailCommitted: 1} {
		t.Run(point, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				id, k, dying := b.draft("", "2 mug"), key(), b.instance()
				dying.Failpoint = func(at string) {
					if at == point {
						panic(crash{})
					}
				}
				func() {
					defer func() {
						if _, ok := recover().(crash); !ok {
							t.Error("it did not reach its point")
						}
					}()
					_, _ = dying.Finalize(t.Context(), b.call(k, id), id)
				}()
				if n := len(b.orders()); n != stands {
					t.Errorf("%d orders after the crash", n)
				}
				a, err := b.instance().Finalize(t.Context(), b.call(k, id), id)
				if stands == 0 && errors.Is(err, idempotency.ErrInProgress) { // until its claim runs out
					a, err = b.instance().Finalize(t.Context(), b.call(key(), id), id)
				}
				if err := refusal(a, err); err != nil || a.Replayed != (stands == 1) {
					t.Errorf("afterwards: %v, replayed %v", err, a.Replayed)
				}
				if l := b.level("mug"); l.OnHand != 8 || len(b.orders()) != 1 || b.get(draft.Schema, id).Text("status") != "finalized" {
					t.Errorf("%+v, %d orders", l, len(b.orders()))
				}
			})
		})
	}
}
