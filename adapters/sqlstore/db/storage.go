package db

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync/atomic"
	"time"
)

// storageRetry is when a request that found the disk full may be sent again.
const storageRetry = 5 * time.Second

// probeSize is how many bytes a probe writes: more than most transactions and than the parts of files that a failed one
// has left, and random, so that no compression makes room for them.
const probeSize = 1 << 20

// StorageProbe is the table that probes write to.
const StorageProbe = "storage_probe"

// storage is whether the last writes found the disk full.
type storage struct{ failed atomic.Bool }

// fail notes that a write failed. It is logged once.
func (s *storage) fail(log *slog.Logger, err error) {
	if !s.failed.Swap(true) {
		log.Error("the database cannot write: its disk is full or fails; writes are refused until it can", "error", err.Error())
	}
}

// checkStorage tries to write after a write has failed, so that the database is ready again as soon as there is room.
// While writes succeed it writes nothing. Errors: fault.ErrUnavailable.
func (d *DB) checkStorage(ctx context.Context) error {
	if !d.storage.failed.Load() {
		return nil
	}
	filler := make([]byte, probeSize)
	_, _ = rand.Read(filler) // it never fails
	write := func(text string, args ...any) error {
		return d.Transact(ctx, SystemScope, func(ctx context.Context, on Session) error {
			_, err := Exec(ctx, on, text, args...)
			return err
		})
	}
	if err := write("INSERT INTO "+StorageProbe+" (filler) VALUES ($1)", filler); err != nil {
		return err
	}
	if err := write("DELETE FROM " + StorageProbe); err != nil {
		return err
	}
	d.storage.failed.Store(false)
	d.options.Logger.Warn("the database can write again")
	return nil
}
