// Package team declares how the people who run a shop work together: who is on what, and by which labels they find it.
// Shoppers see none of it. Rules: features/team/RULES.md.
package team
