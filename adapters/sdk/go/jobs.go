package cartwright

import (
	"context"
	"time"
)

// The pauses between two looks at a job: the first one, and the longest. Each is twice the one before.
const (
	firstLook   = 250 * time.Millisecond
	longestLook = 5 * time.Second
)

// ended reports whether nothing happens any more to a job with this status.
func (s ExportStatus) ended() bool {
	return s == ExportStatusDone || s == ExportStatusFailed || s == ExportStatusCanceled
}

// await looks at a job, ever more rarely, until it has ended. progress hears of every look; nil: nobody does.
func await[T any](
	ctx context.Context, on endpoint, id string, status func(T) ExportStatus, progress func(T), opts []Option,
) (job T, err error) {
	for pause := firstLook; ; pause = min(2*pause, longestLook) {
		if job, err = (Reader[T]{on}).FindByID(ctx, id, Query{}, opts...); err != nil {
			return job, err
		}
		if progress != nil {
			progress(job)
		}
		if status(job).ended() {
			return job, nil
		}
		if on.core.pause(ctx, pause) != nil {
			return job, aborted(ctx, on.slug+".wait")
		}
	}
}
