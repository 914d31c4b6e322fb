import{c as s}from"./chunk-CR5WSEUI.js";import{a as c}from"./chunk-MWZMRQYO.js";import{C as n,Q as a,s as o,z as r}from"./chunk-OZNYBMST.js";var d=["bank","account","holder"];function A({form:e}){let{data:l}=c("payment providers",t=>a.call("GET /api/payment-providers",{},{signal:t})),u=[...new Set((l?.providers??[]).flatMap(t=>t.refundAccounts.banks))];return o`<fieldset class="stack"><legend>${r("orders.account")}</legend><p class="help">${r("orders.accountHelp")}</p>
    ${d.map(t=>o`<${s} key=${t} label=${n("refundAccount",t)} value=${e.get(`refundAccount.${t}`)??""}
      ...${t==="bank"&&{help:r("orders.bankHelp"),list:"banks"}}
      error=${e.error(`refundAccount.${t}`)} onInput=${p=>e.set(`refundAccount.${t}`,p)} />`)}
    <datalist id="banks">${u.map(t=>o`<option value=${t}></option>`)}</datalist>
  </fieldset>`}var m=e=>!!e.values.refundAccount||(e.refusal?.reason.startsWith("refund_account")??!1);export{A as a,m as b};
