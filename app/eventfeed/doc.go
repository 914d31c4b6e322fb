// Package eventfeed serves a tenant's numbered event log to programs that follow it, over pages or streams.
// Rules: features/events/RULES.md. The sections below are details that the rules leave open.
//
// # Access
//
// Events are for staff: users by their role, and secret keys with the read scope. Each sees the events of the
// collections it may read, of its environment and of records shared by both environments. Client keys and
// customers see none.
//
// # Positions
//
//   - Events get their sequences after the transaction that wrote them, a moment after the response to the change.
//     To read them, wait for the position in that response's X-Event-Sequence, the recordSequence of the record it
//     shows. All events of a transaction are numbered in one round, those of a record in their order. So once that
//     event is in the log, everything that changed with it or was committed before it is, too; read to the end of
//     the log, since the order within a round is otherwise unspecified. Responses that show several records, file
//     imports and GraphQL return no position.
//   - A page examines a bounded part of the log. With a filter it may be short or empty although there is more:
//     nextAfter is the position up to which it was examined. A page with limit 0 has no events and returns the
//     reader's position.
//   - A sequence that was never assigned is refused: a reader ahead of the log has started with a different
//     log, for example before a restore, and would silently miss the next events.
//   - Events are retained for a limited time. A reader that was away for longer is refused, since it would
//     silently miss some; 0 starts with the oldest retained event.
//   - Newest first (order=desc) pages go down from before, and nextBefore is the number down to which they were examined.
//   - The events of one record are read by their key, without numbers: positions are then recordSequences, and an event is
//     there as soon as its change is committed. Events of orders and money stay in this history when the log is trimmed.
//   - Without a position a stream starts with the next event, a page with the oldest one.
//
// # Timelines
//
// A timeline tells the history of a record for people, with that of the records which are part of it (Schema.TimelineOf), newest
// first, by time and event id. Parts that a role may not read are left out. It is about what the record is in its environment: what
// was deleted is told too, parts that were deleted are not.
//
// # Cost
//
// A process has one reader per followed tenant, however many streams there are, and one common poll for new
// events of all of them. A stream that is behind the buffered events reads the log itself, so a slow client
// costs others nothing, and an idle one only its connection.
package eventfeed
