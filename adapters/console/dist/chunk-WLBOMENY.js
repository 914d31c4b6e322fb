import{a as c,b as y,c as $}from"./chunk-RGNC7VM4.js";import{D as p,ja as l,ma as i,s as r,z as s}from"./chunk-OZNYBMST.js";var m={payment:["paid"],refund:["refunded","pending"],reversal:["reversed"]};function v(t){let e=t.filter(n=>m[n.type??"payment"].includes(n.status??"")),a=e.find(n=>n.type==="payment")?.currency;return a?{amount:i(e.map(n=>(n.type==="payment"?1:-1)*(n.amount??0)),a),currency:a}:null}function U({session:t,movements:e}){let{amount:a,currency:n}=t.amount,o=v(e),u=e.find(d=>d.type==="payment"),f=u&&u.status==="paid"&&(u.currency!==n||u.amount!==a);return r`<${l} title=${s("payments.money")}>
    <dl class="sums">
      <div><dt>${s("payments.askedFor")}</dt><dd><${c} amount=${a} currency=${n} /></dd></div>
      ${f&&r`<div class="payment-warned"><dt>${s("payments.came")}</dt><dd><${c} amount=${u.amount} currency=${u.currency} /></dd></div>`}
    </dl>
    ${e.length===0&&r`<p class="none">${s("payments.noMoney")}</p>`}
    ${e.length>0&&r`<ul class="payment-movements">${e.map(d=>r`<${b} key=${d.id} m=${d} reason=${t.reason} />`)}</ul>`}
    ${o&&r`<dl class="sums">
      <div class="whole"><dt>${s("payments.held")}</dt><dd><${c} amount=${o.amount} currency=${o.currency} /></dd></div>
    </dl>`}
  <//>`}function h(t){return t==="VIRTUAL_ACCOUNT"?s("payments.virtualAccount"):t&&/^[A-Z_]+$/.test(t)?p("payment-sessions","method",t):t}function b({m:t,reason:e}){let a=m[t.type??"payment"].includes(t.status??""),n=t.type!=="payment"&&t.amount!==null;return r`<li class=${a?"":"void"}>
    <span><b>${p("transactions","type",t.type??"")}</b> <${$} slug="transactions" path="status" value=${t.status} />
      <small><${y} at=${t.createdAt} />${[h(t.method),t.note!==e&&t.note].map(o=>o&&` · ${o}`)}</small>
      ${t.receiptUrl&&r`<a href=${t.receiptUrl} target="_blank" rel="noreferrer">${s("payments.receipt")}</a>`}</span>
    <${c} amount=${n?-Number(t.amount):t.amount??t.authorizedAmount} currency=${t.currency} />
  </li>`}export{v as a,U as b,h as c};
