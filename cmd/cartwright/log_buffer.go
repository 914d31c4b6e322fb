package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// How long a line of the log waits for others, and how many bytes at most.
const (
	flushInterval = 20 * time.Millisecond
	flushSize     = 32 << 10
)

// logBuffer writes what several requests log in one go. Warnings, errors and the end of the program wait for nothing; a
// process that is killed loses the access lines of its last moment.
type logBuffer struct {
	out io.Writer

	mu             sync.Mutex
	pending        []byte
	flushScheduled bool // a flush is under way
}

// Write implements io.Writer.
func (l *logBuffer) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = append(l.pending, line...)
	if len(l.pending) >= flushSize {
		return len(line), l.writeLocked()
	}
	if !l.flushScheduled {
		l.flushScheduled = true
		time.AfterFunc(flushInterval, l.flush)
	}
	return len(line), nil
}

func (l *logBuffer) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flushScheduled = false
	_ = l.writeLocked() // a log that cannot be written has nobody to tell
}

// writeLocked needs the lock.
func (l *logBuffer) writeLocked() error {
	if len(l.pending) == 0 {
		return nil
	}
	_, err := l.out.Write(l.pending)
	l.pending = l.pending[:0]
	return err
}

// flushOnWarning has what is worth a warning written at once.
type flushOnWarning struct {
	slog.Handler

	buffer *logBuffer
}

// Handle implements slog.Handler.
func (p flushOnWarning) Handle(ctx context.Context, r slog.Record) error {
	err := p.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		p.buffer.flush()
	}
	return err
}

// WithAttrs implements slog.Handler.
func (p flushOnWarning) WithAttrs(attrs []slog.Attr) slog.Handler {
	return flushOnWarning{p.Handler.WithAttrs(attrs), p.buffer}
}

// WithGroup implements slog.Handler.
func (p flushOnWarning) WithGroup(name string) slog.Handler {
	return flushOnWarning{p.Handler.WithGroup(name), p.buffer}
}
