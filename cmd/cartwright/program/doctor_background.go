package program

import (
	"context"
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/app/jobs"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/domain/transfer"
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

// checkJobs tells how many exports and imports wait and run, and warns of those that failed for reasons of the server: people of
// their shops cannot do anything about these, and were told so.
func (k *core) checkJobs(ctx context.Context, found *findings) {
	var waiting, running, failed int64
	var text []string
	for _, s := range []*collection.Schema{transfer.Exports, intake.Imports} {
		open, err := jobs.ReadBacklog(ctx, k.store, s)
		if err != nil {
			found.record("jobs", err, "")
			return
		}
		last, total, err := jobs.Failed(ctx, k.store, s, shownFailures)
		if err != nil {
			found.record("jobs", err, "")
			return
		}
		waiting, running, failed = waiting+open.Waiting, running+open.Running, failed+total
		for _, r := range last {
			text = append(text, fmt.Sprintf("%s %s of tenant %s at %s;", s.Slug, r.ID(), r.Text("tenant"), r.Time("endedAt").Format("2006-01-02 15:04")))
		}
	}
	if failed == 0 {
		found.record("jobs", nil, fmt.Sprintf("%d exports and imports wait, %d run", waiting, running))
		return
	}
	found.warn("jobs", fmt.Sprintf(
		"%d exports and imports failed in the last week for reasons of the server; the logs of that time have the reasons: %s", failed, strings.Join(text, " ")))
}
