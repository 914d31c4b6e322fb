import{a as R,b as U}from"./chunk-ZUNVXRQY.js";import{a as g}from"./chunk-ZV2XWTMO.js";import{a as C,b as L}from"./chunk-7EM6NNTB.js";import{a as A}from"./chunk-ZFQRI6BM.js";import{a as i,b,c as O}from"./chunk-RGNC7VM4.js";import{c as P,e as z}from"./chunk-CR5WSEUI.js";import{a as N}from"./chunk-LDME6CXF.js";import{a as h}from"./chunk-YR7UKKP2.js";import{b as T,c as M}from"./chunk-VZBJ6CRO.js";import{D as F,N as S,Q as y,X as k,fa as D,ja as I,ma as f,s as o,z as e}from"./chunk-OZNYBMST.js";var G={payment:"paid",refund:"refunded",reversal:"reversed"},w=r=>r.status===G[r.type??"payment"],j=r=>r==="payment"?1:-1;function x(r,d){return f(r.filter(w).map(n=>j(n.type)*(n.amount??0)),d)}function Y({order:r,transactions:d}){let{currency:n}=r,c=x(d,n),s=d.filter(t=>w(t)&&t.type==="payment"),m=f([...s.map(t=>t.amount),-r.refundedAmount,-(r.reversedAmount??0)],n);return o`<${I} title=${e("orders.money")}>
    ${d.length===0&&o`<p class="none">${e("orders.noMoney")}</p>`}
    ${d.length>0&&o`<div class="scroll"><table class="ledger">
      <thead><tr><th>${e("orders.when")}</th><th>${e("orders.what")}</th><th>${e("orders.how")}</th><th class="end">${e("orders.amount")}</th></tr></thead>
      <tbody>${d.map(t=>o`<tr key=${t.id} class=${w(t)?"":"void"}>
        <td><${b} at=${t.createdAt} /></td>
        <td><${O} slug="transactions" path="type" value=${t.type} /> ${!w(t)&&o`<${O} slug="transactions" path="status" value=${t.status} />`}</td>
        <td>${H(t)}${t.note&&o`<small>${t.note}</small>`}</td>
        <td class="end"><${i} amount=${t.amount===null?null:j(t.type)*t.amount} currency=${t.currency} /></td>
      </tr>`)}</tbody>
    </table></div>`}
    <dl class="sums">
      <div><dt>${e("orders.total")}</dt><dd><${i} amount=${r.totalAmount} currency=${n} /></dd></div>
      ${r.canceledAmount?o`<div><dt>${e("orders.canceled")}</dt><dd><${i} amount=${-r.canceledAmount} currency=${n} /></dd></div>`:""}
      <div class="whole"><dt>${e("orders.balance")}</dt><dd><${i} amount=${c} currency=${n} /></dd></div>
    </dl>
    ${c!==m&&o`<${D} kind="warn">${e("orders.unbalanced")}<//>`}
  <//>`}function H(r){let d=[r.provider&&F("transactions","provider",r.provider),r.method].filter(Boolean).join(" · "),n=S("payment-sessions:read")?k(r.paymentSession):void 0;return n?o`<a href=${T(M("payment-sessions",n))}>${d}</a>`:d}function le({order:r,transactions:d,onClose:n,onChanged:c}){let{id:s,currency:m,revision:t=null}=r,a=A({name:`cancel ${s} ${t}`,initial:{reason:"",refundAccount:void 0},keep:!1,refresh:c,send:(u,{idempotencyKey:v})=>y.call("POST /api/orders/{id}/cancel",{id:s,...u,expectedRevision:t},{idempotencyKey:v}),onSent:()=>{n(),c(),h(e("orders.orderCanceled",{number:r.orderNumber}))}}),l=d&&x(d,m),$=o`<${C} form=${a} onCancel=${n} id="cancel" action=${e("orders.cancel")} danger />`;return o`<${N} title=${e("orders.cancel")} onClose=${n} busy=${a.busy} actions=${$}>
    <form id="cancel" class="stack" onSubmit=${u=>{u.preventDefault(),a.submit()}}>
      <p>${l===void 0?e("orders.cancelAny"):l>0?o`${e("orders.cancelPaid")} <b><${i} amount=${l} currency=${m} /></b>`:e("orders.cancelUnpaid")}</p>
      <${P} label=${e("orders.reason")} value=${a.values.reason} error=${a.error("reason")} onInput=${u=>a.set("reason",u)} required autofocus />
      ${U(a)&&o`<${R} form=${a} />`}
    </form>
  <//>`}function Oe({order:r,onClose:d,onChanged:n}){let{id:c,currency:s,revision:m=null,authorization:t}=r,a=A({name:`capture ${c}`,initial:{amount:""},keep:!1,refresh:n,send:({amount:p},{idempotencyKey:q})=>{let B=p&&{amount:{amount:g(p),currency:s}};return y.call("POST /api/orders/{id}/capture",{id:c,...B,expectedRevision:m},{idempotencyKey:q})},onSent:()=>{d(),n(),h(e("orders.captured"))}}),l=t?.amount??0,$=a.values.amount===""?l:Number(g(a.values.amount)),u=$>0&&$<=l,v=p=>u?o`<${i} amount=${p} currency=${s} />`:"—";return o`<${L} form=${a} id="capture" title=${e("orders.capture")} action=${e("orders.capture")} ready=${u} onClose=${d}>
    ${t?.until&&o`<p>${e("orders.heldUntil")} <b><${b} at=${t.until} /></b></p>`}
    <${z} label=${e("orders.amount")} help=${e("orders.captureHelp")} unit=${s} value=${a.values.amount} error=${a.error("amount")}
      onInput=${p=>a.set("amount",p)} />
    <dl class="sums preview" aria-live="polite">
      <div><dt>${e("orders.authorized")}</dt><dd><${i} amount=${l} currency=${s} /></dd></div>
      <div class="whole"><dt>${e("orders.collected")}</dt><dd>${v($)}</dd></div>
      <div><dt>${e("orders.letGo")}</dt><dd>${v(f([l,-$],s))}</dd></div>
    </dl>
  <//>`}export{Y as a,le as b,Oe as c};
