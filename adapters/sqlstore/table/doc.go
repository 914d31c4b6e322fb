// Package table maps a collection to a table: everything is derived from its schema.
//
// # Rows
//
// A row is the document of a record beside typed columns, which are copies of its fields for filters,
// sorting, unique values and indexes; the document is what counts. A Shape has the columns and the statements
// of one collection, and encodes and decodes its rows. Each row carries the version of the shape that wrote
// it (VersionColumn), so that the columns which an older program left empty can be written later.
//
// # Conditions
//
// A Compiler turns conditions and orders into SQL with arguments; nothing of a request becomes SQL text. The
// tenant predicate is part of every condition (TenantScope); row-level security is the second line of
// defense. Membership in lists of relations that a schema marks as indexed is read from the table
// relation_members, which triggers keep; other lists, and searched texts, are read from the documents of the
// whole tenant.
//
// # Languages
//
// Texts that lists sort and filter by in other languages than the default one are in the table listed_texts, which triggers keep, too,
// and each row has a column with the languages that it has a text in. A list in a language is merged from as many indexes as there are
// combinations of languages (TextOrder, Decision 85). Texts in rows are read from the column of texts, by the ids of the rows (Decision 80).
//
// # Events
//
// EventText is what the log of events stores of a change, and PublishedBody what a webhook or the event feed
// shows of it.
package table
