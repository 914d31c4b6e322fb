package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// pgbenchCarts is the peer of carts: pgbench with one plain transaction per mutation, on a copy of the
// server's database. It has the same tables and indexes and writes the same bytes, with pgbench's fastest
// protocol, without HTTP, and without row-level security since it runs as superuser. Its clients have a cart
// each, or share one.
type pgbenchCarts struct{ url, each, one, steps string }

// cartMutation is a mutation that the server made, read from the database: what the peer has to write.
type cartMutation struct{ tenant, cart, doc, event, changed, receipt string }

// takeSample reads the last mutation of a cart. The server writes previous_doc only if the previous event
// cannot supply it, so the peer writes none.
func takeSample(ctx context.Context, conn *pgx.Conn, cart string) (s cartMutation, err error) {
	err = conn.QueryRow(ctx, `SELECT c.tenant, c.id, c.doc, e.doc, e.changed, convert_from(r.body, 'UTF8')
		FROM carts c JOIN events e ON e.tenant = c.tenant AND e.record = c.id AND e.record_sequence = c.sequence
		JOIN receipts r ON r.tenant = c.tenant AND r.record = c.id AND r.revision = c.sequence
		WHERE c.id = $1`, cart).Scan(&s.tenant, &s.cart, &s.doc, &s.event, &s.changed, &s.receipt)
	return s, err
}

// newPgbenchCarts copies the database, which must have no connections meanwhile, and renames carts and tenants so that
// pgbench, whose variables are numbers, can address them.
func newPgbenchCarts(ctx context.Context, s *testbed, h *cartLoad, dir string) (n *pgbenchCarts, err error) {
	from := s.database[strings.LastIndex(s.database, "/")+1:]
	from, _, _ = strings.Cut(from, "?")
	admin, err := pgx.Connect(ctx, s.postgres.URL)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, admin.Close(ctx)) }()
	if _, err := admin.Exec(ctx, "CREATE DATABASE peer TEMPLATE "+from); err != nil {
		return nil, err
	}
	n = &pgbenchCarts{
		url: strings.Replace(s.database, "/"+from, "/peer", 1), each: filepath.Join(dir, "each.sql"), one: filepath.Join(dir, "one.sql"),
		steps: filepath.Join(dir, "steps.sql"),
	}
	conn, err := pgx.Connect(ctx, n.url)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	each, err := takeSample(ctx, conn, h.carts[0].id)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	one, err := takeSample(ctx, conn, h.hot.id)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	if err := n.rename(ctx, conn, h); err != nil {
		return nil, err
	}
	return n, errors.Join(
		os.WriteFile(n.each, []byte(cartScript(each, ":client_id % 10", "'cart-' || :client_id::int")), 0o600),
		os.WriteFile(n.steps, []byte(strings.Repeat(cartScript(each, ":client_id % 10", "'cart-' || :client_id::int"), plainSteps)), 0o600),
		os.WriteFile(n.one, []byte(cartScript(one, "0", "'hot'")), 0o600))
}

// peerTenant is the prefix of the peer's tenant ids, which are as long as those of the server.
const peerTenant = "019b0000-0000-7000-a000-00000000000"

func (n *pgbenchCarts) rename(ctx context.Context, conn *pgx.Conn, h *cartLoad) error {
	ids := make([]string, len(h.carts))
	for i, c := range h.carts {
		ids[i] = c.id
	}
	tag, err := conn.Exec(ctx,
		`UPDATE carts SET id = CASE WHEN n.i > 0 THEN 'cart-' || n.i - 1 ELSE 'hot' END, tenant = $2 || (greatest(n.i - 1, 0) % 10)
		FROM (SELECT id, i - 1 AS i FROM unnest($1::text[]) WITH ORDINALITY AS u(id, i)) n WHERE carts.id = n.id`, append([]string{h.hot.id}, ids...), peerTenant)
	if err == nil && tag.RowsAffected() != int64(1+len(ids)) {
		err = fmt.Errorf("%d carts to copy, want %d", tag.RowsAffected(), 1+len(ids))
	}
	return err
}

// literal is a text in a script of pgbench: a colon before a word would be a variable, so colons are written
// as escapes.
func literal(text string) string {
	return "E'" + strings.NewReplacer(`\`, `\\`, `'`, `''`, `:`, `\x3a`).Replace(text) + "'"
}

// cartScript is a script that changes one cart; tenant and cart are expressions for the end of its tenant's
// id and for its own id.
func cartScript(s cartMutation, tenant, cart string) string {
	return strings.NewReplacer("$tenant", "'"+peerTenant+"' || ("+tenant+")", "$cart", cart, "$doc", literal(s.doc),
		"$event", literal(s.event), "$changed", literal(s.changed), "$receipt", literal(s.receipt)).Replace(`
BEGIN;
SELECT doc, sequence FROM carts WHERE tenant = $tenant AND id = $cart FOR UPDATE;
UPDATE carts SET doc = $doc, sequence = sequence + 1, updated_at = now(), revision = revision + 1, expires_at = now() WHERE tenant = $tenant AND id = $cart RETURNING sequence \gset
INSERT INTO receipts (tenant, key, fingerprint, done, result, body, request_id, record, revision, token_version, created_at, expires_at)
 VALUES ($tenant, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), decode(repeat('ab', 32), 'hex'), true,
 'ok', convert_to($receipt, 'UTF8'), gen_random_uuid()::text, $cart, :sequence, 0, now(), now() + interval '7 days');
INSERT INTO events (tenant, record, record_sequence, id, collection, operation, environment, doc, changed, occurred_at)
 VALUES ($tenant, $cart, :sequence, gen_random_uuid()::text, 'carts', 'update', 'live', $event, $changed, now());
INSERT INTO unnumbered_events (tenant, collection, records, record_sequences) VALUES ($tenant, 'carts', ARRAY[$cart], ARRAY[:sequence::bigint]);
COMMIT;
`)
}

// run measures a script for the given time.
func (n *pgbenchCarts) run(ctx context.Context, script string, clients int, length time.Duration, cpu *cpuMeter) (result, error) {
	return runPgbench(ctx, cpu, "pgbench, one transaction each", n.url, filepath.Dir(script), clients, length, "-f", script)
}

// warmUp is how long pgbench runs before it is measured: every client has a backend of its own, which reads its catalogs
// and plans all statements first, for up to 60 ms of processor time.
func warmUp(clients int) time.Duration { return time.Second * time.Duration(max(1, clients/16)) }

// runPgbench measures scripts with pgbench's fastest protocol, and begins to count processor time after the warm-up.
func runPgbench(
	ctx context.Context, cpu *cpuMeter, name, url, dir string, clients int, length time.Duration, scripts ...string,
) (result, error) {
	pgbench, err := testservers.FindTool("pgbench")
	if err != nil {
		return result{}, err
	}
	if dir, err = os.MkdirTemp(dir, "run"); err != nil {
		return result{}, err
	}
	args := append([]string{
		"-n", "-M", "prepared", "-c", strconv.Itoa(clients), "-j", "2", "-T", strconv.Itoa(int((warmUp(clients) + length).Seconds())), "-l",
		"-P", "1",
	}, scripts...)
	cmd := exec.CommandContext(ctx, pgbench, append(args, url)...)
	cmd.Dir = dir
	progress := &pgbenchProgress{after: warmUp(clients), then: cpu.begin}
	cmd.Stdout, cmd.Stderr = progress, progress
	if err := cmd.Run(); err != nil {
		return result{}, fmt.Errorf("pgbench: %w\n%s", err, progress.text.String())
	}
	all, err := transactions(dir)
	if err != nil {
		return result{}, err
	}
	var late []time.Duration
	for _, t := range all {
		if !progress.warm.IsZero() && t.ended.After(progress.warm) {
			late = append(late, t.took)
		}
	}
	if len(late) == 0 {
		return result{}, fmt.Errorf("pgbench did nothing after the warm-up:\n%s", progress.text.String())
	}
	slices.Sort(late)
	return result{
		name: name, count: len(late), perSec: float64(len(late)) / all[len(all)-1].ended.Sub(progress.warm).Seconds(), p50: late[len(late)/2],
		p99: late[len(late)*99/100],
	}, nil
}

// pgbenchProgress is what pgbench prints, with a line about every second: the first one after a time says that it is warm.
type pgbenchProgress struct {
	after time.Duration
	then  func()
	text  strings.Builder
	warm  time.Time // zero: not yet
}

var progressLine = regexp.MustCompile(`progress: ([0-9]+)\.`)

// Write implements io.Writer.
func (p *pgbenchProgress) Write(text []byte) (int, error) {
	for _, line := range progressLine.FindAllSubmatch(text, -1) {
		if n, _ := strconv.Atoi(string(line[1])); p.warm.IsZero() && time.Duration(n)*time.Second >= p.after {
			p.then()
			p.warm = time.Now()
		}
	}
	return p.text.Write(text)
}

// transaction is a line of pgbench's log.
type transaction struct {
	ended time.Time
	took  time.Duration
}

// transactions reads pgbench's logs: client, number, microseconds, script, and when it ended in seconds and
// microseconds.
func transactions(dir string) (all []transaction, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "pgbench_log.*"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var us, script, at, and int64
			if _, err := fmt.Sscan(lines.Text(), new(int64), new(int64), &us, &script, &at, &and); err != nil {
				return nil, fmt.Errorf("%s: %q: %w", name, lines.Text(), err)
			}
			all = append(all, transaction{time.Unix(at, and*1000), time.Duration(us) * time.Microsecond})
		}
		_ = f.Close() // only read
	}
	slices.SortFunc(all, func(a, b transaction) int { return a.ended.Compare(b.ended) })
	return all, nil
}
