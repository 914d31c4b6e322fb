import{b as ne}from"./chunk-USCASXRN.js";import"./chunk-73WIXOSZ.js";import"./chunk-6QJ7YWEH.js";import{b as se}from"./chunk-ZNBJFM4Q.js";import"./chunk-VPLB4NIS.js";import{a as ie}from"./chunk-3WAPSNU2.js";import"./chunk-SLAW6HH6.js";import"./chunk-AM3DABK3.js";import"./chunk-FOTJFVPA.js";import{a as D}from"./chunk-7EM6NNTB.js";import{a as P}from"./chunk-ZFQRI6BM.js";import{b as M}from"./chunk-RGNC7VM4.js";import"./chunk-IL44MJ62.js";import{a as ye}from"./chunk-IMYQGOQZ.js";import{c as I,d as ve,f as V,g as ae}from"./chunk-CR5WSEUI.js";import{a as re,b as K}from"./chunk-LDME6CXF.js";import{a as T,b as j}from"./chunk-YR7UKKP2.js";import{a as N}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as y,d as _}from"./chunk-VZBJ6CRO.js";import{$ as ee,B as fe,C as k,D as A,E as h,G as w,J as U,M as ke,N as p,Q as v,Y as g,aa as F,b as R,ca as oe,da as B,ea as q,fa as Q,g as z,ga as x,ia as L,ja as S,ka as f,o as ue,p as J,s as o,y as E,z as t}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";var G=["platform-admin","tenant-admin","tenant-editor","tenant-viewer","packer","support","marketer","accountant"];function O(){let e=l=>v.collections.from("roles").find({limit:200,sort:"name"},{signal:l}),{data:r,reload:s,loading:c}=N(p("roles:read")?"roles":"",e,{live:["roles"]}),n=r?.docs??[],i=l=>E("roles",l??"")??n.find($=>$.slug===l)?.name??l??"—",a=[...G.filter(l=>l!=="platform-admin"||U.value?.role==="platform-admin"),...n.map(l=>l.slug)].map(l=>({value:l,label:i(l)}));return{own:n,ready:r!==void 0||!c,nameOf:i,options:a,reload:s}}function le({value:e,error:r,onInput:s,disabled:c=!1}){let{own:n,options:i}=O(),m=G.includes(e)?t(`team.is-${e}`):n.find(l=>l.slug===e)?.description??void 0,a=e&&!i.some(l=>l.value===e)?[{value:e,label:e},...i]:i;return o`<${V} label=${k("users","role")} help=${m} error=${r} required disabled=${c} value=${e}
    empty=${e?void 0:t("team.chooseRole")}
    options=${a} onInput=${s} />`}function me({onClose:e}){let r=P({name:"invite",initial:{email:"",role:"",name:"",password:""},keep:!1,send:async({email:n,...i},m)=>{let{invited:a}=await g("users").create({email:n?.trim(),...i},m);e(),T(t(a?"team.invited":"team.created",{email:n}))}}),s=n=>({label:k("users",n),value:r.values[n],error:r.error(n),onInput:i=>r.set(n,i)}),c=o`<${D} form=${r} id="invite" action=${t(r.values.password?"team.create":"team.invite")} onCancel=${e} />`;return o`<${re} title=${t("team.invite")} onClose=${e} busy=${r.busy} actions=${c}>
    <form id="invite" class="stack" onSubmit=${n=>{n.preventDefault(),r.submit()}}>
      <${I} ...${s("email")} type="email" required autofocus autocomplete="off" />
      <${le} ...${s("role")} />
      <${I} ...${s("name")} autocomplete="off" />
      <details><summary>${t("team.withPassword")}</summary>
        <${ve} ...${s("password")} label=${t("common.password")} help=${t("team.passwordHelp")} autocomplete="new-password" /></details>
    </form>
  <//>`}function W(){let{path:e}=ue(),r=[{to:"/team",label:t("team.members"),needs:"users:read"},{to:"/team/invitations",label:h("user-invitations"),needs:"user-invitations:read"},{to:"/team/roles",label:h("roles"),needs:"roles:read"}];return o`<nav class="tab-links" aria-label=${t("team.title")}>
    ${r.filter(({needs:s})=>p(s)).map(({to:s,label:c})=>o`<a key=${s} href=${y(s)} aria-current=${e===y(s)?"page":void 0}>
      ${c}</a>`)}
  </nav>`}function be(){let[e,r]=R(!1),{nameOf:s}=O(),c=$=>v.collections.from("user-invitations").find({where:{and:[{acceptedAt:{exists:!1}},{revokedAt:{exists:!1}}]},limit:200,sort:"-createdAt"},{signal:$}),{data:n,refusal:i,reload:m}=N("invitations",c,{live:["user-invitations","users"]}),a=p("users:create");w(a?[{keys:"a",label:t("team.invite"),run:()=>r(!0)}]:[]);let l=a&&o`<${F} look="primary" icon="plus" keys="a" onClick=${()=>r(!0)}>${t("team.invite")}<//>`;return o`<${f} title=${t("team.title")} top=${l}>
    <${W} />
    <${S}>
      ${i?o`<${q} refusal=${i} again=${m} />`:!n&&o`<${B} />`}
      ${n?.docs.length===0&&o`<${x} icon="mail" title=${t("team.noInvitations")} text=${t("team.noInvitationsText")} />`}
      <ul class="rows-plain">${n?.docs.map($=>o`<${Le} key=${$.id} one=${$} role=${s($.role)} onDone=${m} />`)}</ul>
    <//>
    ${e&&o`<${me} onClose=${()=>r(!1)} />`}
  <//>`}function Le({one:{id:e,email:r,role:s,name:c,firstName:n,lastName:i,expiresAt:m},role:a,onDone:l}){let[$,d]=R(""),u=Date.parse(m??"")<Date.now(),b=async(C,Z)=>{d(C),await Z().then(()=>T(t(`team.said-${C}`,{email:r})),j),l(),d("")},H=()=>b("again",()=>g("users").create({email:r,role:s,name:c,firstName:n,lastName:i})),Y=async()=>{await K({title:t("team.revoke"),text:t("team.revokeText",{email:r}),action:t("team.revoke"),danger:!0})&&await b("revoked",()=>g("user-invitations").remove(e))};return o`<li>
    <div><b>${r}</b> ${u&&o`<${L} tone="over">${t("team.over")}<//>`}
      <small>${a} · ${t(u?"team.ended":"team.ends")} <${M} at=${m} relative /></small></div>
    ${p("users:create")&&o`<div class="actions">
      <${F} busy=${$==="again"} onClick=${H} aria-label=${t("team.againNamed",{email:r})}>${t("team.again")}<//>
      <${F} busy=${$==="revoked"} onClick=${Y} aria-label=${t("team.revokeNamed",{email:r})}>${t("team.revoke")}<//>
    </div>`}
  </li>`}function he(){let{id:e=""}=J().params,{data:r,refusal:s,reload:c}=N(`key ${e}`,l=>v.collections.from("api-keys").findById(e,{},{signal:l}),{live:["api-keys"],record:e}),n={href:y("/keys"),label:h("api-keys")};if(!r)return o`<${f} title=${h("api-keys","one")} back=${n} class="single">
      ${s?.reason==="not_found"?o`<${x} icon="search" title=${t("team.keyGone")} />`:s?o`<${q} refusal=${s} again=${c} />`:o`<${B} lines=${6} />`}
    <//>`;let i=(l,$)=>o`<div><dt>${k("api-keys",l)}</dt><dd>${$}</dd></div>`,m=r.scopes.map(l=>A("api-keys","scopes",l)).join(", ")||t("team.allScopes"),a=r.revokedAt&&o`<${L} tone="bad">${t("team.revokedKey")}<//>`;return o`<${f} title=${r.name??""} back=${n} badges=${a} class="single"
    top=${p("api-keys:update")&&!r.revokedAt&&o`<${Ae} apiKey=${r} reload=${c} />`}>
    <${S}><dl class="facts">
      ${i("last4",o`<code>…${r.last4}</code>`)}${i("kind",A("api-keys","kind",r.kind??""))}
      ${i("environment",A("api-keys","environment",r.environment??""))}${r.kind==="secret"&&i("scopes",m)}
      ${i("createdAt",o`<${M} at=${r.createdAt} />`)}${r.revokedAt&&i("revokedAt",o`<${M} at=${r.revokedAt} />`)}
    </dl>${p("api-keys:update")&&o`<${Oe} apiKey=${r} reload=${c} />`}<//>
    <${ie} slug="api-keys" id=${e} live=${["api-keys"]} />
  <//>`}function Oe({apiKey:e,reload:r}){let s=z(()=>({name:e.name,revision:e.revision}),[e]),c=P({name:`key ${e.id}`,initial:s,refresh:r,send:(n,{revision:i,...m})=>g("api-keys").update(e.id,{...n,expectedRevision:i},m),onSent:()=>{r(),T(t("common.saved"))}});return o`<form id="key" class="stack" onSubmit=${n=>{n.preventDefault(),c.submit()}}>
      <${I} label=${k("api-keys","name")} required value=${c.values.name??""} error=${c.error("name")}
        onInput=${n=>c.set("name",n)} />
    </form>
    <${D} form=${c} id="key" slug="api-keys" />`}function Ae({apiKey:{id:e,name:r,revision:s},reload:c}){let[n,i]=R(null),[m,a]=R(""),l=async(u,b)=>{await K({title:t(`team.key-${u}`),text:t(`team.key-ask-${u}`,{name:r}),action:t(`team.key-${u}`),danger:!0})&&(a(u),await b().then(i,j),c(),a(""))},$=()=>l("rotate",async()=>(await v.call("POST /api/api-keys/{id}/rotate",{id:e,expectedRevision:s??null})).key),d=()=>l("revoke",async()=>(await v.call("POST /api/api-keys/{id}/revoke",{id:e,expectedRevision:s??null}),T(t("team.keyRevoked",{name:r})),""));return w([{keys:"o",label:t("team.key-rotate"),run:()=>{$()}},{keys:"d",label:t("team.key-revoke"),run:()=>{d()}}]),o`<${F} icon="refresh-cw" keys="o" busy=${m==="rotate"} onClick=${$}>${t("team.key-rotate")}<//>
    <${F} icon="ban" busy=${m==="revoke"} onClick=${d}>${t("team.key-revoke")}<//>
    ${n&&o`<${se} title=${t("team.keyMade")} text=${t("team.keyOnce")} secret=${n} onClose=${()=>i(null)} />`}`}function we({onClose:e,onMade:r}){let s=P({name:"key",initial:{name:"",kind:"secret",environment:ke.value,read:!0,write:!0},keep:!1,send:async(d,u)=>{let{name:b,kind:H,environment:Y,read:C,write:Z}=s.values,te=H==="secret"?[...C?["read"]:[],...Z?["write"]:[]]:void 0,{key:de}=await v.call("POST /api/api-keys",{name:b,kind:H,environment:Y,...te&&{scopes:te}},u);e(),r(de)}}),c=(d,u)=>o`<${V} label=${k("api-keys",d)}
    help=${E("help",`api-keys.${d}`)??t(`team.help-${d}`)}
    required value=${s.values[d]} error=${s.error(d)} onInput=${b=>s.set(d,b)}
    options=${u.map(b=>({value:b,label:A("api-keys",d,b)}))} />`,n=d=>o`<${ae} label=${A("api-keys","scopes",d)} value=${s.values[d]}
    onInput=${u=>s.set(d,u)} />`,{kind:i,environment:m,read:a,write:l}=s.values,$=o`<${D} form=${s} id="key" action=${t("team.keyNew")} onCancel=${e} />`;return o`<${re} title=${t("team.keyNew")} onClose=${e} busy=${s.busy} actions=${$}>
    <form id="key" class="stack" onSubmit=${d=>{d.preventDefault(),s.submit()}}>
      <${I} label=${k("api-keys","name")} help=${t("team.keyName")} required autofocus value=${s.values.name} error=${s.error("name")}
        onInput=${d=>s.set("name",d)} />
      ${c("kind",["secret","client"])}${c("environment",["live","test"])}
      ${i==="secret"&&o`<fieldset class="stack group"><legend>${k("api-keys","scopes")}</legend>${n("read")}${n("write")}
        ${s.error("scopes")&&o`<p class="error">${s.error("scopes")}</p>`}</fieldset>`}
      ${i==="secret"&&m==="live"&&l&&o`<${Q} kind="warn">${t("team.keyStrong")}<//>`}
      ${i==="secret"&&!a&&!l&&o`<${Q} kind="warn">${t("team.noScope")}<//>`}
    </form>
  <//>`}var Ce=["name","kind","environment","scopes","last4","createdAt","revokedAt"],Ne=e=>e.kind==="client"?"—":e.scopes.map(r=>A("api-keys","scopes",r)).join(", ")||t("team.allScopes"),ge=e=>({width:"8.5rem",cell:r=>o`<${M} at=${r[e]} relative />`}),Be={last4:{width:"6rem",cell:e=>o`<code>…${e.last4}</code>`},scopes:{cell:Ne},createdAt:ge("createdAt"),revokedAt:ge("revokedAt")},Me=e=>o`<span class="record-card"><b>${e.name} <code>…${e.last4}</code></b>
  <span class="badges"><${L}>${A("api-keys","kind",e.kind)}<//><${L} tone=${e.environment==="live"?"info":"wait"}>
    ${A("api-keys","environment",e.environment)}<//>
    ${e.revokedAt&&o`<${L} tone="over">${t("team.revokedKey")}<//>`}</span></span>`;function xe(){let[e,r]=R(!1),[s,c]=R(null),n=p("api-keys:create");w(n?[{keys:"a",label:t("team.keyNew"),run:()=>r(!0)}]:[]);let i=n&&o`<${F} look="primary" icon="plus" keys="a" onClick=${()=>r(!0)}>${t("team.keyNew")}<//>`;return o`<${f} title=${h("api-keys")} class="full" top=${i}>
    <${ne} slug="api-keys" label=${h("api-keys")} link=${m=>y(`/keys/${m.id}`)} columns=${Ce} cells=${Be}
      card=${Me}
      empty=${o`<${x} icon="key" title=${t("team.noKeys")} text=${t("team.noKeysText")} action=${i} />`} />
    ${e&&o`<${we} onClose=${()=>r(!1)} onMade=${c} />`}
    ${s&&o`<${se} title=${t("team.keyMade")} text=${t("team.keyOnce")} secret=${s} onClose=${()=>c(null)} />`}
  <//>`}function Se(){let{id:e=""}=J().params,{data:r,refusal:s,reload:c}=N(`user ${e}`,m=>v.collections.from("users").findById(e,{depth:1},{signal:m}),{live:["users"],record:e}),n={href:y("/team"),label:t("team.title")};if(!r)return o`<${f} title=${h("users","one")} back=${n} class="single">
      ${s?.reason==="not_found"?o`<${x} icon="search" title=${t("team.gone")} />`:s?o`<${q} refusal=${s} again=${c} />`:o`<${B} lines=${6} />`}
    <//>`;let i=e===U.value?.id;return o`<${f} title=${r.name||r.email||""} back=${n} class="single" badges=${i&&o`<${L} tone="info">${t("team.you")}<//>`}
      top=${p("users:update")&&o`<${Ee} member=${r} self=${i} reload=${c} />`}>
    <${S}>
      ${p("users:update")?o`<${De} member=${r} reload=${c} />`:o`<${Pe} member=${r} />`}
    <//>
    ${i&&o`<${Q} action=${o`<${oe} class="button" href=${y("/account")}>${t("team.toAccount")}<//>`}>${t("team.selfText")}<//>`}
    <${ie} slug="users" id=${e} live=${["users"]} />
  <//>`}function Pe({member:e}){let{nameOf:r}=O();return o`<dl class="facts">
    <div><dt>${k("users","email")}</dt><dd>${e.email}</dd></div>
    <div><dt>${k("users","role")}</dt><dd>${r(e.role)}</dd></div>
    <div><dt>${t("team.since")}</dt><dd><${M} at=${e.createdAt} /></dd></div>
  </dl>`}function De({member:e,reload:r}){let{id:s,revision:c}=e,n=z(()=>({role:e.role,firstName:e.firstName,lastName:e.lastName,name:e.name,revision:c}),[e]),i=P({name:`user ${s}`,initial:n,refresh:r,send:(a,{revision:l,...$})=>g("users").update(s,{...a,expectedRevision:l},$),onSent:()=>{r(),T(t("common.saved"))}});w([{keys:"mod+s",label:t("common.save"),everywhere:!0,run:()=>i.save()}]);let m=a=>o`<${I} label=${k("users",a)} value=${i.values[a]??""} error=${i.error(a)}
    onInput=${l=>i.set(a,l)} autocomplete="off" />`;return o`<form id="member" class="stack" onSubmit=${a=>{a.preventDefault(),i.submit()}}>
      <dl class="facts"><div><dt>${k("users","email")}</dt><dd>${e.email}</dd></div><div><dt>${t("team.since")}</dt><dd>
        <${M} at=${e.createdAt} /></dd></div></dl>
      <${le} value=${i.values.role??""} error=${i.error("role")} onInput=${a=>i.set("role",a)} />
      <div class="two">${m("lastName")}${m("firstName")}</div>${m("name")}
    </form>
    <${D} form=${i} id="member" slug="users" />`}function Ee({member:e,self:r,reload:s}){let[c,n]=R(!1),{id:i,email:m="",revision:a=null}=e,l=e.name||m,$=async(C,Z,te=!0)=>{if(!(c||!await K({title:t(`team.do-${C}`),text:t(`team.ask-${C}`,{name:l}),action:t(`team.do-${C}`),danger:te}))){n(!0);try{await Z(),T(t(`team.done-${C}`,{name:l})),C==="remove"?_("/team"):s()}catch(de){j(de),s()}n(!1)}},d=()=>$("link",()=>v.ask("POST /api/users/forgot-password",{email:m}),!1),u=()=>$("end",()=>v.call("POST /api/users/{id}/end-sessions",{id:i,expectedRevision:a})),b=()=>$("reset",()=>v.call("POST /api/users/{id}/reset-second-factor",{id:i,expectedRevision:a})),H=()=>$("remove",()=>g("users").remove(i));w([{keys:"e",label:t("team.do-end"),run:()=>{u()}},...r?[]:[{keys:"m",label:t("team.do-link"),run:()=>{d()}},{keys:"f",label:t("team.do-reset"),run:()=>{b()}}],...p("users:delete")?[{keys:"d",label:t("team.do-remove"),run:()=>{H()}}]:[]]);let Y=[...r?[]:[{label:t("team.do-link"),icon:"mail",run:()=>{d()}}],{label:t("team.do-end"),icon:"log-out",run:()=>{u()}},...r?[]:[{label:t("team.do-reset"),icon:"smartphone",run:()=>{b()}}],...p("users:delete")?["line",{label:t("team.do-remove"),icon:"trash",danger:!0,run:()=>{H()}}]:[]];return o`<${ye} label=${t("common.more")} items=${Y} />`}var X=["read","create","update","delete"],$e=e=>e.slice(e.indexOf(":")+1),pe=e=>e.slice(0,e.indexOf(":"));function ce({all:e,has:r,onChange:s}){let c=e.filter(a=>!X.includes($e(a.permission))),n=new Set(e.map(a=>a.permission)),i=[...new Set(e.filter(a=>X.includes($e(a.permission))).map(a=>pe(a.permission)))],m=(a,l)=>{let $=new Set(r);l?$.add(a):$.delete(a);let[d,u]=[pe(a),$e(a)];if(X.includes(u)&&(l&&n.has(`${d}:read`)&&$.add(`${d}:read`),!l&&u==="read"))for(let b of X)$.delete(`${d}:${b}`);s?.($)};return o`<div class="matrix">
    <${S} title=${t("team.operations")}>
      ${c.map(({permission:a,description:l})=>o`<${Ke} key=${a}
        ...${{permission:a,description:l,on:r.has(a),set:s&&m}} />`)}
    <//>
    <${S} title=${t("team.records")}><div class="scroll"><table class="rights">
      <thead><tr><th scope="col"><span class="aside">${t("team.records")}</span></th>${X.map(a=>o`<th scope="col" key=${a}>
        ${t(`team.verb-${a}`)}</th>`)}</tr></thead>
      <tbody>${i.map(a=>o`<tr key=${a}><th scope="row">${h(a)}</th>
        ${X.map(l=>o`<td key=${l}>${n.has(`${a}:${l}`)&&o`<${qe} slug=${a} verb=${l} on=${r.has(`${a}:${l}`)} set=${s&&m} />`}</td>`)}
      </tr>`)}</tbody>
    </table></div><//>
  </div>`}function Re({on:e}){return o`<span>${e?o`<${ee} name="check" size=${16} />`:o`<span class="none" aria-hidden="true">—</span>`}
    <span class="aside">${t(e?"common.yes":"common.no")}</span></span>`}function Ke({permission:e,description:r,on:s,set:c}){let n=E("permissions",e),i=n?.label??fe(`${$e(e)} ${pe(e)}`),m=n?.help??r;return c?o`<${ae} label=${i} help=${m} value=${s} onInput=${a=>c(e,a)} />`:o`<div class="check"><${Re} on=${s} /><b>${i}</b><p class="help">${m}</p></div>`}function qe({slug:e,verb:r,on:s,set:c}){return c?o`<input type="checkbox" checked=${s} aria-label=${`${h(e)}: ${t(`team.verb-${r}`)}`}
    onChange=${n=>c(`${e}:${r}`,n.currentTarget.checked)} />`:o`<${Re} on=${s} />`}function Fe(){let{id:e=""}=J().params,{data:r,refusal:s,reload:c}=N("permissions",d=>v.call("GET /api/permissions",{},{signal:d})),n=O(),i=n.own.find(d=>d.id===e),m=G.includes(e),a=m?n.nameOf(e):i?.name??t(e==="new"?"team.roleNew":"team.role"),l={href:y("/team/roles"),label:h("roles")};if(!r||!n.ready)return o`<${f} title=${a} back=${l}>${s?o`<${q} refusal=${s} again=${c} />`:o`<${B} lines=${8} />`}<//>`;let $=r.permissions;return m?o`<${f} title=${a} back=${l}><${Q}>${t(`team.is-${e}`)} ${t("team.fixed")}<//>
      <${ce} all=${$} has=${new Set($.filter(d=>d.roles.includes(e)).map(d=>d.permission))} /><//>`:!i&&e!=="new"?o`<${f} title=${a} back=${l}><${x} icon="search" title=${t("team.roleGone")} /><//>`:i&&!p("roles:update")?o`<${f} title=${a} back=${l}><p>${i.description}</p>
    <${ce} all=${$} has=${new Set(i.permissions)} /><//>`:o`<${Qe} key=${e} role=${i} all=${$} roles=${n} title=${a} back=${l} />`}function Qe({role:e,all:r,roles:s,title:c,back:n}){let i=z(()=>e??{name:"",slug:"",description:"",permissions:[]},[e]),m=P({name:`role ${e?.id??"new"}`,initial:i,refresh:s.reload,send:($,{revision:d,...u})=>e?g("roles").update(e.id,{...$,expectedRevision:d},u):g("roles").create({permissions:[],...$},u),onSent:()=>{T(t("common.saved")),s.reload(),e||_("/team/roles",{replace:!0})}});w([{keys:"mod+s",label:t("common.save"),everywhere:!0,run:()=>m.save()}]);let a=async()=>{!e||!await K({title:t("team.roleDelete",{name:e.name}),text:t("team.roleDeleteText"),action:t("common.delete"),danger:!0})||await g("roles").remove(e.id).then(()=>{T(t("team.roleDeleted",{name:e.name})),s.reload(),_("/team/roles")},j)};w(e&&p("roles:delete")?[{keys:"d",label:t("common.delete"),run:()=>{a()}}]:[]);let l=e&&p("roles:delete")&&o`<${F} icon="trash" onClick=${a}>${t("common.delete")}<//>`;return o`<${f} title=${c} back=${n} top=${l}>
    <form id="role" class="stack" onSubmit=${$=>{$.preventDefault(),m.submit()}}>
      <${S}><${je} form=${m} fresh=${!e} all=${r} roles=${s} /><//>
      ${m.error("permissions")&&o`<${Q} kind="bad">${m.error("permissions")}<//>`}
      <${ce} all=${r} has=${new Set(m.values.permissions)} onChange=${$=>m.set("permissions",[...$].sort())} />
    </form>
    <div class="foot-bar"><${D} form=${m} id="role" slug="roles" /></div>
  <//>`}function je({form:e,fresh:r,all:s,roles:c}){let n=a=>({label:k("roles",a),help:E("help",`roles.${a}`),value:e.values[a]??"",error:e.error(a),onInput:l=>e.set(a,l)}),i=[...G.slice(2).map(a=>({value:a,label:c.nameOf(a)})),...c.own.map(a=>({value:a.slug,label:a.name}))],m=a=>{let l=c.own.find($=>$.slug===a);e.set("permissions",l?l.permissions:s.filter($=>$.roles.includes(a)).map($=>$.permission))};return o`<div class="two"><${I} ...${n("name")} required autofocus=${r} />
      ${r?o`<${I} ...${n("slug")} required mono spellcheck=${!1} />`:o`<dl class="facts"><div><dt>${k("roles","slug")}</dt><dd><code>${e.values.slug}</code></dd></div></dl>`}</div>
    <${I} ...${n("description")} rows=${2} />
    ${r&&o`<${V} label=${t("team.startFrom")} help=${t("team.startFromHelp")} value="" empty="—" options=${i} onInput=${m} />`}`}function Te(){let{own:e,ready:r,nameOf:s}=O(),c=p("roles:create");w(c?[{keys:"a",label:t("team.roleNew"),run:()=>_("/team/roles/new")}]:[]);let n=c&&o`<${oe} class="button primary" href=${y("/team/roles/new")}><${ee} name="plus" /><span>${t("team.roleNew")}</span><//>`,i=(m,a,l)=>o`<li key=${m}><a class="row-plain"
    href=${y(`/team/roles/${m}`)}>
    <b>${a}</b><small>${l}</small></a><${ee} name="chevron-right" /></li>`;return o`<${f} title=${t("team.title")} top=${n}>
    <${W} />
    <${S} title=${t("team.ownRoles")}>
      ${!r&&o`<${B} />`}
      ${r&&e.length===0&&o`<${x} icon="shield" title=${t("team.noRoles")} text=${t("team.noRolesText")} action=${n} />`}
      <ul class="rows-plain">${e.map(m=>i(m.id,m.name,[m.description,t("team.rights",{n:m.permissions.length})].filter(Boolean).join(" · ")))}</ul>
    <//>
    <${S} title=${t("team.builtIn")}>
      <ul class="rows-plain">${G.map(m=>i(m,s(m),t(`team.is-${m}`)))}</ul>
    <//>
  <//>`}var Ge=["name","email","role","createdAt"];function Ie(){let[e,r]=R(!1),{nameOf:s}=O(),c=p("users:create");w(c?[{keys:"a",label:t("team.invite"),run:()=>r(!0)}]:[]);let n=$=>$.id===U.value?.id&&o` <${L} tone="info">${t("team.you")}<//>`,i=$=>o`${$.name||$.email}${n($)}`,m={name:{cell:i,width:"minmax(10rem, 1.2fr)"},email:{width:"minmax(12rem, 1.5fr)"},role:{cell:$=>s($.role)}},a=$=>o`<span class="record-card"><b>${i($)}</b><small>${s($.role)} · ${$.email}</small></span>`,l=c&&o`<${F} look="primary" icon="plus" keys="a" onClick=${()=>r(!0)}>${t("team.invite")}<//>`;return o`<${f} title=${t("team.title")} class="full" top=${l}>
    <${W} />
    <${ne} slug="users" label=${t("team.members")} sort="email" link=${$=>y(`/team/${$.id}`)} columns=${Ge} cells=${m}
      card=${a}
      live=${["roles"]} empty=${o`<${x} icon="users" title=${t("team.none")} text=${t("team.noneText")} action=${l} />`} />
    ${e&&o`<${me} onClose=${()=>r(!1)} />`}
  <//>`}export{be as Invitations,he as Key,xe as Keys,Se as Member,Fe as Role,Te as Roles,Ie as Team};
