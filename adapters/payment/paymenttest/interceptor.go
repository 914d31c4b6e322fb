package paymenttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// interceptor is the line between adapter and provider, and what happens on it.
type interceptor struct {
	next http.Handler

	mu      sync.Mutex
	calls   int
	replace http.HandlerFunc     // in place of the provider, for every call while it is set
	rewrite func(map[string]any) // of every answer to a look-up
}

func (l *interceptor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	l.calls++
	spoil, rewrite := l.replace, l.rewrite
	l.mu.Unlock()
	switch {
	case spoil != nil:
		spoil(w, r)
	case rewrite != nil && r.Method == http.MethodGet:
		l.serveRewritten(w, r, rewrite)
	default:
		l.next.ServeHTTP(w, r)
	}
}

func (l *interceptor) serveRewritten(w http.ResponseWriter, r *http.Request, rewrite func(map[string]any)) {
	kept := httptest.NewRecorder()
	l.next.ServeHTTP(kept, r)
	numbers := json.NewDecoder(kept.Body)
	numbers.UseNumber()
	var answer map[string]any
	if err := numbers.Decode(&answer); err != nil {
		panic(fmt.Sprintf("the provider's answer is no object: %v", err))
	}
	if kept.Code == http.StatusOK {
		rewrite(answer)
	}
	w.WriteHeader(kept.Code)
	_ = json.NewEncoder(w).Encode(answer) //nolint:errchkjson // it was JSON before, and a caller who left needs no answer
}

// intercepting runs do while every call meets spoil.
func (l *interceptor) intercepting(spoil http.HandlerFunc, do func()) {
	l.set(spoil, nil)
	defer l.set(nil, nil)
	do()
}

// rewriting runs do while every look-up's answer is rewritten.
func (l *interceptor) rewriting(rewrite func(map[string]any), do func()) {
	l.set(nil, rewrite)
	defer l.set(nil, nil)
	do()
}

func (l *interceptor) set(spoil http.HandlerFunc, rewrite func(map[string]any)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replace, l.rewrite = spoil, rewrite
}

func (l *interceptor) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calls
}

// respondWith answers a status and a body.
func respondWith(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// accept202 has the provider do its work and say 202 where it would say 200.
func (l *interceptor) accept202(w http.ResponseWriter, r *http.Request) {
	kept := httptest.NewRecorder()
	l.next.ServeHTTP(kept, r)
	if kept.Code == http.StatusOK {
		kept.Code = http.StatusAccepted
	}
	w.WriteHeader(kept.Code)
	_, _ = w.Write(kept.Body.Bytes())
}

// dropResponse has the provider do its work and loses the answer.
func (l *interceptor) dropResponse(_ http.ResponseWriter, r *http.Request) {
	l.next.ServeHTTP(httptest.NewRecorder(), r)
	panic(http.ErrAbortHandler) // net/http breaks the connection and logs nothing
}

// dropPostResponses loses the answers to calls that act, and lets questions through.
func (l *interceptor) dropPostResponses(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		l.next.ServeHTTP(w, r)
		return
	}
	l.dropResponse(w, r)
}

// truncateResponse off in the middle of the answer.
func truncateResponse(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Length", strconv.Itoa(1<<10))
	_, _ = io.WriteString(w, `{"id":"Pay`)
	panic(http.ErrAbortHandler)
}

// hang until the caller gives up.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// readableText is everything that could be read in v.
func readableText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []byte:
		return string(v)
	case error:
		return fmt.Sprintf("%v %+v", v, fault.From(v).Data)
	}
	var out bytes.Buffer
	plain := json.NewEncoder(&out)
	plain.SetEscapeHTML(false)
	if err := plain.Encode(v); err != nil {
		return fmt.Sprintf("%+v", v)
	}
	return out.String()
}
