// The views of a list: to choose one, to keep what is shown as one, to change and to share it.
import { html, useEffect, useState } from '../vendor/ui.js';
import { useForm } from '../base/form.js';
import { useShortcuts } from '../base/keys.js';
import { searched } from '../base/route.js';
import { can, idOf, user } from '../base/shop.js';
import { bare, leave, queryOf, saved, stored } from '../base/views.js';
import { fieldLabel, t } from '../base/words.js';
import { confirm } from './dialog.js';
import { CheckField, TextField } from './field.js';
import { FormDialog } from './form.js';
import { Menu } from './menu.js';
import { complain, tell } from './toast.js';

/** @typedef {import('../base/views.js').View} View */

/**
 * @typedef {object} ViewsProps
 * @property {import('../base/schema.js').Schema} schema
 * @property {View[]} views
 * @property {View | undefined} view the one that is shown
 * @property {() => void} reload
 * @property {{ where: any, sort: string, columns: string[], q: string }} shown the list as it stands
 * @property {string[]} columns that the list shows by itself
 */

/** @param {ViewsProps} props */
export function Views({ schema, views, view, reload, shown, columns }) {
  const [saving, setSaving] = useState(/** @type {'' | 'new' | 'change'} */ (''));
  const now = { where: shown.where ?? null, sort: shown.sort, columns: stored(shown.columns, schema), q: shown.q || null };
  const told = (/** @type {{ where: any, sort: string | null, columns: string[], q: string | null }} */ v) => JSON.stringify([v.where ?? null, v.sort ?? '', v.columns, v.q ?? '']);
  const changed = view !== undefined && told(view) !== told(now);
  const mine = view && (idOf(view.owner) === user.value?.id || can('users:update'));
  const choose = (/** @type {View} */ v) => searched(queryOf(v, schema, columns), { replace: false });
  useEffect(() => {
    if (view && bare(new URLSearchParams(location.search))) searched(queryOf(view, schema, columns));
  }, [view?.id]);

  /** done does something to the view that is shown. @param {() => Promise<unknown>} work @param {string} told */
  const done = async (work, told) => {
    try {
      await work();
      tell(told);
    } catch (e) {
      complain(e);
    }
    reload();
  };
  const update = (/** @type {View} */ v) => done(() => saved.update(v.id, { ...now, expectedRevision: v.revision }), t('list.viewUpdated', { name: v.name }));
  const remove = async (/** @type {View} */ v) => {
    const text = t(v.shared ? 'list.viewDeleteShared' : 'list.viewDeleteText');
    if (!(await confirm({ title: t('list.viewDelete', { name: v.name }), text, action: t('common.delete'), danger: true }))) return;
    await done(async () => {
      await saved.remove(v.id);
      leave();
    }, t('list.viewDeleted', { name: v.name }));
  };
  const items = [
    { label: t('list.viewNone'), on: !view, run: leave },
    ...views.map((v) => ({ label: v.shared ? t('list.viewShared', { name: v.name }) : v.name, on: v.id === view?.id, run: () => choose(v) })),
    /** @type {const} */ ('line'),
    { label: t('list.viewSave'), icon: 'plus', run: () => setSaving('new') },
    ...(view && mine
      ? [
          { label: t('list.viewUpdate', { name: view.name }), icon: 'check', disabled: !changed, run: () => void update(view) },
          { label: t('list.viewChange'), icon: 'pencil', run: () => setSaving('change') },
          { label: t('common.delete'), icon: 'trash', danger: true, run: () => void remove(view) },
        ]
      : []),
  ];
  useShortcuts([{ keys: 'v', label: t('list.viewSave'), run: () => setSaving('new') }]);
  const name = view ? (changed ? t('list.viewChanged', { name: view.name }) : view.name) : t('list.views');
  return html`<${Menu} label=${t('list.views')} icon="bookmark" look="quiet" items=${items}>${name}<//>
    ${saving && html`<${Saving} schema=${schema} view=${saving === 'change' ? view : undefined} now=${now} onClose=${() => setSaving('')}
      onSaved=${(/** @type {View} */ v) => {
        reload();
        if (saving === 'new') choose(v);
      }} />`}`;
}

/**
 * @param {{ schema: import('../base/schema.js').Schema, view: View | undefined, now: { where: any, sort: string, columns: string[], q: string | null },
 *   onClose: () => void, onSaved: (view: View) => void }} props view: the one whose name is changed; a new one otherwise
 */
function Saving({ schema, view, now, onClose, onSaved }) {
  const form = useForm({
    name: `view ${schema.slug}`, keep: false,
    initial: { name: view?.name ?? '', shared: view?.shared ?? false },
    send: async (changes, options) => {
      const { doc } = view
        ? await saved.update(view.id, { ...changes, expectedRevision: view.revision }, options)
        : await saved.create({ ...changes, ...now, collection: schema.slug }, options);
      onClose();
      onSaved(doc);
      tell(t('list.viewSaved', { name: doc.name }));
    },
  });
  const title = t(view ? 'list.viewChange' : 'list.viewSave');
  return html`<${FormDialog} form=${form} id="view" title=${title} onClose=${onClose}>
    <${TextField} label=${fieldLabel('saved-views', 'name')} ...${form.input('name')} maxLength=${100} required autofocus />
    <${CheckField} label=${fieldLabel('saved-views', 'shared')} help=${t('list.viewSharedHelp')} ...${form.input('shared')} />
    ${!view && html`<p class="help">${t('list.viewHas')}</p>`}
  <//>`;
}
