// Package taxservice asks for the taxes of sales: Table the rates that a shop keeps itself, App a service that a shop chose, by the
// JSON contract in GUIDE.md, behind which any service stands with a small bridge.
//
// # What a service can cost
//
// The address of a service is whatever a shop typed, so requests are sent by the sender of webhooks, which dials public addresses
// alone and follows no redirects (Decision 29), and signed as webhooks are. A call has five seconds, and an answer 1 MiB. Each
// connection has a circuit breaker and sixteen calls at once: a service that hangs costs the first buyers five seconds each, and
// everybody after them none. What it answered is checked by the domain (tax.Rules.Check), and refused as a whole if it cannot be right.
package taxservice
