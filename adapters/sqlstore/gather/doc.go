// Package gather reads records by id for many callers in one statement.
package gather
