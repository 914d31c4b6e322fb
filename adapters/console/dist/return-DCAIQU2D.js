import{a as C,b as g}from"./chunk-SERE7LNX.js";import{a as te,b as ne}from"./chunk-ZUNVXRQY.js";import{a as ee}from"./chunk-3WAPSNU2.js";import{a as re}from"./chunk-SLAW6HH6.js";import"./chunk-AM3DABK3.js";import"./chunk-FOTJFVPA.js";import{a as _,b as L}from"./chunk-7EM6NNTB.js";import{a as F}from"./chunk-ZFQRI6BM.js";import{b as A,c as O,d as Z}from"./chunk-RGNC7VM4.js";import{a as V}from"./chunk-IMYQGOQZ.js";import{c as w,i as K}from"./chunk-CR5WSEUI.js";import"./chunk-LDME6CXF.js";import{a as q,b as J}from"./chunk-YR7UKKP2.js";import{a as H}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as R,c as Q}from"./chunk-VZBJ6CRO.js";import{$ as E,C as h,E as S,G,N as v,Q as b,X as x,aa as W,b as N,ea as Y,fa as T,g as M,ha as z,ja as y,ka as I,na as X,p as U,s as r,z as s}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";var k={approve:{icon:"check",keys:"n",needs:"returns:decide"},receive:{icon:"package-open",keys:"n",needs:"returns:decide"},refund:{icon:"banknote",keys:"u",needs:"returns:refund"},reject:{icon:"ban",keys:"b",needs:"returns:decide",danger:!0},cancel:{icon:"x",keys:"l",needs:"returns:decide",danger:!0}},ce={requested:["approve","reject","cancel"],approved:["receive","refund","reject","cancel"],received:["refund"]};function se({data:o,onChanged:e}){let[u,n]=N(""),[a,t]=N(!1),{id:$,status:c,revision:l}=o.request,p=async()=>{t(!0);try{await b.call("POST /api/return-requests/{id}/approve",{id:$,expectedRevision:l}),q(s("returns.done-approve"))}catch(d){J(d)}e(),t(!1)},i=d=>d==="approve"?void p():n(d),m=(ce[c??""]??[]).filter(d=>v(k[d].needs)),[f,...ie]=m;G(m.map(d=>({keys:k[d].keys,label:s(`returns.do-${d}`),run:()=>i(d)})));let B=d=>s(d==="refund"&&c==="approved"?"returns.do-refundUnseen":`returns.do-${d}`),D=ie.map(d=>({label:B(d),icon:k[d].icon,danger:k[d].danger??!1,run:()=>i(d)})),j={data:o,onClose:()=>n(""),onChanged:e},{icon:ae,keys:de}=f?k[f]:k.approve;return r`${f&&r`<${W} look="primary" icon=${ae} keys=${de} busy=${a} onClick=${()=>i(f)}>${B(f)}<//>`}
    ${D.length>0&&r`<${V} label=${s("common.more")} items=${D} />`}
    ${u==="receive"&&r`<${$e} ...${j} />`}
    ${u==="refund"&&r`<${me} ...${j} />`}
    ${(u==="reject"||u==="cancel")&&r`<${pe} step=${u} ...${j} />`}`}function P(o,{data:{request:e},onClose:u,onChanged:n},a){return F({name:`${o} ${e.id}`,initial:a,keep:!1,refresh:n,send:(t,{idempotencyKey:$})=>{let c={id:e.id,...t,expectedRevision:e.revision};return b.call(`POST /api/return-requests/{id}/${o}`,c,{idempotencyKey:$})},onSent:()=>{u(),n(),q(s(`returns.done-${o}`))}})}function $e(o){let{request:e,order:u}=o.data,n=P("receive",o,{}),a=g(u);return r`<${L} form=${n} id="receive" title=${s("returns.do-receive")} action=${s("returns.do-receive")} ready onClose=${o.onClose}>
    <p>${s("returns.receiveText")}</p>
    <ul class="return-lines preview">${e.lines.map(t=>r`<li key=${t.orderLine}><span>${a(t.orderLine)} × ${t.quantity}</span>
      <span class="end">${s(t.restock&&le(u,t.orderLine)?"returns.toStock":"returns.notToStock")}</span></li>`)}</ul>
    <p class="help">${s("returns.receiveWhole")}</p>
  <//>`}var le=(o,e)=>o?.lines.find(u=>u.id===e)?.stockTaken!==!1;function me(o){let{request:e,order:u}=o.data,n=P("refund",o,{refundAccount:void 0}),a=e.refundAmount===0?"returns.refundNothing":e.refundAccountEnding?"returns.refundAccount":"returns.refundText";return r`<${L} form=${n} id="refund" title=${s("returns.do-refund")} action=${s("returns.do-refund")} danger ready onClose=${o.onClose}>
    <p>${s(a,{ending:e.refundAccountEnding})}</p>
    ${e.status==="approved"&&r`<p><b>${s("returns.refundUnseen")}</b></p>`}
    <${C} class="preview" amounts=${e} titleOf=${g(u)} />
    ${ne(n)&&r`<${te} form=${n} />`}
  <//>`}function pe(o){let{step:e,onClose:u}=o,n=P(e,o,{reason:""}),a=s(`returns.do-${e}`);return r`<${L} form=${n} id="end" title=${a} action=${a} danger ready=${e==="cancel"||n.dirty} onClose=${u}>
    <p>${s(`returns.what-${e}`)}</p>
    <${w} label=${s("returns.reason")} help=${s("returns.reasonHelp")} rows=${3} value=${n.values.reason} error=${n.error("reason")}
      required=${e==="reject"} autofocus onInput=${t=>n.set("reason",t)} />
  <//>`}function oe({request:o}){let{status:e,createdAt:u,approvedAt:n,receivedAt:a,refundedAt:t}=o,$=e==="rejected"||e==="canceled",c=[["requested",u],["approved",n],["received",a],["refunded",t]],l=c.findIndex(([,i])=>!i),p=$?c.filter(([,i])=>i):e==="refunded"?c.filter(([,i])=>i):c;return r`<ol class="return-steps" aria-label=${s("returns.steps")}>
    ${p.map(([i,m])=>r`<li key=${i} class=${m?"done":""} aria-current=${!$&&c[l]?.[0]===i?"step":void 0}>
      <${E} name=${m?"circle-check":"circle"} /><span>${s(`returns.step-${i}`)}</span>${m&&r`<small><${A} at=${m} relative /></small>`}
    </li>`)}
    ${$&&r`<li class="ended" aria-current="step"><${E} name="ban" /><span>${s(`returns.step-${e}`)}</span></li>`}
  </ol>`}var ue=["return-requests","transactions","comments"];function fe(){let{id:o=""}=U().params,{data:e,refusal:u,reload:n}=H(`return ${o}`,i=>ke(o,i),{live:ue}),a={href:R("/returns"),label:S("return-requests")};if(!e)return r`<${I} title=${S("return-requests","one")} back=${a}>
      <${z} refusal=${u} again=${n} gone=${s("returns.gone")} goneText=${s("returns.goneText")} />
    <//>`;let{request:t,order:$}=e,c=r`<span class="badges"><${O} slug="return-requests" path="status" value=${t.status} />
    ${t.status!=="refunded"&&t.refundStatus&&r`<${O} slug="return-requests" path="refundStatus" value=${t.refundStatus} />`}
  </span>`,l=t.status==="rejected"||t.status==="canceled",p=r`<${se} data=${e} onChanged=${n} />`;return r`<${I} title=${s("returns.of",{number:$?.orderNumber??""})} back=${a} badges=${c} top=${p}>
    ${u&&r`<${Y} refusal=${u} again=${n} />`}
    ${t.refundProblem&&t.status!=="refunded"&&r`<${T} kind="bad"><b>${s("returns.problem")}</b> ${t.refundProblem}<//>`}
    ${t.status==="refunded"&&t.refundStatus==="pending"&&r`<${T}>${s("returns.pending")}<//>`}
    ${t.statusReason&&r`<${T} kind="warn">${t.statusReason}<//>`}
    <${oe} request=${t} />
    <div class="columns">
      <div>
        <${ve} ...${e} />
        <${y} title=${s("returns.money")}><${C} amounts=${t} titleOf=${g($)} />
          ${l&&r`<p class="none">${s("returns.nothingGiven")}</p>`}
          ${t.auditNote&&r`<p class="quote">${t.auditNote}</p>`}<//>
        <${ee} slug="return-requests" id=${t.id} live=${ue} />
      </div>
      <aside><${be} ...${e} />${v("return-requests:update")&&r`<${ge} request=${t} onChanged=${n} />`}</aside>
    </div>
  <//>`}function ve({request:o,order:e}){let u=g(e);return r`<${y} title=${s("returns.lines")}>
    <ul class="return-lines">${o.lines.map(n=>r`<li key=${n.orderLine}>
      <span><b>${u(n.orderLine)}</b>${n.reason?r`<q class="quote">${n.reason}</q>`:r`<small>${s("returns.noReason")}</small>`}</span>
      <span class="end">${s("returns.units",{n:n.quantity})}<small>${s("returns.restock")}: <${Z} value=${n.restock} /></small></span>
    </li>`)}</ul>
  <//>`}function be({request:o,order:e}){let u=x(o.customer),{name:n,phone:a}=e?.customerSnapshot??{},t=n||e?.email||"—";return r`<${y} title=${S("orders","one")}>
    ${e&&r`<p><a href=${R(`/orders/${e.id}`)}>${e.orderNumber}</a> <${O} slug="orders" path="status" value=${e.status} /></p>`}
    <p>${u&&v("customers:read")?r`<a href=${R(Q("customers",u))}>${t}</a>`:t}</p>
    ${e?.email&&r`<p><a href=${`mailto:${e.email}`}>${e.email}</a></p>`}
    ${a&&r`<p><a href=${`tel:${a}`}>${a}</a></p>`}
    <dl class="facts">
      <div><dt>${h("return-requests","createdAt")}</dt><dd><${A} at=${o.createdAt} /></dd></div>
      ${e?.deliveredAt&&r`<div><dt>${h("orders","deliveredAt")}</dt><dd><${A} at=${e.deliveredAt} relative /></dd></div>`}
      ${o.refundAccountEnding&&r`<div><dt>${h("return-requests","refundAccountEnding")}</dt><dd>${o.refundAccountEnding}</dd></div>`}
      <div><dt>${s("returns.count")}</dt><dd>${X(o.lines.reduce(($,c)=>$+(c.quantity??0),0))}</dd></div>
    </dl>
  <//>`}function ge({request:o,onChanged:e}){let{id:u,notes:n,tags:a,assignee:t,revision:$}=o,c=M(()=>({notes:n??"",tags:a??[],assignee:x(t)??null,revision:$}),[o]),l=F({name:`return ${u}`,initial:c,refresh:e,send:(i,{revision:m,...f})=>b.collections.from("return-requests").update(u,{...i,expectedRevision:m},f),onSent:()=>{e(),q(s("common.saved"))}}),p=i=>({label:h("return-requests",i),value:l.values[i],error:l.error(i),onInput:m=>l.set(i,m)});return r`<${y} title=${s("returns.team")}>
    <form id="notes" class="stack" onSubmit=${i=>{i.preventDefault(),l.submit()}}>
      <${w} rows=${3} ...${p("notes")} />
      <${K} ...${p("tags")} />
      ${v("users:read")&&r`<${re} to="users" ...${p("assignee")} />`}
    </form>
    <${_} form=${l} id="notes" slug="return-requests" />
  <//>`}async function ke(o,e){let u=await b.collections.from("return-requests").findById(o,{depth:0},{signal:e}),n=x(u.order),a=n&&v("orders:read")?await b.collections.from("orders").findById(n,{depth:0},{signal:e}).catch(()=>null):null;return{request:u,order:a}}export{fe as default};
