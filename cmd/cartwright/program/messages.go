package program

import (
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/app/mails"
	"github.com/cartwright-dev/cartwright/app/messages"
	"github.com/cartwright-dev/cartwright/app/records"
)

// messaging is what sends the messages of a server to telephones.
type messaging struct {
	routes   mails.Messengers
	services *webhook.Messenger
	box      *memory.MessageBox // of a development server; else nil
	texts    *messages.Service
	tester   *messages.Tester
}

// messageTimeout is how long a message service may take to answer.
const messageTimeout = 10 * time.Second

// newMessaging builds what hands messages over to the shops' services. A development server keeps all others for a page.
func (s *Server) newMessaging() *messaging {
	services := webhook.NewMessenger(webhook.MessengerOptions{
		Sender: s.tracing.Webhooks(webhook.NewSender(webhook.Options{
			AllowPrivate: s.config.AllowPrivateWebhooks, Public: s.config.webhookPolicy(), Timeout: messageTimeout,
		})), Now: s.now,
	})
	routes := mails.Messengers{Services: services}
	var box *memory.MessageBox
	if s.config.Mode == Development {
		box = memory.NewMessageBox(maxMailbox, s.now)
		routes = mails.Messengers{Services: services, Box: box}
	}
	return &messaging{
		routes: routes, services: services, box: box,
		texts:  &messages.Service{Store: s.invalidatingStore, Records: s.records, BaseURL: s.BaseURL, Now: s.now},
		tester: &messages.Tester{Store: s.invalidatingStore, Vault: s.vault, Messenger: services, Now: s.now, NewID: newID},
	}
}

// messageSeals reseals the secrets of message services.
func (k *core) messageSeals() records.Resealer {
	return messages.Resealer(k.invalidatingStore, k.vault, k.now, newID)
}

// keptMessages are the messages of the box, as the mailbox shows them.
func (m *messaging) keptMessages() (all []rest.MailboxMail) {
	for _, k := range m.box.NewestFirst() {
		text := k.Text
		for _, b := range k.Buttons {
			text += "\n[" + b.Name + "] " + b.URL
		}
		all = append(all, rest.MailboxMail{
			ID: k.ID, Channel: "message", At: k.At, From: k.TemplateCode, To: k.To, Locale: k.Locale, Subject: string(k.Kind), Text: text,
		})
	}
	return all
}
