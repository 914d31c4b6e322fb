package background

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// FollowPace is how often those look who follow the events of all tenants and whom nobody waits for. The gap is what they are
// behind, and keeps their work small beside what makes the events: rounds of ten a second took a fifth from the purchases of a
// busy shop.
var FollowPace = Pace{Gap: time.Second, Rest: time.Second, Most: 5 * time.Second} //nolint:mnd // said above

// Follow takes a step from each of the places that are behind the events of their tenants, one of each tenant, and returns what
// the steps found together. Tenants are items of task, which may be nil: one that fails does not keep others from it. A step
// whose place another instance moved meanwhile, which is ports.ErrStale, did not fail: there is work, and somebody is at it.
// Errors: those of the steps.
func Follow[P any](
	ctx context.Context, task *Task, behind []P, whose func(P) tenant.ID, step func(ctx context.Context, place P) (Look, error),
) (found Look, err error) {
	errs := make([]error, len(behind))
	for i, place := range behind {
		errs[i] = task.Do(ctx, Item{Tenant: whose(place)}, func(ctx context.Context) error {
			one, err := step(ctx, place)
			if errors.Is(err, ports.ErrStale) {
				one, err = Look{Busy: true}, nil
			}
			found.add(one)
			return err
		})
	}
	return found, errors.Join(errs...)
}

// add adds what another look found.
func (l *Look) add(other Look) {
	l.More, l.Busy = l.More || other.More, l.Busy || other.Busy
	if l.Next <= 0 || other.Next > 0 && other.Next < l.Next {
		l.Next = other.Next
	}
}
