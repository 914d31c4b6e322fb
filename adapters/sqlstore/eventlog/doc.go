// Package eventlog numbers the events of committed changes, tenant by tenant, reads them in that order, and
// trims what is old. Package change writes the events.
package eventlog
