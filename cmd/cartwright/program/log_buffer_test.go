package program

import (
	"bytes"
	"strings"
	"sync"
	"testing"
)

// syncBuffer is a buffer that several goroutines may use.
type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *syncBuffer) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *syncBuffer) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func TestWarningFlushesBufferedLines(t *testing.T) {
	t.Parallel()
	var out syncBuffer
	log, flush := process{log: &out}.serverLogger(Config{LogLevel: "info"})
	log.Info("first")
	log.With("a", 1).WithGroup("g").Warn("second")
	if got := out.String(); strings.Count(got, "\n") != 2 || strings.Index(got, "first") > strings.Index(got, "second") {
		t.Errorf("after a warning: %q", got)
	}
	log.Info("third")
	flush()
	if got := out.String(); strings.Count(got, "\n") != 3 || strings.Count(got, "third") != 1 {
		t.Errorf("at the end: %q", got)
	}
	log.Info(strings.Repeat("x", flushSize))
	if got := out.String(); strings.Count(got, "\n") != 4 {
		t.Error("a full buffer is not flushed at once")
	}
}
