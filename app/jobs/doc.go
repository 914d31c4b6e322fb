// Package jobs runs work that takes longer than a request: exports and imports (see package domain/job). Each collection of
// jobs is a Kind. Every instance runs a Runner; which of them has a job is decided by the database.
//
// A kind does its work in chunks. Run.Checkpoint is the transaction of a chunk: it stores what the chunk changed together
// with how far the job is, and only while the job is still held, so that whatever happens, a chunk counts once and the job
// goes on after the last one. A runner that was killed, or that stood still for longer than a lease, finds at its next
// checkpoint that it has lost the job. Rules transfers-1, transfers-2, Decision 51.
package jobs
