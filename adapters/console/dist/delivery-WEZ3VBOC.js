import{b as O}from"./chunk-L2MJZ54E.js";import{e as G}from"./chunk-WJ5TBOKD.js";import{b as c,c as E}from"./chunk-RGNC7VM4.js";import{a as D,b as R}from"./chunk-YR7UKKP2.js";import{a as v}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as u,c as x}from"./chunk-VZBJ6CRO.js";import{C as a,D as m,E as f,G as q,N as S,Q as $,aa as B,b as g,da as L,ea as h,fa as T,ga as C,ia as k,ja as p,ka as w,na as y,p as A,s as t,z as l}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";function j(){let{id:s=""}=A().params,o=b=>$.collections.from("webhook-deliveries").findById(s,{depth:1},{signal:b}),{data:e,refusal:i,reload:r}=v(`webhook-deliveries ${s}`,o,{live:["webhook-deliveries"],record:s}),n={href:u("/webhooks/deliveries"),label:f("webhook-deliveries")};if(!e)return t`<${w} title=${f("webhook-deliveries","one")} back=${n}>
      ${i?t`<${h} refusal=${i} again=${r} />`:t`<${L} lines=${8} />`}<//>`;let d=t`<span class="badges"><${E} slug="webhook-deliveries" path="status" value=${e.status} />
    ${e.replayed&&t`<${k}>${a("webhook-deliveries","replayed")}<//>`}</span>`;return t`<${w} title=${G(e)} back=${n} badges=${d} top=${t`<${F} delivery=${e} onChanged=${r} />`}>
    ${e.reason&&t`<${T} kind="bad">${m("webhook-deliveries","reason",e.reason)}<//>`}
    <div class="columns">
      <div><${I} delivery=${e} /><${J} delivery=${e} /></div>
      <aside><${p} title=${l("webhooks.facts")}><${M} delivery=${e} /><//></aside>
    </div>
  <//>`}function F({delivery:s,onChanged:o}){let[e,i]=g(!1),r=S("webhook-endpoints:update")&&!s.test,n=async()=>{i(!0);try{await $.call("POST /api/webhook-deliveries/{id}/redeliver",{id:s.id}),D(l("webhooks.redelivered"))}catch(d){R(d)}o(),i(!1)};return q(r?[{keys:"n",label:l("webhooks.redeliver"),run:()=>{n()}}]:[]),r&&t`<${B} look="primary" icon="rotate-ccw" keys="n" busy=${e} onClick=${n}>${l("webhooks.redeliver")}<//>`}function I({delivery:s}){let{attempts:o}=s;return t`<${p} title=${a("webhook-deliveries","attempts")}>
    ${o.length===0&&t`<${C} icon="clock" title=${l("webhooks.notTried")} />`}
    <ol class="tries">${o.map(e=>t`<li key=${e.at}>
      <p><${k} tone=${e.status&&e.status<300?"good":"bad"}>${e.status??m("webhook-deliveries","attempts.failure",e.failure??"")}<//>
        <${c} at=${e.at} /> · ${l("webhooks.took",{ms:y(e.durationMs)})}</p>
      ${e.response&&t`<pre class="tree" tabindex="0" role="group" aria-label=${a("webhook-deliveries","response")}>${e.response}</pre>`}
    </li>`)}</ol>
    ${s.nextAttemptAt&&t`<p>${a("webhook-deliveries","nextAttemptAt")}: <${c} at=${s.nextAttemptAt} /></p>`}
  <//>`}function J({delivery:s}){let{sequence:o,event:e}=s,i=async d=>{let{docs:b}=await $.call("GET /api/events",{after:String((o??1)-1),limit:1},{signal:d});return b.find(P=>P.id===e)??null},{data:r,refusal:n}=v(o?`event ${o}`:"",i);return o?t`<${p} title=${l("webhooks.request")}>
    ${r===null&&t`<p>${l("webhooks.requestGone")}</p>`}
    ${n&&t`<${h} refusal=${n} />`}
    ${r&&t`<${O} label=${l("webhooks.request")}
      value=${{collection:r.collection,operation:r.operation,data:r.data,doc:r.doc,previousDoc:r.previousDoc}} />`}
  <//>`:null}function M({delivery:s}){let o=s,e=typeof o.endpoint=="object"?o.endpoint:null,i=(r,n)=>n!==null&&t`<div><dt>${a("webhook-deliveries",r)}</dt><dd>${n}</dd></div>`;return t`<dl class="facts">
    ${i("endpoint",e&&t`<a href=${u(`/webhooks/${e.id}`)}>${e.url}</a>`)}
    ${i("record",o.record&&o.collection&&!o.test?t`<a
      href=${u(x(o.collection,o.record))}><code>${o.record.slice(-8)}</code></a>`:null)}
    ${i("event",o.event&&t`<code>${o.event}</code>`)}
    ${i("sequence",o.sequence===null?null:y(o.sequence))}
    ${i("occurredAt",t`<${c} at=${o.occurredAt} />`)}
    ${i("endedAt",t`<${c} at=${o.endedAt} />`)}
  </dl>`}export{j as default};
