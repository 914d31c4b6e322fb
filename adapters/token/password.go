package token

import (
	"context"
	"encoding/base64"
	"fmt"
	"sync/atomic"

	"github.com/alexedwards/argon2id"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Cost is the work of one password check.
type Cost struct{ Memory, Iterations uint32 } // memory in KiB; passes over it

// RecommendedCost is 19 MiB and two passes, as OWASP advises for argon2id. MinimumCost is the least that
// argon2id allows, for tests that are not about the cost of guessing.
var (
	RecommendedCost = Cost{Memory: 19 * 1024, Iterations: 2}
	MinimumCost     = Cost{Memory: 8, Iterations: 1}
)

func (c Cost) params() *argon2id.Params {
	return &argon2id.Params{Memory: c.Memory, Iterations: c.Iterations, Parallelism: 1, SaltLength: 16, KeyLength: 32}
}

// maxQueued is how many checks wait for a slot: about two seconds of work. More are refused with a retry
// time, so that a burst of logins neither piles up nor uses up the deadlines of its requests.
const maxQueued = 100

// Passwords is ports.Passwords with argon2id. Two checks run at a time, so that a burst of logins leaves
// processor time to other requests.
type Passwords struct {
	cost    *argon2id.Params
	slots   chan struct{}
	waiting *atomic.Int64
}

var _ ports.Passwords = Passwords{}

// NewPasswords hashes at this cost. It verifies hashes of any cost.
func NewPasswords(cost Cost) Passwords {
	return Passwords{cost: cost.params(), slots: make(chan struct{}, 2), waiting: &atomic.Int64{}}
}

// decoyHash is a hash that no password matches, at the cost of a real one.
func decoyHash(cost *argon2id.Params) string {
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", cost.Memory, cost.Iterations, cost.Parallelism,
		base64.RawStdEncoding.EncodeToString(make([]byte, cost.SaltLength)),
		base64.RawStdEncoding.EncodeToString(make([]byte, cost.KeyLength)))
}

// Hash makes a PHC string with a fresh salt. It waits for a slot as long as ctx allows.
func (p Passwords) Hash(ctx context.Context, plain string) (string, error) {
	if err := p.acquire(ctx); err != nil {
		return "", err
	}
	defer p.release()
	return argon2id.CreateHash(plain, p.cost)
}

// Matches compares plain with hash in constant time; without a hash it does the same work and returns false.
func (p Passwords) Matches(ctx context.Context, plain, hash string) (bool, error) {
	if err := p.acquire(ctx); err != nil {
		return false, err
	}
	defer p.release()
	if hash == "" {
		hash = decoyHash(p.cost)
	}
	return argon2id.ComparePasswordAndHash(plain, hash)
}

func (p Passwords) acquire(ctx context.Context) error {
	if p.waiting.Add(1) > maxQueued {
		p.waiting.Add(-1)
		return fault.ErrUnavailable.WithMessage("Too many concurrent logins. Try again.")
	}
	defer p.waiting.Add(-1)
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p Passwords) release() { <-p.slots }
