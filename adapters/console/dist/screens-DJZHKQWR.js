import{a as ho,b as yo}from"./chunk-ZNBJFM4Q.js";import"./chunk-VPLB4NIS.js";import{a as C}from"./chunk-7EM6NNTB.js";import{a as k}from"./chunk-ZFQRI6BM.js";import{b as D}from"./chunk-RGNC7VM4.js";import{a as G,b as po,d as Z}from"./chunk-W63MP3AM.js";import{a as fo}from"./chunk-IMYQGOQZ.js";import{c as O,d as L}from"./chunk-CR5WSEUI.js";import{a as T,b as V}from"./chunk-LDME6CXF.js";import{a as g,b as h}from"./chunk-YR7UKKP2.js";import{a as B}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{d as K}from"./chunk-VZBJ6CRO.js";import{$ as j,C as U,G as F,J as b,K as uo,N,Q as p,U as z,V as J,Y as W,Z as R,aa as d,b as $,d as ao,da as P,ea as I,fa as x,g as io,ia as X,j as co,ja as S,ka as Y,o as _,ra as $o,s as r,u as lo,y as mo,z as o}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";function vo(){let[t,i]=$(""),[n,e]=$(!1),[s,a]=$(!1),[c,m]=$("");document.title=`${o("entry.forgotTitle")} · Cartwright`;let f=async v=>{v.preventDefault(),e(!0),m(""),await p.ask("POST /api/users/forgot-password",{email:t}).then(()=>a(!0),w=>m(R(w).text)),e(!1)};return r`<main class="login"><div class="login-box">
    <p class="brand">Cartwright</p>
    <h1>${o("entry.forgotTitle")}</h1>
    ${c&&r`<${x} kind="bad">${c}<//>`}
    ${s?r`<${x} kind="good">${o("entry.sent")}<//>`:r`<p>${o("entry.forgotText")}</p><form onSubmit=${f}>
          <${O} label=${o("login.email")} type="email" autocomplete="username" value=${t} onInput=${i} required autofocus />
          <${d} look="primary" type="submit" busy=${n}>${o("entry.send")}<//>
        </form>`}
    <p><a href="/console">${o("entry.toLogin")}</a></p>
  </div></main>`}function oo({text:t,action:i,busy:n,onChosen:e,email:s}){let[a,c]=$("");return r`<form onSubmit=${f=>{f.preventDefault(),e(a)}}>
    <p>${t}</p>
    ${s&&r`<input type="hidden" autocomplete="username" value=${s} />`}
    <${L} label=${o("entry.newPassword")} help=${o("entry.newPasswordHelp")} autocomplete="new-password" value=${a}
      onInput=${c} required autofocus />
    <${d} look="primary" type="submit" busy=${n}>${i}<//>
  </form>`}function wo(){return r`<${Z} title=${o("entry.invitation")} first=${Ro} onEntered=${()=>K("/",{replace:!0})} />`}function Ro({attempt:t,busy:i}){let{token:n=""}=_().query,[e,s]=$(null),[a,c]=$(n?"":o("entry.noToken"));if(ao(()=>{n&&p.call("GET /api/invitations/{token}",{token:n}).then(s,A=>c(R(A).text))},[n]),a)return r`<${x} kind="bad">${a}<//><p><a href="/console">${o("entry.toLogin")}</a></p>`;if(!e)return r`<${P} />`;let{email:m,expiresAt:f,role:v,tenantId:w,tenantName:l}=e,u=A=>{t("accept",async()=>{let E=await p.call("POST /api/invitations/{token}/accept",{token:n,...A!==void 0&&{password:A}});return lo("shop",w),E})},y={shop:l,email:m,role:mo("roles",v)??v,end:$o(f)};return r`<p>${o("entry.invitationText",y)}</p>
    ${b.value?r`<${d} look="primary" busy=${i!==""} onClick=${()=>u(void 0)}>${o("entry.acceptAs",{email:b.value.email})}<//>
        <${d} look="quiet" icon="log-out" onClick=${()=>{J().catch(h)}}>${o("shell.signOut")}<//>`:r`<${oo} text=${o("entry.choose")} action=${o("entry.accept")} busy=${i!==""} onChosen=${u} email=${m} />
          <p class="help">${o("entry.signInFirst")} <a href="/console">${o("entry.toLogin")}</a></p>`}`}function go(){return r`<${Z} title=${o("entry.resetTitle")} first=${Do} onEntered=${()=>K("/",{replace:!0})} />`}function Do({attempt:t,busy:i}){let{token:n=""}=_().query,e=s=>{t("reset",()=>p.ask("POST /api/users/reset-password",{token:n,password:s}))};return r`${n?r`<${oo} text=${o("entry.resetText")} action=${o("entry.set")} busy=${i!==""} onChosen=${e} />`:r`<${x} kind="warn">${o("entry.noToken")}<//>`}
    <p><a href="/console/forgot">${o("login.forgot")}</a></p>`}var to=co(null);async function q(t,{always:i=!1,text:n=o("common.passwordWhy")}={}){if(!i)try{return await t()}catch(e){if(R(e).reason!=="password_required")throw e}return new Promise(e=>{to.value={text:n,step:t,done:e}})}function eo(){return to.value&&r`<${Mo} asked=${to.value} />`}function Mo({asked:{text:t,step:i,done:n}}){let e=c=>{to.value=null,n(c)},s=k({name:"proof",initial:{password:""},keep:!1,send:async({password:c})=>e(await i(c))}),a=r`<${C} form=${s} id="proof" action=${o("common.next")} onCancel=${()=>e(void 0)} />`;return r`<${T} title=${o("common.passwordAgain")} onClose=${()=>e(void 0)} busy=${s.busy} actions=${a}>
    <form id="proof" class="stack" onSubmit=${c=>{c.preventDefault(),s.submit()}}>
      <p>${t}</p>
      <${L} label=${o("common.password")} autocomplete="current-password" autofocus required value=${s.values.password}
        error=${s.error("password")} onInput=${c=>s.set("password",c)} />
    </form>
  <//>`}function M({icon:t,title:i,text:n,top:e,children:s}){return r`<div class="proven"><${j} name=${t} size=${20} />
    <div><h3>${i}</h3><p class="help">${n}</p>${s}</div><div class="actions">${e}</div>
  </div>`}function ko({left:t,onChange:i}){let n=async()=>{if(!await V({title:o("account.codesRenew"),text:o("account.codesRenewText"),action:o("account.codesRenew")}))return;let s=await q(a=>p.ask("POST /api/users/recovery-codes",a?{password:a}:{}));s&&i(s.recoveryCodes)},e=r`<${d} icon="refresh-cw" onClick=${()=>{n().catch(h)}}>${o("account.codesRenew")}<//>`;return r`<${M} icon="key" title=${o("account.codes")} text=${o("account.codesLeft",{n:t})} top=${e} />`}var Wo=[[/Edg/,"Edge"],[/SamsungBrowser/,"Samsung Internet"],[/Whale/,"Whale"],[/OPR\//,"Opera"],[/Firefox|FxiOS/,"Firefox"],[/Chrome|CriOS/,"Chrome"],[/Safari/,"Safari"]],jo=[[/iPhone/,"iPhone"],[/iPad/,"iPad"],[/Android/,"Android"],[/Windows/,"Windows"],[/Mac OS/,"macOS"],[/CrOS/,"ChromeOS"],[/Linux/,"Linux"]];function H(t){let i=n=>n.find(([e])=>e.test(t))?.[1];return[i(Wo),i(jo)].filter(Boolean).join(" · ")||t.slice(0,60)}function bo({keys:t,onAdd:i,onChange:n}){let[e,s]=$(null),a=async({id:m,name:f})=>{await q(w=>p.call("POST /api/users/passkeys/{passkey}/remove",{passkey:m,password:w??""}),{always:!0,text:o("account.passkeyRemoveText",{name:f})})&&(n(),g(o("account.passkeyRemoved",{name:f})))},c=G()&&r`<${d} icon="plus" keys="a" onClick=${i}>${o("account.passkeyAdd")}<//>`;return r`<${M} icon="fingerprint-pattern" title=${o("account.passkeys")} text=${o(G()?"account.passkeysText":"account.passkeysNot")}
    top=${c}>
    ${t.length>0&&r`<ul class="rows-plain">${t.map(m=>r`<li key=${m.id}>
      <div><b>${m.name}</b><small>${o("account.added")} <${D} at=${m.createdAt}
        relative /> · ${o("account.used")} <${D} at=${m.lastUsedAt} relative /></small></div>
      <${fo} label=${o("account.moreOf",{name:m.name})} look="quiet" items=${[{label:o("account.rename"),icon:"pencil",run:()=>s(m)},{label:o("common.remove"),icon:"trash",danger:!0,run:()=>{a(m).catch(h)}}]} />
    </li>`)}</ul>`}
    ${e&&r`<${Go} passkey=${e} onClose=${()=>s(null)} onChange=${n} />`}
  <//>`}function xo({onClose:t,onChange:i}){let n=k({name:"passkey",initial:{name:H(navigator.userAgent)},keep:!1,send:async()=>{let e=await q(c=>p.ask("POST /api/users/passkeys/begin",c?{password:c}:{})),s=e&&await po(e.options);if(!e||!s)return;let{recoveryCodes:a}=await p.ask("POST /api/users/passkeys",{challenge:e.challenge,credential:s,name:n.values.name});i(a),g(o("account.passkeyAdded"))}});return r`<${Co} title=${o("account.passkeyAdd")} text=${o("account.passkeyAddText")} form=${n} onClose=${t} ready />`}function Go({passkey:t,onClose:i,onChange:n}){let e=k({name:`passkey ${t.id}`,initial:{name:t.name},keep:!1,send:({name:s},a)=>p.call("PATCH /api/users/passkeys/{passkey}",{passkey:t.id,name:s},a),onSent:()=>{i(),n()}});return r`<${Co} title=${o("account.rename")} form=${e} onClose=${i} />`}function Co({title:t,text:i,form:n,onClose:e,ready:s=!1}){let a=r`<${C} form=${n} id="naming" action=${o(s?"common.next":"common.save")} onCancel=${e} ready=${s||n.dirty} />`;return r`<${T} title=${t} onClose=${e} busy=${n.busy} actions=${a}>
    <form id="naming" class="stack" onSubmit=${c=>{c.preventDefault(),n.submit()}}>
      ${i&&r`<p>${i}</p>`}
      <${O} label=${o("account.passkeyName")} required autofocus maxLength=${100} value=${n.values.name} error=${n.error("name")}
        onInput=${c=>n.set("name",c)} />
    </form>
  <//>`}var Ho=[[1,1,19,7,[]],[2,1,34,10,[6,18]],[3,1,55,15,[6,22]],[4,1,80,20,[6,26]],[5,1,108,26,[6,30]],[6,2,68,18,[6,34]],[7,2,78,20,[6,22,38]],[8,2,97,24,[6,24,42]],[9,2,116,30,[6,26,46]],[11,4,81,20,[6,30,54]],[13,4,107,26,[6,34,62]]],so=new Uint8Array(255),no=new Uint8Array(256);for(let t=0,i=1;t<255;t++,i=i&128?i<<1^285:i<<1)so[t]=i,no[i]=t;var Po=(t,i)=>t&&i?so[((no[t]??0)+(no[i]??0))%255]??0:0;function Qo(t,i){let n=[1];for(let s=0;s<i;s++)n=[...n,0].map((a,c)=>a^Po(n[c-1]??0,so[s]??0));let e=[...t,...Array(i).fill(0)];for(let s=0;s<t.length;s++){let a=e[s];n.forEach((c,m)=>e[s+m]^=Po(c,a))}return e.slice(t.length)}function _o(t,[i,n,e,s]){let a=[0,1,0,0],c=(l,u)=>{for(let y=u-1;y>=0;y--)a.push(l>>y&1)};for(c(t.length,i<10?8:16),t.forEach(l=>c(l,8)),c(0,Math.min(4,n*e*8-a.length));a.length%8;)a.push(0);let m=Array.from({length:a.length/8},(l,u)=>parseInt(a.slice(u*8,u*8+8).join(""),2));for(let l=236;m.length<n*e;l^=253)m.push(l);let f=Array.from({length:n},(l,u)=>m.slice(u*e,(u+1)*e)),v=f.map(l=>Qo(l,s)),w=(l,u)=>Array.from({length:u},(y,A)=>l.map(E=>E[A]??0)).flat();return[...w(f,e),...w(v,s)]}function So(t,i,n){let e=t<<n;for(let s=31-Math.clz32(e);s>=n;s=31-Math.clz32(e))e^=i<<s-n;return t<<n|e}function Uo(t){let i=new TextEncoder().encode(t),n=Ho.find(([l,u,y])=>i.length+(l<10?2:3)<=u*y);if(!n)return;let[e,,,,s]=n,a=e*4+17,c=Array.from({length:a},()=>Array(a).fill(void 0)),m=(l,u,y)=>{c[l]&&l<a&&u>=0&&u<a&&(c[l][u]=y)},f=(l,u,y,A)=>{for(let E=-y;E<=y;E++)for(let Q=-y;Q<=y;Q++)m(l+E,u+Q,!A.includes(Math.max(Math.abs(Q),Math.abs(E))))};for(let l=8;l<a-8;l++)for(let[u,y]of[[6,l],[l,6]])m(u??0,y??0,l%2===0);for(let l of s)for(let u of s)l===6&&(u===6||u===a-7)||u===6&&l===a-7||f(l,u,2,[1]);for(let[l,u]of[[3,3],[3,a-4],[a-4,3]])f(l??0,u??0,4,[2,4]);let v=So(8,1335,10)^21522;for(let l=0;l<15;l++){let u=(v>>l&1)===1;m(l<6?l:l<8?l+1:a-15+l,8,u),m(8,l<8?a-1-l:l<9?7:14-l,u)}m(a-8,8,!0);let w=So(e,7973,12);for(let l=0;e>=7&&l<18;l++)for(let[u,y]of[[Math.floor(l/3),a-11+l%3],[a-11+l%3,Math.floor(l/3)]])m(u??0,y??0,(w>>l&1)===1);return zo(c,_o(i,n)),c}function zo(t,i){let n=t.length,e=0;for(let s=n-1,a=!0;s>0;s-=s===8?3:2,a=!a)for(let c=0;c<n;c++){let m=t[a?n-1-c:c]??[];for(let f of[s,s-1]){if(m[f]!==void 0)continue;let v=(i[e>>3]??0)>>7-(e&7)&1;m[f]=v===1!=(((a?n-1-c:c)+f)%2===0),e++}}}function To({text:t,label:i}){let n=Uo(t);if(!n)return null;let e=n.flatMap((a,c)=>a.flatMap((m,f)=>m?[`M${f+4} ${c+4}h1v1h-1z`]:[])).join(""),s=n.length+8;return r`<svg class="qr" role="img" aria-label=${i} viewBox=${`0 0 ${s} ${s}`} shape-rendering="crispEdges">
    <rect width=${s} height=${s} fill="#fff" /><path d=${e} fill="#000" /></svg>`}function Oo({on:t,onChange:i}){let[n,e]=$(null),[s,a]=$(!1),[c,m]=$(!1),f=async()=>{m(!0),await q(w=>p.ask("POST /api/users/totp/enroll",w?{password:w}:{})).then(w=>e(w??null),h),m(!1)};F([t?{keys:"p",label:o("account.appEnd"),run:()=>a(!0)}:{keys:"p",label:o("account.appAdd"),run:()=>{f()}}]);let v=t?r`<${d} onClick=${()=>a(!0)}>${o("account.appEnd")}<//>`:r`<${d} icon="plus" busy=${c} onClick=${f}>${o("account.appAdd")}<//>`;return r`<${M} icon="smartphone" title=${o("account.app")} text=${o(t?"account.appOn":"account.appText")} top=${v}>
    ${n&&r`<${Ko} secret=${n} onClose=${()=>e(null)} onChange=${i} />`}
    ${s&&r`<${Vo} onClose=${()=>a(!1)} onChange=${i} />`}
  <//>`}var Jo=t=>t.replace(/(.{4})(?=.)/g,"$1 ");function Ko({secret:t,onClose:i,onChange:n}){let e=k({name:"totp",initial:{code:""},keep:!1,send:async({code:a})=>{let{recoveryCodes:c}=await p.ask("POST /api/users/totp/confirm",{code:a.replace(/\s/g,"")});i(),n(c),g(o("account.appAdded"))}}),s=r`<${C} form=${e} id="totp" action=${o("account.appAdd")} onCancel=${i} />`;return r`<${T} title=${o("account.appAdd")} onClose=${i} busy=${e.busy} actions=${s}>
    <form id="totp" class="stack" onSubmit=${a=>{a.preventDefault(),e.submit()}}>
      <p>${o("account.appScan")}</p>
      <${To} text=${t.url} label=${o("account.appCode")} />
      <div class="secret-row"><code>${Jo(t.secret)}</code><${ho} text=${t.secret} /></div>
      <p><a href=${t.url}>${o("account.appOpen")}</a></p>
      <${O} label=${o("account.code")} help=${o("account.codeHelp")} autocomplete="one-time-code" inputmode="numeric" mono required autofocus
        value=${e.values.code}
        error=${e.error("code")} onInput=${a=>e.set("code",a)} />
    </form>
  <//>`}function Vo({onClose:t,onChange:i}){let n=k({name:"totp",initial:{code:"",password:""},keep:!1,send:({code:a="",password:c=""})=>p.ask("POST /api/users/totp/disable",{password:c,code:a.replace(/\s/g,"")}),onSent:()=>{t(),i(),g(o("account.appEnded"))}}),e=r`<${C} form=${n} id="totp" action=${o("account.appEnd")} onCancel=${t} danger />`,s=a=>c=>n.set(a,c);return r`<${T} title=${o("account.appEnd")} onClose=${t} busy=${n.busy} actions=${e}>
    <form id="totp" class="stack" onSubmit=${a=>{a.preventDefault(),n.submit()}}>
      <p>${o("account.appEndText")}</p>
      <${L} label=${o("common.password")} autocomplete="current-password" required autofocus value=${n.values.password}
        error=${n.error("password")} onInput=${s("password")} />
      <${O} label=${o("account.code")} help=${o("account.codeOrRecovery")} autocomplete="one-time-code" mono required value=${n.values.code}
        error=${n.error("code")} onInput=${s("code")} />
    </form>
  <//>`}function ro(){let[t,i]=$([]),[n,e]=$(""),{data:s,refusal:a,reload:c}=B("factors",Xo);F(s&&G()?[{keys:"a",label:o("account.passkeyAdd"),run:()=>e("passkey")}]:[]);let m=s&&r`<${X} tone=${s.factor.active?"good":"wait"}>${o(s.factor.active?"account.on":"account.off")}<//>`,f=(v=[])=>{e(""),i(v),c()};return r`<${S} title=${o("account.factors")} top=${m}>
    ${a?r`<${I} refusal=${a} again=${c} />`:!s&&r`<${P} />`}
    ${s&&r`
      ${s.factor.required&&!s.factor.active&&r`<${x} kind="warn">${o("account.required")}<//>`}
      <p class="help">${o("account.factorsText")}</p>
      <${bo} keys=${s.keys} onAdd=${()=>e("passkey")} onChange=${f} />
      <${Oo} on=${s.factor.totp} onChange=${f} />
      ${s.factor.active&&r`<${ko} left=${s.factor.recoveryCodesLeft} onChange=${f} />`}`}
    ${n==="passkey"&&r`<${xo} onClose=${()=>e("")} onChange=${f} />`}
    ${t.length>0&&r`<${yo} title=${o("account.codes")} text=${o("account.codesOnce")} secret=${t.join(`
`)}
      filename="cartwright-recovery-codes.txt" onClose=${()=>i([])} />`}
  <//>`}async function Xo(t){let[i,{passkeys:n}]=await Promise.all([p.call("GET /api/users/second-factor",{},{signal:t}),p.call("GET /api/users/passkeys",{},{signal:t})]);return{factor:i,keys:n}}function Ao(){let[t,i]=$(!1),e=r`<${d} look="primary" icon="arrow-right" busy=${t} onClick=${async()=>{i(!0),await z().catch(h),i(!1)}}>${o("common.next")}<//>
    <${d} look="quiet" icon="log-out" onClick=${()=>{J().catch(h)}}>${o("shell.signOut")}<//>`;return r`<main><${Y} title=${o("entry.enroll")} class="single" top=${e}><${ro} /><${eo} /><//></main>`}function Eo(){let[t,i]=$(!1),[n,e]=$(!1),s=b.value?.email??"",a=async()=>{e(!0),await p.ask("POST /api/users/forgot-password",{email:s}).then(()=>g(o("account.mailed",{email:s})),h),e(!1)};return F([{keys:"m",label:o("account.mailLink"),run:()=>{a()}},...N("users:update")?[{keys:"w",label:o("account.passwordNow"),run:()=>i(!0)}]:[]]),r`<${S} title=${o("account.password")}>
    <p class="help">${o("account.passwordText")}</p>
    <div class="actions">
      <${d} icon="mail" busy=${n} onClick=${a}>${o("account.mailLink")}<//>
      ${N("users:update")&&r`<${d} icon="lock" onClick=${()=>i(!0)}>${o("account.passwordNow")}<//>`}
    </div>
    ${t&&r`<${Yo} onClose=${()=>i(!1)} />`}
  <//>`}function Yo({onClose:t}){let i=k({name:"password",initial:{password:""},keep:!1,send:({password:e})=>W("users").update(b.value?.id??"",{password:e}),onSent:()=>{g(o("account.passwordChanged")),b.value=null}}),n=r`<${C} form=${i} id="password" action=${o("account.passwordSet")} onCancel=${t} />`;return r`<${T} title=${o("account.passwordNow")} onClose=${t} busy=${i.busy} actions=${n}>
    <form id="password" class="stack" onSubmit=${e=>{e.preventDefault(),i.submit()}}>
      <p>${o("account.passwordEnds")}</p>
      <input type="hidden" autocomplete="username" value=${b.value?.email} />
      <${L} label=${o("account.passwordNew")} autocomplete="new-password" autofocus required value=${i.values.password}
        error=${i.error("password")}
        onInput=${e=>i.set("password",e)} />
    </form>
  <//>`}var Fo=["tell","mail"];function No(){let{data:t,refusal:i,reload:n,set:e}=B("preferences",a=>p.call("GET /api/users/me/preferences",{},{signal:a})),s=async(a,c,m)=>{try{e(await p.call("PATCH /api/users/me/preferences",{[a]:{[c]:m}}))}catch(f){h(f),n()}};return r`<${S} title=${o("account.preferences")}>
    <p class="help">${o("account.preferencesText",{shop:uo.value?.name})}</p>
    ${i?r`<${I} refusal=${i} again=${n} />`:!t&&r`<${P} />`}
    ${t&&r`<${Zo} wishes=${t} choose=${s} />`}
  <//>`}function Zo({wishes:t,choose:i}){let n=e=>U("user-preferences",e);return r`<table class="wishes">
    <thead><tr><th scope="col"><span class="aside">${o("account.about")}</span></th>${Fo.map(e=>r`<th scope="col">
      ${o(`account.way-${e}`)}</th>`)}</tr></thead>
    <tbody>${Object.keys(t.mail).sort().map(e=>r`<tr key=${e}><th scope="row">${n(`mail.${e}`)}</th>${Fo.map(s=>{let a=t[s][e];return r`<td>${a===void 0?r`<span class="none" title=${o("account.always")}>${o("account.alwaysShort")}</span>`:r`<input type="checkbox" checked=${a}
        aria-label=${`${n(`mail.${e}`)}: ${o(`account.way-${s}`)}`}
          onChange=${c=>i(s,e,c.currentTarget.checked)} />`}</td>`})}</tr>`)}</tbody>
  </table>`}function Bo(){let t=b.value?.id??"",i=c=>p.collections.from("users").findById(t,{depth:1},{signal:c}),{data:n,refusal:e,reload:s}=B(N("users:read")?`user ${t}`:"",i,{live:["users"],record:t}),a=n??(N("users:read")?void 0:b.value);return r`<${S} title=${o("account.profile")}>
    ${e&&r`<${I} refusal=${e} again=${s} />`}
    ${a?N("users:update")?r`<${tt} me=${a} reload=${s} />`:r`<${ot} me=${a} />`:!e&&r`<${P} />`}
  <//>`}function ot({me:t}){return r`<div class="person"><${Io} user=${t} /><div><b>${t.name}</b><p>${t.email}</p></div></div>
    <${x}>${o("account.profileByAdmin")}<//>`}function Io({user:{picture:t}}){let i=typeof t=="object"?t?.url:void 0;return r`<span class="portrait">${i?r`<img src=${i} alt="" />`:r`<${j} name="user" size=${28} />`}</span>`}function tt({me:t,reload:i}){let n=io(()=>({firstName:t.firstName,lastName:t.lastName,name:t.name,revision:t.revision}),[t]),e=k({name:`profile ${t.id}`,initial:n,refresh:i,send:(a,{revision:c,...m})=>W("users").update(t.id,{...a,expectedRevision:c},m),onSent:()=>{i(),z().catch(h),g(o("common.saved"))}}),s=(a,c)=>r`<${O}
    label=${U("users",a)}
    autocomplete=${c} value=${e.values[a]??""} error=${e.error(a)} onInput=${m=>e.set(a,m)} />`;return r`<form id="profile" class="stack" onSubmit=${a=>{a.preventDefault(),e.submit()}}>
      <${et} me=${t} reload=${i} />
      <div class="two">${s("lastName","family-name")}${s("firstName","given-name")}</div>
      ${s("name","nickname")}
    </form>
    <${C} form=${e} id="profile" slug="users" />`}function et({me:t,reload:i}){let[n,e]=$(!1),s=async c=>{e(!0);try{await W("users").update(t.id,{picture:await c(),expectedRevision:t.revision??null})}catch(m){h(m)}i(),e(!1)},a=c=>{let[m]=c.currentTarget.files;c.currentTarget.value="",m&&s(async()=>(await p.upload("/api/media",{file:m,filename:m.name,alt:t.name??""})).doc.id)};return r`<div class="person"><${Io} user=${t} />
    <div><p>${t.email}</p>
      ${N("media:create")&&r`<div class="actions">
        <label class="button file-button" aria-busy=${n||void 0}><${j} name="image" /><span>${o("account.picture")}</span>
          <input type="file" accept="image/*" disabled=${n} onChange=${a} /></label>
        ${t.picture&&r`<${d} look="quiet" disabled=${n} onClick=${()=>{s(async()=>null)}}>${o("common.remove")}<//>`}
      </div>`}
    </div>
  </div>`}function Lo(){let[t,i]=$(""),{data:n,refusal:e,reload:s}=B("sessions",l=>p.call("GET /api/users/sessions",{},{signal:l})),a=n?.sessions??[],c=a.length-a.filter(l=>l.current).length,m=async(l,u)=>{i(l),await u().then(g,h),s(),i("")},f=l=>m(l,async()=>(await p.call("DELETE /api/users/sessions/{session}",{session:l}),o("account.sessionEnded"))),v=async()=>{await V({title:o("account.endOthers"),text:o("account.endOthersText",{n:c}),action:o("account.endOthers"),danger:!0})&&await m("others",async()=>o("account.sessionsEnded",{n:(await p.call("POST /api/users/sessions/end-others")).ended}))};F(c>0?[{keys:"o",label:o("account.endOthers"),run:()=>{v()}}]:[]);let w=c>0&&r`<${d} icon="log-out" busy=${t==="others"} onClick=${v}>${o("account.endOthers")}<//>`;return r`<${S} title=${o("account.sessions")} top=${w}>
    ${e?r`<${I} refusal=${e} again=${s} />`:!n&&r`<${P} />`}
    <ul class="rows-plain">${a.map(l=>r`<li key=${l.id}>
      <div><b>${H(l.userAgent)||o("account.unknownDevice")}</b> ${l.current&&r`<${X} tone="good">${o("account.thisDevice")}<//>`}
        <small>${l.lastAddress} · ${o("account.seen")} <${D} at=${l.lastSeenAt}
          relative /> · ${o("account.signedIn")} <${D} at=${l.createdAt} relative /></small></div>
      ${!l.current&&r`<${d} busy=${t===l.id} onClick=${()=>f(l.id)} aria-label=${o("account.endNamed",{name:H(l.userAgent)})}>
        ${o("account.end")}<//>`}
    </li>`)}</ul>
  <//>`}function qo(){return r`<${Y} title=${o("account.title")} class="single">
    <${Bo} /><${Eo} /><${ro} /><${Lo} /><${No} /><${eo} />
  <//>`}export{qo as Account,Ao as Enroll,vo as Forgot,wo as Invitation,go as Reset};
