package bank

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"time"

	"modernc.org/sqlite" // the form of the store
)

// Store is the bank's own durable store: a file, which several instances on one machine may share. A commit outlives the
// processes; it is not synced, so that the last ones may be lost with the power. Nothing but play money is lost then, and
// the shop's disk is left to the shop.
type Store struct{ write, read *sql.DB }

// tables are created in one transaction.
var tables = []string{
	`CREATE TABLE IF NOT EXISTS payments (account text NOT NULL, id text NOT NULL, session text NOT NULL UNIQUE, body text NOT NULL, PRIMARY KEY (account, id))`,
	`CREATE INDEX IF NOT EXISTS payments_id ON payments (id)`,
	`CREATE TABLE IF NOT EXISTS answers (account text NOT NULL, key text NOT NULL, fingerprint text NOT NULL, body text NOT NULL, PRIMARY KEY (account, key))`,
	`CREATE TABLE IF NOT EXISTS faults (account text PRIMARY KEY, latency_ms bigint NOT NULL, fail bigint NOT NULL, hang bigint NOT NULL, drop_response bigint NOT NULL, wrong_amount bigint NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS deliveries (account text NOT NULL, payment text NOT NULL, position bigint NOT NULL, body text NOT NULL, due bigint, attempts bigint NOT NULL, PRIMARY KEY (account, payment, position))`,
	`CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (due) WHERE due IS NOT NULL`,
	`CREATE TABLE IF NOT EXISTS later_refunds (account text PRIMARY KEY, next bigint NOT NULL)`,
}

const privateMode = 0o600

// Open opens the store in a file, which is created if it is absent.
func Open(ctx context.Context, path string) (*Store, error) {
	// Nobody else may read it, whatever the umask; the files that SQLite puts beside it get its mode.
	if f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, privateMode); err == nil {
		err = errors.Join(f.Chmod(privateMode), f.Close())
		if err != nil {
			return nil, fmt.Errorf("create the sandbox store: %w", err)
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("create the sandbox store: %w", err)
	}
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() +
		"?_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)"
	open := func(connections int) (*sql.DB, error) {
		db, err := sql.Open("sqlite", dsn)
		if err == nil {
			db.SetMaxOpenConns(connections)
		}
		return db, err
	}
	write, err := open(1)
	if err != nil {
		return nil, fmt.Errorf("open the sandbox store: %w", err)
	}
	read, err := open(4)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the sandbox store: %w", err), write.Close())
	}
	return (&Store{write: write, read: read}).migrate(ctx)
}

// Of two processes that change a new file to a write-ahead log at once, SQLite refuses one without waiting, whatever the
// timeout is.
const (
	sqliteBusy = 5 // SQLITE_BUSY
	busyTries  = 100
	busyPause  = 50 * time.Millisecond
)

func (s *Store) migrate(ctx context.Context) (*Store, error) {
	err := s.makeTables(ctx)
	for try := 1; isBusy(err) && try < busyTries; try++ {
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), s.Close())
		case <-time.After(busyPause):
		}
		err = s.makeTables(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("prepare the sandbox store: %w", err), s.Close())
	}
	return s, nil
}

// isBusy reports whether SQLite refused because another process has the file.
func isBusy(err error) bool {
	refused, ok := errors.AsType[*sqlite.Error](err)
	return ok && refused.Code()&0xff == sqliteBusy
}

func (s *Store) makeTables(ctx context.Context) error {
	return s.transact(ctx, func(tx *transaction) error {
		for _, statement := range tables {
			if _, err := tx.exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// Close closes all connections.
func (s *Store) Close() error { return errors.Join(s.write.Close(), s.read.Close()) }

// transaction is one open transaction. It has the write lock of the file from its start.
type transaction struct {
	ctx context.Context //nolint:containedctx // the context of the transaction
	tx  *sql.Tx
}

func (s *Store) transact(ctx context.Context, fn func(*transaction) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	if err := fn(&transaction{ctx, tx}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

func (t *transaction) exec(query string, args ...any) (int64, error) {
	res, err := t.tx.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// answerOnce returns the answer stored under an idempotency key, else runs fn and stores its answer with its
// effects. Only successes are stored: a refused call may be repeated under its key once the reason is gone. A
// concurrent call waits for the commit of the first.
func (s *Store) answerOnce(
	ctx context.Context, account, key, fingerprint string, fn func(*transaction) (any, error),
) (json.RawMessage, error) {
	var body json.RawMessage
	err := s.transact(ctx, func(tx *transaction) error {
		n, err := tx.exec(`INSERT INTO answers (account, key, fingerprint, body) VALUES (?1, ?2, ?3, '') ON CONFLICT DO NOTHING`, account,
			key, fingerprint)
		if err != nil {
			return err
		}
		if n == 0 {
			body, err = tx.storedAnswer(account, key, fingerprint)
			return err
		}
		answer, err := fn(tx)
		if err != nil {
			return err
		}
		if body, err = json.Marshal(answer); err != nil {
			return err
		}
		_, err = tx.exec(`UPDATE answers SET body = ?3 WHERE account = ?1 AND key = ?2`, account, key, string(body))
		return err
	})
	return body, err
}

func (t *transaction) storedAnswer(account, key, fingerprint string) (json.RawMessage, error) {
	var was, body string
	row := t.tx.QueryRowContext(t.ctx, `SELECT fingerprint, body FROM answers WHERE account = ?1 AND key = ?2`,
		account, key)
	if err := row.Scan(&was, &body); err != nil {
		return nil, err
	}
	if was != fingerprint {
		return nil, refuse(http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED", "The key was used for another request.")
	}
	return json.RawMessage(body), nil
}

// add stores a new payment; it reports false when the account already has one with its id.
func (t *transaction) add(p payment) (added bool, err error) {
	body, err := json.Marshal(p)
	if err != nil {
		return false, err
	}
	n, err := t.exec(`INSERT INTO payments (account, id, session, body) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (account, id) DO NOTHING`,
		p.Account, p.ID, p.Session, string(body))
	return n == 1, err
}

const selectPayment = `SELECT body FROM payments WHERE account = ?1 AND id = ?2`

// lock reads a payment, which nobody else changes until the transaction ends.
func (t *transaction) lock(account, id string) (payment, error) {
	return decodePayment(t.tx.QueryRowContext(t.ctx, selectPayment, account, id))
}

func (t *transaction) save(p payment) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = t.exec(`UPDATE payments SET body = ?3 WHERE account = ?1 AND id = ?2`, p.Account, p.ID, string(body))
	return err
}

// payment reads one payment of an account.
func (s *Store) payment(ctx context.Context, account, id string) (payment, error) {
	return decodePayment(s.read.QueryRowContext(ctx, selectPayment, account, id))
}

// find reads the payment with a session id, or with a payment id that only one account uses.
func (s *Store) find(ctx context.Context, handle string) (payment, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT body FROM payments WHERE session = ?1 UNION ALL SELECT body FROM payments WHERE id = ?1 LIMIT 2`, handle)
	if err != nil {
		return payment{}, err
	}
	defer rows.Close()
	var found []payment
	for rows.Next() {
		p, err := decodePayment(rows)
		if err != nil {
			return payment{}, err
		}
		found = append(found, p)
	}
	switch {
	case rows.Err() != nil:
		return payment{}, rows.Err()
	case len(found) == 0:
		return payment{}, errUnknownPayment
	case len(found) > 1:
		return payment{}, refuse(http.StatusConflict, "AMBIGUOUS_PAYMENT", "Several accounts use this payment id; name the session.")
	}
	return found[0], nil
}

func decodePayment(row interface{ Scan(...any) error }) (payment, error) {
	var body string
	var p payment
	err := row.Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return payment{}, errUnknownPayment
	}
	if err != nil {
		return payment{}, err
	}
	return p, json.Unmarshal([]byte(body), &p)
}
