package redis

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	maxBody = 256 << 10      // bytes; larger bodies are only in the database
	maxTTL  = 24 * time.Hour // retries come early; the database has older receipts
)

// Receipts is a ports.ReceiptCache in Redis, shared by all instances.
type Receipts struct {
	prefix   string
	pipe     *pipeline
	database ports.Epochs
}

var _ ports.ReceiptCache = (*Receipts)(nil)

// NewReceipts stores receipts of database under keys with prefix.
func NewReceipts(client *Client, prefix string, database ports.Epochs) *Receipts {
	return &Receipts{prefix: prefix, pipe: client.pipe, database: database}
}

// Epoch implements ports.ReceiptCache.
func (c *Receipts) Epoch() ports.Epoch { return c.database.KnownEpoch() }

// Find implements ports.ReceiptCache.
func (c *Receipts) Find(ctx context.Context, key ports.ReceiptKey) (ports.Receipt, bool) {
	var got *goredis.StringCmd
	if !c.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) { got = p.Get(ctx, c.receiptKey("receipt:", key)) }) {
		return ports.Receipt{}, false
	}
	raw, err := got.Bytes()
	if err != nil { // not found
		return ports.Receipt{}, false
	}
	r, epoch, ok := decode(key, raw)
	if !ok {
		return ports.Receipt{}, false
	}
	// Redis outlives a database that is promoted or restored, and remembers commits that it lost.
	if now, known := c.database.CurrentEpoch(ctx); !known || now != epoch {
		return ports.Receipt{}, false
	}
	return r, true
}

// Put implements ports.ReceiptCache. It never waits.
func (c *Receipts) Put(_ context.Context, epoch ports.Epoch, r ports.Receipt) {
	keep := maxTTL
	if !r.Expires.IsZero() {
		keep = min(keep, r.Expires.Sub(r.At))
	}
	if len(r.Body) > maxBody || keep <= 0 {
		return
	}
	name, raw := c.receiptKey("receipt:", r.Key), encode(epoch, r)
	c.pipe.send(func(ctx context.Context, p goredis.Pipeliner) { p.Set(ctx, name, raw, keep) })
}

// leaseScript takes a free lease or extends the owner's own; the other releases the owner's.
const (
	leaseScript = `local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`
	unleaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`
)

// Lease implements ports.ReceiptCache.
func (c *Receipts) Lease(ctx context.Context, key ports.ReceiptKey, owner string, d time.Duration) bool {
	var got *goredis.Cmd
	name := []string{c.receiptKey("lease:", key)}
	worked := c.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) {
		got = p.Eval(ctx, leaseScript, name, owner, max(d.Milliseconds(), 1))
	})
	if !worked {
		return true
	}
	held, err := got.Int()
	return err != nil || held == 1
}

// ReleaseLease implements ports.ReceiptCache.
func (c *Receipts) ReleaseLease(ctx context.Context, key ports.ReceiptKey, owner string) {
	name := []string{c.receiptKey("lease:", key)}
	c.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) { p.Eval(ctx, unleaseScript, name, owner) })
}

// receiptKey is the Redis key of kind for key. The key is already a hash, so client texts do not show up in
// Redis monitors.
func (c *Receipts) receiptKey(kind string, key ports.ReceiptKey) string {
	return c.prefix + kind + base64.RawURLEncoding.EncodeToString(key[:])
}

// receiptHeader is a receipt without key and body. It is the first line of a stored value; the body follows
// unchanged.
type receiptHeader struct {
	Epoch        ports.Epoch         `json:"d"` // "" in values of older versions
	Tenant       tenant.ID           `json:"t"`
	Fingerprint  []byte              `json:"f"`
	Result       ports.ReceiptResult `json:"s"`
	RequestID    string              `json:"q"`
	Record       string              `json:"r"`
	Sequence     int64               `json:"v"`
	TokenVersion int                 `json:"k"`
	At           time.Time           `json:"a"`
	Expires      time.Time           `json:"e"`
}

// encode writes what encoding/json would, without reflection, since every cart change passes here.
func encode(epoch ports.Epoch, r ports.Receipt) []byte {
	b := append(make([]byte, 0, 512+len(r.Body)), `{"d":`...)
	b = append(collection.AppendString(b, string(epoch)), `,"t":`...)
	b = append(collection.AppendString(b, string(r.Tenant)), `,"f":"`...)
	b = append(base64.StdEncoding.AppendEncode(b, r.Fingerprint[:]), `","s":`...)
	b = append(collection.AppendString(b, string(r.Result)), `,"q":`...)
	b = append(collection.AppendString(b, r.RequestID), `,"r":`...)
	b = append(collection.AppendString(b, r.Record), `,"v":`...)
	b = append(strconv.AppendInt(b, r.Sequence, 10), `,"k":`...)
	b = append(strconv.AppendInt(b, int64(r.TokenVersion), 10), `,"a":"`...)
	b = append(r.At.AppendFormat(b, time.RFC3339Nano), `","e":"`...)
	b = append(r.Expires.AppendFormat(b, time.RFC3339Nano), "\"}\n"...)
	return append(b, r.Body...)
}

func decode(key ports.ReceiptKey, raw []byte) (r ports.Receipt, epoch ports.Epoch, ok bool) {
	head, body, complete := bytes.Cut(raw, []byte{'\n'})
	var f receiptHeader
	if !complete || json.Unmarshal(head, &f) != nil || len(f.Fingerprint) != 32 || f.Epoch == "" {
		return ports.Receipt{}, "", false
	}
	return ports.Receipt{
		Tenant: f.Tenant, Key: key, Fingerprint: [32]byte(f.Fingerprint), Result: f.Result, Body: body, RequestID: f.RequestID,
		Record: f.Record, Sequence: f.Sequence, TokenVersion: f.TokenVersion, At: f.At, Expires: f.Expires,
	}, f.Epoch, true
}
