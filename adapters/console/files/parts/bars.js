import { html } from '../vendor/ui.js';
import { narrow } from '../base/screen.js';

/**
 * Bars is a chart of amounts over time, with a table of the same for those who do not see it.
 * @param {{ label: string, bars: { label: string, value: number, told: string }[] }} props
 */
export function Bars({ label, bars }) {
  if (bars.length === 0) return null;
  const most = Math.max(...bars.map((b) => b.value), 1);
  const step = Math.ceil(bars.length / (narrow.value ? 4 : 8));
  return html`<figure class="bars">
    <div class="bars-plot" aria-hidden="true" style=${{ gridTemplateColumns: `repeat(${bars.length}, minmax(0, 1fr))` }}>
      ${bars.map((b) => html`<i title=${`${b.label}: ${b.told}`} style=${{ height: `${Math.max(b.value > 0 ? 2 : 0, (b.value / most) * 100)}%` }}></i>`)}
    </div>
    <div class="bars-axis" aria-hidden="true" style=${{ gridTemplateColumns: `repeat(${bars.length}, minmax(0, 1fr))` }}>
      ${bars.map((b, i) => html`<span>${i % step === 0 && i + step <= bars.length ? b.label : ''}</span>`)}
    </div>
    <table class="aside"><caption>${label}</caption><tbody>${bars.map((b) => html`<tr><th scope="row">${b.label}</th><td>${b.told}</td></tr>`)}</tbody></table>
  </figure>`;
}
