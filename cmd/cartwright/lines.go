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
	linesWait = 20 * time.Millisecond
	linesFull = 32 << 10
)

// lines writes what several requests log in one go. Warnings, errors and the end of the program wait for nothing; a
// process that is killed loses the access lines of its last moment.
type lines struct {
	to io.Writer

	mu   sync.Mutex
	wait []byte
	due  bool // a flush is under way
}

// Write implements io.Writer.
func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wait = append(l.wait, line...)
	if len(l.wait) >= linesFull {
		return len(line), l.send()
	}
	if !l.due {
		l.due = true
		time.AfterFunc(linesWait, l.flush)
	}
	return len(line), nil
}

func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due = false
	_ = l.send() // a log that cannot be written has nobody to tell
}

// send needs the lock.
func (l *lines) send() error {
	if len(l.wait) == 0 {
		return nil
	}
	_, err := l.to.Write(l.wait)
	l.wait = l.wait[:0]
	return err
}

// prompt has what is worth a warning written at once.
type prompt struct {
	slog.Handler

	lines *lines
}

// Handle implements slog.Handler.
func (p prompt) Handle(ctx context.Context, r slog.Record) error {
	err := p.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		p.lines.flush()
	}
	return err
}

// WithAttrs implements slog.Handler.
func (p prompt) WithAttrs(attrs []slog.Attr) slog.Handler {
	return prompt{p.Handler.WithAttrs(attrs), p.lines}
}

// WithGroup implements slog.Handler.
func (p prompt) WithGroup(name string) slog.Handler {
	return prompt{p.Handler.WithGroup(name), p.lines}
}
