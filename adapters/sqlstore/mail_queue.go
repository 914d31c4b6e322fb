package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MailQueue is a ports.MailQueue.
type MailQueue struct{ db *db.DB }

var _ ports.MailQueue = MailQueue{}

// nextDueShop is the first shop after another one with mails under way.
func nextDueShop(after string) string {
	return "(SELECT d.tenant FROM mail_deliveries d WHERE d.next_attempt_at IS NOT NULL AND d.tenant > " + after + " ORDER BY d.tenant LIMIT 1)"
}

// dueMailShops jumps from one shop with mails under way to the next, however many each has.
var dueMailShops = "WITH RECURSIVE e(tenant) AS (SELECT " + nextDueShop("$1") + " UNION ALL SELECT " + nextDueShop("e.tenant") +
	" FROM e WHERE e.tenant IS NOT NULL) SELECT tenant FROM e WHERE tenant IS NOT NULL AND EXISTS (SELECT 1 FROM mail_deliveries d" +
	" WHERE d.tenant = e.tenant AND d.next_attempt_at IS NOT NULL AND d.next_attempt_at <= $2 AND COALESCE(d.channel, 'mail') = $4) ORDER BY tenant LIMIT $3"

// DueShops implements ports.MailQueue.
func (q MailQueue) DueShops(
	ctx context.Context, channel mail.Channel, after tenant.ID, now time.Time, limit int,
) (all []tenant.ID, err error) {
	err = db.Query(ctx, q.db.Reader(db.SystemScope), func(r db.Row) error {
		var id tenant.ID
		err := r.Scan(&id)
		all = append(all, id)
		return err
	}, dueMailShops, string(after), now, int64(limit), string(channel))
	if err != nil {
		return nil, fmt.Errorf("look for shops with mails that are due: %w", err)
	}
	return all, nil
}
