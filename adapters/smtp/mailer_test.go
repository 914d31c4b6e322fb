package smtp_test

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/smtp"
	"github.com/cartwright-dev/cartwright/adapters/testservers/smtpserver"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

const sender = "Shop Server <no-reply@mail.example>"

// moods are what failures of the suite are here.
var moods = map[portstest.MailFailure]smtpserver.Mood{
	"": smtpserver.Fine, portstest.MailRefused: smtpserver.RefusesRecipient, portstest.MailBusy: smtpserver.Busy,
	portstest.MailUnanswered: smtpserver.BreaksOff,
}

func newMailer(t *testing.T, s *smtpserver.Server, url string) *smtp.Mailer {
	t.Helper()
	m, err := smtp.New(smtp.Options{
		URL: url, From: sender, Log: slog.New(slog.DiscardHandler), Now: time.Now, TLS: &tls.Config{RootCAs: s.Roots, ServerName: "example.com"},
		Timeout: 2 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMailer(t *testing.T) {
	portstest.Mailer(t, func(t *testing.T) portstest.MailerFixture {
		s := smtpserver.Start(t, smtpserver.Options{StartTLS: true, User: "shop", Password: "p@ss word"})
		return portstest.MailerFixture{
			Mailer:   newMailer(t, s, "smtp://shop:p%40ss%20word@"+s.Host+":"+s.Port),
			Received: func(t *testing.T) []mail.Message { return read(t, s.Mails()) },
			Fail: func(t *testing.T, how portstest.MailFailure) {
				t.Helper()
				if how == portstest.MailDown {
					s.Close()
					return
				}
				s.Be(moods[how])
			},
		}
	})
}

// read reads what a server took, as mail programs do.
func read(t *testing.T, mails []smtpserver.Mail) (all []mail.Message) {
	t.Helper()
	for _, m := range mails {
		msg, err := netmail.ReadMessage(strings.NewReader(m.Data))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, readOne(t, msg))
		if to := all[len(all)-1].To; len(m.To) != 1 || m.To[0] != to || m.From != "no-reply@mail.example" {
			t.Errorf("the envelope is from %s to %v", m.From, m.To)
		}
	}
	return all
}

func readOne(t *testing.T, msg *netmail.Message) mail.Message {
	t.Helper()
	words := &mime.WordDecoder{}
	header := func(name string) string {
		text, err := words.DecodeHeader(msg.Header.Get(name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	from, err := netmail.ParseAddress(msg.Header.Get("From"))
	if err != nil || from.Address != "no-reply@mail.example" {
		t.Errorf("it is from %v (%v)", from, err)
	}
	id, domain, _ := strings.Cut(strings.Trim(header("Message-ID"), "<>"), "@")
	if domain != "mail.example" || header("Auto-Submitted") != "auto-generated" || header("Date") == "" {
		t.Errorf("%v", msg.Header)
	}
	out := mail.Message{
		ID: id, FromName: from.Name, To: strings.Trim(header("To"), "<>"), ReplyTo: strings.Trim(header("Reply-To"), "<>"),
		Locale: header("Content-Language"), Subject: header("Subject"),
	}
	if out.FromName == "Shop Server" {
		out.FromName = "" // of the configuration
	}
	kind, params, err := mime.ParseMediaType(msg.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if kind == "text/plain" {
		out.Text = body(t, msg.Header.Get("Content-Transfer-Encoding"), msg.Body)
		return out
	}
	parts := multipart.NewReader(msg.Body, params["boundary"])
	for _, into := range []*string{&out.Text, &out.HTML} {
		p, err := parts.NextRawPart()
		if err != nil {
			t.Fatal(err)
		}
		*into = body(t, p.Header.Get("Content-Transfer-Encoding"), p)
	}
	return out
}

func body(t *testing.T, encoding string, r io.Reader) string {
	t.Helper()
	if encoding != "quoted-printable" {
		t.Errorf("it is encoded as %s", encoding)
	}
	all, err := io.ReadAll(quotedprintable.NewReader(r))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimRight(strings.ReplaceAll(string(all), "\r\n", "\n"), "\n") + "\n"
}

var hello = mail.Message{ID: "m1.0", To: "ada@example.com", Subject: "Hi", Text: "Hello\n"}

// What a server does, and what it means.
func TestAnswersOfMailServers(t *testing.T) {
	t.Parallel()
	for mood, want := range map[smtpserver.Mood]error{
		smtpserver.RefusesSize: ports.ErrMailRefused, smtpserver.RefusesRecipient: ports.ErrMailRefused, smtpserver.RefusesBarely: ports.ErrMailRefused,
		smtpserver.RefusesRelay: errOther, smtpserver.WantsLogin: errOther, smtpserver.TakesForSpam: errOther,
		smtpserver.RefusesSender: errOther, smtpserver.Hangs: errOther, smtpserver.Silent: ports.ErrMailServerDown,
		smtpserver.BreaksOffAfter: nil, smtpserver.Fine: nil,
	} {
		t.Run(string(mood), func(t *testing.T) {
			t.Parallel()
			s := smtpserver.Start(t, smtpserver.Options{})
			s.Be(mood)
			err := newMailer(t, s, "smtp://"+s.Host+":"+s.Port).Send(t.Context(), hello)
			is := err
			if err != nil && !errors.Is(err, ports.ErrMailRefused) && !errors.Is(err, ports.ErrMailServerDown) {
				is = errOther
			}
			if !errors.Is(is, want) || want == nil && err != nil {
				t.Errorf("%v, want %v", err, want)
			}
		})
	}
}

var errOther = errors.New("an attempt that failed")

// A password goes over connections that are encrypted, or to this machine, and a wrong one is nothing that a message can help.
func TestMailServersAreSafeToTalkTo(t *testing.T) {
	t.Parallel()
	s := smtpserver.Start(t, smtpserver.Options{TLS: true, User: "shop", Password: "right"})
	if err := newMailer(t, s, "smtps://shop:right@"+s.Host+":"+s.Port).Send(t.Context(), hello); err != nil {
		t.Error(err)
	}
	if err := newMailer(t, s, "smtps://shop:wrong@"+s.Host+":"+s.Port).Send(t.Context(), hello); !errors.Is(err, ports.ErrMailServerDown) {
		t.Error(err)
	}
	strange, err := smtp.New(smtp.Options{
		URL: "smtps://shop:right@" + s.Host + ":" + s.Port, From: sender, Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := strange.Send(t.Context(), hello); !errors.Is(err, ports.ErrMailServerDown) {
		t.Errorf("a certificate of nobody is trusted: %v", err)
	}
	if got := s.Mails(); len(got) != 1 {
		t.Errorf("%d mails", len(got))
	}
}

// After three failures nobody waits for a server that does not answer; it is said once.
func TestCircuitOfTheMailServerOpens(t *testing.T) {
	t.Parallel()
	s := smtpserver.Start(t, smtpserver.Options{})
	var log bytes.Buffer
	m, err := smtp.New(smtp.Options{
		URL: "smtp://user:secret@" + s.Host + ":" + s.Port, From: sender, Log: slog.New(slog.NewTextHandler(&log, nil)), Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	for range 5 {
		if err := m.Send(t.Context(), hello); !errors.Is(err, ports.ErrMailServerDown) {
			t.Fatal(err)
		}
	}
	if m.Circuit().State != ports.CircuitOpen || strings.Count(log.String(), "\n") != 1 || strings.Contains(log.String(), "secret") {
		t.Errorf("%v %s", m.Circuit(), log.String())
	}
}

// The first answer after an outage closes the circuit, whatever it says of the message.
func TestCircuitOfTheMailServerCloses(t *testing.T) {
	t.Parallel()
	for _, mood := range []smtpserver.Mood{smtpserver.Fine, smtpserver.RefusesRecipient, smtpserver.Busy} {
		s := smtpserver.Start(t, smtpserver.Options{})
		m, err := smtp.New(smtp.Options{
			URL: "smtp://" + s.Host + ":" + s.Port, From: sender, Log: slog.New(slog.DiscardHandler), Now: time.Now,
			Timeout: 100 * time.Millisecond, OpenFor: 10 * time.Millisecond,
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Be(smtpserver.Silent)
		for range 3 {
			if err := m.Send(t.Context(), hello); !errors.Is(err, ports.ErrMailServerDown) {
				t.Fatal(err)
			}
		}
		s.Be(mood)
		time.Sleep(50 * time.Millisecond)
		if err := m.Send(t.Context(), hello); errors.Is(err, ports.ErrMailServerDown) {
			t.Errorf("%s: %v", mood, err)
		}
		if m.Circuit().State != ports.CircuitClosed {
			t.Errorf("after an answer of a server that %q: %v", mood, m.Circuit())
		}
	}
}

func TestAddressesOfMailServersAreChecked(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "http://mail.example", "smtp://", "smtp://:587", "mail.example:25", "smtp://u:secret@mail.example:port"} {
		_, err := smtp.New(smtp.Options{URL: url, From: sender})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, from := range []string{"", "shop", "a@b.example, c@d.example", "Shop <shop@example.com>\r\nBcc: x@y.example"} {
		if _, err := smtp.New(smtp.Options{URL: "smtp://mail.example", From: from}); err == nil {
			t.Errorf("%q is a sender", from)
		}
	}
}
