// Package smtpserver is an SMTP server for tests. It keeps what it takes, and can refuse, fail, hang and break off.
package smtpserver

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"net"
	"net/http/httptest"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Mood is how a server behaves.
type Mood string

// The moods.
const (
	Fine             Mood = ""
	RefusesRecipient Mood = "refuses the recipient for good"
	RefusesBarely    Mood = "refuses the recipient for good, without an enhanced code"
	RefusesSize      Mood = "refuses the message for good, because the mailbox takes none so long"
	RefusesRelay     Mood = "refuses the recipient because of who sends"
	WantsLogin       Mood = "refuses the recipient for want of a login"
	TakesForSpam     Mood = "refuses what the message says"
	RefusesSender    Mood = "refuses the sender"
	Busy             Mood = "has no room for the message now"
	Hangs            Mood = "does not answer any more once it has the message"
	BreaksOff        Mood = "takes the message and breaks off before it says so"
	BreaksOffAfter   Mood = "takes the message, says so and breaks off"
	Silent           Mood = "accepts connections and says nothing"
)

// Mail is a message that was taken.
type Mail struct {
	From string   // the envelope's sender
	To   []string // the envelope's recipients
	Data string   // headers and body, with the line breaks that were sent
}

// Server is a running server. Its methods are safe for concurrent use.
type Server struct {
	Host, Port string
	Roots      *x509.CertPool // that trust it

	listener net.Listener
	tls      *tls.Config
	options  Options

	mu    sync.Mutex
	mood  Mood
	mails []Mail
	tries int // messages that were begun
	open  map[net.Conn]bool
	over  bool
}

// Options are what a server offers.
type Options struct {
	TLS            bool   // from the first byte on
	StartTLS       bool   // it offers STARTTLS
	User, Password string // it wants these; "": nobody
}

// Start starts a server on a loopback address, which ends with the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	keys := httptest.NewUnstartedServer(nil)
	keys.StartTLS()
	config := &tls.Config{Certificates: keys.TLS.Certificates, MinVersion: tls.VersionTLS12}
	roots := x509.NewCertPool()
	roots.AddCert(keys.Certificate())
	keys.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{listener: listener, tls: config, options: o, Roots: roots, open: map[net.Conn]bool{}}
	s.Host, s.Port, _ = net.SplitHostPort(listener.Addr().String())
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() { s.serve(c) })
		}
	})
	t.Cleanup(func() {
		s.Close()
		all.Wait()
	})
	return s
}

// Close ends the server and its connections.
func (s *Server) Close() {
	_ = s.listener.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	for c := range s.open {
		_ = c.Close()
	}
}

// Be sets how the server behaves from now on.
func (s *Server) Be(m Mood) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mood = m
}

// Mails are those that were taken, oldest first.
func (s *Server) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mails)
}

// Tries is how many messages were begun.
func (s *Server) Tries() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tries
}

func (s *Server) is(m Mood) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mood == m
}

// refusal is what the server says in its mood; "" for nothing.
func (s *Server) refusal(in map[Mood]string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return in[s.mood]
}

// track remembers a connection, or ends it after the server did.
func (s *Server) track(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[c] = true; s.over {
		_ = c.Close()
	}
}

// session is one connection.
type session struct {
	*Server

	conn  net.Conn
	lines *textproto.Conn
	mail  Mail
	in    bool // logged in
}

func (s *Server) serve(c net.Conn) {
	s.track(c)
	defer func() { _ = c.Close() }()
	if s.options.TLS {
		c = tls.Server(c, s.tls)
	}
	n := &session{Server: s, conn: c, lines: textproto.NewConn(c), in: s.options.User == ""}
	if s.is(Silent) {
		_, _ = bufio.NewReader(c).ReadByte()
		return
	}
	n.say("220 ready")
	for {
		line, err := n.lines.ReadLine()
		if err != nil || !n.answer(line) {
			return
		}
	}
}

func (n *session) say(line string) { _ = n.lines.PrintfLine("%s", line) }

// answer answers a command; false ends the connection.
func (n *session) answer(line string) bool {
	verb, rest, _ := strings.Cut(line, " ")
	switch strings.ToUpper(verb) {
	case "EHLO":
		n.greet()
	case "STARTTLS":
		n.say("220 go ahead")
		c := tls.Server(n.conn, n.tls)
		n.conn, n.lines = c, textproto.NewConn(c)
	case "AUTH":
		n.logIn(rest)
	case "MAIL":
		return n.begin(rest)
	case "RCPT":
		if refusal := n.refusal(map[Mood]string{
			RefusesRecipient: "550 5.1.1 no such mailbox", RefusesBarely: "550 no such mailbox", RefusesRelay: "550 5.7.1 your network is blocked",
			WantsLogin: "530 authentication required",
		}); refusal != "" {
			n.say(refusal)
			return true
		}
		n.mail.To = append(n.mail.To, address(rest))
		n.say("250 2.1.5 ok")
	case "DATA":
		return n.take()
	case "QUIT":
		n.say("221 bye")
		return false
	default:
		n.say("250 2.0.0 ok")
	}
	return true
}

func (n *session) greet() {
	n.say("250-mail.example")
	n.say("250-ENHANCEDSTATUSCODES")
	n.say("250-8BITMIME")
	if _, secure := n.conn.(*tls.Conn); n.options.StartTLS && !secure {
		n.say("250-STARTTLS")
	}
	if n.options.User != "" {
		n.say("250-AUTH PLAIN LOGIN")
	}
	n.say("250 SIZE 10000000")
}

func (n *session) logIn(rest string) {
	_, text, _ := strings.Cut(rest, " ")
	plain, _ := base64.StdEncoding.DecodeString(text)
	if n.in = string(plain) == "\x00"+n.options.User+"\x00"+n.options.Password; !n.in {
		n.say("535 5.7.8 wrong user or password")
		return
	}
	n.say("235 2.7.0 welcome")
}

func (n *session) begin(rest string) bool {
	n.mu.Lock()
	n.tries++
	n.mu.Unlock()
	switch {
	case !n.in:
		n.say("530 5.7.0 log in first")
	case n.is(RefusesSender):
		n.say("550 5.7.1 you may not send as this")
	case n.is(Busy):
		n.say("451 4.3.2 try again later")
	default:
		n.mail = Mail{From: address(rest)}
		n.say("250 2.1.0 ok")
	}
	return true
}

// take takes a message.
func (n *session) take() bool {
	n.say("354 send it")
	data, err := n.lines.ReadDotBytes()
	if err != nil {
		return false
	}
	if n.is(Hangs) {
		_, _ = n.lines.ReadLine()
		return false
	}
	if refusal := n.refusal(map[Mood]string{
		RefusesSize: "552 5.2.3 the message is too long", TakesForSpam: "554 5.7.1 this looks like spam",
	}); refusal != "" {
		n.say(refusal)
		return true
	}
	n.mail.Data = string(data)
	n.mu.Lock()
	n.mails = append(n.mails, n.mail)
	n.mu.Unlock()
	if n.is(BreaksOff) {
		return false
	}
	n.say("250 2.0.0 taken")
	return !n.is(BreaksOffAfter)
}

// address is what stands in angle brackets.
func address(text string) string {
	_, text, _ = strings.Cut(text, "<")
	text, _, _ = strings.Cut(text, ">")
	return text
}
