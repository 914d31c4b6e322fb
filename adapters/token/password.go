package token

import (
	"context"
	"sync"

	"github.com/alexedwards/argon2id"

	"github.com/cartwright-dev/cartwright/ports"
)

// cost is what one password check takes: 19 MiB and two passes, as OWASP advises for argon2id.
var cost = argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// Passwords is ports.Passwords with argon2id. Two run at a time, so that a burst of logins leaves the cores to others.
type Passwords struct {
	slots chan struct{}
	dummy func() (string, error) // the hash that nobody's password has
}

var _ ports.Passwords = Passwords{}

// NewPasswords makes a hasher.
func NewPasswords() Passwords {
	return Passwords{
		slots: make(chan struct{}, 2),
		dummy: sync.OnceValues(func() (string, error) { return argon2id.CreateHash("nobody", &cost) }),
	}
}

// Hash makes a PHC string with a fresh salt. It waits for a slot as long as ctx allows.
func (p Passwords) Hash(ctx context.Context, plain string) (string, error) {
	if err := p.enter(ctx); err != nil {
		return "", err
	}
	defer p.leave()
	return argon2id.CreateHash(plain, &cost)
}

// Matches compares plain with hash in constant time; without a hash it does the same work and says no.
func (p Passwords) Matches(ctx context.Context, plain, hash string) (bool, error) {
	if err := p.enter(ctx); err != nil {
		return false, err
	}
	defer p.leave()
	if hash != "" {
		return argon2id.ComparePasswordAndHash(plain, hash)
	}
	dummy, err := p.dummy()
	if err == nil {
		_, err = argon2id.ComparePasswordAndHash(plain, dummy)
	}
	return false, err
}

func (p Passwords) enter(ctx context.Context) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p Passwords) leave() { <-p.slots }
