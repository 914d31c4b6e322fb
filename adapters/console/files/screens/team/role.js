// One role: what it is called, and what it permits.
import { html, useMemo, useRoute } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { go, href } from '../../base/route.js';
import { api, can, writer } from '../../base/shop.js';
import { collectionLabel, fieldLabel, helpOf, language, t } from '../../base/words.js';
import { SelectField, TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Remove } from '../../parts/remove.js';
import { Card, Empty, Loading, Notice, Page, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { Matrix } from './matrix.js';
import { builtIn, useRoles } from './role_names.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/permissions'>['permissions']} Permissions */
/** @typedef {import('./role_names.js').Role} Role */

export default function RoleScreen() {
  const { id = '' } = useRoute().params;
  const { data, refusal, reload } = useQuery(`permissions ${language.value}`, (signal) => api.call('GET /api/permissions', {}, { signal }));
  const roles = useRoles();
  const role = roles.own.find((r) => r.id === id);
  const given = builtIn.includes(id);
  const title = given ? roles.nameOf(id) : (role?.name ?? t(id === 'new' ? 'team.roleNew' : 'team.role'));
  const back = { href: href('/team/roles'), label: collectionLabel('roles') };
  if (!data || !roles.ready) return html`<${Page} title=${title} back=${back}>${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />`
    : html`<${Loading} lines=${8} />`}<//>`;
  const all = data.permissions;
  if (given) {
    return html`<${Page} title=${title} back=${back}><${Notice}>${t(`team.is-${id}`)} ${t('team.fixed')}<//>
      <${Matrix} all=${all} has=${new Set(all.filter((p) => p.roles.includes(id)).map((p) => p.permission))} /><//>`;
  }
  if (!role && id !== 'new') return html`<${Page} title=${title} back=${back}><${Empty} icon="search" title=${t('team.roleGone')} /><//>`;
  if (role && !can('roles:update')) return html`<${Page} title=${title} back=${back}><p>${role.description}</p>
    <${Matrix} all=${all} has=${new Set(role.permissions)} /><//>`;
  return html`<${Editor} key=${id} role=${role} all=${all} roles=${roles} title=${title} back=${back} />`;
}

/** @param {{ role: Role | undefined, all: Permissions, roles: ReturnType<typeof useRoles>, title: string, back: { href: string, label: string } }} props */
function Editor({ role, all, roles, title, back }) {
  const initial = useMemo(() => role ?? { name: '', slug: '', description: '', permissions: /** @type {string[]} */ ([]) }, [role]);
  const form = useForm({
    name: `role ${role?.id ?? 'new'}`,
    initial,
    refresh: roles.reload,
    send: (changes, { revision, ...options }) => (role
      ? writer('roles').update(role.id, { ...changes, expectedRevision: revision }, options)
      : writer('roles').create({ permissions: [], ...changes }, options)),
    onSent: () => {
      tell(t('common.saved'));
      roles.reload();
      if (!role) go('/team/roles', { replace: true });
    },
  });
  const gone = () => {
    roles.reload();
    go('/team/roles');
  };
  const top = role && can('roles:delete') && html`<${Remove} from=${writer('roles')} id=${role.id} keys="d" title=${t('team.roleDelete', { name: role.name })}
    text=${t('team.roleDeleteText')} said=${t('team.roleDeleted', { name: role.name })} then=${gone} />`;
  return html`<${Page} title=${title} back=${back} top=${top}>
    <form id="role" class="stack" onSubmit=${form.send}>
      <${Card}><${Names} form=${form} fresh=${!role} all=${all} roles=${roles} /><//>
      ${form.error('permissions') && html`<${Notice} kind="bad">${form.error('permissions')}<//>`}
      <${Matrix} all=${all} has=${new Set(form.values.permissions)} onChange=${(/** @type {Set<string>} */ has) => form.set('permissions', [...has].sort())} />
    </form>
    <div class="foot-bar"><${FormFoot} form=${form} id="role" slug="roles" saves /></div>
  <//>`;
}

/** @param {{ form: import('../../base/form.js').Form, fresh: boolean, all: Permissions, roles: ReturnType<typeof useRoles> }} props */
function Names({ form, fresh, all, roles }) {
  const field = (/** @type {string} */ name) => ({
    label: fieldLabel('roles', name), help: helpOf('roles', name), ...form.input(name),
  });
  const from = [...builtIn.slice(2).map((value) => ({ value, label: roles.nameOf(value) })), ...roles.own.map((r) => ({ value: r.slug, label: r.name }))];
  const copy = (/** @type {string} */ slug) => {
    const own = roles.own.find((r) => r.slug === slug);
    form.set('permissions', own ? own.permissions : all.filter((p) => p.roles.includes(slug)).map((p) => p.permission));
  };
  return html`<div class="two"><${TextField} ...${field('name')} required autofocus=${fresh} />
      ${fresh ? html`<${TextField} ...${field('slug')} required mono spellcheck=${false} />`
        : html`<dl class="facts"><div><dt>${fieldLabel('roles', 'slug')}</dt><dd><code>${form.values.slug}</code></dd></div></dl>`}</div>
    <${TextField} ...${field('description')} rows=${2} />
    ${fresh && html`<${SelectField} label=${t('team.startFrom')} help=${t('team.startFromHelp')} value="" empty="—" options=${from} onInput=${copy} />`}`;
}
