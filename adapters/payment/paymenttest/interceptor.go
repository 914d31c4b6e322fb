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

// interceptor passes calls from adapter to provider, and can spoil them.
type interceptor struct {
	next http.Handler

	mu      sync.Mutex
	calls   int
	replace http.HandlerFunc     // answers every call instead of the provider while set
	rewrite func(map[string]any) // changes every answer to a look-up
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
		panic(fmt.Sprintf("the provider's answer is not an object: %v", err))
	}
	if kept.Code == http.StatusOK {
		rewrite(answer)
	}
	w.WriteHeader(kept.Code)
	_ = json.NewEncoder(w).Encode(answer) //nolint:errchkjson // it was decoded from JSON, and a caller who left needs no answer
}

// intercepting runs do while spoil answers every call.
func (l *interceptor) intercepting(spoil http.HandlerFunc, do func()) {
	l.set(spoil, nil)
	defer l.set(nil, nil)
	do()
}

// rewriting runs do while rewrite changes every answer to a look-up.
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

// respondWith answers with a status and a body.
func respondWith(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// accept202 lets the provider act, and answers 202 instead of 200.
func (l *interceptor) accept202(w http.ResponseWriter, r *http.Request) {
	kept := httptest.NewRecorder()
	l.next.ServeHTTP(kept, r)
	if kept.Code == http.StatusOK {
		kept.Code = http.StatusAccepted
	}
	w.WriteHeader(kept.Code)
	_, _ = w.Write(kept.Body.Bytes())
}

// dropResponse lets the provider act, and drops the answer.
func (l *interceptor) dropResponse(_ http.ResponseWriter, r *http.Request) {
	l.next.ServeHTTP(httptest.NewRecorder(), r)
	panic(http.ErrAbortHandler) // net/http closes the connection and logs nothing
}

// dropPostResponses drops the answers to calls that change something, and passes look-ups.
func (l *interceptor) dropPostResponses(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		l.next.ServeHTTP(w, r)
		return
	}
	l.dropResponse(w, r)
}

// truncateResponse breaks off in the middle of the answer.
func truncateResponse(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Length", strconv.Itoa(1<<10))
	_, _ = io.WriteString(w, `{"id":"Pay`)
	panic(http.ErrAbortHandler)
}

// hang waits until the caller gives up.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// readableText is everything readable in v.
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
