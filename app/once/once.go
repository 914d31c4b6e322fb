// Package once makes a keyed request answer the same way every time it is sent: what a call is, when two calls are the
// same, and how its answer is kept and given again. Contract 1.2.
//
// Two executions of one key are told apart by the database alone: the receipt's primary key (carts), or a claim with a
// fencing number (checkouts, payments). The receipt cache only saves round trips.
package once

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of idempotency. Contract 1.1.
var (
	ErrKeyRequired = fault.New(fault.Invalid, "idempotency_key_required", "This operation needs an idempotency key: the header Idempotency-Key, or over GraphQL the argument idempotencyKey.")
	ErrKeyInvalid  = fault.New(fault.Invalid, "idempotency_key_invalid", "An idempotency key is 16 to 255 visible ASCII characters.")
	ErrKeyDerived  = fault.New(fault.Invalid, "idempotency_key_derived", "An idempotency key must be random, not made from the id of what it acts on.")
	ErrKeyReused   = fault.New(fault.Unprocessable, "idempotency_key_reused", "This idempotency key was used for another request.")
	ErrInProgress  = fault.New(fault.Conflict, "idempotency_in_progress", "The first request with this key is still running.").Retry(time.Second)
)

// Call is one request as every use case receives it.
type Call struct {
	Principal     tenant.Principal
	Server        bool   // came by the server prefix
	CartToken     string // capability as sent, or ""
	CheckoutToken string // capability as sent, or ""
	Key           string // idempotency key, unquoted, or ""
	Operation     string // "carts.addItem"
	Fingerprint   [32]byte
	RequestID     string
	Address       string // of the client, for budgets
}

// Answer is what a keyed operation says, the first time and again.
type Answer struct {
	Result   ports.Result
	Body     []byte       // wire JSON; nil for refusals
	Fault    *fault.Error // refusals
	Replayed bool
	// RequestID is the first execution's; a replayed refusal shows it in its body.
	RequestID string
	Revision  int64 // carts: the cart's current revision; 0 where it cannot be told
}

// Fingerprint identifies a request's content: method, route, ids in the path and canonical body.
func Fingerprint(method, route string, pathIDs []string, body collection.Tree) [32]byte {
	text := appendPart(appendPart(make([]byte, 0, 512), method), route)
	for _, id := range pathIDs {
		text = appendPart(text, id)
	}
	return sha256.Sum256(collection.AppendTree(text, body))
}

// appendPart appends part behind its length, so that no two lists of parts are one text.
func appendPart(text []byte, part string) []byte {
	return append(binary.BigEndian.AppendUint64(text, uint64(len(part))), part...)
}

// Scope is the most specific credential of c, the one its keys belong to.
func (c Call) Scope() string {
	switch {
	case c.CheckoutToken != "":
		return "checkout:" + HashText(c.CheckoutToken)
	case c.CartToken != "":
		return "cart:" + HashText(c.CartToken)
	}
	return string(c.Principal.Kind) + ":" + c.Principal.ID
}

// HashText is the hex SHA-256 of a secret text: how capability tokens are stored and compared.
func HashText(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// ReceiptKey is where c's receipt is kept.
func (c Call) ReceiptKey() ports.ReceiptKey {
	text := make([]byte, 0, 512)
	for _, part := range [...]string{string(c.Principal.Tenant.ID), c.Scope(), c.Operation, c.Key} {
		text = appendPart(text, part)
	}
	return sha256.Sum256(text)
}

// Unquote reads the Idempotency-Key header, bare or as a quoted string. Errors: ErrKeyInvalid.
func Unquote(header string) (string, error) {
	key := strings.TrimSpace(header)
	rest, opened := strings.CutPrefix(key, `"`)
	inner, closed := strings.CutSuffix(rest, `"`)
	if opened != closed {
		return "", ErrKeyInvalid
	}
	key = inner
	if len(key) < 16 || len(key) > 255 {
		return "", ErrKeyInvalid
	}
	for i := range len(key) {
		if key[i] <= 0x20 || key[i] > 0x7e {
			return "", ErrKeyInvalid
		}
	}
	return key, nil
}

// Check refuses a missing key, and one that contains the id of an object it acts on. Errors: ErrKeyRequired, ErrKeyDerived.
func (c Call) Check(actsOn ...string) error {
	if c.Key == "" {
		return ErrKeyRequired
	}
	key := appendPlain(make([]byte, 0, 256), c.Key)
	for _, id := range actsOn {
		if id := appendPlain(make([]byte, 0, 64), id); len(id) >= 8 && bytes.Contains(key, id) {
			return ErrKeyDerived
		}
	}
	return nil
}

// appendPlain appends s in lower case and without punctuation.
func appendPlain(dst []byte, s string) []byte {
	for _, r := range s {
		if r = unicode.ToLower(r); r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			dst = append(dst, byte(r)) //nolint:gosec // a letter or digit of ASCII
		}
	}
	return dst
}

// kept is a refusal as a receipt holds it.
type kept struct {
	Kind    fault.Kind
	Reason  string
	Message string
	Fields  []fault.Field  `json:",omitempty"`
	Data    map[string]any `json:",omitempty"`
}

// Receipt is the receipt that answers c from now on. A nil refusal keeps body.
func (c Call) Receipt(result ports.Result, body []byte, refusal *fault.Error, now, expires time.Time) ports.Receipt {
	return c.ReceiptAt(c.ReceiptKey(), result, body, refusal, now, expires)
}

// ReceiptAt is Receipt for a caller who has worked out the ReceiptKey of c already.
func (c Call) ReceiptAt(key ports.ReceiptKey, result ports.Result, body []byte, refusal *fault.Error, now, expires time.Time) ports.Receipt {
	r := ports.Receipt{
		Tenant: c.Principal.Tenant.ID, Key: key, Fingerprint: c.Fingerprint,
		Result: result, Body: body, RequestID: c.RequestID, At: now, Expires: expires,
	}
	if refusal != nil {
		r.Result = ports.Refused
		r.Body, _ = json.Marshal(kept{refusal.Kind, refusal.Reason, refusal.Message, refusal.Fields, refusal.Data}) //nolint:errchkjson,musttag // strings and numbers always encode
	}
	return r
}

// Replay answers c from a kept receipt. Errors: ErrKeyReused when the receipt answers another request.
func (c Call) Replay(r ports.Receipt) (Answer, error) {
	if r.Fingerprint != c.Fingerprint {
		return Answer{}, ErrKeyReused
	}
	a := Answer{Result: r.Result, Body: r.Body, Replayed: true, RequestID: r.RequestID, Revision: r.Revision}
	if r.Result != ports.Refused {
		return a, nil
	}
	var k kept
	dec := json.NewDecoder(strings.NewReader(string(r.Body)))
	dec.UseNumber()
	if err := dec.Decode(&k); err != nil { //nolint:musttag // the stored form has the names of the fields
		return Answer{}, err
	}
	a.Body = nil
	a.Fault = &fault.Error{Kind: k.Kind, Reason: k.Reason, Message: k.Message, Fields: k.Fields, Data: k.Data}
	return a, nil
}

// Keepable reports whether a refusal is deterministic, so that its receipt is kept: 4xx after execution began, but not
// 401, 403, 429, and nothing retryable or 5xx, nor a query that took too long, which says as much about the database as about
// the request. Contract 1.2.
func Keepable(f *fault.Error) bool {
	if f.Retryable || errors.Is(f, ports.ErrSlow) {
		return false
	}
	switch f.Kind {
	case fault.Conflict, fault.Unprocessable, fault.NotFound, fault.Invalid:
		return true
	default: // may end otherwise next time
	}
	return false
}
