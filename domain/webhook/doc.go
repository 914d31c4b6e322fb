// Package webhook holds the rules of webhooks: which endpoint receives which event, what a delivery is, when
// it is retried, and when an endpoint is disabled. It uses no clock, network or database. Rules:
// features/webhooks/RULES.md. What follows are details that they leave open.
//
// # Events
//
//   - An endpoint and an event have one delivery. Its id is the webhook-id of all its attempts, including
//     retries, redeliveries and replays, so that consumers can detect duplicates.
//   - An endpoint receives the events numbered after it was created or last enabled. A replay delivers
//     earlier ones.
//   - An endpoint receives only what everyone may read who created it, or changed its address or subscription
//     since: its audience is the weakest of theirs.
//   - Tokens are delivered only to endpoints that name the collection and may read it; tokens of users only
//     to live endpoints.
//   - A pending delivery is checked again when it is sent, since the audience of its endpoint may have changed.
//
// # Attempts
//
//   - An attempt fails unless its answer is 2xx. Redirects are not followed.
//   - An answer of 410 disables the endpoint, and so do three days with nothing but failures.
//   - Retry-After of 429 and 503 makes the next attempt later, never earlier, and by a day at most.
//   - Jitter makes attempts up to a fifth later than the published schedule, never earlier.
//   - A delivery that is due while its endpoint is disabled or deleted is discarded, and so is one that has not
//     succeeded when its event is three days old. Both record the reason, and a replay delivers them again.
//
// # Tests and limits
//
//   - A test delivery is a single attempt. It does not affect the health of its endpoint, and reaches a
//     disabled endpoint too, so that it can be tested before it is enabled.
//   - The limit of a plan counts all endpoints of a tenant, of both environments, enabled or not.
package webhook
