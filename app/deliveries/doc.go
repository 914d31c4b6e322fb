// Package deliveries sends events to webhook endpoints: it fans events out to endpoints and makes the requests,
// at least once. Rules webhooks-1, webhooks-7, webhooks-8, Decision 13.
//
// # Instances
//
// Every instance runs it. The deliveries decided for a tenant are stored together with the tenant's cursor in
// the event log; of two instances that decide on the same events, one fails to advance the cursor and
// continues from its new position. Due deliveries are claimed, so that one instance at a time sends them, and
// another one sends them again when the claim expires.
//
// # Concurrency
//
// Endpoints do not wait for each other. An endpoint with due deliveries has its own runner and its own limit of
// concurrent requests, which grows by one with each success and halves with each failure. Up to that limit its
// requests do not wait for each other either. After several consecutive failures an endpoint is paused for a
// backoff that doubles each time, and then tried with a single request. So a hanging endpoint costs a few
// connections, however much is due for it. Results of all endpoints are stored in common batches.
//
// The requests of all tenants share a pool of slots, and each tenant may use a part of it, so that a tenant
// with thousands of hanging endpoints delays its own deliveries only. An endpoint has a runner only while it
// has a slot.
//
// # Failures
//
// A failure of this server – its database, its limit of open files, its shutdown – does not count against the
// endpoint: no attempt is recorded, and the claimed deliveries are made later. A secret that cannot be
// decrypted is a failed attempt, which the tenant can see and repair by rotating the secret.
//
// # Tokens
//
// A token for a user or customer is sealed into its event and sent with the first delivery of that event to
// endpoints that list the collection explicitly, and deleted once delivered. A redelivery requested by an
// operator carries no token. Rule access-9.
package deliveries
