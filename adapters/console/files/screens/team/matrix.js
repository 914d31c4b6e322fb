// What a role permits: work of the back office, and what can be done with the records of each collection.
import { html } from '../../vendor/ui.js';
import { collectionLabel, t } from '../../base/words.js';
import { CheckField } from '../../parts/field.js';
import { Card } from '../../parts/state.js';
import { Icon } from '../../parts/icon.js';

/** @typedef {import('./role.js').Permissions} Permissions */

/** Verbs on records, in the order of the columns. */
const verbs = ['read', 'create', 'update', 'delete'];

const verbOf = (/** @type {string} */ permission) => permission.slice(permission.indexOf(':') + 1);
const slugOf = (/** @type {string} */ permission) => permission.slice(0, permission.indexOf(':'));

/**
 * Matrix shows permissions, and changes them where it may: who may change records reads them, too.
 * @param {{ all: Permissions, has: Set<string>, onChange?: (has: Set<string>) => void }} props
 */
export function Matrix({ all, has, onChange }) {
  const operations = all.filter((p) => !verbs.includes(verbOf(p.permission)));
  const known = new Set(all.map((p) => p.permission));
  const slugs = [...new Set(all.filter((p) => verbs.includes(verbOf(p.permission))).map((p) => slugOf(p.permission)))];
  const set = (/** @type {string} */ permission, /** @type {boolean} */ on) => {
    const next = new Set(has);
    on ? next.add(permission) : next.delete(permission);
    const [slug, verb] = [slugOf(permission), verbOf(permission)];
    if (verbs.includes(verb)) {
      if (on && known.has(`${slug}:read`)) next.add(`${slug}:read`);
      if (!on && verb === 'read') for (const other of verbs) next.delete(`${slug}:${other}`);
    }
    onChange?.(next);
  };
  return html`<div class="matrix">
    <${Card} title=${t('team.operations')}>
      ${operations.map(({ permission, label = '', description }) => html`<${Operation} key=${permission}
        ...${{ permission, label, description, on: has.has(permission), set: onChange && set }} />`)}
    <//>
    <${Card} title=${t('team.records')}><div class="scroll"><table class="rights">
      <thead><tr><th scope="col"><span class="aside">${t('team.records')}</span></th>${verbs.map((verb) => html`<th scope="col" key=${verb}>
        ${t(`team.verb-${verb}`)}</th>`)}</tr></thead>
      <tbody>${slugs.map((slug) => html`<tr key=${slug}><th scope="row">${collectionLabel(slug)}</th>
        ${verbs.map((verb) => html`<td key=${verb}>${known.has(`${slug}:${verb}`) &&
          html`<${Cell} slug=${slug} verb=${verb} on=${has.has(`${slug}:${verb}`)} set=${onChange && set} />`}</td>`)}
      </tr>`)}</tbody>
    </table></div><//>
  </div>`;
}

/** Held is whether a role has a permission, to read. @param {{ on: boolean }} props */
function Held({ on }) {
  return html`<span>${on ? html`<${Icon} name="check" size=${16} />` : html`<span class="none" aria-hidden="true">—</span>`}
    <span class="aside">${t(on ? 'common.yes' : 'common.no')}</span></span>`;
}

/** @typedef {((permission: string, on: boolean) => void) | undefined} Setter */

/** @param {{ permission: string, label: string, description: string, on: boolean, set: Setter }} props */
function Operation({ permission, label, description, on, set }) {
  if (set) return html`<${CheckField} label=${label} help=${description} value=${on} onInput=${(/** @type {boolean} */ v) => set(permission, v)} />`;
  return html`<div class="check"><${Held} on=${on} /><b>${label}</b><p class="help">${description}</p></div>`;
}

/** @param {{ slug: string, verb: string, on: boolean, set: Setter }} props */
function Cell({ slug, verb, on, set }) {
  if (!set) return html`<${Held} on=${on} />`;
  return html`<input type="checkbox" checked=${on} aria-label=${`${collectionLabel(slug)}: ${t(`team.verb-${verb}`)}`}
    onChange=${(/** @type {any} */ e) => set(`${slug}:${verb}`, e.currentTarget.checked)} />`;
}
