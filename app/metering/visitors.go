package metering

import (
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// maxVisitors bounds the addresses whose calls are counted; the least recently seen are dropped.
const maxVisitors = 32768

// visitorCounts counts the calls of shoppers by address, so that no visitor uses up a shop's month.
type visitorCounts struct {
	mu     sync.Mutex
	counts *lru.Cache[visitor, *visitorCount]
}

// visitor is who came to a shop from one address.
type visitor struct {
	tenant  tenant.ID
	address string
}

// name identifies the visitor and a day across processes.
func (v visitor) name(d quota.Day) string {
	return "visitor\x00" + string(v.tenant) + "\x00" + v.address + "\x00" + strconv.FormatInt(int64(d), 10)
}

// visitorCount is the calls of one visitor on a day.
type visitorCount struct {
	day    quota.Day
	own    int64
	remote int64 // counted by other processes, slightly outdated
	limit  int64 // of the month
}

func newVisitorCounts() visitorCounts {
	counts, _ := lru.New[visitor, *visitorCount](maxVisitors) // fails on sizes below 1
	return visitorCounts{counts: counts}
}

// take counts a call. Errors: quota.ErrVisitorShare.
func (v *visitorCounts) take(of visitor, limit int64, now time.Time) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	n, ok := v.counts.Get(of)
	if !ok {
		n = &visitorCount{}
		v.counts.Add(of, n)
	}
	if today := quota.DayOf(now); n.day != today {
		*n = visitorCount{day: today}
	}
	n.limit = limit
	if err := quota.AdmitVisitor(limit, n.own+n.remote, now); err != nil {
		return err
	}
	n.own++
	return nil
}

// maxBusyVisitors is how many visitors are shared with other processes.
const maxBusyVisitors = 256

// collectBusy adds today's visitors who have used a good part of their share, by name.
func (v *visitorCounts) collectBusy(busy map[string]int, now time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	told, today := 0, quota.DayOf(now)
	for _, of := range v.counts.Keys() {
		n, ok := v.counts.Peek(of)
		if ok && n.day == today && n.own >= max(1, quota.VisitorShare(n.limit)/busyFraction) && told < maxBusyVisitors {
			busy[of.name(today)] = int(n.own)
			told++
		}
	}
}

// setRemote stores what other processes counted, by name.
func (v *visitorCounts) setRemote(elsewhere map[string]int, now time.Time) {
	if len(elsewhere) == 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	today := quota.DayOf(now)
	for _, of := range v.counts.Keys() {
		if n, ok := v.counts.Peek(of); ok && n.day == today {
			n.remote = max(n.remote, int64(elsewhere[of.name(today)]))
		}
	}
}
