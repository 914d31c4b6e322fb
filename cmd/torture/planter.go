package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// planter changes the database beside the servers, as a defect of an older version or of a disk might have.
type planter struct {
	*testbed

	db       *sql.DB
	refusals []string // names of triggers, "name ON table"
}

func (st *testbed) planter(ctx context.Context) (*planter, error) {
	p := &planter{testbed: st}
	var err error
	if st.postgres == nil {
		p.db, err = sql.Open("sqlite", "file:"+filepath.Join(st.dir, "shop", "cartwright.db")+"?_pragma=busy_timeout(10000)")
		return p, err
	}
	if p.db, err = sql.Open("pgx", st.database); err != nil {
		return nil, err
	}
	return p, p.exec(ctx, `CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'this row is poison'; END $$`)
}

func (p *planter) close() { _ = p.db.Close() }

func (p *planter) exec(ctx context.Context, statements ...string) error {
	for _, text := range statements {
		if _, err := p.db.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// scalar is the first column of the first row of a query, as text.
func (p *planter) scalar(ctx context.Context, query string) (text string, err error) {
	if err = p.db.QueryRowContext(ctx, "SELECT CAST(("+query+") AS TEXT)").Scan(&text); err != nil {
		err = fmt.Errorf("%s: %w", query, err)
	}
	return text, err
}

// ago is a time before now, as an SQL expression.
func (p *planter) ago(d time.Duration) string {
	if p.postgres != nil {
		return fmt.Sprintf("now() - interval '%d seconds'", int(d.Seconds()))
	}
	return strconv.FormatInt(time.Now().Add(-d).UnixMilli(), 10)
}

// refuse has the database refuse changes of rows: verb is INSERT, UPDATE or DELETE, row the condition on NEW or OLD.
func (p *planter) refuse(ctx context.Context, verb, table, row string) error {
	name := fmt.Sprintf("poison_%d", len(p.refusals))
	text := "CREATE TRIGGER " + name + " BEFORE " + verb + " ON " + table + " WHEN " + row + " BEGIN SELECT RAISE(ABORT, 'this row is poison'); END"
	p.refusals = append(p.refusals, name)
	if p.postgres != nil {
		text = "CREATE TRIGGER " + name + " BEFORE " + verb + " ON " + table + " FOR EACH ROW WHEN (" + row + ") EXECUTE FUNCTION refuse_poison()"
		p.refusals[len(p.refusals)-1] += " ON " + table
	}
	return p.exec(ctx, text)
}

// cleanse takes all refusals back.
func (p *planter) cleanse(ctx context.Context) error {
	for _, name := range p.refusals {
		if err := p.exec(ctx, "DROP TRIGGER "+name); err != nil {
			return err
		}
	}
	p.refusals = nil
	return nil
}

// runCommand runs a command of the binary beside the servers, and returns what it prints.
func (st *testbed) runCommand(ctx context.Context, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, st.binary, args...)
	c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}, st.servers[0].Env...)
	out, err := c.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%v: %w\n%s%s", args, err, out, exit.Stderr)
	}
	return out, err
}

// metric is the sum of a metric of a background task over all servers.
func (st *testbed) metric(ctx context.Context, name, task string) (sum float64, err error) {
	for i := range st.servers {
		page, err := st.caller.sendTo(ctx, i, request{http.MethodGet, "/metrics", "", nil}, nil)
		if err != nil {
			return 0, err
		}
		for line := range strings.Lines(string(page.body)) {
			if rest, ok := strings.CutPrefix(line, name+`{task="`+task+`"} `); ok {
				n, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
				if err != nil {
					return 0, err
				}
				sum += n
			}
		}
	}
	return sum, nil
}
