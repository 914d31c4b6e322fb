import { html, useEffect, useRef } from '../../vendor/ui.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { NumberField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { here } from '../../parts/value.js';
import { itemsOf } from './counting.js';
import { fullName } from './work.js';

/** @typedef {import('./work.js').Line} Line */

/**
 * Lines is what is to be packed, with how much of it is in the parcel.
 * @param {{ lines: Line[], at: number, may: boolean, count: (line: Line) => number, put: (line: Line, n: number) => void, setAt: (at: number) => void,
 *   form: import('../../base/form.js').Form }} props at: the line that plus and minus count
 */
export function Lines({ lines, at, may, count, put, setAt, form }) {
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  // What the shop says is wrong counts the lines that were sent, which those without units are not among.
  const sent = itemsOf(lines, form.values.units);
  const wrong = (/** @type {Line} */ { id }) => form.error(`items.${sent.findIndex((item) => item.orderLine === id)}`);
  return html`<ul class="pack-lines" ref=${list}>${lines.map((line, i) => {
    const n = count(line);
    const full = n === line.left;
    return html`<li key=${line.id} class=${`${may && i === at ? 'at' : ''} ${full ? 'full' : ''}`} aria-current=${may && i === at ? 'true' : undefined}>
      <span class="pack-image">${here(line.image) ? html`<img class="thumb" src=${line.image} alt="" />` : html`<${Icon} name="package" size=${22} />`}</span>
      <span class="pack-name"><b>${line.title}</b>
        <small>${[line.variantTitle, line.sku, line.barcode].filter(Boolean).join(' · ')}</small>
        ${line.choices.map((choice) => html`<small key=${choice}>${choice}</small>`)}
        ${line.left < line.quantity && html`<small>${t('packing.before', { n: line.quantity - line.left })}</small>`}
      </span>
      ${may && line.left > 0 && html`<span class="pack-count">
        <${Button} look="quiet" icon="minus" label=${t('packing.less', { name: fullName(line) })} disabled=${n === 0} onClick=${() => put(line, n - 1)} />
        <${NumberField} label=${t('packing.unitsOf', { name: fullName(line) })} hideLabel value=${n} error=${wrong(line)} onFocus=${() => setAt(i)}
          onInput=${(/** @type {string} */ v) => put(line, Math.trunc(Number(v)) || 0)} />
        <${Button} look="quiet" icon="plus" label=${t('packing.more', { name: fullName(line) })} disabled=${full} onClick=${() => put(line, n + 1)} />
      </span>`}
      <span class="pack-of">${line.left === 0 ? html`<${Icon} name="circle-check" />` : html`<b>${n}</b> / ${line.left}`}</span>
    </li>`;
  })}</ul>`;
}
