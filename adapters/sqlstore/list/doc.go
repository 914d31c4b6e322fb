// Package list answers lists of records: a page and how many there are in all. It caches counts and where
// pages ended, and brings both up to date from the events that came since (cachedList, changeFeed).
package list
