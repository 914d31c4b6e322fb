package portstest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func movement(id tenant.ID, number int, kind, reference string, minor int64) ports.LedgerEntry {
	return ports.LedgerEntry{
		ID: "m" + strconv.Itoa(number), Tenant: id, Environment: tenant.Live, Type: kind,
		Amount:   money.Money{Minor: minor, Currency: "EUR"},
		Provider: "sandbox", AccountKey: "acc", Reference: reference, Checkout: "c1", Order: "o1", At: day,
	}
}

// Ledger checks ports.Ledger of the stores that open makes.
func Ledger(t *testing.T, open func(t *testing.T) ports.Store) {
	s := open(t)
	t.Run("charges minus refunds are the balance of an order", func(t *testing.T) {
		id := freshTenant()
		mustInTx(t, s, id, func(ctx context.Context, tx ports.Tx) error {
			return errors.Join(tx.Ledger.Append(ctx, movement(id, 1, "charge", "p1", 1000)),
				tx.Ledger.Append(ctx, movement(id, 2, "refund", "p1", 300)))
		})
		for tenantID, want := range map[tenant.ID]map[money.Currency]int64{id: {"EUR": 700}, freshTenant(): {}} {
			mustInTx(t, s, tenantID, func(ctx context.Context, tx ports.Tx) error {
				got, err := tx.Ledger.Balance(ctx, "o1")
				if !maps.Equal(got, want) {
					t.Errorf("balance %v, want %v", got, want)
				}
				return err
			})
		}
	})
	t.Run("unassigned money is assigned to one order", func(t *testing.T) { ledgerAssign(t, s) })
	t.Run("the same money is recorded once", func(t *testing.T) {
		id := freshTenant()
		mustInTx(t, s, id, func(ctx context.Context, tx ports.Tx) error {
			return tx.Ledger.Append(ctx, movement(id, 1, "charge", "p1", 1000))
		})
		mustInTx(t, s, id, func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Ledger.Append(ctx, movement(id, 2, "charge", "p1", 1000)); !errors.Is(err, ports.ErrAlreadyRecorded) {
				t.Errorf("err = %v, want ErrAlreadyRecorded", err)
			}
			return tx.Ledger.Append(ctx, movement(id, 3, "charge", "p2", 1000))
		})
	})
	t.Run("nothing is recorded for another tenant", func(t *testing.T) {
		id := freshTenant()
		if err := inTx(t, s, freshTenant(), func(ctx context.Context, tx ports.Tx) error {
			return tx.Ledger.Append(ctx, movement(id, 1, "charge", "p1", 1000))
		}); err == nil {
			t.Error("recorded")
		}
	})
}

func ledgerAssign(t *testing.T, s ports.Store) {
	id := freshTenant()
	free := movement(id, 1, "charge", "p1", 1000)
	free.Order = ""
	given := func(order, reference string) (err error) {
		mustInTx(t, s, id, func(ctx context.Context, tx ports.Tx) error {
			m := free
			m.Order, m.Reference = order, reference
			err = tx.Ledger.Assign(ctx, m)
			return nil
		})
		return err
	}
	mustInTx(t, s, id, func(ctx context.Context, tx ports.Tx) error {
		return errors.Join(tx.Ledger.Append(ctx, free), tx.Ledger.Append(ctx, movement(id, 2, "charge", "p2", 70)))
	})
	for i, c := range []struct {
		order, reference string
		want             error
	}{
		{"o2", "p1", nil}, {"o2", "p1", nil}, {"o3", "p1", ports.ErrNotFound}, {"o2", "p2", ports.ErrNotFound},
		{"o2", "p3", ports.ErrNotFound},
	} {
		if err := given(c.order, c.reference); !errors.Is(err, c.want) {
			t.Errorf("%d: %v", i, err)
		}
	}
	for order, want := range map[string]map[money.Currency]int64{"o1": {"EUR": 70}, "o2": {"EUR": 1000}, "o3": {}, "": {}} {
		mustInTx(t, s, id, func(ctx context.Context, tx ports.Tx) error {
			got, err := tx.Ledger.Balance(ctx, order)
			if !maps.Equal(got, want) {
				t.Errorf("the balance of %s is %v", order, got)
			}
			return err
		})
	}
}

// ProviderCalls checks ports.ProviderCalls of the stores that open makes.
func ProviderCalls(t *testing.T, open func(t *testing.T) ports.Store) {
	s, id := open(t), freshTenant()
	at := day
	begin := func(t *testing.T, callID, key, request string) (got ports.ProviderCall) {
		t.Helper()
		mustInTx(t, s, id, func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.ProviderCalls.Begin(ctx, ports.ProviderCall{
				ID: callID, Tenant: id, Session: "s1", Operation: "confirm", ProviderKey: key, Request: []byte(request), StartedAt: at,
			})
			return err
		})
		at = at.Add(time.Hour)
		return got
	}
	t.Run("the first attempt fixes key and request", func(t *testing.T) {
		first, second := begin(t, "call-1", "key-1", `{"amount":1}`), begin(t, "call-2", "key-2", `{"amount":2}`)
		if first.Attempt != 1 || second.Attempt != 2 || second.ProviderKey != "key-1" || string(second.Request) != `{"amount":1}` {
			t.Errorf("attempts %+v then %+v", first, second)
		}
		if !first.FirstAttemptAt.Equal(day) || !second.FirstAttemptAt.Equal(day) || !second.StartedAt.Equal(day.Add(time.Hour)) {
			t.Errorf("first attempt at %v, then %v", first.FirstAttemptAt, second.FirstAttemptAt)
		}
	})
	t.Run("an attempt is finished, an unknown one is absent", func(t *testing.T) {
		mustInTx(t, s, id, func(ctx context.Context, tx ports.Tx) error {
			if err := tx.ProviderCalls.Finish(ctx, ports.ProviderCall{ID: "call-9", Tenant: id, Outcome: "ok"}); !errors.Is(err, ports.ErrNotFound) {
				t.Errorf("err = %v, want ErrAbsent", err)
			}
			return tx.ProviderCalls.Finish(ctx, ports.ProviderCall{ID: "call-1", Tenant: id, Outcome: "ok", FinishedAt: day})
		})
	})
	t.Run("a call is forgotten with all its attempts, and no other", func(t *testing.T) { forgottenCall(t, s, id) })
	t.Run("every attempt that was not declined counts as one that may have acted", func(t *testing.T) { mayHaveActed(t, s, id) })
}

func forgottenCall(t *testing.T, s ports.Store, id tenant.ID) {
	call := ports.ProviderCall{Tenant: id, Session: "s4", ProviderKey: "key-4", StartedAt: day}
	var seen []string
	mustInTx(t, s, id, func(ctx context.Context, tx ports.Tx) error {
		seen = nil
		begin := func(callID, operation, request string) error {
			c := call
			c.ID, c.Operation, c.Request = callID, operation, []byte(request)
			c, err := tx.ProviderCalls.Begin(ctx, c)
			seen = append(seen, string(c.Request))
			return err
		}
		forget := func() error {
			c := call
			c.Operation = "refund:a"
			return tx.ProviderCalls.Forget(ctx, c)
		}
		return errors.Join(
			begin("call-41", "refund:a", "confidential"), begin("call-42", "refund:a", "again"), begin("call-43", "refund:b", "other"),
			forget(), begin("call-44", "refund:a", "later"), begin("call-45", "refund:b", "other again"), forget())
	})
	if want := []string{"confidential", "confidential", "other", "", "other"}; !slices.Equal(seen, want) {
		t.Errorf("the log returns %q, want %q", seen, want)
	}
	err := inTx(t, s, freshTenant(), func(ctx context.Context, tx ports.Tx) error {
		c := call
		c.Operation = "refund:b"
		return tx.ProviderCalls.Forget(ctx, c)
	})
	if err == nil {
		t.Error("another tenant's call was forgotten")
	}
}

// mayHaveActed expects the call that ProviderCalls finished.
func mayHaveActed(t *testing.T, s ports.Store, id tenant.ID) {
	mustInTx(t, s, id, func(ctx context.Context, tx ports.Tx) error {
		of := func(session, operation string) (may bool) {
			may, err := tx.ProviderCalls.MayHaveActed(ctx, id, session, operation)
			if err != nil {
				t.Error(err)
			}
			return may
		}
		for _, callID := range []string{"call-11", "call-12"} {
			if _, err := tx.ProviderCalls.Begin(ctx, ports.ProviderCall{
				ID: callID, Tenant: id, Session: "s2", Operation: "confirm:a", ProviderKey: "key-2", Request: []byte("{}"), StartedAt: day,
			}); err != nil {
				return err
			}
		}
		if !of("s2", "confirm") || !of("s2", "confirm:a") || of("s2", "conf") || of("s2", "close") || of("s3", "confirm") {
			t.Error("a wrong call in progress was found")
		}
		for i, callID := range []string{"call-11", "call-12"} {
			if err := tx.ProviderCalls.Finish(ctx, ports.ProviderCall{ID: callID, Tenant: id, Outcome: "declined", FinishedAt: day}); err != nil {
				return err
			}
			if of("s2", "confirm") != (i == 0) {
				t.Errorf("after %d of 2 were declined: %t", i+1, i > 0)
			}
		}
		if !of("s1", "confirm") {
			t.Error("a successful call was not found")
		}
		return nil
	})
	_ = inTx(t, s, freshTenant(), func(ctx context.Context, tx ports.Tx) error {
		may, err := tx.ProviderCalls.MayHaveActed(ctx, id, "s1", "confirm")
		if may {
			t.Error("another tenant sees it")
		}
		return err
	})
}
