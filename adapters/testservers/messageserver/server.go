// Package messageserver is a message service for tests: it checks signatures, keeps what it takes, each id once, and can refuse, put off,
// hang and answer nonsense.
package messageserver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Mood is how a server behaves.
type Mood string

// The moods.
const (
	Accepts   Mood = ""
	Refuses   Mood = "refuses for good"
	PutsOff   Mood = "says later"
	Hangs     Mood = "takes the message and does not answer"
	Talks     Mood = "answers what nobody understands"
	Endless   Mood = "answers more than anybody reads"
	BreaksOff Mood = "takes the message and breaks off before it says so"
)

// Secret is what requests have to be signed with.
const Secret = "whsec_dGhlIHNlY3JldCBvZiBhIG1lc3NhZ2Ugc2VydmVyIQ=="

// Message is a message as it arrived.
type Message struct {
	ID, Kind, To, Locale, TemplateCode, SenderKey, Text, FallbackText string

	Variables map[string]string
	Buttons   []struct{ Name, URL string }
}

// Server is a running server. Its methods are safe for concurrent use.
type Server struct {
	URL string

	over chan struct{} // closed when the test ends
	http *httptest.Server

	mu    sync.Mutex
	mood  Mood
	taken []Message
	tries []string // ids of all requests that were signed
}

// Start starts a server on a loopback address, which ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{over: make(chan struct{})}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.http.URL + "/messages"
	t.Cleanup(s.Close)
	return s
}

// Close ends the server; later requests find nobody.
func (s *Server) Close() {
	s.mu.Lock()
	select {
	case <-s.over:
	default:
		close(s.over)
	}
	s.mu.Unlock()
	s.http.CloseClientConnections()
	s.http.Close()
}

// Be has the server behave so from now on.
func (s *Server) Be(m Mood) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mood = m
}

// Taken are the messages that the server took, oldest first.
func (s *Server) Taken() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.taken)
}

// Tries are the ids of all signed requests, oldest first.
func (s *Server) Tries() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.tries)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || !signed(r.Header, body) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"status": "refused", "reason": "bad signature"}`)
		return
	}
	var m Message
	if err := json.Unmarshal(body, &m); err != nil || m.ID != r.Header.Get("webhook-id") {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	switch mood := s.take(m); mood {
	case Refuses:
		_, _ = io.WriteString(w, `{"status": "refused", "reason": "template is not approved"}`)
	case PutsOff:
		_, _ = io.WriteString(w, `{"status": "later", "reason": "no credit"}`)
	case Hangs:
		select {
		case <-s.over:
		case <-r.Context().Done():
		}
	case Talks:
		_, _ = io.WriteString(w, "<html>It works!</html>")
	case Endless:
		_, _ = io.WriteString(w, `{"status": "`+strings.Repeat("accepted", 1<<16)+`"}`)
	case BreaksOff:
		panic(http.ErrAbortHandler)
	default:
		_, _ = io.WriteString(w, `{"status": "accepted"}`)
	}
}

// take keeps a message that is none of a connection test, each id once, unless the server refuses it or puts it off.
func (s *Server) take(m Message) Mood {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries = append(s.tries, m.ID)
	known := slices.ContainsFunc(s.taken, func(other Message) bool { return other.ID == m.ID })
	if s.mood != Refuses && s.mood != PutsOff && !known && m.To != "" {
		s.taken = append(s.taken, m)
	}
	return s.mood
}

// signed reports whether a request has the signature of Standard Webhooks.
func signed(h http.Header, body []byte) bool {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(Secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(h.Get("webhook-id") + "." + h.Get("webhook-timestamp") + "."))
	mac.Write(body)
	return h.Get("webhook-signature") == "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
