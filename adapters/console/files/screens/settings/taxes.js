// What is taxed where: by country its markets, which say how prices are meant, and its rates; below, what was taken.
import { html } from '../../vendor/ui.js';
import { countryName, rate as digits, time } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { useAddressForm } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { Badge, Card, Empty, Loading, Notice, Page, Refused } from '../../parts/state.js';
import { TaxReport } from './tax_report.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['TaxRate']} Rate */
/** @typedef {import('../../vendor/sdk.js').Schemas['Market']} Market */

/** How many rates are shown; a shop with more has the list. */
const most = 500;

export default function TaxesScreen() {
  const read = async (/** @type {AbortSignal} */ signal) => {
    const [rates, markets] = await Promise.all([
      api.collections.from('tax-rates').find({ limit: most, sort: 'country' }, { signal }),
      can('markets:read')
        ? api.collections.from('markets').find({ where: { status: { equals: 'active' } }, limit: 100, sort: 'name' }, { signal }) : null,
    ]);
    return { rates: rates.docs, all: rates.totalDocs, markets: markets?.docs ?? [] };
  };
  const { data, refusal, reload } = useQuery('taxes', read, { live: ['tax-rates', 'markets'] });
  const countries = byCountry(data?.rates ?? [], data?.markets ?? []);
  const top = html`<div class="actions"><${Button} href=${href('/records/tax-rates')}>${t('setup.taxesAll')}<//>
    ${can('tax-rates:create') && html`<${Button} look="primary" icon="plus" href=${href('/taxes/new')}>${t('common.add')}<//>`}</div>`;
  return html`<${Page} title=${t('setup.taxes')} top=${top} class="single">
    <p class="help">${t('setup.taxesText')}</p>
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} />`}
    ${data && countries.length === 0 && html`<${Empty} icon="banknote" title=${t('setup.noTaxes')} text=${t('setup.noTaxesText')} />`}
    ${data && data.all > most && html`<${Notice}>${t('setup.taxesFirst', { most, n: data.all })}<//>`}
    ${countries.map((of) => html`<${Country} key=${of.country} ...${of} />`)}
    ${can('orders:read') && can('transactions:read') && html`<${TaxReport} />`}
  <//>`;
}

/**
 * byCountry groups rates and the markets that compute taxes by country, in the order of the names of the countries.
 * @template {{ country: string }} R @template {{ countries: string[], taxes: string | null }} M
 * @param {R[]} rates @param {M[]} markets
 */
export function byCountry(rates, markets) {
  const taxed = markets.filter((m) => m.taxes && m.taxes !== 'off');
  const codes = [...new Set([...taxed.flatMap((m) => m.countries), ...rates.map((r) => r.country)])];
  return codes
    .map((country) => ({ country, rates: rates.filter((r) => r.country === country), markets: taxed.filter((m) => m.countries.includes(country)) }))
    .sort((a, b) => countryName(a.country).localeCompare(countryName(b.country)));
}

/** @param {{ country: string, rates: Rate[], markets: Market[] }} props */
function Country({ country, rates, markets }) {
  const form = useAddressForm(rates.some((r) => r.province) ? country : undefined);
  const label = (/** @type {string} */ name) => fieldLabel('tax-rates', name);
  return html`<${Card} title=${countryName(country)}>
    ${markets.map((m) => html`<p key=${m.id}><a href=${href(`/records/markets/${m.id}`)}>${m.name}</a> <small>${way(m)}</small></p>`)}
    ${rates.length === 0 ? html`<p class="help">${t('setup.taxesNoRate')}</p>`
      : html`<div class="scroll"><table class="zones"><caption class="aside">${t('setup.taxesOf', { country: countryName(country) })}</caption>
      <thead><tr><th scope="col">${label('name')}</th><th scope="col">${t('setup.taxesWhere')}</th><th scope="col">${label('classes')}</th><th scope="col">
        ${label('priority')}</th><th scope="col" class="end">${label('percent')}</th></tr></thead>
      <tbody>${rates.map((r) => html`<tr key=${r.id}>
        <th scope="row"><a href=${href(`/taxes/${r.id}`)}>${r.name}</a> ${!r.active && html`<${Badge}>${t('setup.disabled')}<//>`}
          <${Span} rate=${r} /></th>
        <td>${whereOf(r, form?.fields)}</td>
        <td>${r.classes.map((c) => optionLabel('tax-rates', 'classes', c)).join(', ')}</td><td>${r.priority}</td><td class="end">${digits(r.percent ?? 0)}%</td>
      </tr>`)}</tbody>
    </table></div>`}
  <//>`;
}

/** Span is when a rate applies, if not always, and whether that is now. @param {{ rate: Rate }} props */
function Span({ rate: { validFrom, validTo } }) {
  const when = whenOf({ validFrom, validTo }, Date.now());
  const said = (/** @type {string | null} */ at) => (at ? time(at) : '');
  return html`${when && html`<${Badge} tone=${when === 'coming' ? 'wait' : 'neutral'}>${t(when === 'coming' ? 'setup.taxComing' : 'setup.taxEnded')}<//>`}
    ${(validFrom || validTo) && html`<small class="help">${said(validFrom)} – ${said(validTo)}</small>`}`;
}

/**
 * whenOf tells of a rate that does not apply at a time whether it does later, or did.
 * @param {{ validFrom: string | null, validTo: string | null }} rate @param {number} now milliseconds @returns {'coming' | 'ended' | ''}
 */
export function whenOf({ validFrom, validTo }, now) {
  if (validTo && Date.parse(validTo) <= now) return 'ended';
  return validFrom && Date.parse(validFrom) > now ? 'coming' : '';
}

/** way is how a market means its prices, what it rounds and how it taxes shipping. @param {Market} m */
function way(m) {
  const said = /** @type {const} */ (['taxRounding', 'shippingTax'])
    .flatMap((name) => (m[name] ? [`${fieldLabel('markets', name)}: ${optionLabel('markets', name, m[name])}`] : []));
  return [optionLabel('markets', 'taxes', m.taxes ?? ''), ...said].join(' · ');
}

/**
 * whereOf is the part of its country that a rate is for, by the name of its province.
 * @param {{ province?: string | null, postalFrom?: string | null, postalTo?: string | null }} rate
 * @param {readonly { name: string, options?: readonly { value: string, label: string }[] | null }[] | undefined} fields of addresses there
 */
export function whereOf({ province, postalFrom, postalTo }, fields) {
  const named = fields?.find((f) => f.name === 'province')?.options?.find((o) => o.value === province)?.label ?? province;
  const codes = postalFrom && (postalTo && postalTo !== postalFrom ? `${postalFrom}–${postalTo}` : postalFrom);
  return [named, codes].filter(Boolean).join(', ') || t('setup.taxesEverywhere');
}
