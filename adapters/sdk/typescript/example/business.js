// Who is behind the shop, as the law wants it at the foot of each page.

import { t } from './words.js';

/** The lines of the footer; what the shop does not tell is left out. */
export function business(info) {
  const named = (label, value) => (value ? `${label} ${value}` : '');
  const { address1, address2, postalCode } = info?.address ?? {};
  const lines = [
    [info?.businessName, named(t('shop.representative'), info?.representative), named(t('shop.registration'), info?.registrationNumber),
      named(t('shop.mail-order'), info?.mailOrderNumber)],
    [[postalCode, address1, address2].filter(Boolean).join(' '), named(t('shop.phone'), info?.phone), info?.email],
  ];
  return lines.map((parts) => parts.filter(Boolean).join(' · ')).filter(Boolean);
}
