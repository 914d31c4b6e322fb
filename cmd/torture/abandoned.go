package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// freshPayments is how many buyers pay beside the abandoned sessions.
const freshPayments = 5

// playAbandoned leaves many payment sessions that nobody will pay, all due to be looked up. Buyers whose payment nobody
// tells the shop of must get their orders as before: each within patience, where they once waited behind the others.
func playAbandoned(ctx context.Context, s stage) (string, error) {
	alone, err := s.payUntold(ctx)
	if err != nil {
		return "", err
	}
	opened, err := s.openAggregator(ctx)
	if err != nil {
		return "", err
	}
	if err := s.abandon(ctx, opened.PaymentSession.ID); err != nil {
		return "", err
	}
	before, err := s.lookups(ctx)
	if err != nil {
		return "", err
	}
	began := time.Now()
	beside, err := s.payUntold(ctx)
	if err != nil {
		return "", fmt.Errorf("behind %d abandoned sessions: %w", s.size, err)
	}
	after, err := s.lookups(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("an order at most %.1f s after its payment, %.1f s before; %.0f look-ups a minute; memory %d MiB",
		beside.Seconds(), alone.Seconds(), (after-before)/time.Since(began).Minutes(), s.memory()>>20), s.checkMoney(ctx)
}

// aggregatorBody is an opened session on the provider's page.
type aggregatorBody struct {
	PaymentSession struct{ ID, ProviderSessionID string }
}

func (s stage) openAggregator(ctx context.Context) (opened aggregatorBody, err error) {
	checkout, err := s.caller.checkout(ctx, s.variants[0])
	if err != nil {
		return opened, err
	}
	_, err = s.caller.must(ctx, request{"POST", commerce + "/payment-sessions/aggregator", newKey(), map[string]any{
		"checkoutId": checkout, "mode": "hosted_v2", "method": "CARD_KR", "redirectUrl": "https://shop.example/back",
	}}, &opened)
	return opened, err
}

// payUntold pays sessions of which the shop is told by nobody, and returns the longest time until an order was there.
func (s stage) payUntold(ctx context.Context) (longest time.Duration, err error) {
	var times [freshPayments]time.Duration
	buyers, ctx := errgroup.WithContext(ctx)
	for i := range times {
		buyers.Go(func() error {
			opened, err := s.openAggregator(ctx)
			if err != nil {
				return err
			}
			if _, err := newCaller("", s.bank.URL).must(ctx, request{"POST", "/sandbox/authorize", "", map[string]any{
				"sessionId": opened.PaymentSession.ProviderSessionID, "outcome": "approve", "webhooks": "never",
			}}, nil); err != nil {
				return err
			}
			paid := time.Now()
			err = s.waitForOrder(ctx, opened.PaymentSession.ID)
			times[i] = time.Since(paid)
			return err
		})
	}
	err = buyers.Wait()
	return slices.Max(times[:]), err
}

// waitForOrder waits until a session has its order, without asking for a look-up of it.
func (s stage) waitForOrder(ctx context.Context, session string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var now sessionState
	if waited := waitFor(ctx, func() bool {
		wait(ctx, 20*time.Millisecond)
		_, err = s.caller.must(ctx, request{"GET", "/api/payment-sessions/" + session, "", nil}, &now)
		return err != nil || now.Order != ""
	}); err == nil {
		err = waited
	}
	if err != nil {
		err = fmt.Errorf("a paid session is %+v: %w", now, err)
	}
	return err
}

// abandon stores copies of an opened session in the servers' database.
func (s stage) abandon(ctx context.Context, session string) (err error) {
	all, err := collection.NewRegistry(registry.Schemas()...)
	if err != nil {
		return err
	}
	to := sqlstore.Options{Registry: all, Fold: strings.ToLower, Logger: slog.New(slog.DiscardHandler), Deadline: patience}
	if to.URL = s.database; !s.onPostgres {
		if to.Path, err = s.databaseFile(ctx); err != nil {
			return err
		}
	}
	store, err := sqlstore.Open(ctx, to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }() //nolint:contextcheck // it ends what runs beside the caller
	var in struct{ Tenant tenant.ID }
	if _, err := s.caller.must(ctx, request{"GET", "/api/payment-sessions/" + session, "", nil}, &in); err != nil {
		return err
	}
	r, err := store.Read(ports.ForTenant(in.Tenant)).Get(ctx, payment.Sessions, session)
	if err != nil {
		return err
	}
	return paymentbed.Abandon(ctx, store, payment.SessionFrom(r), s.size, time.Now())
}

// lookups is how many payments the servers have looked up.
func (s stage) lookups(ctx context.Context) (n float64, err error) {
	for i := range s.servers {
		a, err := s.caller.sendTo(ctx, i, request{"GET", "/metrics", "", nil}, nil)
		if err != nil {
			return n, err
		}
		for line := range strings.Lines(string(a.body)) {
			if strings.HasPrefix(line, "cartwright_provider_calls_total{") && strings.Contains(line, `operation="lookup`) {
				one, err := strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndexByte(line, ' '):]), 64)
				if err != nil {
					return n, err
				}
				n += one
			}
		}
	}
	return n, nil
}

// memory is the resident memory of the largest server, in bytes; 0 where the system does not tell.
func (s stage) memory() (most int64) {
	for _, p := range s.servers {
		f, err := os.Open(fmt.Sprintf("/proc/%d/status", p.PID()))
		if err != nil {
			continue
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var kib int64
			if _, err := fmt.Sscanf(lines.Text(), "VmRSS: %d kB", &kib); err == nil {
				most = max(most, kib<<10)
			}
		}
		_ = f.Close() // it was only read
	}
	return most
}
