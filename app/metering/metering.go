package metering

import (
	"context"
	"hash/maphash"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Meter counts the calls that one process admits. Create it with New.
type Meter struct {
	Options

	mu       sync.RWMutex
	tenants  map[tenant.ID]*tenantUsage
	bursts   burstLimiter
	visitors visitorCounts
	flushing sync.Mutex // serializes Flush
}

// Options configure a Meter.
type Options struct {
	UsageStore    ports.Usage         // the stored counts
	Shared        ports.SharedCounter // nil: this process counts alone
	CounterID     string              // identifies this process, different from any other that ever ran
	Burst         int                 // calls of one caller per minute; 0: unlimited
	Now           func() time.Time
	Task          *background.Task // of storing the counts; may be nil
	InactiveAfter time.Duration    // how long a process must be silent for its stored count to be used; 0: 10 s
}

// New makes a Meter.
func New(o Options) *Meter {
	if o.InactiveAfter == 0 {
		o.InactiveAfter = defaultInactiveAfter
	}
	return &Meter{Options: o, tenants: map[tenant.ID]*tenantUsage{}, bursts: burstLimiter{seed: maphash.MakeSeed()}, visitors: newVisitorCounts()}
}

// Caller is the caller of an operation, as far as limits are concerned.
type Caller struct {
	Principal *tenant.Principal
	Token     string // capability token, or ""
	Address   string
}

// LimitStatus is the state of the limits after a call, as shown to the caller.
type LimitStatus struct {
	Limit     int64 // per month; quota.Unlimited: none
	Used      int64 // calls this month; not counted without a limit
	Month     quota.Month
	Burst     int // calls per minute; 0: no limit
	BurstLeft int
}

// AdmittedCall is an admitted call, to be passed to Done.
type AdmittedCall struct {
	LimitStatus

	tenant tenant.ID
	usage  *tenantUsage // nil: the call is not counted
	day    quota.Day
	shared bool // reported to Shared
}

// Admit admits a call of a known tenant. The returned LimitStatus is also valid with an error. Errors:
// quota.ErrExceeded, quota.ErrVisitorShare, fault.ErrRateLimited.
func (m *Meter) Admit(ctx context.Context, c Caller) (AdmittedCall, error) {
	now := m.Now()
	k := m.newAdmittedCall(c.Principal, now)
	if m.Burst > 0 {
		left, wait := m.bursts.take(c, m.Burst, now)
		k.BurstLeft = left
		if wait > 0 {
			m.readUsed(ctx, &k, now)
			return k, fault.ErrRateLimited.WithRetry(wait).WithData("limit", int64(m.Burst))
		}
	}
	if k.usage == nil {
		return k, nil
	}
	if by := c.Principal; by.Kind == tenant.ClientKey || by.Kind == tenant.Customer {
		if err := m.visitors.take(visitor{k.tenant, c.Address}, k.Limit, now); err != nil {
			m.readUsed(ctx, &k, now)
			return k, err
		}
	}
	err := m.admitCounted(ctx, &k, now)
	return k, err
}

// readUsed reads how much of its limit the tenant has used, for a call that is refused.
func (m *Meter) readUsed(ctx context.Context, k *AdmittedCall, now time.Time) {
	if k.Limit != quota.Unlimited {
		m.refreshRemote(ctx, k, now)
		k.Used = k.usage.used(k.Month)
	}
}

// AdmitBeyondQuota admits a call that quota.ErrExceeded or quota.ErrVisitorShare refused, and counts it beyond the
// limit.
func (m *Meter) AdmitBeyondQuota(k AdmittedCall) AdmittedCall {
	k.usage.begin(k.Month)
	return k
}

// newAdmittedCall decides what a call counts for: calls of platform admins count only for bursts.
func (m *Meter) newAdmittedCall(p *tenant.Principal, now time.Time) AdmittedCall {
	k := AdmittedCall{tenant: p.Tenant.ID, day: quota.DayOf(now)}
	k.Burst = m.Burst
	if p.Kind == tenant.User && p.Role == tenant.PlatformAdmin {
		k.Limit, k.Month = quota.Unlimited, quota.MonthOf(k.day)
		return k
	}
	k.Limit, k.usage = quota.MonthlyLimit(p.Tenant.Plan), m.tenantUsage(k.tenant)
	k.Month = k.usage.noteCall(now, k.day, k.Limit)
	return k
}

// admitCounted counts the call as in flight, or refuses it. Errors: quota.ErrExceeded.
func (m *Meter) admitCounted(ctx context.Context, k *AdmittedCall, now time.Time) (err error) {
	if k.Limit == quota.Unlimited {
		k.usage.begin(k.Month)
		return nil
	}
	if m.Shared != nil {
		k.shared = true // it may have counted the call even if it does not respond
		used, admitted, err := m.admitShared(ctx, k, now)
		switch {
		case err != nil: // as if there were no shared counter
		case !admitted:
			k.Used = used
			return quota.Admit(k.Limit, k.Limit, now)
		default:
			k.Used = used
			return nil
		}
	}
	m.refreshRemote(ctx, k, now)
	if k.Used = k.usage.beginIfBelow(k.Month, k.Limit); k.Used > k.Limit {
		k.Used = k.Limit
		return quota.Admit(k.Limit, k.Limit, now)
	}
	return nil
}

// refreshRemote reads what other processes counted unless that is fresh. After a failure it is read again a
// little later.
func (m *Meter) refreshRemote(ctx context.Context, k *AdmittedCall, now time.Time) {
	if k.usage.remoteIsFresh(now) {
		return
	}
	k.usage.readingRemote.Lock()
	defer k.usage.readingRemote.Unlock()
	if k.usage.remoteIsFresh(now) {
		return
	}
	all, err := m.UsageStore.SumOthers(ctx, m.CounterID, []tenant.ID{k.tenant}, k.Month)
	k.usage.setRemote(k.Month, all[k.tenant], err == nil, now)
}

// Done ends an admitted call; counted is false for a call that must not count, such as an unauthenticated
// one.
func (m *Meter) Done(k AdmittedCall, counted bool) {
	if k.usage == nil { // it counts for no tenant
		return
	}
	k.usage.end(k.Month, k.day, counted)
	if k.shared && !counted {
		if h, ok := k.usage.counterState(k.Month, m.CounterID); ok {
			m.Shared.Report(k.tenant, k.Month, h)
		}
	}
}

func (m *Meter) tenantUsage(id tenant.ID) *tenantUsage {
	m.mu.RLock()
	t := m.tenants[id]
	m.mu.RUnlock()
	if t != nil {
		return t
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tenants[id] == nil {
		m.tenants[id] = &tenantUsage{}
	}
	return m.tenants[id]
}
