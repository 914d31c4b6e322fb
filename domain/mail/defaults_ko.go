package mail

var inKorean = map[Kind]said{
	OrderPlaced: {"[{{shopName}}] 주문이 접수되었습니다 ({{orderNumber}})", `
# 주문해 주셔서 감사합니다

{{#name}}{{name}} 님, {{/name}}{{orderDate}}에 주문하신 **{{orderNumber}}** 주문이 접수되었습니다.

{{lines}}
{{totals}}

{{#address}}
## 배송지
{{address}}
{{/address}}

[주문 내역 보기]({{orderUrl}})
`},
	PaymentWaiting: {"[{{shopName}}] 입금 안내{{#orderNumber}} ({{orderNumber}}){{/orderNumber}}", `
# {{amountDue}} 결제를 기다리고 있습니다

{{#name}}{{name}} 님, {{/name}}{{#orderNumber}}**{{orderNumber}}** {{/orderNumber}}주문의 결제를 기다리고 있습니다.{{#dueAt}} {{dueAt}}까지 결제되지 않으면 주문이 자동으로 취소됩니다.{{/dueAt}}

{{instructions}}

{{lines}}
{{totals}}
`},
	PaymentReceived: {"[{{shopName}}] 결제가 완료되었습니다 ({{orderNumber}})", `
# 결제가 완료되었습니다

{{#name}}{{name}} 님, {{/name}}**{{orderNumber}}** 주문의 {{paidAmount}} 결제가 확인되었습니다. 곧 상품을 준비하겠습니다.

{{lines}}
{{totals}}

[주문 내역 보기]({{orderUrl}})
`},
	OrderShipped: {"[{{shopName}}] 상품이 발송되었습니다 ({{orderNumber}})", `
# 상품이 발송되었습니다

{{#name}}{{name}} 님, {{/name}}**{{orderNumber}}** 주문의 상품을 발송했습니다.{{#partial}} 나머지 상품은 따로 발송됩니다.{{/partial}}

{{tracking}}

[배송 조회]({{trackingUrl}})

## 발송 상품
{{lines}}

{{#address}}
## 배송지
{{address}}
{{/address}}
`},
	OrderCanceled: {"[{{shopName}}] 주문{{#partial}} 일부가{{/partial}}{{^partial}}이{{/partial}} 취소되었습니다 ({{orderNumber}})", `
# 주문{{#partial}} 일부가{{/partial}}{{^partial}}이{{/partial}} 취소되었습니다

{{#name}}{{name}} 님, {{/name}}**{{orderNumber}}** 주문에서 아래 상품이 취소되었습니다.

{{lines}}

{{#refundAmount}}
결제하신 방법으로 환불해 드립니다. 환불 금액: {{refundAmount}}. 은행이나 카드사에 따라 며칠이 걸릴 수 있습니다.
{{/refundAmount}}

[주문 내역 보기]({{orderUrl}})
`},
	RefundMade: {"[{{shopName}}] 환불이 완료되었습니다 ({{orderNumber}})", `
# {{refundAmount}} 환불이 완료되었습니다

{{#name}}{{name}} 님, {{/name}}**{{orderNumber}}** 주문의 {{refundAmount}} 환불이 처리되었습니다. 은행이나 카드사에 따라 확인까지 며칠이 걸릴 수 있습니다.

[주문 내역 보기]({{orderUrl}})
`},
	ReturnRequested: {"[{{shopName}}] 반품 신청이 접수되었습니다 ({{orderNumber}})", `
# 반품 신청이 접수되었습니다

{{#name}}{{name}} 님, {{/name}}**{{orderNumber}}** 주문의 반품 신청이 접수되었습니다. 확인 후 다시 안내해 드립니다. 안내를 받으시기 전에는 상품을 보내지 말아 주십시오.

{{lines}}
`},
	ReturnApproved: {"[{{shopName}}] 반품이 승인되었습니다 ({{orderNumber}})", `
# 상품을 보내 주십시오

{{#name}}{{name}} 님, {{/name}}**{{orderNumber}}** 주문의 반품이 승인되었습니다.

{{lines}}

{{#returnAddress}}
## 보내실 곳
{{returnAddress}}
{{/returnAddress}}

{{#refundAmount}}
상품이 도착하고 이상이 없으면 환불해 드립니다. 환불 예정 금액: {{refundAmount}}
{{/refundAmount}}
`},
	ReturnRejected: {"[{{shopName}}] 반품 신청 결과 안내 ({{orderNumber}})", `
# 반품이 승인되지 않았습니다

{{#name}}{{name}} 님, {{/name}}죄송하지만 **{{orderNumber}}** 주문의 반품 신청을 승인해 드릴 수 없습니다.

{{#reason}}
사유: {{reason}}
{{/reason}}

{{lines}}
`},
	ReturnReceived: {"[{{shopName}}] 반품 상품이 도착했습니다 ({{orderNumber}})", `
# 반품 상품이 도착했습니다

{{#name}}{{name}} 님, {{/name}}**{{orderNumber}}** 주문에서 보내신 반품 상품이 도착했습니다.

{{lines}}

{{#refundAmount}}
환불이 처리되면 다시 안내해 드립니다. 환불 예정 금액: {{refundAmount}}
{{/refundAmount}}
`},
	Invitation: {"[{{shopName}}] {{#inviter}}{{inviter}} 님이 보낸 {{/inviter}}{{#platform}}플랫폼 관리자 {{/platform}}초대장입니다", `
# {{^platform}}{{shopName}}에 초대되었습니다{{/platform}}{{#platform}}플랫폼 관리자로 초대되었습니다{{/platform}}

{{^platform}}
{{#name}}{{name}} 님, {{/name}}{{#inviter}}{{inviter}} 님이 {{shopName}}의 운영자로 초대했습니다.{{/inviter}}{{^inviter}}{{shopName}}의 운영자로 초대되었습니다.{{/inviter}} 비밀번호를 정하면 바로 시작할 수 있습니다.
{{/platform}}
{{#platform}}
{{#name}}{{name}} 님, {{/name}}{{#inviter}}{{inviter}} 님이 {{/inviter}}{{shopName}}의 플랫폼을 관리하도록 초대했습니다. 수락하면 플랫폼의 모든 쇼핑몰을 관리할 수 있습니다. 사용하시는 계정으로 로그인해 수락해 주십시오.
{{/platform}}

[초대 수락하기]({{url}})

{{#expiresAt}}
링크는 {{expiresAt}}까지 사용할 수 있습니다.
{{/expiresAt}}
모르는 쇼핑몰이라면 이 메일을 무시해 주십시오.
`},
	PasswordReset: {"[{{shopName}}] 비밀번호 재설정 안내", `
# 새 비밀번호를 정해 주십시오

{{#name}}{{name}} 님, {{/name}}{{shopName}}에서 비밀번호 재설정 요청을 받았습니다.

[비밀번호 재설정]({{url}})

{{#expiresAt}}
링크는 {{expiresAt}}까지 한 번만 사용할 수 있습니다.
{{/expiresAt}}
요청하신 적이 없다면 이 메일을 무시해 주십시오. 비밀번호는 바뀌지 않습니다.
`},
	EmailVerification: {"[{{shopName}}] 이메일 주소를 확인해 주십시오", `
# 이메일 주소를 확인해 주십시오

{{shopName}} 가입을 마치려면 본인의 이메일 주소인지 확인해 주십시오.

[이메일 주소 확인]({{url}})

{{#expiresAt}}
링크는 {{expiresAt}}까지 사용할 수 있습니다.
{{/expiresAt}}
가입하신 적이 없다면 이 메일을 무시해 주십시오.
`},
	Notice: {"{{title}}", `
# {{title}}

{{text}}

[열어 보기]({{url}})
`},
}
