package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// syncs counts how often the database has synced data to disk so far. Postgres counts its syncs; for SQLite the testbed
// must be traced.
func (st *testbed) syncs(ctx context.Context) (int, error) {
	if st.postgres == nil {
		text, err := os.ReadFile(st.trace())
		return bytes.Count(text, []byte("sync(")), err
	}
	a, done, err := st.auditor(ctx)
	if err != nil {
		return 0, err
	}
	defer done()
	text, err := a.scalar(ctx, "SELECT wal_sync FROM pg_stat_wal")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}

func (st *testbed) trace() string { return filepath.Join(st.dir, "syncs") }

// command runs the server; in a traced testbed strace logs its syncs, as a detached process that leaves the
// server a direct child.
func (st *testbed) command() (binary string, args []string) {
	if !st.traced {
		return st.binary, []string{"serve"}
	}
	return "strace", []string{"-D", "-f", "-qq", "-e", "trace=fsync,fdatasync", "-o", st.trace(), st.binary, "serve"}
}

// checkEveryAckSynced makes one add after the other, so that none shares a commit, and checks that each was
// synced to disk. Postgres publishes its count with a delay.
func (st *testbed) checkEveryAckSynced(ctx context.Context, adds int) error {
	before, err := st.syncs(ctx)
	if err != nil {
		return err
	}
	cart, err := newCart(ctx, st.caller)
	if err != nil {
		return err
	}
	for range adds {
		if _, err := st.caller.must(ctx, request{
			"POST", cartPath + "/" + cart.id + "/items", newKey(), map[string]any{"variantId": st.variants[0], "quantity": 1},
		}, nil); err != nil {
			return err
		}
	}
	var n int
	for deadline := time.After(patience); n < adds; {
		after, err := st.syncs(ctx)
		if err != nil {
			return err
		}
		n = after - before
		select {
		case <-time.After(200 * time.Millisecond):
		case <-deadline:
			return fmt.Errorf("%d syncs for %d acknowledged changes", n, adds)
		}
	}
	return nil
}
