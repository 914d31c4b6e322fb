package bank

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
)

const (
	sendTimeout = 30 * time.Second // of one delivery
	sendLease   = 2 * time.Minute  // after which another instance may take over
	maxSending  = 16               // concurrent payments
	maxAttempts = 8
)

// sendPace is how often deliveries are looked for: what this process plans it is told of, and other instances make what
// they plan unless they end before.
var sendPace = background.Pace{Rest: 250 * time.Millisecond, Most: 5 * time.Second}

// dueWebhook is a planned delivery leased by this instance.
type dueWebhook struct {
	webhook

	account  string
	position int64
	attempts int64
}

// sender makes due deliveries until the bank stops. Deliveries of one payment are made one after another, in
// planned order; a delivery not answered 200 is retried with growing delays. Several instances share the
// work.
type sender struct {
	bank   *Server
	client *http.Client
	wake   background.Signal
	woken  <-chan struct{}
	slots  chan struct{}
	work   background.Group
}

func newSender(b *Server) *sender {
	refuse := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	s := &sender{
		bank: b, client: &http.Client{
			Timeout: sendTimeout, CheckRedirect: refuse, Transport: &http.Transport{MaxIdleConnsPerHost: maxSending},
		},
		work:  background.Group{Task: b.Background.Task("sandbox webhooks")},
		slots: make(chan struct{}, maxSending),
	}
	s.woken = s.wake.Listen()
	return s
}

// wakeUp makes the sender look for due deliveries at once.
func (s *sender) wakeUp() { s.wake.Send() }

// run sends until ctx ends, and returns when no delivery is running.
func (s *sender) run(ctx context.Context) error {
	defer s.client.CloseIdleConnections()
	defer s.work.Wait()
	background.Watch(ctx, sendPace, s.woken, func(ctx context.Context, _ bool) background.Look {
		found, err := s.sendDue(ctx)
		if err != nil && ctx.Err() == nil {
			s.bank.Log.Warn("sandbox webhooks", "error", err)
		}
		return found
	})
	return nil
}

func (s *sender) sendDue(ctx context.Context) (found background.Look, err error) {
	free := cap(s.slots) - len(s.slots)
	if free == 0 {
		return found, nil // the end of a delivery wakes it up
	}
	now := s.bank.now()
	next, err := s.bank.Store.nextDue(ctx)
	if err != nil || next.IsZero() {
		return found, err
	}
	if next.After(now) {
		return background.Look{Next: next.Sub(now)}, nil
	}
	taken, err := s.bank.Store.take(ctx, now, free)
	if err != nil {
		return found, err
	}
	for _, all := range taken {
		s.slots <- struct{}{}
		s.work.Start(func() {
			defer func() { <-s.slots; s.wakeUp() }()
			s.deliver(ctx, all)
		})
	}
	return background.Look{Busy: true}, nil
}

// deliver makes the deliveries of one payment. A failure does not hold back the others: providers promise no
// order.
func (s *sender) deliver(ctx context.Context, all []dueWebhook) {
	for _, d := range all {
		err := s.post(ctx, d)
		if ctx.Err() != nil {
			return // the lease expires
		}
		var again time.Duration
		if err != nil {
			s.bank.Log.Debug("sandbox webhook not delivered", "payment", d.Payment, "attempt", d.attempts+1, "error", err)
			again = time.Second << min(2*d.attempts, 12)
		}
		if err != nil && d.attempts+1 < maxAttempts {
			err = s.bank.Store.postpone(ctx, d, s.bank.now().Add(again))
		} else {
			err = s.bank.Store.delivered(ctx, d)
		}
		if err != nil && ctx.Err() == nil {
			s.bank.Log.Warn("sandbox webhooks", "error", err)
		}
	}
}

func (s *sender) post(ctx context.Context, d dueWebhook) error {
	body, at := d.body(), strconv.FormatInt(s.bank.now().Unix(), 10)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Webhook-Id", d.Event)
	req.Header.Set("Webhook-Timestamp", at)
	req.Header.Set("Webhook-Signature", s.bank.signatures(d.account, d.Event, at, body))
	res, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.CopyN(io.Discard, res.Body, maxBody) // so that the connection can be reused
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the shop answered %d", res.StatusCode)
	}
	return nil
}

// planWebhooks stores the webhooks that the shop will get about p.
func (t *transaction) planWebhooks(p payment, hooks []webhook) error {
	for _, hook := range hooks {
		body, err := json.Marshal(hook)
		if err != nil {
			return err
		}
		at := sql.NullInt64{Int64: hook.DueAt.UnixMilli(), Valid: hook.URL != ""}
		_, err = t.exec(`INSERT INTO deliveries (account, payment, position, body, due, attempts)
			SELECT ?1, ?2, count(*), ?3, ?4, 0 FROM deliveries WHERE account = ?1 AND payment = ?2`, p.Account, p.ID, string(body), at)
		if err != nil {
			return err
		}
	}
	return nil
}

// nextDue is when the first of the deliveries that are not made is due; zero: there is none.
func (s *Store) nextDue(ctx context.Context) (next time.Time, err error) {
	var due sql.NullInt64
	err = s.read.QueryRowContext(ctx, `SELECT min(due) FROM deliveries WHERE due IS NOT NULL`).Scan(&due)
	if due.Valid {
		next = time.UnixMilli(due.Int64)
	}
	return next, err
}

// take leases the due deliveries of up to n payments, by payment and in planned order.
func (s *Store) take(ctx context.Context, now time.Time, n int) (taken map[string][]dueWebhook, err error) {
	return taken, s.transact(ctx, func(tx *transaction) error {
		rows, err := tx.tx.QueryContext(ctx,
			`SELECT account, position, attempts, body FROM deliveries WHERE due <= ?1 ORDER BY due, position LIMIT 100`,
			now.UnixMilli())
		if err != nil {
			return err
		}
		if taken, err = byPayment(rows, n); err != nil {
			return err
		}
		for _, all := range taken {
			for _, d := range all {
				if _, err := tx.exec(`UPDATE deliveries SET due = ?4 WHERE account = ?1 AND payment = ?2 AND position = ?3`, d.account,
					d.Payment, d.position, now.Add(sendLease).UnixMilli()); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func byPayment(rows *sql.Rows, n int) (map[string][]dueWebhook, error) {
	defer rows.Close()
	all := map[string][]dueWebhook{}
	for rows.Next() {
		var d dueWebhook
		var body string
		if err := rows.Scan(&d.account, &d.position, &d.attempts, &body); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(body), &d.webhook); err != nil {
			return nil, err
		}
		key := d.account + "/" + d.Payment
		if all[key] != nil || len(all) < n {
			all[key] = append(all[key], d)
		}
	}
	return all, rows.Err()
}

func (s *Store) delivered(ctx context.Context, d dueWebhook) error {
	return s.transact(ctx, func(tx *transaction) error {
		_, err := tx.exec(`UPDATE deliveries SET due = NULL, attempts = attempts + 1 WHERE account = ?1 AND payment = ?2 AND position = ?3`,
			d.account, d.Payment, d.position)
		return err
	})
}

func (s *Store) postpone(ctx context.Context, d dueWebhook, to time.Time) error {
	return s.transact(ctx, func(tx *transaction) error {
		_, err := tx.exec(`UPDATE deliveries SET due = ?4, attempts = attempts + 1 WHERE account = ?1 AND payment = ?2 AND position = ?3`,
			d.account, d.Payment, d.position, to.UnixMilli())
		return err
	})
}

// webhooks lists the deliveries planned for a payment, in planned order.
func (s *Store) webhooks(ctx context.Context, account, id string) ([]json.RawMessage, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT body FROM deliveries WHERE account = ?1 AND payment = ?2 ORDER BY position`, account, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []json.RawMessage{}
	for rows.Next() {
		var body string
		if err := rows.Scan(&body); err != nil {
			return nil, err
		}
		all = append(all, json.RawMessage(body))
	}
	return all, rows.Err()
}
