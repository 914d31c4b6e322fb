// The permissions of operations: a label, and what it lets people do.
export default {
  'draft-orders:price': { label: '수기 주문 가격 정하기', help: '수기 주문의 품목별 단가와 할인을 정합니다.' },
  'mails:resend': { label: '메일 다시 보내기', help: '보낸 메일이나 보내지 못한 메일을 다시 보냅니다.' },
  'orders:cancel': { label: '주문 취소', help: '주문 전체나 일부를 취소하고 결제한 금액을 돌려줍니다.' },
  'orders:fulfill': { label: '출고·배송 처리', help: '포장, 발송, 배송 완료와 운송장 파일을 처리하고, 주문을 배송 준비부터 구매 확정까지 진행합니다.' },
  'orders:import': { label: '주문 가져오기', help: '다른 시스템의 주문을 가져옵니다.' },
  'orders:refund': { label: '주문 환불', help: '주문 금액의 일부나 전부를 환불합니다.' },
  'payments:capture': { label: '결제 매입', help: '승인된 결제를 매입합니다.' },
  'payments:reconcile': { label: '결제 대사', help: 'PG사의 결제에 맞는 결제 시도를 찾고, PG사의 결과에 맞추어 정리합니다.' },
  'payments:record': { label: '결제 직접 처리', help: '주문을 결제 완료, 결제 실패, 결제 대기로 직접 바꿉니다.' },
  'payments:resolve': { label: '결제 문제 처리', help: '확인 필요한 결제를 처리하고, 진행 중인 결제를 취소하거나 해제하고, 직접 연동 결제를 확인합니다.' },
  'returns:decide': { label: '반품 처리', help: '반품을 접수하고 승인, 거부, 입고 처리합니다.' },
  'returns:refund': { label: '반품 환불', help: '반품한 금액을 환불합니다.' },
  'stock:adjust': { label: '재고 조정', help: '재고 수량을 바로잡고, 상품과 옵션에서도 재고를 고칩니다.' },
};
