package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"
)

// poison is a background loop with an item that fails.
type poison struct {
	task string
	// setAside is when the fifth try has failed, at the latest, by how often the loop comes round.
	setAside time.Duration
	// plant makes items that are due, one of which fails. The servers begin anew afterwards.
	plant func(ctx context.Context, w *ward) (dose, error)
	only  string // "postgres": the loop has nothing to do on SQLite
}

// poisons are all loops that take items. What of them runs every ten minutes or hour only comes to its first try here.
var poisons = []poison{
	{task: "abandoned carts", setAside: 5 * time.Minute, plant: plantCarts},
	{task: "expired reservations", setAside: 50 * time.Second, plant: plantReservations},
	{task: "sweeps", setAside: 50 * time.Second, plant: plantSweeps},
	{task: "usage", setAside: 50 * time.Second, plant: plantUsage},
	{task: "webhook fan-out", setAside: 50 * time.Second, plant: plantFanOut},
	{task: "webhook deliveries", setAside: 4 * time.Minute, plant: plantDeliveries},
	{task: "sequencer", setAside: 50 * time.Second, plant: plantSequencer, only: "postgres"},
	{task: "files", setAside: 25 * time.Minute, plant: plantFiles},
	{task: "confirmations", setAside: time.Hour, plant: plantConfirmations},
	{task: "publications", setAside: 50 * time.Second, plant: plantPublications},
	{task: "unpaid orders", setAside: time.Hour, plant: plantUnpaid},
	{task: "old events", setAside: 5 * time.Hour, plant: plantOldEvents},
	{task: "email tokens", setAside: 10 * time.Minute, plant: plantEmailTokens},
	{task: "streams", setAside: 50 * time.Second, plant: plantStreams},
}

// admit makes the ill shop and a platform admin.
func (s stage) admit(ctx context.Context) (w *ward, err error) {
	w = &ward{}
	if w.planter, err = s.planter(ctx); err != nil {
		return nil, err
	}
	text, err := w.runCommand(ctx, "tenant", "create", "--json", "--plan", "enterprise", "--name", "Ill shop")
	if err == nil {
		err = json.Unmarshal(text, &w.ill)
	}
	if err != nil {
		return nil, err
	}
	if w.healthy.Tenant, err = w.scalar(ctx, "SELECT id FROM tenants ORDER BY created_at LIMIT 1"); err != nil {
		return nil, err
	}
	text, err = w.runCommand(ctx, "user", "create", "--json", "--tenant", w.healthy.Tenant, "--role", "platform-admin", "--email", "root@platform.example")
	if err != nil {
		return nil, err
	}
	var root struct {
		Password string `json:"password"`
	}
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	var login struct{ Token string }
	if _, err := w.caller.must(ctx, request{"POST", "/api/users/login", "", map[string]any{
		"email": "root@platform.example", "password": root.Password,
	}}, &login); err != nil {
		return nil, err
	}
	w.admin = newCaller("", w.caller.bases...)
	w.admin.bearer = login.Token
	w.receiver = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	return w, nil
}

func (w *ward) close() {
	w.receiver.Close()
	w.planter.close()
}

// plantAll plants all poisons that the database knows.
func (w *ward) plantAll(ctx context.Context) (map[string]dose, error) {
	doses := map[string]dose{}
	for _, p := range poisons {
		if p.only == "postgres" && w.postgres == nil {
			continue
		}
		w.poisons = append(w.poisons, p)
		d, err := p.plant(ctx, w)
		if err != nil {
			return nil, fmt.Errorf("plant %s: %w", p.task, err)
		}
		doses[p.task] = d
	}
	return doses, nil
}

// ids are the first n ids that a query finds, oldest first.
func (w *ward) ids(ctx context.Context, n int, query string) (ids []string, err error) {
	rows, err := w.db.QueryContext(ctx, fmt.Sprintf("%s LIMIT %d", query, n))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	if len(ids) != n {
		return nil, fmt.Errorf("%d of %d rows: %s", len(ids), n, query)
	}
	return ids, rows.Err()
}

// list is ids as SQL.
func list(ids []string) string { return "('" + strings.Join(ids, "', '") + "')" }

// plantCarts makes carts that have expired, one of which cannot be changed.
func plantCarts(ctx context.Context, w *ward) (dose, error) {
	var ids []string
	for range 4 {
		cart, err := newCart(ctx, w.caller)
		if err != nil {
			return dose{}, err
		}
		ids = append(ids, cart.id)
	}
	if err := w.refuse(ctx, "UPDATE", "carts", "NEW.id = '"+ids[0]+"' AND NEW.status = 'abandoned'"); err != nil {
		return dose{}, err
	}
	return dose{
		tenant: w.healthy.Tenant, item: ids[0],
		left: "SELECT count(*) FROM carts WHERE status <> 'abandoned' AND id <> '" + ids[0] + "' AND created_at < " + w.ago(time.Hour),
		again: func(ctx context.Context) error {
			cart, err := newCart(ctx, w.caller)
			if err != nil {
				return err
			}
			return w.exec(ctx, w.ageCarts([]string{cart.id}))
		},
	}, w.exec(ctx, w.ageCarts(ids))
}

// ageCarts has carts be expired.
func (w *ward) ageCarts(ids []string) string {
	soon := time.Now().UTC().AddDate(0, 0, 30) // the lifetime of a new cart
	return fmt.Sprintf(`UPDATE carts SET created_at = %s, expires_at = %s, doc = replace(doc, '"expiresAt":"%d-', '"expiresAt":"%d-') WHERE id IN %s`,
		w.ago(90*24*time.Hour), w.ago(60*24*time.Hour), soon.Year(), soon.Year()-2, list(ids))
}

// plantReservations lets the reservations of some checkouts expire, one of which cannot be released.
func plantReservations(ctx context.Context, w *ward) (dose, error) {
	for range 3 {
		if err := w.reserve(ctx); err != nil {
			return dose{}, err
		}
	}
	holder, err := w.scalar(ctx, "SELECT min(holder) FROM reservations")
	if err != nil {
		return dose{}, err
	}
	if err := w.refuse(ctx, "DELETE", "reservations", "OLD.holder = '"+holder+"'"); err != nil {
		return dose{}, err
	}
	return dose{
		tenant: w.healthy.Tenant, item: holder,
		left: "SELECT count(*) FROM reservations WHERE holder <> '" + holder + "' AND expires_at < " + w.ago(0),
		again: func(ctx context.Context) error {
			if err := w.reserve(ctx); err != nil {
				return err
			}
			return w.expireReservations(ctx)
		},
	}, w.expireReservations(ctx)
}

// reserve opens a payment session, which reserves stock.
func (w *ward) reserve(ctx context.Context) error {
	id, err := w.caller.checkout(ctx, w.variants[0])
	if err == nil {
		_, err = w.caller.must(ctx, sessionOf(id), nil)
	}
	return err
}

func (w *ward) expireReservations(ctx context.Context) error {
	return w.exec(ctx, "UPDATE reservations SET expires_at = "+w.ago(time.Hour))
}

// plantSweeps has one of the parts of a sweep fail.
func plantSweeps(ctx context.Context, w *ward) (dose, error) {
	if err := w.refuse(ctx, "DELETE", "revocations", "OLD.jti = 'poison'"); err != nil {
		return dose{}, err
	}
	at := w.ago(24 * time.Hour)
	again := func(ctx context.Context) error {
		return w.exec(ctx, "INSERT INTO processed_webhooks (tenant, connection, event, expires_at) VALUES ('"+w.healthy.Tenant+"', 'none', 'healthy', "+at+")")
	}
	if err := again(ctx); err != nil {
		return dose{}, err
	}
	return dose{
		item: "revocations where expires_at < $1", left: "SELECT count(*) FROM processed_webhooks WHERE event = 'healthy'", again: again,
	}, w.exec(ctx, "INSERT INTO revocations (jti, revoked_at, expires_at) VALUES ('poison', "+at+", "+at+")")
}

// plantEmailTokens has one of the requests for a mailed token, of addresses without an account, not be finished.
func plantEmailTokens(ctx context.Context, w *ward) (dose, error) {
	if err := w.refuse(ctx, "DELETE", "email_requests", "OLD.id = 'poison'"); err != nil {
		return dose{}, err
	}
	request := func(ctx context.Context, id string) error {
		return w.exec(ctx, "INSERT INTO email_requests (id, collection, purpose, sender, account, email, requested_at, due_at) VALUES ('"+
			id+"', 'users', 'rst', '', '', 'nobody@shop.example', "+w.ago(0)+", "+w.ago(time.Second)+")")
	}
	again := func(ctx context.Context) error { return request(ctx, newKey()) }
	return dose{
		item: "poison", left: "SELECT count(*) FROM email_requests WHERE id <> 'poison'", again: again,
	}, errors.Join(request(ctx, "poison"), again(ctx))
}

// plantUsage has the calls of the ill shop not be counted.
func plantUsage(ctx context.Context, w *ward) (dose, error) {
	return dose{
		tenant: w.ill.Tenant, item: time.Now().UTC().Format(time.DateOnly),
		left: "SELECT CASE count(*) WHEN 0 THEN 1 ELSE 0 END FROM usage_days WHERE tenant = '" + w.healthy.Tenant + "'",
	}, w.refuse(ctx, "INSERT", "usage_days", "NEW.tenant = '"+w.ill.Tenant+"'")
}

// plantStreams has an event of the ill shop come that cannot be read, while its stream is open. On SQLite its time is
// none, on Postgres a policy keeps it from being read.
func plantStreams(_ context.Context, w *ward) (dose, error) {
	of := " WHERE tenant = '" + w.ill.Tenant + "'"
	const latest = " ORDER BY sequence DESC LIMIT 1"
	d := dose{tenant: w.ill.Tenant, left: "SELECT 0", running: []string{ // see readStream for the others
		"INSERT INTO events SELECT tenant, sequence + 1, record, record_sequence + 1, id || 'x', collection, operation, environment, 'poison', changed, doc, previous_doc, actor FROM events" +
			of + latest,
	}, cure: []string{"DELETE FROM events" + of + " AND occurred_at = 'poison'"}}
	if w.postgres != nil {
		d.running = []string{
			"CREATE FUNCTION unreadable() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'this row is poison'; END $$",
			"CREATE POLICY poison ON event_log AS RESTRICTIVE FOR SELECT USING (tenant <> '" + w.ill.Tenant + "' OR unreadable())",
			"INSERT INTO event_log SELECT tenant, sequence + 1, collection, '{poison}', '{1}' FROM event_log" + of + latest,
		}
		d.cure = []string{"DROP POLICY poison ON event_log", "DELETE FROM event_log" + of + " AND records = '{poison}'"}
	}
	d.running = append(d.running, "UPDATE event_counters SET last = last + 1"+of)
	d.cure = append(d.cure, "UPDATE event_counters SET last = last - 1"+of)
	return d, nil
}

// plantFanOut has no deliveries to the endpoint of the ill shop be stored.
func plantFanOut(ctx context.Context, w *ward) (dose, error) {
	ill := newCaller(w.ill.SecretKey, w.caller.bases...)
	for _, c := range []*caller{ill, w.caller} {
		if _, err := c.must(ctx, request{"POST", "/api/webhook-endpoints", newKey(), map[string]any{
			"url": w.receiver.URL, "collections": []string{"brands"},
		}}, nil); err != nil {
			return dose{}, err
		}
	}
	if err := w.refuse(ctx, "INSERT", "webhook_deliveries", "NEW.tenant = '"+w.ill.Tenant+"'"); err != nil {
		return dose{}, err
	}
	again := func(ctx context.Context) error {
		_, err := newBrand(ctx, w.caller, "Announced "+newKey())
		return err
	}
	_, err := newBrand(ctx, ill, "Ill brand")
	return dose{
		tenant: w.ill.Tenant, again: again,
		left: "SELECT count(*) FROM brands b WHERE b.name LIKE 'Announced %' AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.record = b.id AND d.status = 'succeeded')",
	}, errors.Join(err, again(ctx))
}

func newBrand(ctx context.Context, c *caller, name string) (id string, err error) {
	var made struct{ Doc struct{ ID string } }
	_, err = c.must(ctx, request{"POST", "/api/brands", newKey(), map[string]any{"name": name}}, &made)
	return made.Doc.ID, err
}

// plantDeliveries makes events of brands, of which the deletion is delivered without anybody able to say so.
func plantDeliveries(ctx context.Context, w *ward) (dose, error) {
	if err := w.refuse(ctx, "UPDATE", "webhook_deliveries", "NEW.operation = 'delete' AND NEW.status = 'succeeded'"); err != nil {
		return dose{}, err
	}
	id, err := newBrand(ctx, w.caller, "Brand that goes")
	if err != nil {
		return dose{}, err
	}
	if _, err := w.caller.must(ctx, request{"DELETE", "/api/brands/" + id, newKey(), nil}, nil); err != nil {
		return dose{}, err
	}
	made := waitFor(ctx, func() bool {
		n, err := w.scalar(ctx, "SELECT count(*) FROM webhook_deliveries WHERE operation = 'delete'")
		return err == nil && n == "1"
	})
	if made != nil {
		return dose{}, made
	}
	item, err := w.scalar(ctx, "SELECT id FROM webhook_deliveries WHERE operation = 'delete'")
	return dose{
		tenant: w.healthy.Tenant, item: item,
		left: "SELECT count(*) FROM webhook_deliveries WHERE operation = 'create' AND status <> 'succeeded'",
	}, err
}

// plantSequencer has the events of the ill shop get no numbers.
func plantSequencer(ctx context.Context, w *ward) (dose, error) {
	if err := w.refuse(ctx, "INSERT", "event_log", "NEW.tenant = '"+w.ill.Tenant+"' AND NEW.records <> '{poison}'"); err != nil {
		return dose{}, err
	}
	_, err := newBrand(ctx, newCaller(w.ill.SecretKey, w.caller.bases...), "Brand without a number")
	return dose{
		tenant: w.ill.Tenant, left: "SELECT count(*) FROM unnumbered_events WHERE tenant = '" + w.healthy.Tenant + "'",
	}, err
}

// plantFiles makes files that no record names.
func plantFiles(ctx context.Context, w *ward) (dose, error) {
	key := w.healthy.Tenant + "/poison"
	if err := w.refuse(ctx, "DELETE", "pending_blobs", "OLD.key = '"+key+"'"); err != nil {
		return dose{}, err
	}
	row := "INSERT INTO pending_blobs (tenant, key, due_at, deleting) VALUES ('" + w.healthy.Tenant + "', '%s', " + w.ago(time.Hour) + ", FALSE)"
	return dose{
		tenant: w.healthy.Tenant, item: key, left: "SELECT count(*) FROM pending_blobs WHERE key LIKE '%/healthy'",
	}, w.exec(ctx, fmt.Sprintf(row, key), fmt.Sprintf(row, w.healthy.Tenant+"/healthy"))
}

// plantOldEvents makes the first events old, and not those that are still to be delivered.
func plantOldEvents(ctx context.Context, w *ward) (dose, error) {
	for i, p := range w.servers {
		w.servers[i].Env = append(slices.Clip(p.Env), "CARTWRIGHT_EVENT_RETENTION=96h")
	}
	if err := w.refuse(ctx, "INSERT", "event_trims", "NEW.tenant = '"+w.ill.Tenant+"'"); err != nil {
		return dose{}, err
	}
	return dose{
		tenant: w.ill.Tenant,
		left:   "SELECT CASE count(*) WHEN 0 THEN 1 ELSE 0 END FROM event_trims WHERE trimmed > 0 AND tenant = '" + w.healthy.Tenant + "'",
	}, w.exec(ctx, "UPDATE events SET occurred_at = "+w.ago(120*24*time.Hour)+" WHERE collection <> 'brands'")
}
