// Package mails tells people by mail what happens: buyers about their orders, users and customers about their logins, and the team
// about its notifications; and buyers, beside it, by messages to their telephones, where the shop has templates of them (app/messages).
// A Planner follows the event log and writes one record of mail-deliveries for each mail and each message; a Sender of each channel sends
// those that are due. What is said is made of the records when it is sent and is stored nowhere, so that nothing personal is
// kept twice, and no token in the clear. Rules: features/mail/RULES.md, Decisions 78 and 87.
package mails
