// Package background starts and supervises the goroutines that outlive a request, and the loops of the server.
// A panic in one of them ends neither the process nor the others. Rule running-14, Decision 44.
//
// # Three levels
//
// Task.Start starts a goroutine. A panic in it is logged with its stack and counted; those who wait for the
// goroutine have to be answered by other means, so work with waiting callers runs in Task.Call, which makes an
// error of a panic.
//
// Task.Run keeps a loop running until its context ends: when the loop returns or panics, it begins again after a
// delay that doubles up to half a minute.
//
// Task.Do handles one item of a loop: a tenant, a cart, a delivery. An item that fails is tried again after a second,
// and after each further failure twice as late, up to an hour, while the others go on. After maxFailures failures in
// a row it is set aside: it is stored (ports.BackgroundFailures) until it succeeds, for the doctor
// and the metrics to show. What says nothing about the item does not count as its failure: a database or provider that
// is unavailable, and the end of the context.
//
// # When to look for work
//
// Watch looks for work of a loop when a Signal tells of it or the next known work is due, and otherwise after pauses that
// grow while nothing is found: an idle server asks its database a few questions a second, not fifty. Messages only make
// work start sooner. What nobody told of, because a process was killed or a message lost, is found after the longest
// pause, so that this is the promise: five seconds for what somebody waits for. Loop does so for looks that may fail.
//
// Follow is a look of those who follow the events of all tenants, each from a place that is moved by compare-and-set.
//
// # Work inside a request
//
// Parallel spreads the work of one caller over goroutines, and passes a panic of theirs on to the caller.
package background
