package messages

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// ServiceHooks check the message services of a shop, and seal their secrets. Rule mail-38.
func ServiceHooks(v ports.Vault, signer ports.WebhookSigner, allowed webhook.AddressPolicy) records.Hooks {
	return records.Hooks{BeforeWrite: func(_ context.Context, _ ports.Tx, w *records.Write) error {
		if w.After == nil {
			return nil
		}
		if problem := allowed.URLProblem(w.After.Text("url")); problem != "" {
			return fault.ErrValidation.WithFields(fault.Field{Field: "url", Message: problem})
		}
		given, there := w.Input["secret"]
		if !there && !w.Create {
			return nil
		}
		secret, _ := given.(string)
		if _, err := signer.Sign(w.ID, w.Now, nil, secret); err != nil {
			return webhook.ErrSecret
		}
		sealed, err := v.Seal(sealLabel(w.ID), []byte(secret))
		w.After["secret"] = sealed
		return err
	}}
}

// Resealer reseals the secrets of message services.
func Resealer(store ports.Store, v ports.Vault, now func() time.Time, newID func() string) records.Resealer {
	return records.Resealer{
		Store: store, Vault: v, Now: now, NewID: newID, Schema: mail.MessageServices, Fields: []string{"secret"}, Label: sealLabel,
	}
}

// sealLabel binds a sealed secret to its service.
func sealLabel(service string) string { return mail.MessageServices.Slug + "/" + service + "/secret" }

// Enabled is the record of the service that takes the messages of an environment; nil for none.
func Enabled(ctx context.Context, r ports.Reader, env tenant.Environment) (collection.Record, error) {
	s := mail.MessageServices
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Environment: string(env), Where: s.Where("enabled", collection.Equals, true), Sort: s.SortBy("createdAt"), Limit: 1, Page: 1,
		SkipCount: true,
	})
	if err != nil || len(page.Docs) == 0 {
		return nil, err
	}
	return page.Docs[0], nil
}

// Open is a stored service with its secret.
func Open(v ports.Vault, r collection.Record) (ports.MessageService, error) {
	secret, err := v.Open(sealLabel(r.ID()), r.Text("secret"))
	if err != nil {
		return ports.MessageService{}, fmt.Errorf("open the secret of message service %s: %w", r.ID(), err)
	}
	return ports.MessageService{ID: r.ID(), URL: r.Text("url"), Secret: string(secret), SenderKey: r.Text("senderKey")}, nil
}
