// Who is behind the shop, as the law wants it at the foot of each page.

const words = {
  en: { representative: 'Representative', registration: 'Business registration', mailOrder: 'Mail-order report', phone: 'Phone' },
  ko: { representative: '대표자', registration: '사업자등록번호', mailOrder: '통신판매업신고', phone: '전화' },
};

/** The lines of the footer, in Korean for a shop whose locale is Korean, else in English; what the shop does not tell is left out. */
export function business(info) {
  const say = words[info?.locale?.split('-')[0]] ?? words.en;
  const named = (label, value) => (value ? `${label} ${value}` : '');
  const { address1, address2, postalCode } = info?.address ?? {};
  const lines = [
    [info?.businessName, named(say.representative, info?.representative), named(say.registration, info?.registrationNumber),
      named(say.mailOrder, info?.mailOrderNumber)],
    [[postalCode, address1, address2].filter(Boolean).join(' '), named(say.phone, info?.phone), info?.email],
  ];
  return lines.map((parts) => parts.filter(Boolean).join(' · ')).filter(Boolean);
}
