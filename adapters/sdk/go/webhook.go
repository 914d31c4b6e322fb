package cartwright

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Event is one delivery of a webhook: a record was made, changed or deleted.
type Event struct {
	ID         string // of the delivery, the same over all its repetitions: remember it to do the work once
	Sequence   int64  // counts the changes of the record from 1, without gaps
	SentAt     time.Time
	Test       bool           // a trial from the console
	Collection string         // the slug, for example orders
	Operation  EventOperation // create, update or delete

	Data        json.RawMessage // of an update the changed fields, of a delete the last state
	Doc         json.RawMessage // the record; nil after a delete
	PreviousDoc json.RawMessage // the record before an update; else nil
}

// FieldChange is one field before and after an update.
type FieldChange struct{ From, To json.RawMessage }

// tolerance is how far the clocks of sender and receiver may differ, and how late a captured delivery may be
// played again.
const tolerance = 5 * time.Minute

// Why a delivery is refused.
var (
	ErrWebhookSignature = errors.New("cartwright: the webhook is not signed with one of the secrets")
	ErrWebhookTimestamp = errors.New("cartwright: the webhook was signed too long ago, or in the future")
	ErrWebhookSecret    = errors.New("cartwright: a webhook secret is whsec_ and base64")
	ErrWebhookBody      = errors.New("cartwright: the webhook is signed, but tells of no change")
)

// VerifyWebhook checks the signature of a delivery by Standard Webhooks and reads it. payload is the body
// exactly as it came. Of several secrets one is enough, so that they can be rotated. Errors:
// ErrWebhookSignature, ErrWebhookTimestamp, ErrWebhookSecret, ErrWebhookBody.
func VerifyWebhook(payload []byte, header http.Header, secrets ...string) (*Event, error) {
	return verify(payload, header, secrets, time.Now())
}

func verify(payload []byte, header http.Header, secrets []string, now time.Time) (*Event, error) {
	id, stamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || id == "" {
		return nil, ErrWebhookSignature
	}
	keys, err := keysOf(secrets)
	if err != nil {
		return nil, err
	}
	signed := slices.Concat([]byte(id+"."+stamp+"."), payload)
	if !signedBy(keys, signed, header.Get("Webhook-Signature")) {
		return nil, ErrWebhookSignature
	}
	at := time.Unix(seconds, 0).UTC()
	if now.Sub(at).Abs() > tolerance {
		return nil, ErrWebhookTimestamp
	}
	return eventOf(payload, header, at)
}

// keysOf reads the secrets.
func keysOf(secrets []string) (keys [][]byte, err error) {
	for _, s := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(s, "whsec_"))
		if err != nil || len(key) == 0 {
			return nil, ErrWebhookSecret
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, ErrWebhookSecret
	}
	return keys, nil
}

// signedBy reports whether one of the signatures is by one of the keys. It looks at all, whichever fits.
func signedBy(keys [][]byte, signed []byte, signatures string) bool {
	found := false
	for signature := range strings.FieldsSeq(signatures) {
		text, v1 := strings.CutPrefix(signature, "v1,")
		given, err := base64.StdEncoding.DecodeString(text)
		if !v1 || err != nil {
			continue
		}
		for _, key := range keys {
			mac := hmac.New(sha256.New, key)
			mac.Write(signed)
			found = hmac.Equal(mac.Sum(nil), given) || found
		}
	}
	return found
}

func eventOf(payload []byte, header http.Header, at time.Time) (*Event, error) {
	var said struct {
		Collection  string          `json:"collection"`
		Operation   EventOperation  `json:"operation"`
		Data        json.RawMessage `json:"data"`
		Doc         json.RawMessage `json:"doc"`
		PreviousDoc json.RawMessage `json:"previousDoc"`
	}
	if err := json.Unmarshal(payload, &said); err != nil || said.Collection == "" || said.Operation == "" {
		return nil, ErrWebhookBody
	}
	sequence, _ := strconv.ParseInt(header.Get("Webhook-Sequence"), 10, 64) // a trial has none
	return &Event{
		ID: header.Get("Webhook-Id"), Sequence: sequence, SentAt: at, Test: header.Get("Webhook-Test") == "true",
		Collection: said.Collection, Operation: said.Operation, Data: said.Data, Doc: said.Doc, PreviousDoc: said.PreviousDoc,
	}, nil
}

// String names what happened, without the record.
func (e *Event) String() string {
	return "cartwright.Event(" + e.Collection + " " + string(e.Operation) + ")"
}

// Changes is what an update changed, by field; empty for other operations.
func (e *Event) Changes() map[string]FieldChange {
	changes := map[string]FieldChange{}
	if e.Operation != EventOperationUpdate {
		return changes
	}
	var data, before map[string]json.RawMessage
	_ = json.Unmarshal(e.Data, &data) // no object has no fields
	_ = json.Unmarshal(e.PreviousDoc, &before)
	for _, field := range slices.Sorted(maps.Keys(data)) {
		if !same(data[field], before[field]) {
			changes[field] = FieldChange{before[field], data[field]}
		}
	}
	return changes
}

// Changed reports whether an update changed the field.
func (e *Event) Changed(field string) bool {
	_, changed := e.Changes()[field]
	return changed
}

// same compares two values as they are written.
func same(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	if json.Compact(&x, a) != nil || json.Compact(&y, b) != nil {
		return len(a) == len(b)
	}
	return bytes.Equal(x.Bytes(), y.Bytes())
}
