package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"path/filepath"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"
)

// auditor checks the database directly.
type auditor struct {
	scalar func(ctx context.Context, query string) (string, error) // first column of the first row, as text
	db     *sql.DB
	// eventDoc and receiptCart are the SQL expressions of the cart in an event and in a receipt's response, as JSON.
	eventDoc, receiptCart string
}

func (st *testbed) auditor(ctx context.Context) (*auditor, func(), error) {
	if st.postgres != nil {
		db, err := sql.Open("pgx", st.database)
		return newAuditor(db, "doc", "convert_from(body, 'UTF8')::json->'cart'"), func() { _ = db.Close() }, err
	}
	name, err := st.databaseFile(ctx)
	if err != nil {
		return nil, nil, err
	}
	db, err := sql.Open("sqlite", "file:"+name+"?mode=ro")
	return newAuditor(db, "json(doc)", "json_extract(CAST(body AS TEXT), '$.cart')"), func() { _ = db.Close() }, err
}

// databaseFile is the shop's SQLite file: the one with events.
func (st *testbed) databaseFile(ctx context.Context) (string, error) {
	files, err := filepath.Glob(filepath.Join(st.dir, "shop", "*.db"))
	for _, name := range files {
		db, err := sql.Open("sqlite", "file:"+name+"?mode=ro")
		if err != nil {
			return "", err
		}
		var tables int
		err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master WHERE name = 'events'").Scan(&tables)
		_ = db.Close() // it was only read
		if err == nil && tables == 1 {
			return name, nil
		}
	}
	return "", errors.Join(err, fmt.Errorf("no shop database among %v", files))
}

func newAuditor(db *sql.DB, eventDoc, receiptCart string) *auditor {
	return &auditor{
		db: db, eventDoc: eventDoc, receiptCart: receiptCart, scalar: func(ctx context.Context, query string) (text string, err error) {
			err = db.QueryRowContext(ctx, "SELECT CAST(("+query+") AS TEXT)").Scan(&text)
			return text, err
		},
	}
}

// checkDatabase checks that the stored data is consistent.
func (st *testbed) checkDatabase(ctx context.Context) error {
	a, done, err := st.auditor(ctx)
	if err != nil {
		return err
	}
	defer done()
	return errors.Join(a.events(ctx), a.receipts(ctx), st.checkMoney(ctx))
}

// checkMoney runs doctor --money while the servers run: it reconciles the money and looks every payment up at the bank.
func (st *testbed) checkMoney(ctx context.Context) error {
	if _, err := st.runCommand(ctx, "doctor", "--money", "--provider"); err != nil {
		return fmt.Errorf("doctor --money: %w", err)
	}
	return nil
}

// events checks that every record's events are numbered 1, 2, 3… without gaps or duplicates, and that the
// stored row has the last number.
func (a *auditor) events(ctx context.Context) error {
	return a.requireZero(ctx, map[string]string{
		"records whose events have gaps": `SELECT count(*) FROM (SELECT record FROM events GROUP BY tenant, record HAVING count(*) <> max(record_sequence) OR min(record_sequence) <> 1) x`,
		"carts not at their last event":  `SELECT count(*) FROM carts c LEFT JOIN (SELECT tenant, record, max(record_sequence) AS last FROM events GROUP BY tenant, record) e ON e.tenant = c.tenant AND e.record = c.id WHERE c.sequence <> coalesce(e.last, 0)`,
		"orders not at their last event": `SELECT count(*) FROM orders c LEFT JOIN (SELECT tenant, record, max(record_sequence) AS last FROM events GROUP BY tenant, record) e ON e.tenant = c.tenant AND e.record = c.id WHERE c.sequence <> coalesce(e.last, 0)`,
		"orders that share a checkout":   `SELECT count(*) FROM (SELECT checkout FROM orders WHERE checkout <> '' GROUP BY tenant, checkout HAVING count(*) > 1) x`,
		"unfinished claims":              `SELECT count(*) FROM receipts WHERE NOT done AND fence = 0`,
		"leaked reservations":            `SELECT count(*) FROM reservations`,
		"variants with negative stock":   `SELECT count(*) FROM stock WHERE on_hand < 0 OR reserved < 0 OR tracked AND reserved > on_hand`,
	})
}

// requireZero checks that each query counts nothing; the keys name what they count.
func (a *auditor) requireZero(ctx context.Context, queries map[string]string) error {
	for rule, query := range queries {
		n, err := a.scalar(ctx, query)
		if err != nil {
			return fmt.Errorf("%s: %w", rule, err)
		}
		if n != "0" {
			return fmt.Errorf("%s %s", n, rule)
		}
	}
	return nil
}

// checkLedger checks that the ledger's total is the revenue, given in major units of a currency without minor
// units (KRW).
func (a *auditor) checkLedger(ctx context.Context, before string, revenue *big.Rat) error {
	after, err := a.netCharged(ctx)
	if err != nil {
		return err
	}
	first, _ := new(big.Rat).SetString(before)
	growth, ok := new(big.Rat).SetString(after)
	if !ok || growth.Sub(growth, first).Cmp(revenue) != 0 {
		return fmt.Errorf("the ledger grew from %s to %s, sales were %s", before, after, revenue.RatString())
	}
	return nil
}

func (a *auditor) netCharged(ctx context.Context) (string, error) {
	return a.scalar(ctx, `SELECT coalesce(sum(CASE type WHEN 'charge' THEN minor ELSE -minor END), 0) FROM ledger_entries`)
}

// checkDurabilitySettings checks that the database acknowledges a commit only when it is on disk.
func (st *testbed) checkDurabilitySettings(ctx context.Context) error {
	if st.postgres == nil {
		return nil // another connection's settings are not the server's; the syncs are counted instead
	}
	a, done, err := st.auditor(ctx)
	if err != nil {
		return err
	}
	defer done()
	for _, setting := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		if on, err := a.scalar(ctx, "SELECT current_setting('"+setting+"')"); err != nil || on != "on" {
			return fmt.Errorf("%s is %q: %w", setting, on, err)
		}
	}
	return nil
}
