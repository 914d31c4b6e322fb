import{a as pe,b as ce,c as de}from"./chunk-WLBOMENY.js";import{a as H,b as E,c as le,d as $e}from"./chunk-EOOXSCTV.js";import{b as ie,c as me}from"./chunk-CBZN4IB3.js";import{a as re,b as ae}from"./chunk-ZUNVXRQY.js";import{a as se}from"./chunk-ZV2XWTMO.js";import{a as ne}from"./chunk-3WAPSNU2.js";import"./chunk-FOTJFVPA.js";import{b as P}from"./chunk-7EM6NNTB.js";import{a as O}from"./chunk-ZFQRI6BM.js";import{a as L,b as A,c as z}from"./chunk-RGNC7VM4.js";import{a as oe}from"./chunk-IMYQGOQZ.js";import{c as w,e as te}from"./chunk-CR5WSEUI.js";import{b as Y}from"./chunk-LDME6CXF.js";import{a as v,b as R}from"./chunk-YR7UKKP2.js";import{a as V}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as M,c as W,d as K}from"./chunk-VZBJ6CRO.js";import{$ as X,C as S,D as k,E as j,G as J,M as U,N as B,Q as y,X as C,aa as D,b as N,ea as Z,ha as ee,ja as g,ka as Q,la as I,p as G,ra as _,s as o,z as t}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";function ue({payment:{session:s},onClose:e,onChanged:r}){let{amount:i,currency:m}=s.amount,n=O({name:`confirm ${s.id}`,initial:{providerPaymentId:"",eventId:"",captured:""},keep:!1,refresh:r,send:({providerPaymentId:a,eventId:d,captured:$},{idempotencyKey:f})=>y.call("POST /api/payment-sessions/custom/confirm",{providerSessionId:s.providerSessionId??"",providerPaymentId:a,eventId:d,captured:{amount:se($),currency:m}},{idempotencyKey:f}),onSent:()=>{e(),r(),v(t("payments.done-confirm"))}}),{values:p,error:c,set:l}=n;return o`<${P} form=${n} id="confirm" title=${t("payments.do-confirm")} action=${t("payments.do-confirm")} onClose=${e}>
    <p>${t("payments.what-confirm",{amount:I(i,m)})}</p>
    <${w} label=${S("payment-sessions","providerPaymentId")} value=${p.providerPaymentId} error=${c("providerPaymentId")} mono
      spellcheck=${!1} onInput=${a=>l("providerPaymentId",a)} required autofocus />
    <${w} label=${t("payments.eventId")} help=${t("payments.eventHelp")} value=${p.eventId} error=${c("eventId")} mono spellcheck=${!1}
      onInput=${a=>l("eventId",a)} required />
    <${te} label=${t("payments.captured")} help=${t("payments.capturedHelp")} unit=${m} value=${p.captured} error=${c("captured")}
      onInput=${a=>l("captured",a)} required />
  <//>`}function fe({payment:{session:s},onClose:e,onChanged:r}){let{id:i,revision:m}=s,n=O({name:`release ${i}`,initial:{note:""},keep:!1,refresh:r,send:({note:p},{idempotencyKey:c})=>y.call("POST /api/payment-sessions/{id}/release",{id:i,note:p,expectedRevision:m},{idempotencyKey:c}),onSent:()=>{e(),r(),v(t("payments.done-release"))}});return o`<${P} form=${n} id="release" title=${t("payments.do-release")} action=${t("payments.do-release")} danger onClose=${e}>
    <p>${t("payments.what-release")}</p>
    <${w} label=${t("payments.note")} help=${t("payments.noteHelp")} value=${n.values.note} error=${n.error("note")} rows=${2}
      onInput=${p=>n.set("note",p)} required autofocus />
  <//>`}function ye({payment:s,act:e,onClose:r,onChanged:i}){let{session:m,checkout:n,movements:p}=s,{id:c,revision:l,provider:a}=m,d=O({name:`resolve ${c} ${e}`,initial:{note:"",refundAccount:void 0},keep:!1,refresh:i,send:(h,{idempotencyKey:q})=>y.call("POST /api/payment-sessions/{id}/resolve",{id:c,action:e,...h,expectedRevision:l},{idempotencyKey:q}),onSent:()=>{r(),i(),v(t(`payments.done-${e}`))}}),$=pe(p),f=o`<${w} label=${t("payments.note")} help=${t("payments.noteHelp")} value=${d.values.note} error=${d.error("note")} rows=${2}
    onInput=${h=>d.set("note",h)} required autofocus />`,b=t(`payments.do-${e}`),x={provider:k("payment-sessions","provider",a)};return o`<${P} form=${d} id="resolve" title=${b} action=${b} danger=${e==="refund"} onClose=${r}>
    <p>${t(e==="dismiss"?`payments.dismiss-${H(m)??"money"}`:`payments.what-${e}`)}</p>
    ${e!=="dismiss"&&$&&o`<dl class="sums preview">
      ${e==="place"&&n?.lines.map(h=>o`<div key=${h.id}><dt>${h.title} × ${h.quantity}</dt><dd></dd></div>`)}
      <div class="whole"><dt>${t(e==="refund"?"payments.givenBack":"payments.paidBy",x)}</dt>
        <dd><${L} amount=${$.amount} currency=${$.currency} /></dd></div>
    </dl>`}
    ${f}
    ${ae(d)&&o`<${re} form=${d} />`}
  <//>`}var F={place:{icon:"shopping-cart",keys:"o"},refund:{icon:"banknote",keys:"u",danger:!0},dismiss:{icon:"check",keys:"d"},capture:{icon:"hand-coins",keys:"c"},cancelOrder:{icon:"ban",keys:"b",danger:!0},dispute:{icon:"message-square",keys:"e"},order:{icon:"arrow-right",keys:"o"},reconcile:{icon:"refresh-cw",keys:"a"},confirm:{icon:"badge-check",keys:"v"},cancel:{icon:"x",keys:"l",danger:!0},release:{icon:"split",keys:"s",danger:!0}};function ve({payment:s,onChanged:e}){let[r,i]=N(""),[m,n]=N(!1),{session:p,order:c,disputes:l}=s,{suggested:a,others:d}=le(s),$=async u=>{n(!0);try{v(await u())}catch(we){R(we)}e(),n(!1)},f={dispute:()=>K(`/disputes/${l.find($e)?.id}`),order:()=>K(`/orders/${c?.id}`),reconcile:()=>{$(()=>Ie(s))},cancel:()=>{Se(p).then(u=>u?$(()=>Oe(p)):void 0)}},b=u=>(f[u]??(()=>i(u)))(),x=u=>t(`payments.do-${u}`),h=a?[a,...d]:d;J(h.map(u=>({keys:F[u].keys,label:x(u),run:()=>b(u)})));let q=d.map(u=>({label:x(u),icon:F[u].icon,danger:F[u].danger??!1,run:()=>b(u)})),T={onClose:()=>i(""),onChanged:e},{icon:ke,keys:ge}=a?F[a]:F.place;return o`${a&&o`<${D} look="primary" icon=${ke} keys=${ge} busy=${m} onClick=${()=>b(a)}>${x(a)}<//>`}
    ${q.length>0&&o`<${oe} label=${t("payments.others")} items=${q} />`}
    ${(r==="place"||r==="refund"||r==="dismiss")&&o`<${ye} payment=${s} act=${r} ...${T} />`}
    ${r==="capture"&&c&&o`<${me} order=${c} ...${T} />`}
    ${r==="cancelOrder"&&c&&o`<${ie} order=${c} ...${T} />`}
    ${r==="confirm"&&o`<${ue} payment=${s} ...${T} />`}
    ${r==="release"&&o`<${fe} payment=${s} ...${T} />`}`}async function Ie({session:s,connection:e}){let{order:r,requiresAttention:i,paymentSession:m}=await y.call("POST /api/payment-sessions/aggregator/reconcile",{accountKey:e?.accountKey??"",environment:U.value,providerPaymentId:s.providerPaymentId??s.paymentId??""});return i?t("payments.asked-attention"):r&&!s.order?t("payments.asked-order",{number:r.orderNumber}):t(m?.status===s.status?"payments.asked-same":"payments.asked-changed")}function Se(s){let e=t(s.slotHeld?"payments.what-cancel":"payments.what-cancelReleased");return Y({title:t("payments.do-cancel"),text:e,action:t("payments.do-cancel"),danger:!0})}async function Oe({id:s,revision:e}){return await y.call("POST /api/payment-sessions/{id}/cancel",{id:s,expectedRevision:e}),t("payments.done-cancel")}function he({payment:s}){let{session:e,disputes:r}=s,i=r.find(m=>m.evidenceDue&&m.status==="needs_response")?.evidenceDue;return H(e)?o`<section class="card payment-case" aria-labelledby="case">
      <h2 id="case"><${X} name="triangle-alert" />${k("payment-sessions","reason",e.reason??"")}</h2>
      <p>${t(`payments.why-${e.reason}`)}</p>
      ${e.suggestedAction&&o`<p>
        <b>${t("payments.advice")}</b> ${t(`payments.advice-${e.suggestedAction}`)} ${i&&o`<b><${A} at=${i} /></b>`}</p>`}
      ${e.note&&o`<p class="quote">${e.note}</p>`}
    </section>`:o`<${g} title=${t("payments.story")}>
      <p>${t(`payments.state-${E(e)?"deposit":e.status}`)}</p>
      ${e.observation!=="none"&&o`<p>${t(`payments.seen-${e.observation}`)}</p>`}
      ${e.resolution&&o`<p>${t(`payments.resolved-${e.resolution}`)}</p>`}
      ${e.reason&&e.resolution&&o`<p class="none">${t("payments.was")} ${k("payment-sessions","reason",e.reason)}</p>`}
      ${e.slotHeld&&o`<p class="none">${t("payments.slot",{at:_(e.expiresAt)})}</p>`}
      ${e.note&&o`<p class="quote">${e.note}</p>`}
    <//>
    ${E(e)&&o`<${Pe} session=${e} />`}`}function Pe({session:s}){let{amount:e,currency:r,bank:i,bankCode:m,account:n,holder:p,due:c}=s.instructions,l=$=>S("payment-sessions",`instructions.${$}`),a=async()=>{let $={bank:i??m??"",account:n,holder:p??"",amount:I(e,r),due:_(c)};try{await navigator.clipboard.writeText(Object.entries($).map(([f,b])=>`${l(f)}: ${b}`).join(`
`)),v(t("payments.copied"))}catch(f){R(f)}},d=c!==null&&Date.parse(c)<Date.now();return o`<${g} title=${t("payments.deposit")} top=${o`<${D} icon="copy" onClick=${a}>${t("payments.copy")}<//>`}>
    <dl class="facts">
      <div><dt>${l("bank")}</dt><dd>${i??m??"—"}</dd></div>
      <div><dt>${l("account")}</dt><dd><code>${n}</code></dd></div>
      <div><dt>${l("holder")}</dt><dd>${p??"—"}</dd></div>
      <div><dt>${l("amount")}</dt><dd><${L} amount=${e} currency=${r} /></dd></div>
      <div class=${d?"payment-warned":""}><dt>${l("due")}</dt><dd><${A} at=${c} /></dd></div>
    </dl>
    <p class="help">${t(d?"payments.depositLate":"payments.depositHelp")}</p>
  <//>`}var be=["payment-sessions","transactions","disputes","comments"];function xe(){let{id:s=""}=G().params,{data:e,refusal:r,reload:i}=V(`payment ${s}`,d=>Be(s,d),{live:be}),m={href:M("/payments"),label:t("payments.title")};if(!e)return o`<${Q} title=${t("payments.one")} back=${m}>
      <${ee} refusal=${r} again=${i} gone=${t("payments.gone")} goneText=${t("payments.goneText")} />
    <//>`;let{session:n,movements:p}=e,c=`${I(n.amount.amount,n.amount.currency)} · ${n.customerName||n.email||t("payments.noName")}`,l=o`<span class="badges"><${z} slug="payment-sessions" path="status" value=${n.status} /></span>`,a=[k("payment-sessions","provider",n.provider),de(n.method)];return o`<${Q} title=${c} back=${m} badges=${l} top=${o`<${ve} payment=${e} onChanged=${i} />`}>
    <p class="under"><${A} at=${n.createdAt} /> · ${a.filter(Boolean).join(" · ")}</p>
    ${r&&o`<${Z} refusal=${r} again=${i} />`}
    <div class="columns">
      <div>
        <${he} payment=${e} />
        ${B("transactions:read")&&o`<${ce} session=${n} movements=${p} />`}
        <${ne} slug="payment-sessions" id=${n.id} live=${be} />
      </div>
      <aside><${Te} payment=${e} /><${qe} session=${n} connection=${e.connection} /></aside>
    </div>
  <//>`}function Te({payment:{session:s,order:e,checkout:r,disputes:i,siblings:m}}){let{customerName:n,email:p,phone:c}=s,l=(a,{id:d,status:$},f="")=>o`<p key=${d}>
    <a href=${M(W(a,d))}>${f||j(a,"one")}</a> <${z} slug=${a} path="status" value=${$} /></p>`;return o`<${g} title=${t("payments.of")}>
      ${e?l("orders",e,`${j("orders","one")} ${e.orderNumber}`):o`<p>${t("payments.noOrder")}</p>`}
      ${r&&!e&&o`${l("checkouts",r)}
        <ul class="payment-bought">${r.lines.map(a=>o`<li key=${a.id}>${Ae(a)}</li>`)}</ul>`}
      ${i.map(a=>l("disputes",a))}
      ${m.length>0&&o`<h3>${t("payments.siblings")}</h3>`}
      ${m.map(a=>l("payment-sessions",a,I(a.amount.amount,a.amount.currency)))}
    <//>
    <${g} title=${t("payments.buyer")}>
      <p>${n||"—"}</p>
      ${p&&o`<p><a href=${`mailto:${p}`}>${p}</a></p>`}
      ${c&&o`<p><a href=${`tel:${c}`}>${c}</a></p>`}
    <//>`}var Ae=({title:s,variantTitle:e,quantity:r})=>`${[s,e].filter(Boolean).join(" · ")} × ${r}`,Fe=["paymentId","providerPaymentId","providerSessionId"];function qe({session:s,connection:e}){let r=n=>S("payment-sessions",n),i=n=>s[n]?k("payment-sessions",n,s[n]):"",m=[["kind",i("kind")],["capture",i("capture")],["connection",e?.name||e?.accountKey],...Fe.map(n=>[n,s[n]&&o`<code>${s[n]}</code>`])];return o`<${g} title=${t("payments.facts")}><dl class="facts">
    ${m.map(([n,p])=>p&&o`<div key=${n}><dt>${r(n)}</dt><dd>${p}</dd></div>`)}
  </dl><//>`}async function Be(s,e){let r=await y.collections.from("payment-sessions").findById(s,{depth:0},{signal:e}),i=(d,$)=>{let f=C($);return f&&B(`${d}:read`)?y.collections.from(d).findById(f,{depth:0},{signal:e}).catch(()=>null):null},m=async d=>{if(!B(`${d}:read`))return[];let $={where:{paymentSession:{equals:s}},sort:"createdAt",limit:100,depth:0};return(await y.collections.from(d).find($,{signal:e})).docs},[n,p,c,l,a]=await Promise.all([i("orders",r.order),i("checkouts",r.checkout),i("provider-connections",r.connection),m("transactions"),m("disputes")]);return{session:r,order:n,checkout:p,connection:c,movements:l,disputes:a,siblings:await Ce(r,p,e)}}async function Ce(s,e,r){let i=[C(s.checkout),C(e?.supersededBy)].filter(p=>p!==void 0);if(i.length===0)return[];let m={checkout:{in:i}},{docs:n}=await y.collections.from("payment-sessions").find({where:m,sort:"-createdAt",limit:20,depth:0},{signal:r});return n.filter(p=>p.id!==s.id)}export{xe as default};
