import { html, useMemo, useState } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { api, can, enter, user, writer } from '../../base/shop.js';
import { inOrder, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Icon } from '../../parts/icon.js';
import { Card, Loading, Notice, Refused } from '../../parts/state.js';
import { complain, tell } from '../../parts/toast.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['User']} User */

/** Profile is what the shop knows of the person. Who may not change users reads it, and asks an admin. */
export function Profile() {
  const id = user.value?.id ?? '';
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('users').findById(id, { depth: 1 }, { signal });
  const { data, refusal, reload } = useQuery(can('users:read') ? `user ${id}` : '', read, { live: ['users'], record: id });
  const me = data ?? (can('users:read') ? undefined : user.value);
  return html`<${Card} title=${t('account.profile')}>
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    ${!me ? !refusal && html`<${Loading} />` : can('users:update') ? html`<${Edit} me=${me} reload=${reload} />` : html`<${Facts} me=${me} />`}
  <//>`;
}

/** @param {{ me: User }} props */
function Facts({ me }) {
  return html`<div class="person"><${Portrait} user=${me} /><div><b>${me.name}</b><p>${me.email}</p></div></div>
    <${Notice}>${t('account.profileByAdmin')}<//>`;
}

/** Portrait is the picture of a person, or what stands for it. @param {{ user: User }} props */
function Portrait({ user: { picture } }) {
  const url = typeof picture === 'object' ? picture?.url : undefined;
  return html`<span class="portrait">${url ? html`<img src=${url} alt="" />` : html`<${Icon} name="user" size=${28} />`}</span>`;
}

/** @param {{ me: User, reload: () => void }} props */
function Edit({ me, reload }) {
  const initial = useMemo(() => ({ firstName: me.firstName, lastName: me.lastName, name: me.name, revision: me.revision }), [me]);
  const form = useForm({
    name: `profile ${me.id}`,
    initial,
    refresh: reload,
    send: (changes, { revision, ...options }) => writer('users').update(me.id, { ...changes, expectedRevision: revision }, options),
    onSent: () => {
      reload();
      enter().catch(complain);
      tell(t('common.saved'));
    },
  });
  const field = (/** @type {'firstName' | 'lastName' | 'name'} */ name, /** @type {string} */ autocomplete) => html`<${TextField}
    label=${t(`account.own-${name}`)}
    autocomplete=${autocomplete} value=${form.values[name] ?? ''} error=${form.error(name)} onInput=${(/** @type {string} */ v) => form.set(name, v)} />`;
  return html`<form id="profile" class="stack" onSubmit=${form.send}>
      <${Picture} me=${me} reload=${reload} />
      <div class="two">${inOrder(field('firstName', 'given-name'), field('lastName', 'family-name'))}</div>
      ${field('name', 'nickname')}
    </form>
    <${FormFoot} form=${form} id="profile" slug="users" />`;
}

/** @param {{ me: User, reload: () => void }} props */
function Picture({ me, reload }) {
  const [busy, setBusy] = useState(false);
  const put = async (/** @type {() => Promise<string | null>} */ next) => {
    setBusy(true);
    try {
      await writer('users').update(me.id, { picture: await next(), expectedRevision: me.revision ?? null });
    } catch (e) {
      complain(e);
    }
    reload();
    setBusy(false);
  };
  const choose = (/** @type {any} */ e) => {
    const [file] = e.currentTarget.files;
    e.currentTarget.value = '';
    if (file) void put(async () => (await api.upload('/api/media', { file, filename: file.name, alt: me.name ?? '' })).doc.id);
  };
  return html`<div class="person"><${Portrait} user=${me} />
    <div><p>${me.email}</p>
      ${can('media:create') && html`<div class="actions">
        <label class="button file-button" aria-busy=${busy || undefined}><${Icon} name="image" /><span>${t('account.picture')}</span>
          <input type="file" accept="image/*" disabled=${busy} onChange=${choose} /></label>
        ${me.picture && html`<${Button} look="quiet" disabled=${busy} onClick=${() => void put(async () => null)}>${t('common.remove')}<//>`}
      </div>`}
    </div>
  </div>`;
}
