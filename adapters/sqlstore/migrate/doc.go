// Package migrate brings a database to the tables that a program needs, while older instances keep serving.
//
// A migration only ever adds: tables, columns, indexes, triggers, policies. Nothing is dropped, so a database
// that was given a set of definitions once still has them; their hash is kept, and a start that finds it does
// nothing else. On Postgres the definitions come in one short transaction, and indexes of tables with rows
// are built while others write them.
//
// Rows tell by which version of their table they were written. Backfill writes the columns of rows from older
// versions from their documents, a few hundred at a time, at every start and with every sweep, since an older
// instance may still write. A version that has all columns of another one gets the higher number; of two that
// lack columns of each other, the one that came to the database first counts as the older.
//
// Plan lists what a migration would do.
package migrate
