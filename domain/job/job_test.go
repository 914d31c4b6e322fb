package job_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var (
	start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	asked = job.New("j", "shop", tenant.Live, tenant.Actor{Kind: tenant.User, ID: "u", Via: tenant.ViaAPI}, start)
)

func taken(t *testing.T, j job.Job, now time.Time) job.Job {
	t.Helper()
	next, err := j.Take("c", now)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func TestClaimLastsForItsLease(t *testing.T) {
	t.Parallel()
	j := taken(t, asked, start)
	if j.Status != job.Running || !j.HeldBy("c") || j.HeldBy("d") || j.Attempts != 1 || !j.StartedAt.Equal(start) {
		t.Errorf("it is %+v", j)
	}
	if _, err := j.Take("d", start.Add(job.Lease-1)); !errors.Is(err, job.ErrClaimLost) {
		t.Errorf("taken during the lease: %v", err)
	}
	if again := taken(t, j, start.Add(job.Lease)); again.Attempts != 2 || !again.StartedAt.Equal(start) {
		t.Errorf("taken over it is %+v", again)
	}
	if later := j.Renew(start.Add(time.Second)); !later.DueAt.Equal(start.Add(time.Second + job.Lease)) {
		t.Errorf("renewed it is due at %v", later.DueAt)
	}
}

func TestJobThatNeverGetsOnFails(t *testing.T) {
	t.Parallel()
	now, j := start, asked
	for range job.MaxAttempts {
		j, now = taken(t, j, now), now.Add(job.Lease)
	}
	if moved := taken(t, j.MoveTo("row 10"), now); moved.Status != job.Running || moved.Position != "row 10" {
		t.Errorf("after it got on it is %+v", moved)
	}
	if j = taken(t, j, now); j.Status != job.Failed || j.Problem == "" || !j.EndedAt.Equal(now) {
		t.Errorf("it is %+v", j)
	}
}

func TestJobIsCanceledAtOnceOrWhenItsRunnerLooks(t *testing.T) {
	t.Parallel()
	waiting, err := asked.RequestCancel(start)
	if err != nil || waiting.Status != job.Canceled || !waiting.ExpiresAt.Equal(start.Add(job.KeepFor)) {
		t.Errorf("waiting: %+v %v", waiting, err)
	}
	if again, err := waiting.RequestCancel(start.Add(1)); err != nil || again != waiting {
		t.Errorf("canceled twice: %+v %v", again, err)
	}
	running, err := taken(t, asked, start).RequestCancel(start)
	if err != nil || running.Status != job.Running || !running.CancelRequested {
		t.Errorf("running: %+v %v", running, err)
	}
	if after := taken(t, running, start.Add(job.Lease)); after.Status != job.Canceled {
		t.Errorf("after its runner died: %+v", after)
	}
	for _, ended := range []job.Job{asked.Finish(start), asked.Fail("no", start)} {
		if _, err := ended.RequestCancel(start); !errors.Is(err, job.ErrEnded) {
			t.Errorf("%s: %v", ended.Status, err)
		}
		if _, err := ended.Take("c", start.Add(time.Hour)); !errors.Is(err, job.ErrClaimLost) {
			t.Errorf("%s was taken: %v", ended.Status, err)
		}
	}
}

func TestJobIsReadAsItWasStored(t *testing.T) {
	t.Parallel()
	total := int64(7)
	j := taken(t, asked, start)
	j.Handled, j.Total, j.Position, j.CancelRequested = 3, &total, "3", true
	for _, want := range []job.Job{asked, j, j.Fail("no paper", start), j.Finish(start), j.Release(start, true)} {
		r := collection.Record{}
		want.Put(r)
		got := job.FromRecord(r)
		if got.Total != nil && *got.Total == *want.Total {
			got.Total = want.Total
		}
		if got != want {
			t.Errorf("read %+v\nwant %+v", got, want)
		}
		if running := r["slot"] != nil; running != (want.Status == job.Running) {
			t.Errorf("%s has the slot %v", want.Status, r["slot"])
		}
		for _, f := range job.Fields {
			if _, there := r[f.Name]; !there {
				t.Errorf("%s is not stored", f.Name)
			}
		}
	}
	r := collection.Record{}
	counts := job.Counts{Applied: 1, Unchanged: 2, Rejected: 3}
	if counts.Put(r); job.CountsFrom(r) != counts {
		t.Errorf("read %+v", job.CountsFrom(r))
	}
}
