import{a as d}from"./chunk-RGNC7VM4.js";import{s as u,z as n}from"./chunk-OZNYBMST.js";function y({amounts:s,titleOf:t,class:r=""}){let{lines:o,initialShippingRefundAmount:p,returnShippingFee:m,refundAmount:$,currency:c}=s,i=(e,a,l)=>u`<div>
    <dt>${e}<small>${a}</small></dt><dd><${d} amount=${l} currency=${c} /></dd></div>`;return u`<dl class=${`sums ${r}`}>
    ${(o??[]).map(e=>u`
      ${i(`${t(e.orderLine)} × ${e.quantity}`,n("returns.whyLine"),e.lineRefund??0)}
      ${e.restockingFee?i(n("returns.fee",{name:t(e.orderLine)}),n("returns.whyFee"),-e.restockingFee):""}`)}
    ${p?i(n("returns.shippingBack"),n("returns.whyShippingBack"),p):""}
    ${m?i(n("returns.returnShipping"),n("returns.whyReturnShipping"),-m):""}
    <div class="whole"><dt>${n("returns.refundAmount")}</dt><dd><${d} amount=${$} currency=${c} /></dd></div>
  </dl>`}function w(s){return t=>{let r=s?.lines.find(o=>o.id===t);return r?[r.title,r.variantTitle].filter(Boolean).join(" · "):n("returns.item")}}export{y as a,w as b};
