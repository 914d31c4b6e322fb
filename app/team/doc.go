// Package team is how the people who run a shop work together: what they say about records, and what
// they are told. Rules: features/team/RULES.md.
package team
