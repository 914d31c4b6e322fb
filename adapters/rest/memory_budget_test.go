package rest

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
)

// The clients of one address cannot use up what all have together, and small bodies need nothing of it.
func TestBodiesInMemoryAreBounded(t *testing.T) {
	t.Parallel()
	var b memoryBudget
	const part = 8 << 20
	took := map[string]int{}
	for _, address := range []string{"a", "b", "c", "d", "e"} {
		for b.take(address, part, true) == nil {
			took[address]++
		}
	}
	if took["a"] != maxMemoryAddress/part || took["d"] != took["a"] || took["e"] != 0 {
		t.Errorf("%v", took)
	}
	of := func() reservation { return reservation{budget: &b, address: "e", free: freeBodyBytes, refusable: true} }
	small := &requestBody{memory: of(), from: strings.NewReader(strings.Repeat("x", freeBodyBytes-1)), length: freeBodyBytes - 1, limit: jsonLimit}
	if text, err := small.readAll(); err != nil || len(text) != freeBodyBytes-1 {
		t.Errorf("a small body: %d bytes, %v", len(text), err)
	}
	large := &requestBody{memory: of(), from: strings.NewReader(strings.Repeat("x", 100_000)), length: 100_000, limit: jsonLimit}
	if _, err := large.readAll(); !errors.Is(err, read.ErrBusy) {
		t.Errorf("a large body: %v", err)
	}
	b.release("a", int64(took["a"])*part)
	if b.take("e", part, true) != nil {
		t.Error("what was given back is not there")
	}
	if _, still := b.byAddress["a"]; still {
		t.Error("an address without bodies is remembered")
	}
}

// arriving gives some bytes of a body and then says what is kept in memory for it.
type arriving struct {
	body    *requestBody
	left    int
	largest int64 // kept, at the last byte
}

func (a *arriving) Read(p []byte) (int, error) {
	if a.left == 0 {
		a.largest = a.body.memory.kept
		return 0, io.ErrUnexpectedEOF
	}
	n := min(a.left, len(p), 100)
	a.left -= n
	return n, nil
}

// A client that declares a large body gets memory for what it sends.
func TestMemoryFollowsWhatArrives(t *testing.T) {
	t.Parallel()
	for sent, most := range map[int]int64{0: firstBodyBytes, 1: firstBodyBytes, 10_000: 16 << 10, 100_000: 256 << 10} {
		a := &arriving{left: sent}
		a.body = &requestBody{memory: reservation{budget: &memoryBudget{}}, from: a, length: jsonLimit, limit: jsonLimit}
		_, _ = a.body.readAll()
		if a.body.read != int64(sent) || a.largest > most {
			t.Errorf("%d bytes were kept for %d of %d", a.largest, sent, jsonLimit)
		}
	}
}
