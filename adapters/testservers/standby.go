package testservers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// Standby copies a running Postgres into one that waits to take its place, at the same address. What is committed
// after the copy the standby never hears of, as when replication lags. TakeOver starts it.
func (s *Server) Standby(ctx context.Context) (*Server, error) {
	backup, err := findBinary("pg_basebackup")
	if err != nil {
		return nil, err
	}
	other, err := newServer("postgres", s.binary, durableTempDir)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(other.dir, "data")
	copying := exec.CommandContext(ctx, backup, "--dbname="+s.URL, "-D", data, "--wal-method=stream", "--checkpoint=fast")
	copying.SysProcAttr, copying.Dir = &syscall.SysProcAttr{Credential: other.credential}, other.dir
	if out, err := copying.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("pg_basebackup: %w\n%s", err, out)
	}
	signal := filepath.Join(data, "standby.signal")
	if err := os.WriteFile(signal, nil, 0o600); err != nil {
		return nil, err
	}
	if other.credential != nil {
		if err := os.Chown(signal, int(other.credential.Uid), int(other.credential.Gid)); err != nil {
			return nil, err
		}
	}
	other.URL, other.ping, other.args = s.URL, s.ping, slices.Clone(s.args)
	for i, arg := range other.args {
		switch arg {
		case "-D":
			other.args[i+1] = data
		case "-k":
			other.args[i+1] = other.dir
		}
	}
	return other, nil
}

// TakeOver kills the primary, starts s at its address and promotes it.
func (s *Server) TakeOver(ctx context.Context, primary *Server) error {
	primary.Kill()
	if err := s.Start(ctx); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // it has its answer
	var promoted bool
	if err := conn.QueryRow(ctx, "SELECT pg_promote()").Scan(&promoted); err != nil {
		return err
	}
	if !promoted {
		return fmt.Errorf("the standby was not promoted:\n%s", s.out.String())
	}
	return nil
}
