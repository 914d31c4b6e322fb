package program

import (
	"slices"
	"sync"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/app/access"
)

// maxIssuedTokens is how many email tokens a development server remembers.
const maxIssuedTokens = 1000

// issuedTokens are the email tokens that a development server issued, for the page that shows them to its
// operator: it may have no webhook endpoint that sends them. They are in memory alone, and in no log.
type issuedTokens struct {
	mu   sync.Mutex
	list []rest.EmailToken
}

// add remembers a token, and forgets the oldest one beyond maxIssuedTokens.
func (l *issuedTokens) add(t access.EmailToken) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) == maxIssuedTokens {
		l.list = slices.Delete(l.list, 0, 1)
	}
	l.list = append(l.list, rest.EmailToken{
		Collection: t.Collection, Purpose: string(t.Purpose), Tenant: string(t.Tenant), Email: t.Email, Token: t.Token, Expires: t.Expires,
	})
}

// newestFirst is what is remembered.
func (l *issuedTokens) newestFirst() []rest.EmailToken {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := slices.Clone(l.list)
	slices.Reverse(out)
	return out
}
