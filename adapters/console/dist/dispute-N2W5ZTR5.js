import{d as q}from"./chunk-EOOXSCTV.js";import{a as _}from"./chunk-WN5ITANQ.js";import{a as N}from"./chunk-7EM6NNTB.js";import{a as M}from"./chunk-ZFQRI6BM.js";import{a as R,b as v,c as B}from"./chunk-RGNC7VM4.js";import{c as P}from"./chunk-CR5WSEUI.js";import"./chunk-LDME6CXF.js";import{a as L}from"./chunk-YR7UKKP2.js";import{a as F}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as g}from"./chunk-VZBJ6CRO.js";import{C as f,D as b,E as D,G as x,N as u,Q as m,X as h,ea as T,g as I,ha as A,ja as w,ka as k,p as S,s,z as n}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";var C=["tracking","order","contact","terms"];function O(){let{id:a=""}=S().params,{data:e,refusal:d,reload:i}=F(`dispute ${a}`,l=>E(a,l),{live:["disputes","fulfillments"]}),t=e?.dispute,p={href:g("/disputes"),label:n("payments.disputes")},r=t?.reason||D("disputes","one");if(!e||!t)return s`<${k} title=${r} back=${p}>
      <${A} refusal=${d} again=${i} gone=${n("payments.gone")} goneText=${n("payments.goneText")} />
    <//>`;let o=s`<span class="badges"><${B} slug="disputes" path="status" value=${t.status} /></span>`;return s`<${k} title=${r} back=${p} badges=${o}>
    ${d&&s`<${T} refusal=${d} again=${i} />`}
    <div class="columns">
      <div><${Q} dispute=${t} />
        ${e.order&&s`<${_} order=${e.order} parcels=${e.parcels} />`}
        ${u("disputes:update")&&s`<${j} dispute=${t} onChanged=${i} />`}</div>
      <aside><${z} ...${e} dispute=${t} /></aside>
    </div>
  <//>`}function Q({dispute:a}){let{status:e,amount:d,currency:i,evidenceDue:t,provider:p}=a,r=q(a);return s`<section class=${`card ${r?"payment-case":""}`} aria-label=${n("payments.story")}>
    <p>${n(`payments.tells-${e}`)}</p>
    <dl class="sums">
      <div class="whole"><dt>${n("payments.disputed")}</dt><dd><${R} amount=${d} currency=${i} /></dd></div>
      ${e==="needs_response"&&s`<div class="payment-warned"><dt>${n("payments.deadline")}</dt>
        <dd><${v} at=${t} /> (<${v} at=${t} relative />)</dd></div>`}
    </dl>
    ${e==="needs_response"&&s`<p>${n("payments.answerAt",{provider:b("disputes","provider",p)})}</p>
      <ul class="payment-evidence">${C.map(o=>s`<li key=${o}>${n(`payments.evidence-${o}`)}</li>`)}</ul>`}
  </section>`}function j({dispute:a,onChanged:e}){let{id:d,note:i,revision:t}=a,p=I(()=>({note:i??"",revision:t}),[a]),r=M({name:`dispute ${d}`,initial:p,refresh:e,send:(o,{revision:l,...y})=>m.collections.from("disputes").update(d,{...o,expectedRevision:l},y),onSent:()=>{e(),L(n("common.saved"))}});return x([{keys:"mod+s",label:n("common.save"),everywhere:!0,run:()=>r.save()}]),s`<${w} title=${f("disputes","note")}>
    <form id="note" class="stack" onSubmit=${o=>{o.preventDefault(),r.submit()}}><${P} label=${f("disputes","note")} hideLabel rows=${4} value=${r.values.note} error=${r.error("note")}
      onInput=${o=>r.set("note",o)} /></form>
    <${N} form=${r} id="note" slug="disputes" />
  <//>`}function z({dispute:a,order:e}){let{paymentSession:d,provider:i,openedAt:t,providerDisputeId:p,providerPaymentId:r}=a,o=c=>f("disputes",c),l=(c,$)=>s`<a href=${g(c)}>${$}</a>`,y=[[o("order"),e&&l(`/orders/${e.id}`,e.orderNumber)],[o("paymentSession"),d&&u("payment-sessions:read")&&l(`/payments/${h(d)}`,n("payments.one"))],[o("provider"),b("disputes","provider",i)],[o("openedAt"),t&&s`<${v} at=${t} />`],[o("providerDisputeId"),s`<code>${p}</code>`],[o("providerPaymentId"),r&&s`<code>${r}</code>`]];return s`<${w} title=${n("payments.facts")}><dl class="facts">
    ${y.map(([c,$])=>$&&s`<div key=${c}><dt>${c}</dt><dd>${$}</dd></div>`)}
  </dl><//>`}async function E(a,e){let d=await m.collections.from("disputes").findById(a,{depth:0},{signal:e}),i=h(d.order),t=i&&u("orders:read")?await m.collections.from("orders").findById(i,{depth:0},{signal:e}).catch(()=>null):null;if(!t||!u("fulfillments:read"))return{dispute:d,order:t,parcels:[]};let p={where:{order:{equals:i}},limit:100},{docs:r}=await m.collections.from("fulfillments").find(p,{signal:e});return{dispute:d,order:t,parcels:r}}export{O as default};
