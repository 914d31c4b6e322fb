package portstest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Passwords checks ports.Passwords of the cost that production uses.
func Passwords(t *testing.T, p ports.Passwords) {
	t.Run("a hash matches its password alone", func(t *testing.T) {
		for _, plain := range []string{"correct horse", "비밀번호 \x00 1", strings.Repeat("long", 100)} {
			hash := mustHash(t, p, plain)
			if !strings.HasPrefix(hash, "$") || strings.Contains(hash, plain) {
				t.Errorf("%q is no PHC string", hash)
			}
			for _, tried := range []string{plain, "", "wrong", plain + " ", strings.ToUpper(plain), plain[:len(plain)-1]} {
				if ok, err := p.Matches(t.Context(), tried, hash); ok != (tried == plain) || err != nil {
					t.Errorf("%q for %q: %t, %v", tried, plain, ok, err)
				}
			}
		}
	})
	t.Run("two hashes of one password differ", func(t *testing.T) {
		if first, second := mustHash(t, p, "same"), mustHash(t, p, "same"); first == second {
			t.Error("they are the same: whoever reads the table sees who shares a password")
		}
	})
	t.Run("without a hash no password matches", func(t *testing.T) {
		for _, plain := range []string{"", "nobody", "\x00"} {
			if ok, err := p.Matches(t.Context(), plain, ""); ok || err != nil {
				t.Errorf("%q: %t, %v", plain, ok, err)
			}
		}
	})
	t.Run("a damaged hash matches nothing", func(t *testing.T) {
		hash := mustHash(t, p, "correct horse")
		for _, damaged := range []string{"correct horse", "$", "$argon2id$", hash[:len(hash)/2], strings.ToUpper(hash), " "} {
			if ok, _ := p.Matches(t.Context(), "correct horse", damaged); ok { // whether it says why is its own affair
				t.Errorf("%q matches", damaged)
			}
		}
	})
	t.Run("more callers than it can serve are refused rather than left waiting", func(t *testing.T) { passwordBurst(t, p) })
}

func mustHash(t *testing.T, p ports.Passwords, plain string) string {
	t.Helper()
	hash, err := p.Hash(t.Context(), plain)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

// passwordBurst sends 300 callers at once: a caller that finds the queue full, or whose time runs out in it,
// is refused.
func passwordBurst(t *testing.T, p ports.Passwords) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var refused, done atomic.Int64
	var wg sync.WaitGroup
	for range 300 {
		wg.Go(func() {
			switch _, err := p.Matches(ctx, "x", ""); {
			case errors.Is(err, fault.ErrUnavailable):
				if refused.Add(1) >= 150 {
					cancel()
				}
			case err == nil:
				done.Add(1)
			case !errors.Is(err, context.Canceled):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if refused.Load() < 150 || done.Load() == 0 {
		t.Errorf("%d were refused, %d done", refused.Load(), done.Load())
	}
}
