package program

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// Bounds on how long log lines are buffered, and on their bytes.
const (
	flushInterval = 20 * time.Millisecond
	flushSize     = 32 << 10
)

// logBuffer writes the log lines of several requests together. Warnings, errors and the end of the program
// are flushed at once; a killed process loses its latest access lines.
type logBuffer struct {
	out io.Writer

	mu             sync.Mutex
	pending        []byte
	flushScheduled bool // a flush is scheduled
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
	_ = l.writeLocked() // a failed log write cannot be reported
}

// writeLocked requires the lock.
func (l *logBuffer) writeLocked() error {
	if len(l.pending) == 0 {
		return nil
	}
	_, err := l.out.Write(l.pending)
	l.pending = l.pending[:0]
	return err
}

// flushOnWarning flushes the buffer on warnings and errors.
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
