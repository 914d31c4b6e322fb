package bank

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"time"
)

// faults are the failures that an account ordered for its next calls. A call gets at most one of hang, fail
// and drop, in this order; every call waits for the latency. A wrong amount applies to the next call that
// reports a paid payment.
type faults struct {
	LatencyMS        int64 `json:"latencyMs"`
	FailNext         int64 `json:"failNext"`         // answered 500 without an effect
	HangNext         int64 `json:"hangNext"`         // no answer for 30 s, and no effect
	DropResponseNext int64 `json:"dropResponseNext"` // executed, but the connection closes before the answer
	WrongAmountNext  int64 `json:"wrongAmountNext"`  // a confirm captures, or a look-up reports, one minor unit too much
	AsyncRefundNext  int64 `json:"asyncRefundNext"`  // accepted, and finished by a script
}

const (
	maxLatency = 60_000
	maxFaults  = 10_000
)

func (f faults) validate() error {
	for _, n := range []int64{f.FailNext, f.HangNext, f.DropResponseNext, f.WrongAmountNext, f.AsyncRefundNext} {
		if n < 0 || n > maxFaults {
			return refuse(http.StatusBadRequest, "INVALID_REQUEST", "counts are 0 to %d", maxFaults)
		}
	}
	if f.LatencyMS < 0 || f.LatencyMS > maxLatency {
		return refuse(http.StatusBadRequest, "INVALID_REQUEST", "latencyMs is 0 to %d", maxLatency)
	}
	return nil
}

func (s *Store) setFaults(ctx context.Context, account string, f faults) error {
	return s.transact(ctx, func(tx *transaction) error {
		_, err := tx.exec(`INSERT INTO faults (account, latency_ms, fail, hang, drop_response, wrong_amount) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
			ON CONFLICT (account) DO UPDATE SET latency_ms = ?2, fail = ?3, hang = ?4, drop_response = ?5, wrong_amount = ?6`,
			account, f.LatencyMS, f.FailNext, f.HangNext, f.DropResponseNext, f.WrongAmountNext)
		return errors.Join(err, tx.setDelayedRefunds(account, f.AsyncRefundNext))
	})
}

func (s *Store) faults(ctx context.Context, account string) (f faults, err error) {
	row := s.read.QueryRowContext(ctx,
		`SELECT latency_ms, fail, hang, drop_response, wrong_amount FROM faults WHERE account = ?1`, account)
	err = row.Scan(&f.LatencyMS, &f.FailNext, &f.HangNext, &f.DropResponseNext, &f.WrongAmountNext)
	if errors.Is(err, sql.ErrNoRows) {
		return faults{}, nil
	}
	return f, err
}

// faultKind is a fault that applies to a call.
type faultKind string

const (
	faultNone faultKind = ""
	faultHang faultKind = "hang"
	faultFail faultKind = "fail"
	faultDrop faultKind = "drop_response"
)

// takeFault decides the fault of the next call of account, and uses it up.
func (s *Store) takeFault(ctx context.Context, account string) (wait time.Duration, met faultKind, err error) {
	f, err := s.faults(ctx, account)
	if err != nil {
		return 0, faultNone, err
	}
	wait = time.Duration(f.LatencyMS) * time.Millisecond
	for _, next := range []struct {
		fate faultKind
		left int64
	}{{faultHang, f.HangNext}, {faultFail, f.FailNext}, {faultDrop, f.DropResponseNext}} {
		if next.left == 0 {
			continue
		}
		var used bool
		err := s.transact(ctx, func(tx *transaction) (err error) {
			used, err = tx.useFault(account, string(next.fate))
			return err
		})
		if err != nil || used {
			return wait, next.fate, err
		}
	}
	return wait, faultNone, nil
}

// useFault uses up one fault of a kind if there is one; column is one of our own constants.
func (t *transaction) useFault(account, column string) (bool, error) {
	n, err := t.exec(`UPDATE faults SET `+column+` = `+column+` - 1 WHERE account = $1 AND `+column+` > 0`, account)
	return n == 1, err
}
