// What is held about somebody, and what of it an erasure takes away.
import { html } from '../../vendor/ui.js';
import { number } from '../../base/format.js';
import { href, screenOf } from '../../base/route.js';
import { collectionLabel, fieldLabel, t } from '../../base/words.js';
import { Notice } from '../../parts/state.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/customers/{id}/erasure'>} Held */

/** HeldTable is the records about somebody, with their personal fields. @param {{ held: Pick<Held, 'collections'> }} props */
export function HeldTable({ held }) {
  const some = held.collections.filter((c) => c.records > 0);
  if (some.length === 0) return html`<p class="none">${t('customers.nothingHeld')}</p>`;
  return html`<div class="scroll"><table class="held">
    <thead><tr><th>${t('customers.held')}</th><th class="end">${t('customers.records')}</th><th
      class="end">${t('customers.personal')}</th><th>${t('customers.fields')}</th></tr></thead>
    <tbody>${some.map((c) => html`<tr key=${c.collection}>
      <th scope="row">${collectionLabel(c.collection)}</th>
      <td class="end">${number(c.records)}</td>
      <td class="end">${number(c.personal)}${c.underWay > 0 && html`<small>${t('customers.underWay', { n: c.underWay })}</small>`}</td>
      <td><small>${fieldsOf(c.collection, c.fields)}</small></td>
    </tr>`)}</tbody>
  </table></div>`;
}

/** fieldsOf is the labels of personal fields, each once. @param {string} slug @param {string[]} fields */
function fieldsOf(slug, fields) {
  return [...new Set(fields.map((path) => fieldLabel(slug, path)))].join(', ');
}

/** Blocking is what has to be over before somebody can be erased. @param {{ blocking: Held['blocking'] }} props */
export function Blocking({ blocking }) {
  if (blocking.length === 0) return null;
  return html`<${Notice} kind="warn"><p>${t('customers.blocking', { n: blocking.length })}</p>
    <ul class="blocking">${blocking.slice(0, 12).map(({ collection, record }) => html`<li key=${record}>
      <a href=${href(screenOf(collection, record))}>${collectionLabel(collection, 'one')} <code>${record.slice(-8)}</code></a></li>`)}</ul>
  <//>`;
}
