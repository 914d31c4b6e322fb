package cartwright

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// FileStore is a PendingStore in a folder, one file for each operation. What it has taken is on the disk,
// whole, when Put returns, and what it has removed stays removed, whether the process is killed or the power
// fails. It belongs to one process at a time: give each instance of a program its own folder. The files hold
// what was sent, people's addresses included; nobody but their owner can read them.
type FileStore struct {
	dir    string
	lock   *os.File
	memory *MemoryStore
}

var _ PendingStore = (*FileStore)(nil)

// Names in the folder.
const (
	lockName  = "lock"
	doneEnd   = ".json"
	unlikeEnd = ".part" // not whole; of a process that ended while it wrote
)

// ErrFolderInUse is why NewFileStore fails while another process has the folder.
var ErrFolderInUse = errors.New("cartwright: the folder of pending operations is in use by another process")

// NewFileStore opens the folder, making it if there is none. Errors: ErrFolderInUse; it cannot be read or
// written; a file in it is none of ours, or damaged: what it would say may have happened, so that is for
// people to look at.
func NewFileStore(dir string) (*FileStore, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cartwright: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cartwright: %w", err)
	}
	if err := lockFile(lock); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("%w: %w", ErrFolderInUse, err)
	}
	s := &FileStore{dir, lock, NewMemoryStore()}
	if err := s.load(); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("cartwright: %w", err)
	}
	return s, nil
}

// Close lets another process have the folder; the store takes nothing any more.
func (s *FileStore) Close() error { return s.lock.Close() }

func (s *FileStore) load() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(s.dir, e.Name())
		if strings.HasSuffix(e.Name(), unlikeEnd) { // Put never returned
			if err := os.Remove(path); err != nil {
				return err
			}
		}
		if !strings.HasSuffix(e.Name(), doneEnd) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var p PendingOperation
		if err := json.Unmarshal(text, &p); err != nil || e.Name() != fileOf(p.ID) {
			return fmt.Errorf("%s is not a pending operation", path)
		}
		_ = s.memory.Put(context.Background(), p) // memory takes anything
	}
	return nil
}

// fileOf is the name of an operation's file: a key may hold characters that names of files may not.
func fileOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16]) + doneEnd
}

// List implements PendingStore.
func (s *FileStore) List(ctx context.Context) ([]PendingOperation, error) { return s.memory.List(ctx) }

// Put implements PendingStore. The file appears whole or not at all.
func (s *FileStore) Put(ctx context.Context, p PendingOperation) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	part, err := os.CreateTemp(s.dir, "*"+unlikeEnd) // mode 0600
	if err != nil {
		return err
	}
	_, err = part.Write(text)
	if err == nil {
		err = part.Sync()
	}
	err = errors.Join(err, part.Close())
	if err == nil {
		err = os.Rename(part.Name(), filepath.Join(s.dir, fileOf(p.ID)))
	}
	if err != nil {
		_ = os.Remove(part.Name())
		return err
	}
	if err := s.sync(); err != nil {
		return err
	}
	return s.memory.Put(ctx, p)
}

// Remove implements PendingStore.
func (s *FileStore) Remove(ctx context.Context, id string) error {
	if err := os.Remove(filepath.Join(s.dir, fileOf(id))); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := s.sync(); err != nil {
		return err
	}
	return s.memory.Remove(ctx, id)
}

// sync makes the names in the folder last.
func (s *FileStore) sync() error {
	dir, err := os.Open(s.dir)
	if err != nil {
		return err
	}
	return errors.Join(syncFolder(dir), dir.Close())
}
