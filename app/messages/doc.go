// Package messages is what a shop's messages to telephones need besides what mails have: its message service, whose secret is sealed,
// and the templates that the service has approved. Rules: features/mail/RULES.md, Decision 87.
//
// Whether a message is sent, and all that becomes of it, is decided by app/mails, whose deliveries have both channels. A message is
// planned beside a mail where the buyer has a number in E.164 and the shop a template of the kind in a language that it may be told in.
//
// # What a message service does
//
// It takes POST requests with JSON, signed as webhooks are (webhook-id, webhook-timestamp, webhook-signature):
//
//	{id, kind, to, locale, templateCode, senderKey?, text, variables: {name: value}, buttons?: [{name, url}], fallbackText?}
//
// and answers within ten seconds with {status: "accepted" | "refused" | "later", reason?} in at most 1 KiB. A request of the kind
// connection_test has no message: it asks whether the signature is right. Requests with an id that was accepted before are answered in the
// same way and send nothing.
package messages
