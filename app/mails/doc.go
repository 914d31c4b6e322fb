// Package mails tells people by mail what happened: buyers about their orders, users and customers about their logins, and the team
// about its notifications. A Planner follows the event log and writes one record of mail-deliveries for each mail, a Sender sends
// those that are due. What a mail says is made of the records when it is sent and is stored nowhere, so that nothing personal is
// kept twice, and no token in the clear. Rules: features/mail/RULES.md, Decision 78.
package mails
