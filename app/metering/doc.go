// Package metering counts the calls of tenants and refuses those beyond their limits: the monthly limit of the
// tenant's plan and the burst limit of each caller. Rules: features/limits/RULES.md, Decision 22.
//
// # Counting
//
// A call is admitted before it is handled and counted when it was answered, for the day on which it arrived.
// Calls answered with 401 and calls refused by a limit are not counted.
//
// Counts are kept in memory and stored by Run several times a second, so that a crash loses less than a
// second. Each process writes its own rows with absolute numbers, so that repeating a write counts nothing
// twice. At the same time it reads what other processes counted, for tenants whose plan has a limit.
//
// # The monthly limit
//
// With Options.Shared, every call of a tenant with a limit is first counted there, in a round trip that
// concurrent calls share. Without it, or while it does not respond, a call is admitted while the known calls
// are below the limit: none is refused too early, and the limit is exceeded at most by what other processes
// admitted since they last stored their counts. Calls of tenants without a limit cost neither.
//
// The shared counter is not one number. It stores per process how many calls that process has answered and
// has in flight, and every message replaces the whole state of its process, with a version:
//
//   - The limit is not exceeded. A call is admitted if the states of the other processes plus the own state,
//     including all calls awaiting a decision, are within the limit. So the state of a process is never less
//     than what was admitted to it, and the sum exceeds the limit only by what was admitted without Shared. A
//     late or duplicate message has an older version than the one that included the waiting calls, and is
//     ignored.
//   - Under-admission is temporary. A lost response, a failed command or an unreported call leaves a wrong
//     number only until its process sends its next state. Every Flush reports tenants that called within a
//     minute or have calls in flight or not stored.
//   - Data that Shared loses is restored from the stored counts; of every other process at most what it counted
//     since its last Flush is missing, until its next one.
//   - A crashed process leaves behind the calls it had in flight or not stored, less than a second of them.
//     Before a call is refused, at most once per second and tenant, processes that have not reported the tenant
//     for InactiveAfter (by the clock of Shared) are reset to their stored count, read after that check, unless
//     they report in between. A live process that is silent that long has nothing else. A process that was
//     suspended that long has had its calls in flight admitted to others, and reports them when it resumes.
//
// What a shop cannot do without (see operation.Operation.BeyondQuota) is admitted by AdmitBeyondQuota after the
// limit and counted, so that a month can have more calls than its limit, by those alone.
//
// # The share of a visitor
//
// Shoppers (client keys and customers) of one address may use a tenth of the month's calls in a day: what
// anybody on the web can send does not end a shop's month. A storefront that is rendered by a server calls with
// the visitors' addresses (CARTWRIGHT_TRUSTED_PROXIES), or with a secret key. Counts are per process, exchanged
// like those of bursts, and begin anew with a start.
//
// # The burst limit
//
// Bursts are counted per caller over a sliding minute, in memory. Processes exchange the counts of busy
// callers, so that a caller of several processes exceeds the limit by at most a second's calls.
//
// # Decisions
//
// A call with a client key counts for that key together with the client's address; if it carries a capability
// token, it counts for the token too, since anybody can invent tokens. Customers are counted individually, as
// users are. The burst limit is checked first, so that calls over it stay cheap. If neither memory nor the
// database knows the usage, the call is admitted. Calls of platform admins do not count for the tenant:
// otherwise nobody could move a tenant at its limit to a larger plan. A new plan applies when a key's tenant is
// looked up again, within two seconds; a tenant coming from an unlimited plan may then exceed its limit by a
// second's calls.
package metering
