package taxing

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// label is what the secret of a connection is sealed with.
func label(connection string) string { return tax.Connections.Slug + "/" + connection + "/secret" }

// Hooks check the address of a connection as that of a webhook endpoint, and encrypt its secret, with which signer has to be able to sign.
func Hooks(v ports.Vault, signer ports.WebhookSigner, addresses webhook.AddressPolicy) records.Hooks {
	return records.Hooks{BeforeWrite: func(_ context.Context, _ ports.Tx, w *records.Write) error {
		if w.After == nil {
			return nil
		}
		if url := w.After.Text("url"); url != w.Before.Text("url") {
			if problem := addresses.URLProblem(url); problem != "" {
				return fault.ErrValidation.WithFields(fault.Field{Field: "url", Message: problem})
			}
		}
		given, has := w.Input["secret"]
		if !has {
			return nil
		}
		secret, _ := given.(string)
		if _, err := signer.Sign(w.ID, w.Now, nil, secret); err != nil {
			return webhook.ErrSecret
		}
		sealed, err := v.Seal(label(w.ID), []byte(secret))
		w.After["secret"] = sealed
		return err
	}}
}

// Resealer re-encrypts the secrets of connections with the newest secret of the server.
func Resealer(store ports.Store, v ports.Vault, now func() time.Time, newID func() string) records.Resealer {
	return records.Resealer{Store: store, Vault: v, Now: now, NewID: newID, Schema: tax.Connections, Fields: []string{"secret"}, Label: label}
}
