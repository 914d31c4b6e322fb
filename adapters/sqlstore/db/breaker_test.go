package db_test

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Work in a transaction that fails because something else cannot be reached says nothing about the database.
func TestOthersFailuresAreNotTheDatabases(t *testing.T) {
	t.Parallel()
	for name, cause := range map[string]error{
		"a circuit that is open":      gobreaker.ErrOpenState,
		"a circuit with its trial":    gobreaker.ErrTooManyRequests,
		"a host that nothing reaches": &net.OpError{Op: "dial", Err: errors.New("no route")},
		"an answer that broke off":    io.ErrUnexpectedEOF,
	} {
		b := db.NewBreaker()
		for range 10 {
			err := b.Run(func() error { return ports.ErrProviderUnavailable.WithCause(cause) })
			if !errors.Is(err, ports.ErrProviderUnavailable) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := b.Refusal(); err != nil {
			t.Errorf("%s: the circuit is open: %v", name, err)
		}
	}
}

func TestOpenCircuitTellsWhenItMayClose(t *testing.T) {
	t.Parallel()
	b := db.NewBreaker()
	if err := b.Refusal(); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if err := b.Run(func() error { return &net.OpError{Op: "dial", Err: errors.New("refused")} }); !errors.Is(err, fault.ErrUnavailable) {
			t.Fatal(err)
		}
	}
	called := false
	for name, err := range map[string]error{"asked": b.Refusal(), "called": b.Run(func() error { called = true; return nil })} {
		f := fault.From(err)
		if !errors.Is(err, fault.ErrUnavailable) || f.RetryAfter <= 0 || f.RetryAfter > time.Second {
			t.Errorf("%s: %v, retry after %s", name, err, f.RetryAfter)
		}
	}
	if called {
		t.Error("an open circuit made a call")
	}
}

// Who gave up, or was refused, spoke to the database.
func TestCallersOwnErrorsKeepTheCircuitClosed(t *testing.T) {
	t.Parallel()
	b := db.NewBreaker()
	for _, own := range []error{context.Canceled, context.DeadlineExceeded, ports.ErrOutOfStock, ports.ErrStale} {
		for range 10 {
			if err := b.Run(func() error { return own }); !errors.Is(err, own) {
				t.Errorf("%v became %v", own, err)
			}
		}
	}
	if err := b.Refusal(); err != nil {
		t.Error(err)
	}
}
