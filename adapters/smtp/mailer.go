// Package smtp sends mails by an SMTP server. What that server takes counts as sent: bounces that arrive later are not noticed.
package smtp

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sony/gobreaker/v2"
	gomail "github.com/wneessen/go-mail"

	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/ports"
)

// Options are how mails are sent.
type Options struct {
	URL  string // smtps://user:password@host:465, or smtp:// with STARTTLS, which hosts that are not this machine have to offer
	From string // an address, or a name with one in angle brackets: the sender of all mails
	Log  *slog.Logger
	Now  func() time.Time
	// TLS replaces the certificates that are trusted; nil: those of the system.
	TLS *tls.Config
	// Timeout is how long connecting, and each further step until the message was taken, may take; 0: 10 s.
	Timeout time.Duration
	// OpenFor is how long nothing is sent after an outage, until the server is tried again; 0: 30 s.
	OpenFor time.Duration
}

// Mailer is a ports.Mailer.
type Mailer struct {
	host    string
	options []gomail.Option
	from    netmail.Address
	now     func() time.Time
	circuit *gobreaker.CircuitBreaker[struct{}]
}

var _ ports.Mailer = (*Mailer)(nil)

// What the circuit breaker does: it opens after so many failures in a row, for so long. A breaker that is open keeps queued mails
// from waiting, one by one, for a server that does not answer.
const (
	tripAfter      = 3
	openFor        = 30 * time.Second
	defaultTimeout = 10 * time.Second
	smtpsPort      = 465
	submissionPort = 587
)

// New makes a mailer; it connects to nothing. Errors: a URL or a sender that cannot be used, without repeating the URL, which may
// have a password.
func New(o Options) (*Mailer, error) {
	from, err := ParseFrom(o.From)
	if err != nil {
		return nil, err
	}
	m := &Mailer{from: from, now: o.Now}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if m.host, m.options, err = clientOptions(o); err != nil {
		return nil, err
	}
	m.circuit = newCircuit(o)
	return m, nil
}

// newCircuit is a breaker that opens when the server cannot be reached, and closes with its first answer: also one that refuses a
// message says that the server is there.
func newCircuit(o Options) *gobreaker.CircuitBreaker[struct{}] {
	return gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name: "mail", Timeout: cmp.Or(o.OpenFor, openFor),
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= tripAfter },
		IsSuccessful: func(err error) bool { return !errors.Is(err, ports.ErrMailServerDown) },
		OnStateChange: func(_ string, from, to gobreaker.State) {
			switch {
			case from == gobreaker.StateClosed: // logged once per outage
				o.Log.Warn("the mail server cannot be reached; mails wait")
			case to == gobreaker.StateClosed:
				o.Log.Info("the mail server can be reached again")
			}
		},
	})
}

// ParseFrom reads a sender: an address, or a name with one in angle brackets. Errors: anything else, and line breaks.
func ParseFrom(text string) (netmail.Address, error) {
	from, err := netmail.ParseAddress(text)
	if err != nil || hasBreak(text) {
		return netmail.Address{}, errors.New("the sender is no address such as shop@example.com or Shop <shop@example.com>")
	}
	return *from, nil
}

// clientOptions reads the URL of a server.
func clientOptions(o Options) (host string, _ []gomail.Option, err error) {
	at, err := url.Parse(o.URL)
	if err != nil || at.Hostname() == "" || at.Scheme != "smtp" && at.Scheme != "smtps" {
		return "", nil, errors.New("the URL of the mail server is not of the form smtps://user:password@host:465 or smtp://host:587")
	}
	port := submissionPort
	if at.Scheme == "smtps" {
		port = smtpsPort
	}
	if text := at.Port(); text != "" {
		if port, err = strconv.Atoi(text); err != nil {
			return "", nil, errors.New("the port of the mail server is no number")
		}
	}
	options := []gomail.Option{gomail.WithPort(port), gomail.WithTimeout(o.Timeout), gomail.WithTLSPolicy(gomail.TLSMandatory)}
	switch {
	case at.Scheme == "smtps":
		options = append(options, gomail.WithSSL())
	case isLoopback(at.Hostname()):
		options = append(options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	}
	if o.TLS != nil {
		options = append(options, gomail.WithTLSConfig(o.TLS))
	}
	if at.User != nil {
		password, _ := at.User.Password()
		method := gomail.SMTPAuthAutoDiscover
		if at.Scheme == "smtp" && isLoopback(at.Hostname()) { // a server on this machine need not encrypt
			method = gomail.SMTPAuthPlainNoEnc
		}
		options = append(options, gomail.WithSMTPAuth(method), gomail.WithUsername(at.User.Username()),
			gomail.WithPassword(password))
	}
	return at.Hostname(), options, nil
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// Send implements ports.Mailer.
func (m *Mailer) Send(ctx context.Context, message mail.Message) error {
	msg, err := m.build(message)
	if err != nil {
		return fmt.Errorf("%w: %w", ports.ErrMailRefused, err)
	}
	_, err = m.circuit.Execute(func() (struct{}, error) { return struct{}{}, m.send(ctx, msg) })
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return ports.ErrMailServerDown
	}
	return err
}

// Circuit is the state of the breaker.
func (m *Mailer) Circuit() ports.Circuit {
	return ports.Circuit{Name: "mail", State: ports.CircuitState(m.circuit.State().String())}
}

// Check connects to the server and logs in, without sending anything. Errors: ports.ErrMailServerDown, with the words of the server.
func (m *Mailer) Check(ctx context.Context) error {
	client, err := gomail.NewClient(m.host, m.options...)
	if err == nil {
		err = client.DialWithContext(ctx)
	}
	if err == nil {
		err = client.Close()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ports.ErrMailServerDown, err)
	}
	return nil
}

// send hands a message over. What fails after the server took it, such as a polite end of the connection, is no failure.
func (m *Mailer) send(ctx context.Context, msg *gomail.Msg) error {
	client, err := gomail.NewClient(m.host, m.options...)
	if err != nil {
		return fmt.Errorf("%w: %w", ports.ErrMailServerDown, err)
	}
	connection, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", ports.ErrMailServerDown, err)
	}
	err = client.SendWithSMTPClient(connection, msg)
	_ = client.CloseWithSMTPClient(connection) // the message was taken or not before
	if err == nil || msg.IsDelivered() {
		return nil
	}
	return classify(err)
}

// classify says what a failed attempt means. That a recipient's mailbox refuses a message for good says nothing about the server. What
// is refused for who sends it, by its policy or for want of a login, is the operator's to mend, so that the message may go later.
func classify(err error) error {
	failed, ok := errors.AsType[*gomail.SendError](err)
	if !ok {
		return err
	}
	switch failed.Reason {
	case gomail.ErrSMTPRcptTo, gomail.ErrSMTPData, gomail.ErrSMTPDataClose:
		if isFinal(failed.ErrorCode(), failed.EnhancedStatusCode()) {
			return fmt.Errorf("%w: %w", ports.ErrMailRefused, err)
		}
	default: // about the connection or the sender
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() && failed.Reason != gomail.ErrSMTPDataClose {
		return fmt.Errorf("%w: %w", ports.ErrMailServerDown, err)
	}
	return err
}

// isFinal reports whether an answer says that the recipient's address or mailbox will never take the message: by its enhanced code
// (RFC 3463) where it has one. 5.1.7 and 5.1.8 are about the address of the sender.
func isFinal(code int, enhanced string) bool {
	const permanent = 500
	switch {
	case code < permanent, enhanced == "5.1.7", enhanced == "5.1.8":
		return false
	case enhanced == "":
		return slices.Contains([]int{550, 551, 553}, code)
	}
	return strings.HasPrefix(enhanced, "5.1.") || strings.HasPrefix(enhanced, "5.2.")
}

// build makes the message. Errors: an address that is none, or a line break where it would begin another header.
func (m *Mailer) build(in mail.Message) (*gomail.Msg, error) {
	if slices.ContainsFunc([]string{in.ID, in.FromName, in.To, in.ReplyTo, in.Locale, in.Subject}, hasBreak) {
		return nil, errors.New("a header has a line break")
	}
	for _, address := range []string{in.To, in.ReplyTo} {
		if parsed, err := netmail.ParseAddress(address); address != "" && (err != nil || parsed.Address != address) {
			return nil, errors.New("this is no email address")
		}
	}
	name := in.FromName
	if name == "" {
		name = m.from.Name
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	err := errors.Join(msg.EnvelopeFrom(m.from.Address), msg.To(in.To))
	// as an address, not as text to be read: a name may have quotes and backslashes
	msg.SetAddrHeaderFromMailAddress(gomail.HeaderFrom, &netmail.Address{Name: name, Address: m.from.Address})
	if in.ReplyTo != "" {
		err = errors.Join(err, msg.ReplyTo(in.ReplyTo))
	}
	_, domain, _ := strings.Cut(m.from.Address, "@")
	msg.SetMessageIDWithValue(in.ID + "@" + domain)
	msg.SetDateWithValue(m.now())
	msg.Subject(in.Subject)
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if in.Locale != "" {
		msg.SetGenHeader("Content-Language", in.Locale)
	}
	msg.SetBodyString(gomail.TypeTextPlain, in.Text)
	if in.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, in.HTML)
	}
	return msg, err
}

func hasBreak(text string) bool { return strings.ContainsAny(text, "\r\n\x00") }
