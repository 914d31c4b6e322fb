package steps

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// message is one webhook message as it was received.
type message struct {
	header http.Header
	raw    []byte
	body   object
}

// webhookReceiver is a system of the shop's own behind a webhook endpoint.
type webhookReceiver struct {
	server *httptest.Server
	done   chan struct{} // closed with the scenario

	mu       sync.Mutex
	received []message
	// respond is the status that a message is answered with, which is the nth about its record; 0: it is
	// never answered.
	respond func(m message, nth int) int
}

// startReceiver starts a receiver with a behavior of behaviorOf.
func startReceiver(behavior string) (*webhookReceiver, error) {
	respond, err := behaviorOf(behavior)
	if err != nil {
		return nil, err
	}
	l := &webhookReceiver{done: make(chan struct{}), respond: respond}
	server := httptest.NewUnstartedServer(l)
	l.server = server
	server.Start()
	return l, nil
}

// messagesAbout are the messages about a record, as they arrived.
func (l *webhookReceiver) messagesAbout(record string) (some []message) {
	for _, m := range l.messages() {
		if m.record() == record {
			some = append(some, m)
		}
	}
	return some
}

// record is the id of what the message is about.
func (m message) record() string {
	return firstNonEmpty(text(m.body, "doc", "id"), text(m.body, "data", "id"))
}

// behaviorOf is how a receiver answers, in the words of the features: "", "always fails", "is gone",
// "redirects", "never answers", "fails once" or "fails once for \"name\"".
func behaviorOf(words string) (func(m message, nth int) int, error) {
	words, name, _ := strings.Cut(words, " for ")
	name = strings.Trim(name, `"`)
	if words == "fails once" {
		return func(m message, nth int) int {
			if nth == 1 && (name == "" || text(m.body, "doc", "name") == name) {
				return http.StatusInternalServerError
			}
			return http.StatusOK
		}, nil
	}
	status, known := map[string]int{
		"": http.StatusOK, "always fails": http.StatusInternalServerError, "is gone": http.StatusGone,
		"redirects": http.StatusTemporaryRedirect, "never answers": 0,
	}[words]
	if !known {
		return nil, fmt.Errorf("no receiver %s", words)
	}
	return func(message, int) int { return status }, nil
}

// repair makes the receiver accept every message from now on.
func (l *webhookReceiver) repair() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.respond = func(message, int) int { return http.StatusOK }
}

func (l *webhookReceiver) close() {
	close(l.done)
	l.server.Close()
}

// ServeHTTP implements http.Handler.
func (l *webhookReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := message{header: r.Header.Clone()}
	m.raw, _ = io.ReadAll(r.Body)      // a body that breaks off lacks members
	_ = json.Unmarshal(m.raw, &m.body) // a body that is not JSON has no members
	l.mu.Lock()
	l.received = append(l.received, m)
	nth := 0
	for _, other := range l.received {
		if other.record() == m.record() {
			nth++
		}
	}
	status := l.respond(m, nth)
	l.mu.Unlock()
	if status == 0 {
		<-l.done
		return
	}
	if status == http.StatusTemporaryRedirect {
		w.Header().Set("Location", l.server.URL+"/elsewhere")
	}
	w.WriteHeader(status)
}

func (l *webhookReceiver) messages() []message {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.received)
}
