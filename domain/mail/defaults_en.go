package mail

var inEnglish = map[Kind]said{
	OrderPlaced: {"Your order {{orderNumber}} at {{shopName}}", `
# Thank you for your order

Hello{{#name}} {{name}}{{/name}}, we have received your order **{{orderNumber}}** of {{orderDate}}.

{{lines}}
{{totals}}

{{#address}}
## Delivery address
{{address}}
{{/address}}

[See your order]({{orderUrl}})
`},
	PaymentWaiting: {"How to pay for your order{{#orderNumber}} {{orderNumber}}{{/orderNumber}}", `
# Please pay {{amountDue}}

Hello{{#name}} {{name}}{{/name}}, your order{{#orderNumber}} **{{orderNumber}}**{{/orderNumber}} waits for your payment.{{#dueAt}} Please pay by {{dueAt}}, or else the order is canceled.{{/dueAt}}

{{instructions}}

{{lines}}
{{totals}}
`},
	PaymentReceived: {"We have received your payment for order {{orderNumber}}", `
# Thank you for your payment

Hello{{#name}} {{name}}{{/name}}, we have received {{paidAmount}} for your order **{{orderNumber}}**. We are preparing it now.

{{lines}}
{{totals}}

[See your order]({{orderUrl}})
`},
	OrderShipped: {"Your order {{orderNumber}} is on its way", `
# Your parcel is on its way

Hello{{#name}} {{name}}{{/name}}, we have handed over a parcel of your order **{{orderNumber}}** to the carrier.{{#partial}} The rest comes in another parcel.{{/partial}}

{{tracking}}

[Track the parcel]({{trackingUrl}})

## In this parcel
{{lines}}

{{#address}}
## Delivery address
{{address}}
{{/address}}
`},
	OrderCanceled: {"{{#partial}}A part of your order{{/partial}}{{^partial}}Your order{{/partial}} {{orderNumber}} was canceled", `
# {{#partial}}A part of your order{{/partial}}{{^partial}}Your order{{/partial}} was canceled

Hello{{#name}} {{name}}{{/name}}, the following was canceled in your order **{{orderNumber}}**.

{{lines}}

{{#refundAmount}}
We give back {{refundAmount}} the way you paid. Your bank or card company may take a few days.
{{/refundAmount}}

[See your order]({{orderUrl}})
`},
	RefundMade: {"Your refund for order {{orderNumber}}", `
# We have refunded {{refundAmount}}

Hello{{#name}} {{name}}{{/name}}, we have refunded {{refundAmount}} for your order **{{orderNumber}}**. Your bank or card company may take a few days to show it.

[See your order]({{orderUrl}})
`},
	ReturnRequested: {"We have received your return request for order {{orderNumber}}", `
# Your return request

Hello{{#name}} {{name}}{{/name}}, we have received your request to return goods of your order **{{orderNumber}}**. We will tell you as soon as we have decided on it. Please do not send anything before.

{{lines}}
`},
	ReturnApproved: {"Your return for order {{orderNumber}} was accepted", `
# Please send the goods back

Hello{{#name}} {{name}}{{/name}}, we have accepted your return of goods of your order **{{orderNumber}}**.

{{lines}}

{{#returnAddress}}
## Please send them to
{{returnAddress}}
{{/returnAddress}}

{{#refundAmount}}
When they have arrived and are in order, we refund {{refundAmount}}.
{{/refundAmount}}
`},
	ReturnRejected: {"About your return request for order {{orderNumber}}", `
# We cannot accept your return

Hello{{#name}} {{name}}{{/name}}, we are sorry: we cannot accept the return of goods of your order **{{orderNumber}}**.

{{#reason}}
The reason: {{reason}}
{{/reason}}

{{lines}}
`},
	ReturnReceived: {"Your return for order {{orderNumber}} has arrived", `
# Your return has arrived

Hello{{#name}} {{name}}{{/name}}, the goods that you sent back from your order **{{orderNumber}}** have arrived.

{{lines}}

{{#refundAmount}}
We refund {{refundAmount}}, and tell you when it is on its way.
{{/refundAmount}}
`},
	Invitation: {"{{#inviter}}{{inviter}} invites you{{/inviter}}{{^inviter}}You are invited{{/inviter}} to {{#platform}}run the platform of {{/platform}}{{shopName}}", `
# {{^platform}}Welcome to {{shopName}}{{/platform}}{{#platform}}Help run the platform{{/platform}}

{{^platform}}
Hello{{#name}} {{name}}{{/name}}, {{#inviter}}{{inviter}} invites you{{/inviter}}{{^inviter}}you are invited{{/inviter}} to work in the shop {{shopName}}. Choose a password to begin.
{{/platform}}
{{#platform}}
Hello{{#name}} {{name}}{{/name}}, {{#inviter}}{{inviter}} invites you{{/inviter}}{{^inviter}}you are invited{{/inviter}} to be an administrator of the platform that {{shopName}} is on, with access to all of its shops. Log in with your account to accept.
{{/platform}}

[Accept the invitation]({{url}})

{{#expiresAt}}
The link works until {{expiresAt}}.
{{/expiresAt}}
If you do not know the shop, ignore this mail.
`},
	PasswordReset: {"Your new password at {{shopName}}", `
# Choose a new password

Hello{{#name}} {{name}}{{/name}}, somebody, probably you, asked for a new password at {{shopName}}.

[Choose a new password]({{url}})

{{#expiresAt}}
The link works once, and until {{expiresAt}}.
{{/expiresAt}}
If it was not you, ignore this mail: your password stays as it is.
`},
	EmailVerification: {"Please confirm your email address for {{shopName}}", `
# Please confirm your email address

Please confirm that this address is yours to finish signing up at {{shopName}}.

[Confirm this address]({{url}})

{{#expiresAt}}
The link works until {{expiresAt}}.
{{/expiresAt}}
If you did not sign up, ignore this mail.
`},
	Notice: {"{{title}}", `
# {{title}}

{{text}}

[Open it]({{url}})
`},
}
