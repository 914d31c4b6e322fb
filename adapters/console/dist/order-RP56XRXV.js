import{a as ie,b as ae,c as de}from"./chunk-CBZN4IB3.js";import{a as _}from"./chunk-ZUNVXRQY.js";import{a as ce}from"./chunk-WN5ITANQ.js";import{a as ne}from"./chunk-TCXQKCMH.js";import{a as I}from"./chunk-WJMXFFMO.js";import"./chunk-VPLB4NIS.js";import{a as Q}from"./chunk-ZV2XWTMO.js";import{a as se}from"./chunk-3WAPSNU2.js";import"./chunk-FOTJFVPA.js";import{a as O,b as oe}from"./chunk-7EM6NNTB.js";import{a as S}from"./chunk-ZFQRI6BM.js";import{a as y,b as D,c as B}from"./chunk-RGNC7VM4.js";import{a as ee}from"./chunk-IMYQGOQZ.js";import{c as x,e as R}from"./chunk-CR5WSEUI.js";import{a as P}from"./chunk-LDME6CXF.js";import{a as k,b as Z}from"./chunk-YR7UKKP2.js";import{a as K}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as g,c as L,d as V}from"./chunk-VZBJ6CRO.js";import{C as G,D as J,E as F,G as U,N as v,Q as f,X as N,aa as C,b as q,ca as W,ea as X,fa as A,g as H,ha as Y,ja as M,ka as j,ma as re,na as te,p as E,s as t,z as e}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";function le({order:r,onClose:n,onChanged:c}){let{id:o,currency:a,revision:d=null}=r,i=m=>Object.entries(m??{}).flatMap(([h,w])=>Number(w)>0?[{orderLine:h,quantity:Number(w)}]:[]),s=S({name:`cancel lines ${o} ${d}`,initial:{units:{},reason:"",refundAccount:void 0},keep:!1,refresh:c,send:({units:m,...h},{idempotencyKey:w})=>f.call("POST /api/orders/{id}/cancel-lines",{id:o,...h,lines:i(m),expectedRevision:d},{idempotencyKey:w}),onSent:()=>{n(),c(),k(e("orders.linesCanceled"))}}),l=i(s.values.units),$=m=>f.preview("POST /api/orders/{id}/cancel-lines",{id:o,lines:l,reason:s.values.reason||"-",expectedRevision:d,preview:!0},{signal:m}),{preview:u,refusal:b}=I(l.length>0?JSON.stringify([o,l,d]):"",$),p=t`<${O} form=${s} onCancel=${n} id="cancel-lines" action=${e("orders.cancelLines")} danger />`;return t`<${P} title=${e("orders.cancelLines")} onClose=${n} busy=${s.busy} actions=${p}>
    <form id="cancel-lines" class="stack" onSubmit=${m=>{m.preventDefault(),s.submit()}}>
      ${r.lines.map(m=>{let h=(m.quantity??0)-(m.canceledQuantity??0);return t`<div class="pick-line" key=${m.id}><span>${m.title}<small>${[m.variantTitle,m.sku].filter(Boolean).join(" · ")}</small></span>
          <${R} label=${e("orders.unitsOf",{name:m.title})} hideLabel unit=${`/ ${h}`} value=${s.get(`units.${m.id}`)??""} disabled=${h===0}
            onInput=${w=>s.set(`units.${m.id}`,w)} /></div>`})}
      <${x} label=${e("orders.reason")} value=${s.values.reason} error=${s.error("reason")} onInput=${m=>s.set("reason",m)} required />
      ${(s.refusal??b)?.reason.startsWith("refund_account")&&t`<${_} form=${s} />`}
      ${b&&!s.refusal&&t`<${A} kind="warn">${b.alone}<//>`}
      ${u&&t`<dl class="sums preview" aria-live="polite">
        ${u.cancellation.shippingAmount?t`<div><dt>${e("orders.shipping")}</dt><dd><${y} amount=${u.cancellation.shippingAmount} currency=${a} /></dd></div>`:""}
        <div><dt>${e("orders.less")}</dt><dd><${y} amount=${u.cancellation.amount} currency=${a} /></dd></div>
        <div class="whole"><dt>${e("orders.givenBack")}</dt><dd><${y} amount=${u.cancellation.refundAmount} currency=${a} /></dd></div>
      </dl>`}
    </form>
  <//>`}function ue({order:r,onClose:n,onChanged:c}){let{id:o,revision:a=null,canceledAmount:d,totalAmount:i,currency:s}=r,l=S({name:`mark paid ${o}`,initial:{note:""},keep:!1,refresh:c,send:({note:$},{idempotencyKey:u})=>f.call("POST /api/orders/{id}/transitions",{id:o,to:"paid",note:$,expectedRevision:a},{idempotencyKey:u}),onSent:()=>{n(),c(),k(e("orders.markedPaid",{number:r.orderNumber}))}});return t`<${oe} form=${l} id="mark-paid" title=${e("orders.markPaid")} action=${e("orders.markPaid")} onClose=${n}>
    <p>${e("orders.markPaidText")}</p>
    <dl class="sums preview"><div class="whole"><dt>${e("orders.recorded")}</dt><dd><${y} amount=${re([i,-(d??0)],s)} currency=${s} /></dd></div></dl>
    <${x} label=${e("orders.paidHow")} help=${e("orders.paidHowHelp")} value=${l.values.note} error=${l.error("note")} required autofocus
      onInput=${$=>l.set("note",$)} />
  <//>`}function me({order:r,onClose:n,onChanged:c}){let{id:o,currency:a,revision:d=null}=r,i=S({name:`refund ${o} ${d}`,initial:{amount:"",reason:"",refundAccount:void 0},keep:!1,refresh:c,send:({amount:p,...m},{idempotencyKey:h})=>f.call("POST /api/orders/{id}/refund",{id:o,...m,amount:{amount:Q(p),currency:a},expectedRevision:d},{idempotencyKey:h}),onSent:()=>{n(),c(),k(e("orders.refunded"))}}),s=Q(i.values.amount),l=p=>f.preview("POST /api/orders/{id}/refund",{id:o,amount:{amount:s,currency:a},reason:i.values.reason||"-",expectedRevision:d,preview:!0},{signal:p}),{preview:$,refusal:u}=I(s>0?`${o} ${s} ${d}`:"",l),b=t`<${O} form=${i} onCancel=${n} id="refund" action=${e("orders.refund")} danger />`;return t`<${P} title=${e("orders.refund")} onClose=${n} busy=${i.busy} actions=${b}>
    <form id="refund" class="stack" onSubmit=${p=>{p.preventDefault(),i.submit()}}>
      <${R} label=${e("orders.amount")} unit=${a} value=${i.values.amount} error=${i.error("amount")} onInput=${p=>i.set("amount",p)} required />
      <${x} label=${e("orders.reason")} value=${i.values.reason} error=${i.error("reason")} onInput=${p=>i.set("reason",p)} required />
      ${(i.refusal??u)?.reason.startsWith("refund_account")&&t`<${_} form=${i} />`}
      ${u&&!i.refusal&&t`<${A} kind="warn">${u.alone}<//>`}
      ${$&&t`<dl class="sums preview" aria-live="polite">
        <div><dt>${e("orders.refundBy")}</dt><dd>${J("transactions","provider",$.refund.provider)}</dd></div>
        <div><dt>${e("orders.amount")}</dt><dd><${y} amount=${$.refund.amount} currency=${a} /></dd></div>
        <div class="whole"><dt>${e("orders.left")}</dt><dd><${y} amount=${$.refund.refundableAmount} currency=${a} /></dd></div>
      </dl>`}
    </form>
  <//>`}var ke={paid:{to:"preparing",icon:"package",needs:"orders:fulfill"},preparing:{to:"shipped",icon:"truck",needs:"orders:fulfill"},shipped:{to:"delivered",icon:"circle-check",needs:"orders:fulfill"},delivered:{to:"confirmed",icon:"badge-check",needs:"orders:fulfill"}};function $e({order:r,transactions:n,onChanged:c}){let[o,a]=q(""),[d,i]=q(!1),s=ke[r.status],l=["pending","authorized","paid","preparing"].includes(r.status),$=async()=>{if(!(!s||d)){i(!0);try{await f.call("POST /api/orders/{id}/transitions",{id:r.id,to:s.to,expectedRevision:r.revision??null}),c(),k(e(`orders.moved-${s.to}`,{number:r.orderNumber}))}catch(he){Z(he),c()}i(!1)}},u=()=>{ne(f.file("GET /api/orders/{id}/invoice",{id:r.id}))},b=["delivered","confirmed","return_requested","return_processing"].includes(r.status)&&v("returns:decide"),p=v("orders:refund")&&["paid","partially_paid","partially_refunded"].includes(r.paymentStatus),m=r.status==="pending"&&v("payments:record"),h=()=>V(`/orders/${r.id}/return`),w=[{label:e("orders.print"),icon:"printer",run:u},...r.authorization&&r.status==="authorized"&&v("payments:capture")?[{label:e("orders.capture"),icon:"hand-coins",run:()=>a("capture")}]:[],...m?[{label:e("orders.markPaid"),icon:"hand-coins",run:()=>a("paid")}]:[],...p?[{label:e("orders.refund"),icon:"banknote",run:()=>a("refund")}]:[],...b?[{label:e("orders.return"),icon:"undo-2",run:h}]:[],...v("orders:cancel")&&l?[{label:e("orders.cancelLines"),icon:"split",run:()=>a("lines")},{label:e("orders.cancel"),icon:"ban",danger:!0,run:()=>a("cancel")}]:[]],z=s&&v(s.needs);U([...z?[{keys:"n",label:e(`orders.to-${s.to}`),run:()=>{$()}}]:[],{keys:"p",label:e("orders.print"),run:u},...p?[{keys:"u",label:e("orders.refund"),run:()=>a("refund")}]:[],...m?[{keys:"m",label:e("orders.markPaid"),run:()=>a("paid")}]:[],...b?[{keys:"b",label:e("orders.return"),run:h}]:[],...v("orders:cancel")&&l?[{keys:"l",label:e("orders.cancelLines"),run:()=>a("lines")}]:[]]);let T={order:r,onClose:()=>a(""),onChanged:c};return t`${z&&t`<${C} look="primary" icon=${s.icon} busy=${d} onClick=${$} keys="n">${e(`orders.to-${s.to}`)}<//>`}
    <${ee} label=${e("common.more")} items=${w} />
    ${o==="refund"&&t`<${me} ...${T} />`}
    ${o==="capture"&&t`<${de} ...${T} />`}
    ${o==="paid"&&t`<${ue} ...${T} />`}
    ${o==="lines"&&t`<${le} ...${T} />`}
    ${o==="cancel"&&t`<${ae} ...${T} transactions=${n} />`}`}function pe({order:r,onChanged:n}){let[c,o]=q(!1),{name:a,phone:d}=r.customerSnapshot,i=r.shippingAddress,s=N(r.customer),l=v("orders:update")&&t`<${C} look="quiet" icon="pencil" label=${e("orders.correct")} onClick=${()=>o(!0)} />`;return t`<${M} title=${e("orders.buyer")}>
      <p>${s&&v("customers:read")?t`<a href=${g(L("customers",s))}>${a??r.email}</a>`:a??"—"}</p>
      ${r.email&&t`<p><a href=${`mailto:${r.email}`}>${r.email}</a></p>`}
      ${d&&t`<p><a href=${`tel:${d}`}>${d}</a></p>`}
    <//>
    <${M} title=${e("orders.address")} top=${l}>
      <address>${[i.recipientName,i.phone,[i.postalCode,i.address1].filter(Boolean).join(" "),i.address2,i.country].filter(Boolean).map($=>t`<span>${$}</span>`)}</address>
      ${i.deliveryMessage&&t`<p class="quote">${i.deliveryMessage}</p>`}
      ${r.notes&&t`<p class="quote">${r.notes}</p>`}
    <//>
    ${c&&t`<${we} order=${r} onClose=${()=>o(!1)} onChanged=${n} />`}`}var ge=["recipientName","phone","postalCode","address1","address2","deliveryMessage"];function we({order:r,onClose:n,onChanged:c}){let{email:o,shippingAddress:a,notes:d,revision:i}=r,s=H(()=>({email:o,shippingAddress:a,notes:d,revision:i}),[r]),l=S({name:`order ${r.id} address`,initial:s,refresh:c,send:(u,{revision:b,...p})=>f.call("POST /api/orders/{id}/correct",{id:r.id,...u,expectedRevision:b},p),onSent:()=>{n(),c(),k(e("orders.corrected"))}}),$=(u,b={})=>t`<${x} key=${u} label=${G("orders",u)} value=${l.get(u)??""} error=${l.error(u)}
    onInput=${p=>l.set(u,p)} ...${b} />`;return t`<${P} title=${e("orders.correct")} onClose=${n} actions=${t`<${O} form=${l} onCancel=${n} id="correct" slug="orders" />`}>
    <form id="correct" class="stack" onSubmit=${u=>{u.preventDefault(),l.submit()}}>
      ${$("email",{type:"email"})}
      ${ge.map(u=>$(`shippingAddress.${u}`,u==="phone"?{type:"tel"}:{}))}
      ${$("notes",{rows:2})}
    </form>
  <//>`}function fe({order:r}){let{currency:n}=r,c=[[e("orders.subtotal"),r.subtotal],...r.discountAmount?[[xe(r),-r.discountAmount]]:[],[e("orders.shipping"),r.shippingAmount]];return t`<${M} title=${e("orders.lines")}>
    <div class="scroll"><table class="lines">
      <thead><tr><th>${e("orders.item")}</th><th class="end">${e("orders.price")}</th><th class="end">${e("orders.quantity")}</th><th class="end">${e("orders.total")}</th></tr></thead>
      <tbody>${r.lines.map(o=>t`<tr key=${o.id}>
        <td>
          ${o.product?t`<a href=${g(`/products/${N(o.product)}`)}>${o.title}</a>`:o.title}
          <small>${[o.variantTitle,o.sku].filter(Boolean).join(" · ")}</small>
          ${Se(o).map(a=>t`<small class="note">${a}</small>`)}
        </td>
        <td class="end"><${y} amount=${o.unitPrice} currency=${n} /></td>
        <td class="end">${te(o.quantity)}</td>
        <td class="end"><${y} amount=${o.total} currency=${n} />${o.discount?t`<small>−<${y} amount=${o.discount} currency=${n} /></small>`:""}</td>
      </tr>`)}</tbody>
    </table></div>
    <dl class="sums">
      ${c.map(([o,a])=>t`<div><dt>${o}</dt><dd><${y} amount=${a} currency=${n} /></dd></div>`)}
      <div class="whole"><dt>${e("orders.total")}</dt><dd><${y} amount=${r.totalAmount} currency=${n} /></dd></div>
    </dl>
  <//>`}function xe(r){let n=r.discountCodes.filter(c=>c.applied).map(c=>c.code);return n.length>0?`${e("orders.discount")} (${n.join(", ")})`:e("orders.discount")}function Se(r){return[["canceled",r.canceledQuantity],["fulfilled",r.fulfilledQuantity],["returned",r.returnedQuantity]].flatMap(([c,o])=>o?[e(`orders.units-${c}`,{n:o})]:[])}function ve({order:r,waiting:{returns:n,disputes:c,payments:o}}){let a=(l,{id:$,status:u},b,p)=>t`<${A} key=${$} kind="warn" action=${t`<${W} class="button" href=${g(L(l,$))}>${b}<//>`}>
      ${F(l,"one")} <${B} slug=${l} path="status" value=${u} /> ${p}<//>`,d=o[0],i=d&&t`<${W} class="button" href=${g(L("payment-sessions",d.id))}>${e("orders.seePayment")}<//>`,s=r.hold?e(`orders.hold-${r.hold}`):d&&e("orders.paymentWaits");return t`${s&&t`<${A} kind="bad" action=${i}>${s}<//>`}
    ${c.map(l=>a("disputes",l,e("orders.seeDispute"),l.status==="needs_response"&&l.evidenceDue&&Ae(l.evidenceDue)))}
    ${n.map(l=>a("return-requests",l,e("orders.seeReturn"),t`<${y} amount=${l.refundAmount} currency=${l.currency} />`))}`}var Ae=r=>t`${e("orders.answerUntil")} <b><${D} at=${r} /></b>`;async function ye(r,n){let c=async(i,s)=>{if(!v(`${i}:read`))return[];let l={order:{equals:r},status:{in:s}};return(await f.collections.from(i).find({where:l,limit:20,depth:0,sort:"createdAt"},{signal:n})).docs},[o,a,d]=await Promise.all([c("return-requests",["requested","approved","received"]),c("disputes",["needs_response","under_review"]),c("payment-sessions",["requires_attention"])]);return{returns:o,disputes:a,payments:d}}var be=["orders","transactions","fulfillment-orders","fulfillments","return-requests","disputes","payment-sessions","comments"];function Pe(){let{id:r=""}=E().params,{data:n,refusal:c,reload:o}=K(`order ${r}`,s=>Oe(r,s),{live:be,record:r}),a={href:g("/orders"),label:F("orders")};if(!n)return t`<${j} title=${F("orders","one")} back=${a}>
      <${Y} refusal=${c} again=${o} gone=${e("orders.gone")} goneText=${e("orders.goneText")} />
    <//>`;let{order:d}=n,i=t`<span class="badges">${["status","paymentStatus","fulfillmentStatus"].map(s=>t`<${B} key=${s} slug="orders" path=${s} value=${d[s]} />`)}</span>`;return t`<${j} title=${d.orderNumber} back=${a} badges=${i} top=${t`<${$e} order=${d} transactions=${v("transactions:read")?n.transactions:void 0} onChanged=${o} />`}>
    <p class="under"><${D} at=${d.placedAt} /> · ${e("orders.from")} <${B} slug="orders" path="source" value=${d.source} /></p>
    <${ve} ...${n} />
    ${c&&t`<${X} refusal=${c} again=${o} />`}
    <div class="columns">
      <div>
        <${fe} order=${d} />
        ${v("transactions:read")&&t`<${ie} order=${d} transactions=${n.transactions} />`}
        <${ce} order=${d} parcels=${n.parcels} />
        <${se} slug="orders" id=${d.id} live=${be} />
      </div>
      <aside><${pe} order=${d} onChanged=${o} /></aside>
    </div>
  <//>`}async function Oe(r,n){let c={where:{order:{equals:r}},limit:100,sort:"createdAt"},o={docs:[]},[a,d,i,s]=await Promise.all([f.collections.from("orders").findById(r,{depth:0},{signal:n}),ye(r,n),v("transactions:read")?f.collections.from("transactions").find(c,{signal:n}):o,v("fulfillments:read")?f.collections.from("fulfillments").find(c,{signal:n}):o]);return{order:a,waiting:d,transactions:i.docs,parcels:s.docs}}export{Pe as default};
