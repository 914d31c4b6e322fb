package mail

var inJapanese = map[Kind]said{
	OrderPlaced: {"【{{shopName}}】ご注文を承りました（{{orderNumber}}）", `
# ご注文ありがとうございます

{{#name}}{{name}} 様

{{/name}}
{{orderDate}}のご注文 **{{orderNumber}}** を承りました。

{{lines}}
{{totals}}

{{#address}}
## お届け先
{{address}}
{{/address}}

[ご注文を確認する]({{orderUrl}})
`},
	PaymentWaiting: {"【{{shopName}}】お支払いのご案内{{#orderNumber}}（{{orderNumber}}）{{/orderNumber}}", `
# {{amountDue}} のお支払いをお願いいたします

{{#name}}{{name}} 様

{{/name}}
ご注文{{#orderNumber}} **{{orderNumber}}** {{/orderNumber}}のお支払いをお待ちしております。{{#dueAt}}{{dueAt}}までにお支払いがない場合、ご注文は自動的にキャンセルされます。{{/dueAt}}

{{instructions}}

{{lines}}
{{totals}}
`},
	PaymentReceived: {"【{{shopName}}】お支払いを確認いたしました（{{orderNumber}}）", `
# お支払いありがとうございます

{{#name}}{{name}} 様

{{/name}}
ご注文 **{{orderNumber}}** について {{paidAmount}} のお支払いを確認いたしました。これより商品を準備いたします。

{{lines}}
{{totals}}

[ご注文を確認する]({{orderUrl}})
`},
	OrderShipped: {"【{{shopName}}】商品を発送いたしました（{{orderNumber}}）", `
# 商品を発送いたしました

{{#name}}{{name}} 様

{{/name}}
ご注文 **{{orderNumber}}** の商品を発送いたしました。{{#partial}}残りの商品は別便でお届けいたします。{{/partial}}

{{tracking}}

[配送状況を確認する]({{trackingUrl}})

## 発送した商品
{{lines}}

{{#address}}
## お届け先
{{address}}
{{/address}}
`},
	OrderCanceled: {"【{{shopName}}】ご注文{{#partial}}の一部{{/partial}}をキャンセルいたしました（{{orderNumber}}）", `
# ご注文{{#partial}}の一部{{/partial}}をキャンセルいたしました

{{#name}}{{name}} 様

{{/name}}
ご注文 **{{orderNumber}}** のうち、以下の商品をキャンセルいたしました。

{{lines}}

{{#refundAmount}}
お支払い方法に応じて {{refundAmount}} を返金いたします。銀行やカード会社により数日かかる場合がございます。
{{/refundAmount}}

[ご注文を確認する]({{orderUrl}})
`},
	RefundMade: {"【{{shopName}}】返金のお知らせ（{{orderNumber}}）", `
# {{refundAmount}} を返金いたしました

{{#name}}{{name}} 様

{{/name}}
ご注文 **{{orderNumber}}** について {{refundAmount}} を返金いたしました。銀行やカード会社により、反映まで数日かかる場合がございます。

[ご注文を確認する]({{orderUrl}})
`},
	ReturnRequested: {"【{{shopName}}】返品のお申し込みを承りました（{{orderNumber}}）", `
# 返品のお申し込みを承りました

{{#name}}{{name}} 様

{{/name}}
ご注文 **{{orderNumber}}** の返品のお申し込みを承りました。確認のうえ、あらためてご連絡いたします。ご連絡するまで、商品は発送なさらないようお願いいたします。

{{lines}}
`},
	ReturnApproved: {"【{{shopName}}】返品を承認いたしました（{{orderNumber}}）", `
# 商品をご返送ください

{{#name}}{{name}} 様

{{/name}}
ご注文 **{{orderNumber}}** の返品を承認いたしました。

{{lines}}

{{#returnAddress}}
## ご返送先
{{returnAddress}}
{{/returnAddress}}

{{#refundAmount}}
商品が到着し、問題がないことを確認した後、{{refundAmount}} を返金いたします。
{{/refundAmount}}
`},
	ReturnRejected: {"【{{shopName}}】返品のお申し込みについて（{{orderNumber}}）", `
# 返品をお受けできませんでした

{{#name}}{{name}} 様

{{/name}}
誠に申し訳ございませんが、ご注文 **{{orderNumber}}** の返品をお受けすることができません。

{{#reason}}
理由：{{reason}}
{{/reason}}

{{lines}}
`},
	ReturnReceived: {"【{{shopName}}】返品の商品が到着いたしました（{{orderNumber}}）", `
# 返品の商品が到着いたしました

{{#name}}{{name}} 様

{{/name}}
ご注文 **{{orderNumber}}** からご返送いただいた商品が到着いたしました。

{{lines}}

{{#refundAmount}}
{{refundAmount}} を返金いたします。手続きが完了しましたら、あらためてご連絡いたします。
{{/refundAmount}}
`},
	Invitation: {"【{{shopName}}】{{#inviter}}{{inviter}} 様からの{{/inviter}}{{#platform}}プラットフォーム管理者への{{/platform}}招待", `
# {{^platform}}{{shopName}} へのご招待{{/platform}}{{#platform}}プラットフォーム管理者へのご招待{{/platform}}

{{#name}}{{name}} 様

{{/name}}
{{^platform}}
{{#inviter}}{{inviter}} 様から、{{/inviter}}{{shopName}} の運営メンバーとして招待されました。パスワードを設定すると、すぐにご利用いただけます。
{{/platform}}
{{#platform}}
{{#inviter}}{{inviter}} 様から、{{/inviter}}{{shopName}} のプラットフォームの管理者として招待されました。承諾すると、プラットフォームのすべてのショップを管理できます。お持ちのアカウントでログインして承諾してください。
{{/platform}}

[招待を承諾する]({{url}})

{{#expiresAt}}
このリンクの有効期限は{{expiresAt}}です。
{{/expiresAt}}
お心当たりのない場合は、このメールを破棄してください。
`},
	PasswordReset: {"【{{shopName}}】パスワード再設定のご案内", `
# 新しいパスワードを設定してください

{{#name}}{{name}} 様

{{/name}}
{{shopName}} で、パスワード再設定のお申し込みを受け付けました。

[パスワードを再設定する]({{url}})

{{#expiresAt}}
このリンクは{{expiresAt}}まで、一度だけご利用いただけます。
{{/expiresAt}}
お心当たりのない場合は、このメールを破棄してください。パスワードは変更されません。
`},
	EmailVerification: {"【{{shopName}}】メールアドレスをご確認ください", `
# メールアドレスをご確認ください

{{shopName}} への登録を完了するには、このメールアドレスがご本人のものであることをご確認ください。

[メールアドレスを確認する]({{url}})

{{#expiresAt}}
このリンクの有効期限は{{expiresAt}}です。
{{/expiresAt}}
お心当たりのない場合は、このメールを破棄してください。
`},
	Notice: {"{{title}}", `
# {{title}}

{{text}}

[開く]({{url}})
`},
}
