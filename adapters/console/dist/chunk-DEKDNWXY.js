import{c as A,d as O,e as I}from"./chunk-KMD4BE6U.js";import{a as _}from"./chunk-AM3DABK3.js";import{a as h}from"./chunk-RGNC7VM4.js";import{b as z}from"./chunk-CR5WSEUI.js";import{a as q}from"./chunk-MWZMRQYO.js";import{b as B,c as M}from"./chunk-VZBJ6CRO.js";import{$ as v,D as y,K as N,Q as F,aa as w,b as S,d as g,ea as R,fa as x,ga as j,ja as C,la as c,na as b,oa as D,ra as P,s as o,z as n}from"./chunk-OZNYBMST.js";function G(t,e){return t.base===null?n(`discounts.price-${t.source}`):[n("discounts.base",{amount:c(t.base,t.baseCurrency??e)}),t.productDiscount?n("discounts.off",{percent:b(t.productDiscount)}):"",t.exchangeRate&&t.exchangeRate!==1?n("discounts.rate",{rate:D(t.exchangeRate)}):"",t.adjustmentPercent?n("discounts.adjusted",{percent:b(t.adjustmentPercent)}):"",t.roundingIncrement&&Number(t.unrounded)!==t.amount?n("discounts.rounded",{amount:c(t.roundingIncrement,e)}):""].filter(Boolean).join(" → ")}function L({code:t,currency:e}){return o`<ul class="rules">
    ${t.rules.map(s=>o`<li key=${s.rule} class=${s.passed?"met":"missed"}><${v} name=${s.passed?"check":"x"} size=${14} />
      <span><span class="aside">${n(s.passed?"discounts.met":"discounts.missed")} </span>${n(`discounts.rule-${s.rule}`,{wanted:E(s.rule,s.wanted,e),got:E(s.rule,s.got,e)})}</span></li>`)}
    ${t.applied&&t.amount>0&&o`<li class="sum"><${v} name="percent" size=${14} /><span>${Q(t,e)}</span></li>`}
    ${t.applied&&t.freeShipping&&o`<li class="sum"><${v} name="truck" size=${14} /><span>${n("discounts.waives")}</span></li>`}
  </ul>`}function Q({type:t,value:e,eligible:s,rounded:r,cap:i,amount:a},u){let $=t==="percentage"?`${b(e)}%`:c(e,u);return`${[n("discounts.takes",{what:$,from:c(s,u)}),r!==null&&r!==a&&i===a?n("discounts.capped",{amount:c(r,u),cap:c(i,u)}):""].filter(Boolean).join(" ")} = ${c(a,u)}`}var W=["min_order_amount","tiers","applicable"],J=["starts_at","ends_at"];function E(t,e,s){return e===null||e===""?"—":J.includes(t)?Number.isNaN(Date.parse(e))?e:P(e):W.includes(t)&&/^\d+(\.\d+)?$/.test(e)?c(Number(e),s):e}function U({shipping:t,currency:e}){let{baseFee:s,surcharge:r,zone:i,freeShippingCode:a,policies:u}=t,$=u.find(d=>d.reached&&d.freeFrom!==null),p=u.find(d=>d.freeFrom!==null&&!d.reached),l=[a?n("discounts.waives"):"",$?n("discounts.freeReached",{from:c($.freeFrom,e)}):"",p?n("discounts.freeFrom",{from:c(p.freeFrom,e),amount:c(t.amount,e)}):"",n("discounts.fee",{amount:c(s,e)}),r?n("discounts.surcharge",{zone:i,amount:c(r,e)}):""];return o`<ul class="rules">${l.filter(Boolean).map(d=>o`<li key=${d}><${v} name="truck"
    size=${14} /><span>${d}</span></li>`)}</ul>`}var T=9999;function xt({lines:t,onChange:e,totals:s,input:r,error:i,foreign:a=!1}){let u=O(t.map(d=>d.variant)),$=d=>{let m=t.findIndex(k=>k.variant===d.id),f=d.units??1;e(m<0?[...t,{variant:d.id,quantity:f}]:t.map((k,K)=>K===m?{...k,quantity:Math.min(T,k.quantity+f)}:k))},p=(d,m)=>e(t.map((f,k)=>k===d?{...f,quantity:m}:f)),l=d=>{e(t.filter((m,f)=>f!==d)),r.current?.focus()};return o`<${C} title=${n("drafts.items")}>
    <${z} label=${n("drafts.addItem")} help=${n("drafts.addItemHelp")} error=${i}>
      ${d=>o`<div class="labels relation"><${_} attributes=${d} input=${r} eager=${!1} find=${V} onChoose=${$}
        placeholder=${n("drafts.addItemWith")} show=${m=>o`<${X} goods=${m} priced=${!a} />`} /></div>`}
    <//>
    ${t.length===0&&o`<${j} icon="scan-line" title=${n("drafts.noItems")} text=${n("drafts.noItemsText")} />`}
    <ul class="draft-lines">
      ${t.map((d,m)=>o`<${Z} key=${d.id??`${d.variant} ${m}`} line=${d} goods=${u(d.variant)}
        priced=${Y(s,d,m)} totals=${s}
        onQuantity=${f=>p(m,f)} onRemove=${()=>l(m)} />`)}
    </ul>
  <//>`}async function V(t,e){let[,s,r]=/^(\d{1,4})\s*[x×*]\s*(\S.*)$/i.exec(t)??[],i=await A(r??t,e);return s&&Number(s)>0?i.map(a=>({...a,units:Number(s)})):i}function X({goods:t,priced:e}){let{units:s,sku:r,free:i,status:a,price:u}=t,$=[r,i===null?"":n("drafts.free",{n:i}),a&&a!=="published"?y("products","status",a):""];return o`<span class="found-goods"><b>${s?`${b(s)} × `:""}${I(t)}</b>
    ${e&&o`<${h} amount=${u} currency=${N.value?.currency} />`}<small>${$.filter(Boolean).join(" · ")}</small></span>`}function Y(t,e,s){let r=t?.lines[s];return r?.variant===e.variant&&r.quantity===e.quantity?r:void 0}function Z({line:t,goods:e,priced:s,totals:r,onQuantity:i,onRemove:a}){let u=I(e),$=r?.currency;return o`<li>
    <div class="what">
      ${e?.productId?o`<a href=${B(M("products",e.productId))}>${u}</a>`:u}
      ${e?.sku&&o`<small>${e.sku}</small>`}
      ${s&&r&&o`<${et} priced=${s} totals=${r} />`}
    </div>
    <${st} name=${u} quantity=${t.quantity} onQuantity=${i} onRemove=${a} />
    <div class="sum">${s?o`<b><${h} amount=${s.total??s.subtotal} currency=${$} /></b>
      <small>${s.unitPrice===null?"":n("drafts.each",{price:c(s.unitPrice,$)})}</small>`:o`<i class="wait-sum"></i>`}</div>
    <${w} look="quiet" icon="x" label=${n("common.removeNamed",{name:u})} onClick=${a} />
    ${s?.reason&&o`<div class="wrong-line"><${x} kind="warn">${tt(s,r)}<//></div>`}
  </li>`}function tt({id:t,reason:e},s){let r=s?.unavailable.find(i=>i.line===t);return n(`drafts.lack-${e}`,{available:r?.available??0,requested:r?.requested??0})}function et({priced:t,totals:e}){let s=e.explanation?.lines.find(i=>i.line===t.id);if(!s)return null;let r=(e.explanation?.discountCodes??[]).flatMap(i=>i.lines.filter(a=>a.line===t.id&&a.share>0).map(a=>({code:i.code,share:a.share})));return o`<details class="how"><summary>${n("drafts.how")}</summary>
    <p>${G(s.price,e.currency)}</p>
    <p>${n("drafts.times",{price:c(s.price.amount,e.currency),n:s.quantity,sum:c(s.subtotal,e.currency)})}</p>
    ${r.map(({code:i,share:a})=>o`<p key=${i}>${n("drafts.share",{code:i,share:c(a,e.currency)})}</p>`)}
  </details>`}function st({name:t,quantity:e,onQuantity:s,onRemove:r}){let[i,a]=S(String(e));g(()=>a(String(e)),[e]);let u=l=>e+l<1?r():s(Math.min(T,e+l)),$=l=>{a(l),/^[1-9]\d{0,3}$/.test(l.trim())&&s(Number(l))},p=l=>{l.key!=="ArrowUp"&&l.key!=="ArrowDown"||(l.preventDefault(),s(Math.max(1,Math.min(T,e+(l.key==="ArrowUp"?1:-1)))))};return o`<div class="stepper">
    <${w} look="quiet" icon="minus" label=${n("drafts.fewer",{name:t})} onClick=${()=>u(-1)} />
    <input type="text" inputmode="numeric" aria-label=${n("drafts.quantityOf",{name:t})} value=${i} onKeyDown=${p}
      onBlur=${()=>a(String(e))}
      onFocus=${l=>l.currentTarget.select()} onInput=${l=>$(l.currentTarget.value)} />
    <${w} look="quiet" icon="plus" label=${n("drafts.more",{name:t})} onClick=${()=>u(1)} />
  </div>`}var nt=["products","product-variants","market-prices","markets","discounts","shipping-policies"];function Rt({record:t}){let e=t?.id??"",s=i=>F.preview("POST /api/draft-orders/{id}/calculate",{id:e,explain:!0},{signal:i}),r=q(e?`totals ${e}`:"",s,{live:nt});return g(()=>{t&&t.revision>1&&r.reload()},[t?.revision]),r}function ot({totals:t,wait:e=!1}){let{currency:s,discountCode:r,shipping:i,explanation:a}=t;return o`<dl class=${`sums ${e?"stale":""}`} aria-live="polite" aria-busy=${e}>
    <div><dt>${n("drafts.subtotal")}</dt><dd><${h} amount=${t.subtotal} currency=${s} /></dd></div>
    ${r&&o`<div><dt>${r.code}${!r.valid&&o`<small
      class="note">${y("draft-orders","discountCode.reason",r.reason??"")}</small>`}</dt>
      <dd><${h} amount=${t.discount?-t.discount:0} currency=${s} /></dd></div>`}
    ${a?.discountCodes.map(u=>o`<${H} key=${u.code} label=${n("drafts.whyCode")}><${L} code=${u}
      currency=${s} /><//>`)}
    <div><dt>${n("drafts.shipping")}</dt><dd>${i===null?n("drafts.shippingUnknown"):o`<${h} amount=${i}
      currency=${s} />`}</dd></div>
    ${a?.shipping&&o`<${H} label=${n("drafts.whyShipping")}><${U} shipping=${a.shipping} currency=${s} /><//>`}
    <div class="whole"><dt>${n("drafts.total")}</dt><dd><${h} amount=${t.total} currency=${s} /></dd></div>
  </dl>`}function H({label:t,children:e}){return o`<div class="why"><dt class="aside">${t}</dt><dd><details class="how"><summary>${t}</summary>${e}</details></dd></div>`}function jt({values:t},e){return!t?.lines.length||!e?[]:[e.unavailable.length>0?n("drafts.needs-goods",{n:e.unavailable.length}):"",e.discountCode&&!e.discountCode.valid?n("drafts.needs-code"):"",t.customerSnapshot.email||t.customer?"":n("drafts.needs-email"),e.shipping===null?n("drafts.needs-address"):""].filter(Boolean)}function zt({draft:t,asked:e,needed:s,action:r}){let{data:i,refusal:a,loading:u,reload:$}=e,p=t.state==="keeping"||u;return o`<${C} title=${n("drafts.totals")} class="totals" top=${o`<${rt} draft=${t} />`}>
    ${t.record&&i&&!a&&o`<${ot} totals=${i} wait=${p} />`}
    ${t.record&&a&&o`<${R} refusal=${a} again=${$} />`}
    ${!t.record&&o`<p class="none">${n("drafts.totalsLater")}</p>`}
    ${s.length>0&&o`<${x} kind="warn"><p>${n("drafts.needs")}</p><ul>${s.map(l=>o`<li key=${l}>${l}</li>`)}</ul><//>`}
    ${r}
  <//>`}function rt({draft:t}){if(!t.record&&t.state==="kept")return null;let e={kept:"check",keeping:"loader-circle",refused:"circle-alert"}[t.state];return o`<small class=${`kept ${t.state}`} role="status"><${v} name=${e} size=${14} />${n(`drafts.state-${t.state}`)}</small>`}export{L as a,xt as b,Rt as c,ot as d,jt as e,zt as f};
