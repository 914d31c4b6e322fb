// Package metering counts the calls of tenants and refuses those beyond their limits. Contract 11, spec 8.
//
// A call is admitted before it is worked on and counted when it was answered, for the day on which it came. What was
// answered 401 is not counted, nor what a limit refused.
//
// Counts are kept in memory and written down by Run, several times a second: a crash loses less than a second of them.
// Each process has its own rows, with absolute numbers, so that nothing is counted twice whatever becomes of a write. What
// other processes counted is read at the same time, for tenants whose plan has a limit.
//
// With Shared, every call of such a tenant is counted there first, in the round trip that all calls of the moment share.
// Without it, or while it does not answer, a call is admitted when the calls known of are below the limit: none is refused
// too early, and at most what the other processes admitted since they last wrote is too much. Calls of tenants without a
// limit cost neither.
//
// Why the shared count is right: it is not one number but what each process holds, the calls that it answered and those
// under way, as the process itself knows it; and each message tells all of that, numbered by turns.
//   - Never too many: a take is admitted when what the others hold and what its process holds with it, every call that
//     waits for an answer included, are no more than the limit. So what a process holds there is never less than what was
//     admitted to it, and the sum never more than the limit but for what was admitted without Shared. A message that comes
//     late or twice is overtaken by a newer turn, in which the calls that waited were counted.
//   - Never too few for good: an answer that was lost, a command that failed, a call given back without a word, leave a
//     wrong number only until its process says anything again; who called within a minute, or has calls under way or not
//     written down, is told of with every Flush. What a process knows of itself Shared cannot get wrong: takes replace it.
//   - What Shared loses is raised to what was written down; of each other process at most what it did since its last Flush
//     is missing, until its next.
//   - A process that crashes leaves what it had under way or not written down: calls of less than a second, as many as it
//     admitted. Before a call is refused, at most once a second and tenant, processes that said nothing of the tenant for
//     Silence by the clock of Shared are set to what they wrote down, read after that, unless they speak meanwhile. One
//     that lives and is silent so long has nothing else. One that was halted for so long has its calls under way too many
//     admitted to others, and says so when it goes on.
//
// Bursts are counted by each caller over a sliding minute, in memory. Of those that call often, processes tell each other
// how often; so a caller of several processes has at most a second's calls too many.
//
// Decisions: a call with a client key counts for that key and the address it came from; one with a capability token
// besides counts for the token too, since anybody can make up a token that is no good. Customers have a count each, as
// users do. The burst is looked at first, so that who hammers at a limit costs little. When neither memory nor database
// knows what was used, the call is admitted. What people of the platform do in a shop is not the shop's use: else nobody
// could move a shop at its limit to a larger plan. A plan counts as soon as a key's tenant is looked up again, within two
// seconds; a shop that comes back from a plan without a limit may then make a second's calls too many.
package metering

import (
	"context"
	"hash/maphash"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Meter counts for one process. Make it with New.
type Meter struct {
	Options

	mu      sync.RWMutex
	tallies map[tenant.ID]*tally
	bursts  bursts
	writing sync.Mutex // one Flush at a time
}

// Options is what a Meter works with.
type Options struct {
	Counts  ports.Usage       // what was written down
	Shared  ports.SharedCount // nil: this process counts alone
	Counter string            // names this process, unlike any other that ever ran
	Burst   int               // calls of one caller per minute; 0 does not limit them
	Now     func() time.Time
	Silence time.Duration // after which a process that told Shared nothing counts as what it wrote down; 0: 10 s
}

// New makes a Meter.
func New(o Options) *Meter {
	if o.Silence == 0 {
		o.Silence = silence
	}
	return &Meter{Options: o, tallies: map[tenant.ID]*tally{}, bursts: bursts{seed: maphash.MakeSeed()}}
}

// Caller is who makes a call, as far as limits are concerned.
type Caller struct {
	Principal *tenant.Principal
	Token     string // capability token, or ""
	Address   string
}

// Standing is what a caller may know of the limits after a call.
type Standing struct {
	Limit     int64 // per month; quota.Unlimited: none
	Used      int64 // of it; not counted without a limit
	Month     quota.Month
	Burst     int // calls per minute; 0: no limit
	BurstLeft int
}

// Ticket is an admitted call, to be given back to Done.
type Ticket struct {
	Standing

	id     tenant.ID
	tally  *tally // nil: it is not counted
	day    quota.Day
	shared bool // told to Shared
}

// Admit lets a call of a known tenant in. The Standing of the ticket counts with an error, too.
// Errors: quota.ErrExceeded, fault.ErrRateLimited.
func (m *Meter) Admit(ctx context.Context, c Caller) (Ticket, error) {
	now := m.Now()
	k := m.ticket(c.Principal, now)
	if m.Burst > 0 {
		left, wait := m.bursts.take(c, m.Burst, now)
		k.BurstLeft = left
		if wait > 0 {
			if k.Limit != quota.Unlimited {
				m.know(ctx, &k, now)
				k.Used = k.tally.used(k.Month)
			}
			return k, fault.ErrRateLimited.Retry(wait).With("limit", int64(m.Burst))
		}
	}
	if k.tally == nil {
		return k, nil
	}
	err := m.take(ctx, &k, now)
	return k, err
}

// ticket says what counts for a call: nothing but bursts when somebody of the platform makes it.
func (m *Meter) ticket(p *tenant.Principal, now time.Time) Ticket {
	k := Ticket{id: p.Tenant.ID, day: quota.DayOf(now)}
	k.Burst = m.Burst
	if p.Kind == tenant.User && p.Role == tenant.PlatformAdmin {
		k.Limit, k.Month = quota.Unlimited, quota.MonthOf(k.day)
		return k
	}
	k.Limit, k.tally = quota.Calls(p.Tenant.Plan), m.tally(k.id)
	k.Month = k.tally.seen(now, k.day, k.Limit)
	return k
}

// take counts the call as under way, or refuses it. Errors: quota.ErrExceeded.
func (m *Meter) take(ctx context.Context, k *Ticket, now time.Time) (err error) {
	if k.Limit == quota.Unlimited {
		k.tally.begin(k.Month)
		return nil
	}
	if m.Shared != nil {
		k.shared = true // whether or not it answers, it may know of the call
		used, admitted, err := m.takeShared(ctx, k, now)
		switch {
		case err != nil: // it is as if there were none
		case !admitted:
			k.Used = used
			return quota.Admit(k.Limit, k.Limit, now)
		default:
			k.Used = used
			return nil
		}
	}
	m.know(ctx, k, now)
	if k.Used = k.tally.beginBelow(k.Month, k.Limit); k.Used > k.Limit {
		k.Used = k.Limit
		return quota.Admit(k.Limit, k.Limit, now)
	}
	return nil
}

// know has the tally know what other processes counted, lately enough. What cannot be read is tried again a little later.
func (m *Meter) know(ctx context.Context, k *Ticket, now time.Time) {
	if k.tally.fresh(now) {
		return
	}
	k.tally.reading.Lock()
	defer k.tally.reading.Unlock()
	if k.tally.fresh(now) {
		return
	}
	all, err := m.Counts.Elsewhere(ctx, m.Counter, []tenant.ID{k.id}, k.Month)
	k.tally.learn(k.Month, all[k.id], err == nil, now)
}

// Done ends an admitted call; it is counted unless it turned out to be nobody's.
func (m *Meter) Done(k Ticket, counted bool) {
	if k.tally == nil { // it counts for no shop
		return
	}
	k.tally.end(k.Month, k.day, counted)
	if k.shared && !counted {
		if h, ok := k.tally.holding(k.Month, m.Counter); ok {
			m.Shared.Tell(k.id, k.Month, h)
		}
	}
}

func (m *Meter) tally(id tenant.ID) *tally {
	m.mu.RLock()
	t := m.tallies[id]
	m.mu.RUnlock()
	if t != nil {
		return t
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tallies[id] == nil {
		m.tallies[id] = &tally{}
	}
	return m.tallies[id]
}
