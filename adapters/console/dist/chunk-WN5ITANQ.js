import{b as l,c as n}from"./chunk-RGNC7VM4.js";import{D as s,ja as a,s as e,z as t}from"./chunk-OZNYBMST.js";function d({order:o,parcels:i}){return o.lines.some(r=>r.requiresShipping)?e`<${a} title=${t("orders.parcels")}>
    ${i.length===0&&e`<p class="none">${t("orders.noParcels")}</p>`}
    <ul class="parcels">${i.map(r=>e`<li key=${r.id}>
      <${n} slug="fulfillments" path="status" value=${r.status} />
      <span>${r.carrier?s("fulfillments","carrier",r.carrier):""} ${r.trackingNumber&&e`<code>${r.trackingNumber}</code>`}</span>
      <span>${t("orders.units",{n:r.items.reduce((u,m)=>u+(m.quantity??0),0)})}</span>
      <${l} at=${r.createdAt} relative />
    </li>`)}</ul>
  <//>`:null}export{d as a};
