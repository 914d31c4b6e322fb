package cartwright

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

// A download that breaks off is an error, whatever was written by then. One that wrote nothing is tried again.
func TestFilesThatBreakOffAreErrors(t *testing.T) {
	t.Parallel()
	attempts := 0
	begin := func(w http.ResponseWriter, text string) {
		w.Header().Set("Content-Type", "text/csv")
		_, _ = w.Write([]byte(text))
		w.(http.Flusher).Flush()
	}
	answers := []func(w http.ResponseWriter){
		func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) },
		func(w http.ResponseWriter) { begin(w, "whole") },
		func(w http.ResponseWriter) { begin(w, "ha"); panic(http.ErrAbortHandler) },
		func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<p>Log in to the network"))
		},
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		answer := answers[attempts]
		attempts++
		answer(w)
	}))
	server.Config.SetKeepAlivesEnabled(false)
	server.Start()
	defer server.Close()
	client, err := New(Config{BaseURL: server.URL, SecretKey: "sk_test_x"})
	if err != nil {
		t.Fatal(err)
	}
	client.core.pause = func(context.Context, time.Duration) error { return nil }
	var out bytes.Buffer
	if size, err := client.Exports.Download(t.Context(), "e1", &out); err != nil || size != 5 || out.String() != "whole" || attempts != 3 {
		t.Errorf("%d bytes, %q, %v after %d attempts", size, out.String(), err, attempts)
	}
	out.Reset()
	if _, err := client.Exports.Download(t.Context(), "e1", &out); !errors.Is(err, ReasonNetworkError) || attempts != 4 {
		t.Errorf("%q, %v after %d attempts", out.String(), err, attempts)
	}
	out.Reset()
	if _, err := client.Imports.Rejected(t.Context(), "i1", &out); !errors.Is(err, ReasonInvalidResponse) || out.Len() > 0 {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// Who waits for a job asks ever more rarely.
func TestJobsAreLookedAtEverMoreRarely(t *testing.T) {
	t.Parallel()
	s := newFakeServer(t)
	client, err := New(Config{BaseURL: s.URL, SecretKey: "sk_test_x"})
	if err != nil {
		t.Fatal(err)
	}
	var pauses []time.Duration
	client.core.pause = func(_ context.Context, d time.Duration) error {
		pauses = append(pauses, d)
		return nil
	}
	waiting := reply{status: http.StatusOK, text: `{"id": "i1", "status": "queued"}`}
	running := reply{status: http.StatusOK, text: `{"id": "i1", "status": "running", "handled": 7}`}
	failed := reply{status: http.StatusOK, text: `{"id": "i1", "status": "failed", "problem": "No."}`}
	s.script(waiting, running, running, running, running, running, running, failed)
	var handled []int64
	done, err := client.Imports.Wait(t.Context(), "i1", func(i Import) { handled = append(handled, i.Handled) })
	if err != nil || done.Problem != "No." || len(handled) != 8 || handled[1] != 7 {
		t.Errorf("%+v %v, after %v", done, err, handled)
	}
	want := []time.Duration{
		250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Second, 5 * time.Second,
	}
	if !slices.Equal(pauses, want) {
		t.Errorf("the pauses are %v", pauses)
	}
}
