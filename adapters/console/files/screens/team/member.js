// One member of the team: their role, and what an admin does when they lose a phone or leave.
import { html, useMemo, useRoute, useState } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { go, href } from '../../base/route.js';
import { api, can, user, writer } from '../../base/shop.js';
import { collectionLabel, fieldLabel, inOrder, t } from '../../base/words.js';
import { Acts } from '../../parts/acts.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Absent, Badge, Card, Notice, Page } from '../../parts/state.js';
import { complain, tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';
import { Timeline } from '../../parts/timeline.js';
import { RoleField } from './role_field.js';
import { useRoles } from './role_names.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['User']} User */

export default function MemberScreen() {
  const { id = '' } = useRoute().params;
  const { data, refusal, reload } = useQuery(`user ${id}`, (signal) =>
    api.collections.from('users').findById(id, { depth: 1 }, { signal }), { live: ['users'], record: id });
  const back = { href: href('/team'), label: t('team.title') };
  if (!data) return html`<${Absent} title=${collectionLabel('users', 'one')} back=${back} class="single" refusal=${refusal} again=${reload}
    gone=${t('team.gone')} />`;
  const self = id === user.value?.id;
  return html`<${Page} title=${data.name || data.email || ''} back=${back} class="single" ...${{ refusal, again: reload }} badges=${self && html`<${Badge} tone="info">${t('team.you')}<//>`}
      top=${can('users:update') && html`<${Actions} member=${data} self=${self} reload=${reload} />`}>
    <${Card}>
      ${can('users:update') ? html`<${Edit} member=${data} reload=${reload} />` : html`<${Facts} member=${data} />`}
    <//>
    ${self && html`<${Notice} action=${html`<${Button} href=${href('/account')}>${t('team.toAccount')}<//>`}>${t('team.selfText')}<//>`}
    <${Timeline} slug="users" id=${id} live=${['users']} />
  <//>`;
}

/** @param {{ member: User }} props */
function Facts({ member }) {
  const { nameOf } = useRoles();
  return html`<dl class="facts">
    <div><dt>${fieldLabel('users', 'email')}</dt><dd>${member.email}</dd></div>
    <div><dt>${fieldLabel('users', 'role')}</dt><dd>${nameOf(member.role)}</dd></div>
    <div><dt>${t('team.since')}</dt><dd><${Time} at=${member.createdAt} /></dd></div>
  </dl>`;
}

/** @param {{ member: User, reload: () => void }} props */
function Edit({ member, reload }) {
  const { id, revision } = member;
  const initial = useMemo(() => ({ role: member.role, firstName: member.firstName, lastName: member.lastName, name: member.name, revision }), [member]);
  const form = useForm({
    name: `user ${id}`,
    initial,
    refresh: reload,
    send: (changes, { revision, ...options }) => writer('users').update(id, { ...changes, expectedRevision: revision }, options),
    onSent: () => {
      reload();
      tell(t('common.saved'));
    },
  });
  const field = (/** @type {string} */ name) => html`<${TextField} label=${fieldLabel('users', name)} value=${form.values[name] ?? ''} error=${form.error(name)}
    onInput=${(/** @type {string} */ v) => form.set(name, v)} autocomplete="off" />`;
  return html`<form id="member" class="stack" onSubmit=${form.send}>
      <dl class="facts"><div><dt>${fieldLabel('users', 'email')}</dt><dd>${member.email}</dd></div><div><dt>${t('team.since')}</dt><dd>
        <${Time} at=${member.createdAt} /></dd></div></dl>
      <${RoleField} ...${form.input('role')} />
      <div class="two">${inOrder(field('firstName'), field('lastName'))}</div>${field('name')}
    </form>
    <${FormFoot} form=${form} id="member" slug="users" saves />`;
}

/** @param {{ member: User, self: boolean, reload: () => void }} props */
function Actions({ member, self, reload }) {
  const [busy, setBusy] = useState(false);
  const { id, email = '', revision = null } = member;
  const name = member.name || email;
  /**
   * after asks, does it, and says so: what is refused is told, and read anew.
   * @param {string} word
   * @param {() => Promise<unknown>} step
   * @param {boolean} [danger]
   */
  const after = async (word, step, danger = true) => {
    if (busy || !(await confirm({ title: t(`team.do-${word}`), text: t(`team.ask-${word}`, { name }), action: t(`team.do-${word}`), danger }))) return;
    setBusy(true);
    try {
      await step();
      tell(t(`team.done-${word}`, { name }));
      if (word === 'remove') go('/team');
      else reload();
    } catch (e) {
      complain(e);
      reload();
    }
    setBusy(false);
  };
  const of = (/** @type {string} */ word, /** @type {string} */ icon, /** @type {string} */ keys, /** @type {() => Promise<unknown>} */ step, danger = true) =>
    ({ keys, label: t(`team.do-${word}`), icon, danger: word === 'remove', run: () => after(word, step, danger) });
  const others = [
    !self && of('link', 'mail', 'm', () => api.ask('POST /api/users/forgot-password', { email }), false),
    of('end', 'log-out', 'e', () => api.call('POST /api/users/{id}/end-sessions', { id, expectedRevision: revision })),
    !self && of('reset', 'shield', 'f', () => api.call('POST /api/users/{id}/reset-second-factor', { id, expectedRevision: revision })),
    can('users:delete') && of('remove', 'trash', 'd', () => writer('users').remove(id)),
  ];
  return html`<${Acts} others=${others} />`;
}
