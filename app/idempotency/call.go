// Package idempotency gives a repeated request the response of the first one: what a call is, when two calls are the
// same, and how a response is stored and replayed. Rules: features/idempotency/RULES.md.
//
// Only the database decides between two executions of one key: the receipt's primary key, or a claim with a
// fencing number where a provider is called in between. The receipt cache only saves round trips, and only while the database is the
// one that made the receipts: Decision 41.
package idempotency

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
	"unicode"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of idempotency. Rules idempotency-2, idempotency-5, idempotency-8, idempotency-10.
var (
	ErrKeyRequired = fault.NewInvalid("Idempotency-Key", "idempotency_key_required",
		"This operation needs an idempotency key: the header Idempotency-Key, or over GraphQL the argument idempotencyKey.")
	ErrInvalidKey = fault.NewInvalid("Idempotency-Key", "idempotency_key_invalid", "An idempotency key is 16 to 255 visible ASCII characters.")
	ErrKeyDerived = fault.NewInvalid("Idempotency-Key", "idempotency_key_derived",
		"An idempotency key must be random, not made from the id of what it acts on.")
	ErrKeyReused = fault.New(fault.Unprocessable, "idempotency_key_reused",
		"This idempotency key was already used for a different request.")
	ErrInProgress = fault.New(fault.Conflict, "idempotency_in_progress", "The first request with this key is still running.").
			WithRetry(time.Second)
)

// Call is one request as every use case receives it.
type Call struct {
	Principal     tenant.Principal
	Server        bool   // acts on whatever belongs to the tenant: came by the server prefix, or an operator was admitted
	CartToken     string // capability as sent, or ""
	CheckoutToken string // capability as sent, or ""
	Key           string // idempotency key, unquoted, or ""
	IfMatch       string // header If-Match: entity tags that the caller's version of the record had, or ""
	// ExpectedRevision is the revision that the caller's version of the record had; 0: not stated.
	ExpectedRevision int64
	Operation        string // "carts.addItem"
	Fingerprint      [32]byte
	RequestID        string
	Address          string // of the client, for attempt limits
	// Language is what sentences in the answer are told in. A replayed answer keeps those of the first one; a refusal is told anew.
	Language words.Language
}

// Response is the response of an operation, the first time or replayed.
type Response struct {
	Result   ports.ReceiptResult
	Body     *reply.Body  // nil for refusals
	Fault    *fault.Error // refusals
	Replayed bool
	// RequestID is that of the first execution; a replayed refusal has it in its body.
	RequestID string
	Revision  int64 // carts: the cart's current revision; 0 where it is unknown
	// Sequence is the recordSequence of the record that the answer shows, of several the first: events up to
	// that number tell how it came to be so. 0: the answer shows no record, or one whose changes make no
	// events.
	Sequence int64
}

// Fingerprint identifies the content of a request: method, route, ids in the path and canonical body, in which
// members have one order and numbers one notation. Rules idempotency-8, idempotency-22.
func Fingerprint(method, route string, pathIDs []string, body collection.JSONValue) [32]byte {
	text := appendPart(appendPart(make([]byte, 0, 512), method), route)
	for _, id := range pathIDs {
		text = appendPart(text, id)
	}
	return sha256.Sum256(collection.AppendCanonicalJSON(text, body))
}

// HashUnder is a hash of a confidential part of a request for its fingerprint: under the request's key, since what has
// few possible values could be found by a hash of its own. Keys are stored nowhere.
func HashUnder(key string, part collection.JSONValue) string {
	sum := sha256.Sum256(collection.AppendCanonicalJSON(appendPart(nil, key), part))
	return hex.EncodeToString(sum[:])
}

// appendPart appends part after its length, so that different lists of parts never give the same text.
func appendPart(text []byte, part string) []byte {
	return append(binary.BigEndian.AppendUint64(text, uint64(len(part))), part...)
}

// Scope is the most specific credential of c: in each environment, keys are unique within it.
func (c Call) Scope() string {
	switch {
	case c.CheckoutToken != "":
		return "checkout:" + HashToken(c.CheckoutToken)
	case c.CartToken != "":
		return "cart:" + HashToken(c.CartToken)
	}
	return string(c.Principal.Kind) + ":" + c.Principal.ID
}

// HashToken is the hex SHA-256 of a secret text: how capability tokens are stored and compared.
func HashToken(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// ReceiptKey is the key of c's receipt. Rules idempotency-7, idempotency-21.
func (c Call) ReceiptKey() ports.ReceiptKey {
	text := make([]byte, 0, 512)
	for _, part := range [...]string{string(c.Principal.Tenant.ID), c.Scope(), c.Operation, c.Key} {
		text = appendPart(text, part)
	}
	// Live calls go without the part: a retry of one that an older version answered has to find that answer.
	if c.Principal.Environment == tenant.Test {
		text = appendPart(text, string(tenant.Test))
	}
	return sha256.Sum256(text)
}

// ParseKey reads the Idempotency-Key header, bare or as a quoted string. Errors: ErrInvalidKey.
func ParseKey(header string) (string, error) {
	key := strings.TrimSpace(header)
	rest, opened := strings.CutPrefix(key, `"`)
	inner, closed := strings.CutSuffix(rest, `"`)
	if opened != closed {
		return "", ErrInvalidKey
	}
	key = inner
	if len(key) < 16 || len(key) > 255 {
		return "", ErrInvalidKey
	}
	for i := range len(key) {
		if key[i] <= 0x20 || key[i] > 0x7e {
			return "", ErrInvalidKey
		}
	}
	return key, nil
}

// CheckKey rejects a missing key, and one that contains the id of an object the call acts on. Errors:
// ErrKeyRequired, ErrKeyDerived.
func (c Call) CheckKey(actsOn ...string) error {
	if c.Key == "" {
		return ErrKeyRequired
	}
	key := appendAlphanumeric(make([]byte, 0, 256), c.Key)
	for _, id := range actsOn {
		if id := appendAlphanumeric(make([]byte, 0, 64), id); len(id) >= 8 && bytes.Contains(key, id) {
			return ErrKeyDerived
		}
	}
	return nil
}

// appendAlphanumeric appends s in lower case and without punctuation.
func appendAlphanumeric(dst []byte, s string) []byte {
	for _, r := range s {
		if r = unicode.ToLower(r); r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			dst = append(dst, byte(r)) //nolint:gosec // a letter or digit of ASCII
		}
	}
	return dst
}

// storedRefusal is a refusal in a receipt.
type storedRefusal struct {
	Kind    fault.Kind
	Reason  string
	Message string
	Fields  []fault.Field  `json:",omitempty"`
	Data    map[string]any `json:",omitempty"`
}

// Receipt is what is stored of an answer, with the body that its first reply shows.
type Receipt struct {
	ports.Receipt

	// Passing says that the answer is of this execution only: nothing is stored, and the key runs again. For what is still
	// under way.
	Passing bool

	Body *reply.Body // nil for refusals
}

// Retention is how long receipts are kept that are not about money: of carts and of records. Those of checkouts,
// payments, orders, drafts and returns are kept for a year. Rule idempotency-23.
const Retention = 7 * 24 * time.Hour

// MoneyUntil is the end of a receipt about money that is made now.
func MoneyUntil(now time.Time) time.Time { return now.AddDate(1, 0, 0) }

// Receipt is the receipt of c. It stores body without its secret, or the refusal where there is one. It ends at
// expires; zero is that of a receipt about money, since none is kept for ever.
func (c Call) Receipt(result ports.ReceiptResult, body *reply.Body, refusal *fault.Error, now, expires time.Time) Receipt {
	return c.ReceiptWithKey(c.ReceiptKey(), result, body, refusal, now, expires)
}

// ReceiptWithKey is Receipt for a caller that has computed the ReceiptKey of c already.
func (c Call) ReceiptWithKey(
	key ports.ReceiptKey, result ports.ReceiptResult, body *reply.Body, refusal *fault.Error, now, expires time.Time,
) Receipt {
	if expires.IsZero() {
		expires = MoneyUntil(now)
	}
	r := Receipt{Body: body, Receipt: ports.Receipt{
		Tenant: c.Principal.Tenant.ID, Key: key, Fingerprint: c.Fingerprint,
		Result: result, Body: body.Receipt(), RequestID: c.RequestID, At: now, Expires: expires,
	}}
	if refusal != nil {
		r.Body, r.Result = nil, ports.ReceiptRefused
		r.Receipt.Body, _ = json.Marshal(storedRefusal{refusal.Kind, refusal.Reason, refusal.Message, refusal.InvalidFields(), refusal.Data}) //nolint:errchkjson,musttag // strings and numbers always encode
	}
	return r
}

// Replay is the response of c from its receipt. Errors: ErrKeyReused when the receipt belongs to another request.
func (c Call) Replay(r ports.Receipt) (Response, error) {
	if r.Fingerprint != c.Fingerprint {
		return Response{}, ErrKeyReused
	}
	a := Response{Result: r.Result, Replayed: true, RequestID: r.RequestID}
	if r.Result != ports.ReceiptRefused {
		a.Body, a.Sequence = reply.FromText(r.Body), r.Sequence
		return a, nil
	}
	var k storedRefusal
	dec := json.NewDecoder(strings.NewReader(string(r.Body)))
	dec.UseNumber()
	if err := dec.Decode(&k); err != nil { //nolint:musttag // the stored form has the names of the fields
		return Response{}, err
	}
	a.Fault = &fault.Error{Kind: k.Kind, Reason: k.Reason, Message: k.Message, Fields: k.Fields, Data: k.Data}
	return a, nil
}
