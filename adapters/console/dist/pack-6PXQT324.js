import{a as ue,b as me,c as pe,d as fe,e as de}from"./chunk-ZJGA7PJW.js";import{a as $e,b as ke,c as ge}from"./chunk-ZMX7L6XA.js";import{a as M}from"./chunk-TCXQKCMH.js";import"./chunk-VPLB4NIS.js";import{a as le}from"./chunk-3WAPSNU2.js";import"./chunk-FOTJFVPA.js";import{a as L}from"./chunk-7EM6NNTB.js";import{a as I}from"./chunk-ZFQRI6BM.js";import{b as Q,c as F}from"./chunk-RGNC7VM4.js";import{a as _}from"./chunk-IL44MJ62.js";import{a as ce}from"./chunk-IMYQGOQZ.js";import{b as ie,c as ae,e as se}from"./chunk-CR5WSEUI.js";import{a as te,b as ne}from"./chunk-LDME6CXF.js";import{a as C,b as V}from"./chunk-YR7UKKP2.js";import{a as j}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as q,d as K}from"./chunk-VZBJ6CRO.js";import{$ as E,C as X,D as A,E as Y,G as b,N as S,Q as $,X as U,Z,aa as w,b as T,ba as ee,d as v,da as re,ea as z,f as x,fa as N,g as R,ga as oe,ja as P,ka as H,p as W,s as a,z as i}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";var B=e=>{let t=(e??"").trim().toUpperCase();return/^\d{8,14}$/.test(t)?t.replace(/^0+/,""):t};function he(e,t){let n=B(t);return n!==""&&[e.barcode,e.sku,e.skuNow,e.variant].some(r=>B(r)===n)}async function ye(e,t){if(B(e)===B(t.orderNumber))return{kind:"info",text:i("packing.thisOrder")};try{let[n,r]=await Promise.all([Le(e),Me(e)]);return n?(K(`/packing/${n.id}`),{kind:"info",text:i("packing.otherOrder",{number:e})}):{kind:"bad",text:r?i("packing.notInOrder",{code:e,name:r}):i("packing.unknown",{code:e})}}catch(n){return{kind:"bad",text:Z(n).text}}}async function Le(e){let t={"order.orderNumber":{equals:e},status:{in:["open","in_progress"]}},{docs:n}=await $.collections.from("fulfillment-orders").find({where:t,limit:2,sort:"-type"});return n[0]}async function Me(e){let t=[...new Set([e,e.toUpperCase(),B(e),`0${B(e)}`])],n={or:[{barcode:{in:t}},{sku:{in:t}}]},{docs:r}=await $.collections.from("product-variants").find({where:n,limit:1,depth:1}),[c]=r;return c&&[c.product?.name,c.title,c.sku].filter(Boolean).join(" · ")}function D(e,t){return e.flatMap(({id:n,left:r})=>{let c=Math.min(r,Number(t?.[n])||0);return c>0?[{orderLine:n,quantity:c}]:[]})}function be(e,t,n){let[r,c]=T(null),[s,l]=T(0),u=Math.min(s,t.length-1),m=x(n);m.current=n;let p=f=>Math.min(f.left,Number(m.current.get(`units.${f.id}`))||0),o=(f,k)=>n.set(`units.${f.id}`,Math.max(0,Math.min(f.left,k))||void 0);return{told:r,at:u,setAt:l,count:p,put:o,step:f=>{let k=t[u];k&&o(k,p(k)+f)},scan:f=>{let k=t.filter(O=>he(O,f)),g=k.find(O=>p(O)<O.left)??k[0];if(!g){c({kind:"info",text:i("packing.looking",{code:f})}),ye(f,e).then(c);return}let y=p(g)+1;l(t.indexOf(g)),y>g.left?c({kind:"bad",text:i("packing.tooMany",{name:g.title,n:g.left})}):(o(g,y),c({kind:"good",text:i("packing.added",{name:[g.title,g.variantTitle].filter(Boolean).join(" · "),n:y,of:g.left})}))},move:f=>l((u+f+t.length)%t.length),counted:D(t,n.values.units).reduce((f,k)=>f+k.quantity,0),everything:()=>t.forEach(f=>o(f,f.left)),calm:()=>c(null)}}function ve({lines:e,at:t,may:n,count:r,put:c,setAt:s,form:l}){let u=x(null);v(()=>u.current?.children[t]?.scrollIntoView({block:"nearest"}),[t]);let m=D(e,l.values.units),p=({id:o})=>l.error(`items.${m.findIndex(d=>d.orderLine===o)}`);return a`<ul class="pack-lines" ref=${u}>${e.map((o,d)=>{let h=r(o),f=h===o.left;return a`<li key=${o.id} class=${`${n&&d===t?"at":""} ${f?"full":""}`} aria-current=${n&&d===t?"true":void 0}>
      <span class="pack-image">${o.image?a`<img class="thumb" src=${o.image} alt="" />`:a`<${E} name="package" size=${22} />`}</span>
      <span class="pack-name"><b>${o.title}</b>
        <small>${[o.variantTitle,o.sku,o.barcode].filter(Boolean).join(" · ")}</small>
        ${o.choices.map(k=>a`<small key=${k}>${k}</small>`)}
        ${o.left<o.quantity&&a`<small>${i("packing.before",{n:o.quantity-o.left})}</small>`}
      </span>
      ${n&&o.left>0&&a`<span class="pack-count">
        <${w} look="quiet" icon="minus" label=${i("packing.less",{name:o.title})} disabled=${h===0} onClick=${()=>c(o,h-1)} />
        <${se} label=${i("packing.unitsOf",{name:o.title})} hideLabel value=${h} error=${p(o)} onFocus=${()=>s(d)}
          onInput=${k=>c(o,Math.trunc(Number(k))||0)} />
        <${w} look="quiet" icon="plus" label=${i("packing.more",{name:o.title})} disabled=${f} onClick=${()=>c(o,h+1)} />
      </span>`}
      <span class="pack-of">${o.left===0?a`<${E} name="circle-check" />`:a`<b>${h}</b> / ${o.left}`}</span>
    </li>`})}</ul>`}function xe({told:e,focused:t,onScan:n,onMove:r,onStep:c}){let[s,l]=T(""),u=x(null);b([{keys:"/",label:i("packing.scan"),run:()=>u.current?.focus()}]);let m=()=>{t&&document.activeElement===document.body&&!document.querySelector("dialog[open]")&&u.current?.focus({preventScroll:!0})};v(()=>{t&&u.current?.focus({preventScroll:!0});let o=()=>{setTimeout(m)};return document.addEventListener("focusout",o),()=>document.removeEventListener("focusout",o)},[t]),v(m);let p=o=>{if(o.isComposing||o.ctrlKey||o.metaKey||o.altKey)return;let d=s==="";if(o.key==="Enter")d||n(s.trim()),l("");else if(o.key==="ArrowDown"||o.key==="ArrowUp")r(o.key==="ArrowDown"?1:-1);else if(d&&(o.key==="+"||o.key==="="||o.key==="-"))c(o.key==="-"?-1:1);else if(o.key==="Escape"&&!d)l("");else if(o.key==="Escape")document.querySelector("main h1")?.focus({preventScroll:!0});else return;o.preventDefault()};return a`<div class="scan">
    <${ie} label=${i("packing.scan")} help=${i("packing.scanHelp")}>
      ${o=>a`<div class="search"><${E} name="scan-line" />
        <input ...${o} ref=${u} type="text" class="mono" value=${s} autocomplete="off" autocapitalize="characters" spellcheck=${!1}
          enterkeyhint="done" onKeyDown=${p} onInput=${d=>l(d.currentTarget.value)} /></div>`}
    <//>
    <p class=${`told ${e?.kind??"none"}`} role="status" aria-live="assertive">
      ${e&&a`<${E} name=${{good:"circle-check",bad:"circle-alert",info:"info"}[e.kind]} />${e.text}`}</p>
  </div>`}var De={units:{}};function Se({work:e,order:t,lines:n,left:r,reload:c}){let s=e.type==="manual",l=i(s?"packing.complete":"packing.pack"),u=i(s?"packing.everythingDone":"packing.everything"),m=S("orders:fulfill")&&!t.hold&&!["pending","failed","canceled"].includes(t.status),p=I({name:`pack ${e.id}`,initial:De,send:({units:G},Ie)=>Re(e,D(n,G),Ie).finally(c),onSent:()=>{f(),C(i(s?"packing.completed":"packing.packed"))}}),{counted:o,everything:d,told:h,calm:f,scan:k,move:g,step:y,...O}=be(t,n,p),J=()=>o>0&&void p.submit();b(m?[{keys:"mod+Enter",label:l,everywhere:!0,run:J},{keys:"mod+e",label:u,everywhere:!0,run:d}]:[]);let Be=o<r?i("packing.partial",{n:r-o}):i("packing.whole"),Ae=s?i("packing.howToComplete"):o===0?i("packing.howTo"):Be,Fe=m&&a`<b class="packed-count">${i("packing.counted",{n:o,of:r})}</b>`;return a`<${P} title=${i(s?"packing.toComplete":"packing.table")} top=${Fe}>
    ${m&&!s&&a`<${xe} told=${h} onScan=${k} onMove=${g} onStep=${y} focused=${!_.value} />`}
    <form id="pack" onSubmit=${G=>{G.preventDefault(),J()}}><${ve} lines=${n} may=${m} form=${p} ...${O} /></form>
    ${m&&a`<div class="bench-foot">
        <${w} icon="check" keys="mod+e" disabled=${o===r} onClick=${d}>${u}<//>
        <p class="help">${Ae}</p>
      </div>
      <${L} form=${p} id="pack" action=${l} keys="mod+Enter" />`}
  <//>`}function Re({id:e,type:t,revision:n},r,c){let s={id:e,items:r,expectedRevision:n??null};return t==="manual"?$.call("POST /api/fulfillment-orders/{id}/complete",s,c):$.call("POST /api/fulfillment-orders/{id}/fulfillments",s,c)}function we({work:e,order:t,done:n}){let{data:r}=j(`packing after ${e.id}`,p=>je(e.id,t.placedAt,p),{live:["fulfillment-orders","orders"]}),c=x(null),s=x(n);v(()=>{n&&!s.current&&c.current?.focus(),s.current=n},[n,r]);let l=r?`/packing/${r.id}`:"/packing";b([{keys:"mod+ArrowDown",label:i(r?"packing.next":"packing.toQueue"),everywhere:!0,run:()=>K(l)}]);let u=r?i("packing.nextIs",{number:r.order.orderNumber,n:fe(r),name:de(r.order)}):i("packing.toQueue"),m=a`<a ref=${c} class=${`button ${n?"primary":"quiet"}`} href=${q(l)}><span>${u}</span><${ee} keys="mod+ArrowDown" /></a>`;return n?a`<${N} kind="good" action=${m}>${i(r||r===void 0?"packing.done":"packing.allDone")}<//>`:a`<p class="next">${m}</p>`}async function je(e,t,n){let r=[...ue.and,{status:{equals:"open"}},{"order.hold":{exists:!1}},{id:{not_equals:e}}];for(let c of[[{"order.placedAt":{greater_than_equal:t}}],[]]){let s={and:[...r,...c]},{docs:l}=await $.collections.from("fulfillment-orders").find({where:s,sort:me,limit:1,depth:1},{signal:n});if(l[0])return l[0]}return null}var Oe=({carrier:e,trackingNumber:t,revision:n})=>({carrier:e??"",trackingNumber:t??"",revision:n});function Te({form:e,carrier:t,focused:n}){return a`<div class="two">
    <${ge} value=${t} error=${e.error("carrier")} onInput=${r=>e.set("carrier",r)} required />
    <${ae} label=${X("fulfillments","trackingNumber")} value=${e.values.trackingNumber} mono spellcheck=${!1}
      error=${e.error("trackingNumber")} autocomplete="off" required=${t!=="other"} autofocus=${n}
      onInput=${r=>e.set("trackingNumber",r)} />
  </div>`}function Ce({parcel:e,keys:t,onShipped:n}){let{id:r}=e,c=R($e,[]),s=R(()=>Oe(e),[e]),l=I({name:`ship ${r}`,initial:s,send:async(u,m)=>{let p=u.carrier||e.carrier||c,o={id:r,...u,...p&&{carrier:p},expectedRevision:m.revision};await $.call("POST /api/fulfillments/{id}/ship",o,m),ke(p)},refresh:n,onSent:()=>{n(),C(i("packing.shipped"))}});return a`<form id=${`ship-${r}`} class="stack" onSubmit=${u=>{u.preventDefault(),l.submit()}}>
      <${Te} form=${l} carrier=${l.values.carrier||c} focused=${t&&!_.value} />
      <${L} form=${l} id=${`ship-${r}`} slug="fulfillments" action=${i("packing.ship")} keys=${t?"mod+s":void 0} ready />
    </form>`}function qe({parcel:e,onClose:t,onChanged:n}){let{id:r}=e,c=R(()=>Oe(e),[e]),s=I({name:`tracking ${r}`,initial:c,send:(u,m)=>$.call("POST /api/fulfillments/{id}/tracking",{id:r,...u,expectedRevision:m.revision},m),refresh:n,onSent:()=>{t(),n(),C(i("packing.corrected"))}}),l=a`<${L} form=${s} onCancel=${t} id="tracking" slug="fulfillments" />`;return a`<${te} title=${i("packing.correct")} onClose=${t} busy=${s.busy} actions=${l}>
    <form id="tracking" class="stack" onSubmit=${u=>{u.preventDefault(),s.submit()}}>
      <${Te} form=${s} carrier=${s.values.carrier} focused />
    </form>
  <//>`}function Ee({work:e,order:t,parcels:n,lines:r,reload:c}){let s=n.find(u=>u.status==="pending"),l=S("orders:fulfill")&&!t.hold;return b(s&&l?[{keys:"mod+s",label:i("packing.ship"),everywhere:!0,run:()=>Ke(s)?.requestSubmit()}]:[]),e.type==="manual"?null:a`<${P} title=${i("packing.parcels")}>
    ${n.length===0&&a`<p class="none">${i("packing.noParcels")}</p>`}
    <ol class="packed">${n.map((u,m)=>a`<${_e} key=${u.id} n=${m+1} ...${{parcel:u,lines:r,may:l,reload:c}} keys=${u===s} />`)}</ol>
  <//>`}var Ke=({id:e})=>document.getElementById(`ship-${e}`);function _e({n:e,parcel:t,lines:n,may:r,keys:c,reload:s}){let[l,u]=T(!1),[m,p]=T(!1),{id:o,status:d,carrier:h,trackingNumber:f}=t,k=async()=>{p(!0);try{await $.call("POST /api/fulfillments/{id}/deliver",{id:o,expectedRevision:t.revision??null}),C(i("packing.delivered"))}catch(y){V(y)}s(),p(!1)},g=t.items.map(y=>[n.find(O=>O.id===y.orderLine)?.title??"—",y.quantity].join(" × ")).join(", ");return a`<li class=${d==="canceled"?"over":""}>
    <div class="packed-head">
      <b>${i("packing.parcel",{n:e})}</b><${F} slug="fulfillments" path="status" value=${d} />
      ${d!=="pending"&&a`<span>${h&&A("fulfillments","carrier",h)} ${f&&a`<code>${f}</code>`}</span>`}
      <small><${Q} at=${t.deliveredAt??t.shippedAt??t.createdAt} relative /></small>
      <span class="packed-tools">
        ${d==="shipped"&&S("orders:fulfill")&&a`<${w} icon="circle-check" busy=${m} onClick=${k}>${i("packing.deliver")}<//>`}
        ${d!=="canceled"&&a`<${ce} label=${i("packing.ofParcel",{n:e})} items=${Qe(t,e,s,()=>u(!0))} />`}
      </span>
    </div>
    <p>${g}</p>
    ${d==="pending"&&r&&a`<${Ce} parcel=${t} keys=${c} onShipped=${s} />`}
    ${l&&a`<${qe} parcel=${t} onClose=${()=>u(!1)} onChanged=${s} />`}
  </li>`}function Qe({id:e,status:t,revision:n},r,c,s){let l=async()=>{let m=i("packing.cancel",{n:r});if(await ne({title:m,text:i("packing.cancelText"),action:m,danger:!0})){try{await $.call("POST /api/fulfillments/{id}/cancel",{id:e,expectedRevision:n??null}),C(i("packing.canceled"))}catch(p){V(p)}c()}},u=S("orders:fulfill");return[{label:i("packing.label"),icon:"printer",run:()=>{M($.file("GET /api/fulfillments/{id}/label",{id:e}))}},{label:i("packing.slip"),icon:"printer",run:()=>{M($.file("GET /api/fulfillments/{id}/packing-slip",{id:e}))}},...u&&t==="shipped"?[{label:i("packing.correct"),icon:"pencil",run:s}]:[],...u&&t==="pending"?[{label:i("packing.cancel",{n:r}),icon:"ban",danger:!0,run:()=>{l()}}]:[]]}function Ne({work:{id:e,type:t},left:n}){let r=t==="shipping"&&n>0,c=()=>{M($.file("GET /api/fulfillment-orders/{id}/packing-slip",{id:e}))};return b(r?[{keys:"mod+p",label:i("packing.slip"),everywhere:!0,run:c}]:[]),r&&a`<${w} icon="printer" keys="mod+p" onClick=${c}>${i("packing.slip")}<//>`}var Pe=["fulfillment-orders","fulfillments","orders"];function Ge(){let{id:e=""}=W().params,{data:t,refusal:n,reload:r}=j(`packing ${e}`,s=>Ve(e,s),{live:Pe}),c={href:q("/packing"),label:i("packing.title")};if(!t){let s=n?.reason==="not_found";return a`<${H} title=${Y("fulfillment-orders","one")} back=${c}>
      ${s&&a`<${oe} icon="search" title=${i("packing.gone")} text=${i("packing.goneText")} />`}
      ${!s&&n&&a`<${z} refusal=${n} again=${r} />`}
      ${!n&&a`<${re} lines=${10} />`}
    <//>`}return a`<${Ue} key=${e} ...${{...t,back:c,reload:r}} />${n&&a`<${z} refusal=${n} again=${r} />`}`}function Ue({work:e,order:t,parcels:n,back:r,reload:c}){v(()=>{document.activeElement===document.body&&document.querySelector("main h1")?.focus({preventScroll:!0})},[]);let s=pe(e,t,n),l=s.reduce((o,d)=>o+d.left,0),u=["closed","canceled"].includes(e.status??""),m=l===0&&!n.some(o=>o.status==="pending"),p=a`<span class="badges"><${F} slug="fulfillment-orders" path="status" value=${e.status} />
    <${F} slug="orders" path="status" value=${t.status} /></span>`;return a`<${H} title=${t.orderNumber} back=${r} badges=${p} top=${a`<${Ne} work=${e} left=${l} />`}>
    <p class="under"><${Q} at=${t.placedAt} /> · ${A("fulfillment-orders","type",e.type??"")}</p>
    <${ze} work=${e} order=${t} />
    <${we} work=${e} order=${t} done=${m} />
    <div class="columns packing">
      <div>
        ${!u&&l>0&&a`<${Se} ...${{work:e,order:t,lines:s,left:l,reload:c}} />`}
        <${Ee} ...${{work:e,order:t,parcels:n,lines:s,reload:c}} />
        <${le} slug="fulfillment-orders" id=${e.id} live=${Pe} />
      </div>
      <aside><${He} order=${t} work=${e} /></aside>
    </div>
  <//>`}function ze({work:e,order:t}){let n=["pending","failed","canceled"].includes(t.status);return a`${t.hold&&a`<${N} kind="bad">${i(`orders.hold-${t.hold}`)}<//>`}
    ${n&&a`<${N} kind="warn">${i("packing.unpaid",{status:A("orders","status",t.status)})}<//>`}
    ${e.changedSinceExport.map(r=>a`<${N} kind="warn" key=${r}>${i(`packing.changedText-${r}`)}<//>`)}`}function He({order:e,work:t}){let n=e.shippingAddress,r=U(t.carrierBatch),c=[n.postalCode,n.address1].filter(Boolean).join(" "),s=t.type==="manual"?[e.customerSnapshot.name,e.email]:[n.recipientName,n.phone,c,n.address2,n.country];return a`<${P} title=${i(t.type==="manual"?"packing.buyer":"packing.to")}>
      <address>${s.filter(Boolean).map(l=>a`<span>${l}</span>`)}</address>
      ${n.deliveryMessage&&a`<p class="quote">${n.deliveryMessage}</p>`}
      ${e.notes&&a`<p class="quote">${e.notes}</p>`}
      <p><a href=${q(`/orders/${e.id}`)}>${i("packing.toOrder")}</a></p>
      ${r&&S("carrier-batches:read")&&a`<p><a href=${q(`/carriers/${r}`)}>${i("packing.toBatch")}</a></p>`}
    <//>`}async function Ve(e,t){let n=await $.collections.from("fulfillment-orders").findById(e,{depth:0},{signal:t}),r={where:{fulfillmentOrder:{equals:e}},limit:100,sort:"createdAt",depth:0},[c,s]=await Promise.all([$.collections.from("orders").findById(U(n.order)??"",{depth:1},{signal:t}),S("fulfillments:read")?$.collections.from("fulfillments").find(r,{signal:t}):{docs:[]}]);return{work:n,order:c,parcels:s.docs}}export{Ge as default};
