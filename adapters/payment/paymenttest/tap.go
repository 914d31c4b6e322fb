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

// tap is the line between adapter and provider, and what happens on it.
type tap struct {
	next http.Handler

	mu      sync.Mutex
	calls   int
	spoil   http.HandlerFunc     // in place of the provider, for every call while it is set
	rewrite func(map[string]any) // of every answer to a look-up
}

func (l *tap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	l.calls++
	spoil, rewrite := l.spoil, l.rewrite
	l.mu.Unlock()
	switch {
	case spoil != nil:
		spoil(w, r)
	case rewrite != nil && r.Method == http.MethodGet:
		l.rewritten(w, r, rewrite)
	default:
		l.next.ServeHTTP(w, r)
	}
}

func (l *tap) rewritten(w http.ResponseWriter, r *http.Request, rewrite func(map[string]any)) {
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

// during runs do while every call meets spoil.
func (l *tap) during(spoil http.HandlerFunc, do func()) {
	l.set(spoil, nil)
	defer l.set(nil, nil)
	do()
}

// telling runs do while every look-up's answer is rewritten.
func (l *tap) telling(rewrite func(map[string]any), do func()) {
	l.set(nil, rewrite)
	defer l.set(nil, nil)
	do()
}

func (l *tap) set(spoil http.HandlerFunc, rewrite func(map[string]any)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spoil, l.rewrite = spoil, rewrite
}

func (l *tap) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calls
}

// says answers a status and a body.
func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// accepts has the provider do its work and say 202 where it would say 200.
func (l *tap) accepts(w http.ResponseWriter, r *http.Request) {
	kept := httptest.NewRecorder()
	l.next.ServeHTTP(kept, r)
	if kept.Code == http.StatusOK {
		kept.Code = http.StatusAccepted
	}
	w.WriteHeader(kept.Code)
	_, _ = w.Write(kept.Body.Bytes())
}

// drops has the provider do its work and loses the answer.
func (l *tap) drops(_ http.ResponseWriter, r *http.Request) {
	l.next.ServeHTTP(httptest.NewRecorder(), r)
	panic(http.ErrAbortHandler) // net/http breaks the connection and logs nothing
}

// dropsPosts loses the answers to calls that act, and lets questions through.
func (l *tap) dropsPosts(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		l.next.ServeHTTP(w, r)
		return
	}
	l.drops(w, r)
}

// breaks off in the middle of the answer.
func breaks(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Length", strconv.Itoa(1<<10))
	_, _ = io.WriteString(w, `{"id":"Pay`)
	panic(http.ErrAbortHandler)
}

// hangs until the caller gives up.
func hangs(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// text is everything that could be read in v.
func text(v any) string {
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
