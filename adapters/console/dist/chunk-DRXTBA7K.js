import{b as $,d,e as n,f as l}from"./chunk-ZJGA7PJW.js";import{b as s,c}from"./chunk-RGNC7VM4.js";import{C as a,D as m,ia as o,s as r,z as t}from"./chunk-OZNYBMST.js";function u({work:e}){let{hold:i}=e.order??{};return r`<span class="badges">
    ${i&&r`<${o} tone="bad">${m("orders","hold",i)}<//>`}
    ${e.changedSinceExport.map(p=>r`<${o} tone="wait" key=${p}>${t(`packing.changed-${p}`)}<//>`)}
  </span>`}var h=e=>e.type==="manual"?"—":l(e.order),w=()=>({order:{width:"minmax(8.5rem, 10rem)",cell:e=>e.order?.orderNumber??"—",sort:"order.orderNumber"},"order.placedAt":{width:"8.5rem",cell:e=>r`<${s} at=${e.order?.placedAt} relative />`,sort:$},recipient:{label:a("orders","recipientName"),width:"minmax(8.5rem, 1fr)",cell:e=>n(e.order)},lines:{label:t("packing.units"),width:"5rem",align:"end",cell:d},address:{label:a("orders","shippingAddress"),width:"minmax(10rem, 2fr)",cell:h},status:{width:"7rem"},changedSinceExport:{label:t("packing.heed"),width:"minmax(9rem, 1.2fr)",cell:e=>r`<${u} work=${e} />`}}),A=e=>r`<span class="row-card">
  <b>${e.order?.orderNumber??"—"}</b><span>${t("packing.unitsLeft",{n:d(e)})}</span>
  <span>${n(e.order)} · ${l(e.order)}</span><${s} at=${e.order?.placedAt} relative />
  <span class="badges"><${c} slug="fulfillment-orders" path="status" value=${e.status} /><${u} work=${e} /></span>
</span>`,N=["order","order.placedAt","recipient","lines","address","status","changedSinceExport"];export{w as a,A as b,N as c};
