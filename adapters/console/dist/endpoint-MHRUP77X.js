import{a as Z}from"./chunk-O53VJFET.js";import{a as _,c as ee,d as oe,f as E,g as te}from"./chunk-WJ5TBOKD.js";import{b as Y}from"./chunk-USCASXRN.js";import"./chunk-73WIXOSZ.js";import"./chunk-6QJ7YWEH.js";import{b as X}from"./chunk-ZNBJFM4Q.js";import"./chunk-VPLB4NIS.js";import"./chunk-SLAW6HH6.js";import"./chunk-AM3DABK3.js";import"./chunk-FOTJFVPA.js";import{a as V}from"./chunk-7EM6NNTB.js";import{a as K}from"./chunk-ZFQRI6BM.js";import{b as O}from"./chunk-RGNC7VM4.js";import"./chunk-IL44MJ62.js";import{a as J}from"./chunk-IMYQGOQZ.js";import{h as C}from"./chunk-CR5WSEUI.js";import{a as Q,b as v}from"./chunk-LDME6CXF.js";import{a as g,b as H}from"./chunk-YR7UKKP2.js";import{a as j}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as T,d as D}from"./chunk-VZBJ6CRO.js";import{C as y,D as B,E as I,G as N,N as S,Q as m,aa as M,b as u,d as P,da as U,ea as W,f as x,fa as w,ga as z,ja as G,ka as R,p as A,s as o,z as e}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";function me({id:t}){let[l,n]=u(0),s=x(!1),i=()=>{s.current=!0};P(()=>i,[]);let r=x({of:"",next:"",deliveries:0});return{sent:l,replay:async({from:c,to:a})=>{let f=`${c} ${a}`;r.current.of!==f&&(r.current={of:f,next:c,deliveries:0});let d=r.current;for(n(d.deliveries);d.next&&!s.current;){let b=await m.call("POST /api/webhook-endpoints/{id}/replay",{id:t,from:d.next,to:a??null});d.deliveries+=b.deliveries,n(d.deliveries),d.next=b.nextSequence===null?"":String(b.nextSequence)}g(e("webhooks.replayed",{n:d.deliveries}))},stop:i}}function re({endpoint:t,onClose:l}){let{sent:n,replay:s,stop:i}=me(t),r=K({name:`replay ${t.id}`,keep:!1,initial:{from:"",to:""},send:s,onSent:l}),p=()=>{i(),l()},c=o`<${V} form=${r} onCancel=${p} id="replay" action=${e("webhooks.replay")} />`;return o`<${Q} title=${e("webhooks.replay")} onClose=${p} actions=${c}>
    <form id="replay" class="stack" onSubmit=${a=>{a.preventDefault(),r.submit()}}>
      <p>${e("webhooks.replayText")}</p>
      <${C} label=${e("list.rangeFrom")} moment value=${r.values.from} required error=${r.error("from")}
        onInput=${a=>r.set("from",a)} />
      <${C} label=${e("list.rangeTo")} moment value=${r.values.to} help=${e("webhooks.replayTo")} error=${r.error("to")}
        onInput=${a=>r.set("to",a)} />
      ${r.busy&&o`<${w}>${e("webhooks.replaying",{n})}<//>`}
    </form>
  <//>`}function ne({endpoint:t,onChanged:l}){let[n,s]=u(""),[i,r]=u(""),[p,c]=u(!1),{id:a,revision:f=null,url:d}=t,b=m.collections.from("webhook-endpoints"),k=async $=>{c(!0),await $().catch(H),l(),c(!1)},F=()=>k(async()=>{let{delivery:$}=await m.call("POST /api/webhook-endpoints/{id}/test",{id:a});D(`/webhooks/deliveries/${$.id}`)}),se=async()=>{await v({title:e("webhooks.rotate"),text:e("webhooks.rotateText"),action:e("webhooks.rotate"),danger:!0})&&await k(async()=>r((await m.call("POST /api/webhook-endpoints/{id}/rotate-secret",{id:a,expectedRevision:f})).secret))},ie=async()=>{let $=t.enabled;$&&!await v({title:e("webhooks.disable"),text:e("webhooks.disableText"),action:e("webhooks.disable"),danger:!0})||await k(async()=>{await b.update(a,{enabled:!$,expectedRevision:f}),g(e($?"webhooks.disabled":"webhooks.enabled"))})},ae=async()=>{await v({title:e("webhooks.delete"),text:e("webhooks.deleteText",{url:d}),action:e("common.delete"),danger:!0})&&await k(async()=>{await b.remove(a),D("/webhooks")})},h=S("webhook-endpoints:update"),L=S("webhook-endpoints:delete"),le=[{keys:"t",label:e("webhooks.test"),run:()=>{F()}},{keys:"c",label:e("webhooks.edit"),run:()=>s("edit")}];if(N(h?le:[]),!h&&!L)return null;let ce=[{label:e("webhooks.edit"),icon:"pencil",run:()=>s("edit")},{label:e("webhooks.replay"),icon:"rotate-ccw-clock",run:()=>s("replay")},{label:e("webhooks.rotate"),icon:"key",run:()=>{se()}},{label:e(t.enabled?"webhooks.disable":"webhooks.enable"),icon:t.enabled?"pause":"play",run:()=>{ie()}}],de=[...h?ce:[],...L?[{label:e("common.delete"),icon:"trash",danger:!0,run:()=>{ae()}}]:[]],q=()=>s("");return o`${h&&o`<${M} icon="send" keys="t" busy=${p} onClick=${F}>${e("webhooks.test")}<//>`}
    <${J} label=${e("common.more")} items=${de} />
    ${n==="edit"&&o`<${Z} endpoint=${t} onClose=${q} onChanged=${l} />`}
    ${n==="replay"&&o`<${re} endpoint=${t} onClose=${q} />`}
    ${i&&o`<${X} ...${_()} secret=${i} onClose=${()=>r("")} />`}`}function pe(){let{id:t=""}=A().params,l=c=>m.collections.from("webhook-endpoints").findById(t,{},{signal:c}),{data:n,refusal:s,reload:i}=j(`webhook-endpoints ${t}`,l,{live:["webhook-endpoints"],record:t}),r={href:T("/webhooks"),label:e("shell.webhooks")};if(!n)return o`<${R} title=${e("shell.webhooks")} back=${r}>${s?o`<${W} refusal=${s}
      again=${i} />`:o`<${U} />`}<//>`;let p=o`<${z} icon="send" title=${e("webhooks.noDeliveries")} text=${e("webhooks.noDeliveriesText")} />`;return o`<${R} title=${n.url??""} class="full" back=${r} badges=${o`<${ee} endpoint=${n} />`}
    top=${o`<${ne} endpoint=${n} onChanged=${i} />`}>
    <div class="with-list">
      <${$e} endpoint=${n} />
      <${Y} slug="webhook-deliveries" label=${I("webhook-deliveries")} where=${{endpoint:{equals:t}}} columns=${Object.keys(E)}
        cells=${E}
        link=${c=>T(`/webhooks/deliveries/${c.id}`)} card=${te} empty=${p} />
    </div>
  <//>`}function $e({endpoint:t}){let{description:l,disabledReason:n,disabledAt:s,previousSecretUntil:i}=t;return o`<div class="stack">
    ${n&&o`<${w} kind="bad">${e(`webhooks.off-${n}`)} <${O} at=${s} /><//>`}
    ${i&&Date.parse(i)>Date.now()&&o`<${w} kind="warn">${e("webhooks.twoSecrets")} <${O}
      at=${i} /><//>`}
    <${G}><dl class="facts">
      ${l&&o`<div><dt>${y("webhook-endpoints","description")}</dt><dd>${l}</dd></div>`}
      <div><dt>${y("webhook-endpoints","collections")}</dt><dd>${oe(t)}</dd></div>
      <div><dt>${y("webhook-endpoints","audience")}</dt><dd>${B("webhook-endpoints","audience",t.audience??"")}</dd></div>
    </dl><//>
  </div>`}export{pe as default};
