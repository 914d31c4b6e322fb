package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// naive is the peer: pgbench doing one plain transaction per cart mutation on a copy of our own database. It has the same
// tables and indexes and writes the same bytes, with pgbench's best protocol, no HTTP, and no row-level security since it
// runs as superuser.
type naive struct {
	url, script string
	clients     int
}

// sample is one mutation of ours, taken from the database: what the peer has to write.
type sample struct {
	tenant, cart, doc, event, receipt string
}

func takeSample(ctx context.Context, url string) (s sample, err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	err = conn.QueryRow(ctx, `SELECT c.tenant, c.id, c.doc, e.body, convert_from(r.body, 'UTF8')
		FROM carts c JOIN events e ON e.tenant = c.tenant AND e.record = c.id AND e.record_sequence = c.sequence
		JOIN receipts r ON r.tenant = c.tenant AND r.record = c.id AND r.revision = c.sequence
		ORDER BY c.sequence DESC LIMIT 1`).Scan(&s.tenant, &s.cart, &s.doc, &s.event, &s.receipt)
	return s, err
}

// newNaive copies the database at url, which nobody may use meanwhile, and names carts so that pgbench can find them.
func newNaive(ctx context.Context, admin, url, dir string, clients int) (n *naive, err error) {
	s, err := takeSample(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	from := url[strings.LastIndex(url, "/")+1:]
	from, _, _ = strings.Cut(from, "?")
	conn, err := pgx.Connect(ctx, admin)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if _, err := conn.Exec(ctx, "CREATE DATABASE naive TEMPLATE "+from); err != nil {
		return nil, err
	}
	n = &naive{url: strings.Replace(url, "/"+from, "/naive", 1), script: filepath.Join(dir, "naive.sql"), clients: clients}
	if err := n.rename(ctx, s, clients); err != nil {
		return nil, err
	}
	return n, os.WriteFile(n.script, []byte(script(s)), 0o600)
}

func (n *naive) rename(ctx context.Context, s sample, clients int) (err error) {
	conn, err := pgx.Connect(ctx, n.url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	tag, err := conn.Exec(ctx, `UPDATE carts SET id = 'cart-' || n.i FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS i FROM carts WHERE tenant = $1) n WHERE carts.id = n.id AND n.i < $2`, s.tenant, clients)
	if err == nil && tag.RowsAffected() != int64(clients) {
		err = fmt.Errorf("%d carts to copy, want %d", tag.RowsAffected(), clients)
	}
	return err
}

// literal is a text in a script of pgbench: a colon before a word would be a variable, so colons are written as escapes.
func literal(text string) string {
	return "E'" + strings.NewReplacer(`\`, `\\`, `'`, `''`, `:`, `\x3a`).Replace(text) + "'"
}

func script(s sample) string {
	return strings.NewReplacer("$tenant", literal(s.tenant), "$doc", literal(s.doc), "$event", literal(s.event), "$receipt", literal(s.receipt)).Replace(`
BEGIN;
SELECT doc, sequence FROM carts WHERE tenant = $tenant AND id = 'cart-' || :client_id::int FOR UPDATE;
UPDATE carts SET doc = $doc, sequence = sequence + 1, updated_at = now(), revision = revision + 1, expires_at = now() WHERE tenant = $tenant AND id = 'cart-' || :client_id::int RETURNING sequence \gset
INSERT INTO receipts (tenant, key, fingerprint, done, result, body, request_id, record, revision, token_version, created_at, expires_at)
 VALUES ($tenant, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), decode(repeat('ab', 32), 'hex'), true, 'ok', convert_to($receipt, 'UTF8'), gen_random_uuid()::text, 'cart-' || :client_id::int, :sequence, 0, now(), now() + interval '7 days');
INSERT INTO events (tenant, record, record_sequence, id, collection, operation, environment, body, occurred_at)
 VALUES ($tenant, 'cart-' || :client_id::int, :sequence, gen_random_uuid()::text, 'carts', 'update', 'test', $event, now());
INSERT INTO unnumbered (tenant, collection, environment, records, record_sequences) VALUES ($tenant, 'carts', 'test', ARRAY['cart-' || :client_id::int], ARRAY[:sequence::bigint]);
COMMIT;
`)
}

// run measures the peer for the given time.
func (n *naive) run(ctx context.Context, length time.Duration) (result, error) {
	return runPgbench(ctx, "pgbench, one transaction each", n.url, filepath.Dir(n.script), n.clients, length, "-f", n.script)
}

// runPgbench measures scripts with pgbench's best protocol.
func runPgbench(ctx context.Context, name, url, dir string, clients int, length time.Duration, scripts ...string) (result, error) {
	pgbench, err := testservers.Tool("pgbench")
	if err != nil {
		return result{}, err
	}
	if dir, err = os.MkdirTemp(dir, "run"); err != nil {
		return result{}, err
	}
	args := append([]string{"-n", "-M", "prepared", "-c", strconv.Itoa(clients), "-j", "2", "-T", strconv.Itoa(int(length.Seconds())), "-l"}, scripts...)
	cmd := exec.CommandContext(ctx, pgbench, append(args, url)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return result{}, fmt.Errorf("pgbench: %w\n%s", err, out)
	}
	all, err := latencies(dir)
	if err != nil || len(all) == 0 {
		return result{}, fmt.Errorf("pgbench did nothing: %w\n%s", err, out)
	}
	return result{name: name, count: len(all), perSec: float64(len(all)) / length.Seconds(), p50: all[len(all)/2], p99: all[len(all)*99/100]}, nil
}

// latencies reads the third column, microseconds, of pgbench's transaction logs.
func latencies(dir string) ([]time.Duration, error) {
	files, err := filepath.Glob(filepath.Join(dir, "pgbench_log.*"))
	if err != nil {
		return nil, err
	}
	var all []time.Duration
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			fields := strings.Fields(lines.Text())
			if len(fields) < 3 {
				continue
			}
			us, err := strconv.ParseInt(fields[2], 10, 64)
			if err != nil {
				return nil, err
			}
			all = append(all, time.Duration(us)*time.Microsecond)
		}
		_ = f.Close() // only read
	}
	slices.Sort(all)
	return all, nil
}
