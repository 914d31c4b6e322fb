// Package commit makes many small writes durable with one commit: a ports.Committer. Each step is a run of
// changes of one record, with its receipts and what is created beside it, and succeeds or is refused on its
// own. The statements are those of package change, for whole batches at once: with care (batchSQL), or as if
// nothing could be wrong (fastBatch).
package commit
