import{a as B}from"./chunk-ZV2XWTMO.js";import{a as A}from"./chunk-7EM6NNTB.js";import{a as R}from"./chunk-ZFQRI6BM.js";import{c as g,e as N}from"./chunk-CR5WSEUI.js";import{a as y}from"./chunk-LDME6CXF.js";import{a as L}from"./chunk-YR7UKKP2.js";import{a as F}from"./chunk-MWZMRQYO.js";import{b as S}from"./chunk-VZBJ6CRO.js";import{C as p,Q as b,aa as x,d as I,da as q,ea as H,fa as k,na as l,s,z as o}from"./chunk-OZNYBMST.js";var P=["add","remove","count"],Q=["received","damaged","recount","lost"];function de({id:e,name:r,onClose:n,onDone:c}){let v=$=>b.collections.from("product-variants").findById(e,{depth:0},{signal:$}),{data:a,refusal:t,reload:u}=F(`variant ${e}`,v);return a?s`<${z} ...${{name:r,onClose:n,onDone:c,reload:u}} variant=${a} />`:s`<${y} title=${o("stock.adjust")} onClose=${n}>${t?s`<${H} refusal=${t}
    again=${u} />`:s`<${q} />`}<//>`}function z({variant:e,name:r,onClose:n,onDone:c,reload:v}){let a=e.stock??0,t=R({name:`stock ${e.id}`,initial:{way:"add",units:"",reason:"",note:""},keep:!1,send:(d,O)=>{let{way:h,units:w,reason:T,note:j}=t.values,f=C(w)??w,_=h==="count"?{count:f}:{delta:h==="remove"&&typeof f=="number"?-f:f},E={id:e.id,..._,reason:T,...j&&{note:j},expected:a};return b.call("POST /api/product-variants/{id}/stock",E,O)},onSent:()=>{n(),c?.(),L(o("stock.adjusted",{name:r}))}}),{way:u,units:$}=t.values;I(()=>{t.refusal?.reason==="stock_changed"&&v()},[t.refusal]);let m=C($),i=m===void 0?void 0:{add:a+m,remove:a-m,count:m}[u],D=s`<${A} form=${{...t,dirty:$!==""&&t.values.reason!==""}} onCancel=${n} id="adjust-stock"
    action=${o("stock.adjust")} />`;return s`<${y} title=${o("stock.adjust")} onClose=${n} busy=${t.busy} actions=${D}>
    <form id="adjust-stock" class="stack" onSubmit=${d=>{d.preventDefault(),t.submit()}}>
      <p><b>${r}</b> ${e.sku&&s`<code>${e.sku}</code>`}</p>
      <div class="segments" role="group" aria-label=${o("stock.way")}>
        ${P.map(d=>s`<button type="button" key=${d} aria-pressed=${u===d}
          onClick=${()=>t.set("way",d)}>${o(`stock.by-${d}`)}</button>`)}
      </div>
      <${N} label=${o(u==="count"?"stock.counted":"stock.change")} help=${u==="count"?o("stock.countedHelp"):""}
        value=${$}
        error=${t.error("delta")??t.error("count")} onInput=${d=>t.set("units",d)} required autofocus />
      <${G} form=${t} />
      <${g} label=${p("stock-movements","note")} value=${t.values.note} error=${t.error("note")}
        onInput=${d=>t.set("note",d)} />
      <${J} ...${{variant:e,stock:a,after:i}} />
      ${i!==void 0&&i<0&&s`<${k} kind="warn">${o("stock.onlyHere",{n:a})}<//>`}
      ${i!==void 0&&i>=0&&i<(e.reserved??0)&&s`<${k} kind="warn">
        ${o("stock.belowReserved",{n:e.reserved})}<//>`}
      ${e.trackInventory===!1&&s`<${k}>${o("stock.untracked")}<//>`}
      <p><a href=${S(`/stock?tab=movements&variant=${e.id}`)}>${o("stock.history")}</a></p>
    </form>
  <//>`}function G({form:e}){return s`<div class="stack tight">
    <${g} label=${p("stock-movements","reason")} value=${e.values.reason} error=${e.error("reason")}
      onInput=${r=>e.set("reason",r)} required maxLength=${200} />
    <div class="suggestions" role="group" aria-label=${o("stock.suggestions")}>${Q.map(r=>{let n=o(`stock.reason-${r}`);return s`<${x} key=${r} look="quiet" aria-pressed=${e.values.reason===n} onClick=${()=>e.set("reason",n)}>${n}<//>`})}</div>
  </div>`}function J({variant:e,stock:r,after:n}){let c=e.reserved??0;return s`<dl class="sums preview" aria-live="polite">
    <div><dt>${o("stock.onHand")}</dt><dd>${l(r)}${n!==void 0&&s` → <b>${l(n)}</b>`}</dd></div>
    <div><dt>${p("product-variants","reserved")}</dt><dd>${l(c)}</dd></div>
    <div class="whole"><dt>${o("stock.free")}</dt><dd>${l((n??r)-c)}</dd></div>
  </dl>`}function C(e){let r=B(e);return Number.isInteger(r)?r:void 0}export{de as a};
