package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"
)

// ward is a testbed whose background loops get an item each that fails for good, beside others that do not.
type ward struct {
	*planter

	healthy, ill credentials // the shop whose items are fine but for one of each kind, and the one that is an item itself
	receiver     *httptest.Server
	poisons      []poison // those that are planted
	admin        *caller  // a platform admin
	streams      []io.ReadCloser
}

// dose is an item that fails for good.
type dose struct {
	tenant, item string
	left         string   // counts those of the other items that are not done yet
	running      []string // make it fail once the servers run; none: it does already
	cure         []string
	again        func(ctx context.Context) error // makes more of the other items; may be nil
}

// credentials of a shop.
type credentials struct {
	Tenant    string `json:"tenantId"`
	SecretKey string `json:"secretKey"`
}

// playPoison plants an item that fails in every background loop that takes items, starts the servers, and waits: the
// others must be done, and those that have been tried five times by then must be set aside, where operators see them.
// Size is for how many minutes it waits at most.
func playPoison(ctx context.Context, s stage) (figures string, err error) {
	w, err := s.admit(ctx)
	if err != nil {
		return "", err
	}
	defer w.close()
	doses, err := w.plantAll(ctx)
	if err != nil {
		return "", err
	}
	for _, p := range s.servers {
		p.Stop()
	}
	began, pids := time.Now(), []int{}
	for _, p := range s.servers {
		if err := within(ctx, p.Start); err != nil {
			return "", err
		}
		pids = append(pids, p.PID())
	}
	closeStreams, err := w.follow(ctx)
	if err != nil {
		return "", err
	}
	defer closeStreams()
	for _, d := range doses {
		if err := w.exec(ctx, d.running...); err != nil {
			return "", err
		}
	}
	aside, sales, err := w.wait(ctx, doses, began, time.Duration(s.size)*time.Minute)
	if err != nil {
		return "", err
	}
	if err := errors.Join(w.checkVisible(ctx, aside), w.readStream(), w.goOn(ctx, doses)); err != nil {
		return "", err
	}
	cured := ""
	if s.size > 1 {
		if cured, err = w.cureAll(ctx, doses, aside); err != nil {
			return "", err
		}
	}
	for i, p := range s.servers {
		if !p.Alive() || p.PID() != pids[i] {
			return "", fmt.Errorf("server %d has ended", i+1)
		}
	}
	return fmt.Sprintf("%d loops with an item each that fails for good; %d of them set aside within %s and shown by doctor, metrics and the admin route, the others failed fewer than five times by then; everything else was done, %d sales meanwhile%s",
		len(doses), len(aside), time.Since(began).Round(time.Second), sales, cured), nil
}

// wait sells until the healthy items are done and those that fail are set aside, as far as their loops come to it.
func (w *ward) wait(ctx context.Context, doses map[string]dose, began time.Time, limit time.Duration) (aside []string, sales int, err error) {
	for _, p := range w.poisons {
		if p.setAside < limit {
			aside = append(aside, p.task)
		}
	}
	slices.Sort(aside)
	ctx, cancel := context.WithDeadline(ctx, began.Add(limit+patience))
	defer cancel()
	for {
		if _, err := buy(ctx, w.caller, w.variants[0], 1); err != nil {
			return nil, sales, fmt.Errorf("nothing can be sold: %w", err)
		}
		sales++
		missing, err := w.missing(ctx, doses, aside)
		if err != nil || len(missing) == 0 {
			return aside, sales, err
		}
		select {
		case <-ctx.Done():
			return nil, sales, fmt.Errorf("after %s: %s", time.Since(began), strings.Join(missing, "; "))
		case <-time.After(time.Second):
		}
	}
}

// missing says what has not happened yet.
func (w *ward) missing(ctx context.Context, doses map[string]dose, aside []string) (missing []string, err error) {
	for task, d := range doses {
		left, err := w.scalar(ctx, d.left)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", task, err)
		}
		if left != "0" {
			missing = append(missing, left+" healthy items of "+task+" wait")
		}
		failed, err := w.metric(ctx, "cartwright_background_failures_total", task)
		if err != nil {
			return nil, err
		}
		if failed == 0 {
			missing = append(missing, "no item of "+task+" has failed")
		}
		if !slices.Contains(aside, task) {
			continue
		}
		stored, err := w.scalar(ctx, fmt.Sprintf(
			"SELECT count(*) FROM background_failures WHERE task = '%s' AND tenant = '%s' AND item = '%s'", task, d.tenant, d.item))
		if err != nil {
			return nil, err
		}
		if stored != "1" {
			missing = append(missing, fmt.Sprintf("%s, tenant %s, item %q is not set aside", task, d.tenant, d.item))
		}
	}
	return missing, nil
}

// goOn makes more healthy items, which must be done soon although one beside them is set aside for up to an hour.
func (w *ward) goOn(ctx context.Context, doses map[string]dose) error {
	ctx, cancel := context.WithTimeout(ctx, patience+30*time.Second) // some loops come round once a minute
	defer cancel()
	for _, d := range doses {
		if d.again != nil {
			if err := d.again(ctx); err != nil {
				return err
			}
		}
	}
	for {
		missing, err := w.missing(ctx, doses, nil)
		if err != nil || len(missing) == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("beside what is set aside: %s", strings.Join(missing, "; "))
		case <-time.After(time.Second):
		}
	}
}

// checkVisible checks that operators see what is set aside in all three places.
func (w *ward) checkVisible(ctx context.Context, aside []string) error {
	out, err := w.runCommand(ctx, "doctor")
	stored, scanErr := w.scalar(ctx, "SELECT count(*) FROM background_failures")
	if scanErr != nil {
		return scanErr
	}
	if !strings.Contains(string(out), stored+" items failed too often") {
		return fmt.Errorf("doctor does not name %s items: %w\n%s", stored, err, out)
	}
	var shown struct {
		Total    json.Number
		Failures []struct{ Task, Error string }
	}
	if _, err := w.admin.must(ctx, request{http.MethodGet, "/api/background-failures", "", nil}, &shown); err != nil {
		return err
	}
	for _, task := range aside {
		if !slices.ContainsFunc(shown.Failures, func(f struct{ Task, Error string }) bool { return f.Task == task && f.Error != "" }) {
			return fmt.Errorf("the admin route does not show %s: %+v", task, shown)
		}
		if n, err := w.metric(ctx, "cartwright_background_set_aside", task); err != nil || n == 0 {
			return fmt.Errorf("the metrics do not show that an item of %s is set aside: %w", task, err)
		}
	}
	return nil
}

// cureAll takes the poison away and waits until nothing is set aside any more.
func (w *ward) cureAll(ctx context.Context, doses map[string]dose, aside []string) (figures string, err error) {
	began := time.Now()
	if err := w.cleanse(ctx); err != nil {
		return "", err
	}
	for _, d := range doses {
		if err := w.exec(ctx, d.cure...); err != nil {
			return "", err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	for left := "?"; left != "0"; {
		wait(ctx, time.Second)
		if left, err = w.scalar(ctx, "SELECT count(*) FROM background_failures"); err != nil {
			return "", fmt.Errorf("%s of %v are still set aside after their repair: %w", left, aside, err)
		}
	}
	return fmt.Sprintf("; after the repair all are done within %s", time.Since(began).Round(time.Second)), nil
}

// follow opens a stream of events of each shop. The healthy one must show what happens next.
func (w *ward) follow(ctx context.Context) (closeAll func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	for _, secret := range []string{w.ill.SecretKey, w.caller.secret} {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.servers[0].URL+"/api/events/stream", http.NoBody)
		if err != nil {
			cancel()
			return nil, err
		}
		req.Header.Set("X-API-Key", secret)
		res, err := http.DefaultClient.Do(req) //nolint:bodyclose // the context ends it
		if err != nil {
			cancel()
			return nil, err
		}
		if res.StatusCode != http.StatusOK {
			cancel()
			return nil, fmt.Errorf("event stream: %s", res.Status)
		}
		w.streams = append(w.streams, res.Body)
	}
	return cancel, nil
}

// readStream waits for an event of the healthy shop, which comes after the ill one's stream has failed.
func (w *ward) readStream() error {
	lines := bufio.NewScanner(w.streams[1])
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data:") {
			return nil
		}
	}
	return fmt.Errorf("the healthy shop's stream ended: %w", lines.Err())
}
