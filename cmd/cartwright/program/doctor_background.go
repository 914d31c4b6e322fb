package program

import (
	"context"
	"fmt"
	"strings"
)

// shownFailures is how many items of background work doctor names.
const shownFailures = 5

// checkBackground warns of items of background work that failed too often and were set aside.
func (k *core) checkBackground(ctx context.Context, found *findings) {
	failures, total, err := k.store.BackgroundFailures().List(ctx, shownFailures)
	if err != nil || total == 0 {
		found.record("background", err, "nothing is set aside")
		return
	}
	text := []string{fmt.Sprintf("%d items failed too often and are set aside; servers try each again about once an hour:", total)}
	for _, f := range failures {
		text = append(text, fmt.Sprintf("%s, tenant %s, item %q: %d failures, last at %s: %s;",
			f.Task, f.Tenant, f.Item, f.Failures, f.LastFailedAt.Format("2006-01-02 15:04"), f.Error))
	}
	found.warn("background", strings.Join(text, " "))
}

// checkDeletions tells of tenants whose deletion is under way.
func (k *core) checkDeletions(ctx context.Context, found *findings) {
	all, err := k.store.TenantErasure().Deletions(ctx, k.now())
	text := "none is under way"
	if len(all) > 0 {
		text = fmt.Sprintf("%d under way, the oldest since %s: a server erases them", len(all), all[0].Begun.Format("2006-01-02 15:04"))
	}
	found.record("deletions", err, text)
}
