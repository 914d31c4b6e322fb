import{a as B,b as P,c as R,d as z}from"./chunk-6QJ7YWEH.js";import"./chunk-VPLB4NIS.js";import{b as i}from"./chunk-RGNC7VM4.js";import{a as q,b as m}from"./chunk-YR7UKKP2.js";import"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as w}from"./chunk-VZBJ6CRO.js";import{C as x,D as d,E as y,G as g,Q as h,aa as $,b as p,da as b,ea as A,fa as c,ia as S,ja as C,ka as f,na as L,p as k,pa as v,s as r,z as o}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";function T(){let{id:t=""}=k().params,{job:e,refusal:s,reload:n}=P("exports",t),a={href:w("/transfers"),label:o("transfers.exports")},l=e?.fileName??(e?d("exports","kind",e.kind):y("exports","one"));return e?r`<${f} title=${l} back=${a} top=${r`<${D} job=${e} onChanged=${n} />`}>
    <${C} class="narrow">
      <${z} slug="exports" job=${e} />
      ${e.problem&&r`<${c} kind="bad">${e.problem}<//>`}
      ${e.status==="done"&&r`<${c} kind="good">${o("transfers.exportDone")} <${i} at=${e.expiresAt} /><//>`}
      <${E} job=${e} />
    <//>
  <//>`:r`<${f} title=${l} back=${a}>${s?r`<${A} refusal=${s} again=${n} />`:r`<${b} />`}<//>`}function D({job:t,onChanged:e}){let[s,n]=p(!1),a=async()=>{n(!0),await R(t).catch(m),n(!1)},l=async()=>{n(!0);try{await h.call("POST /api/exports/{id}/cancel",{id:t.id}),q(o("transfers.canceled"))}catch(N){m(N)}e(),n(!1)},u=t.status==="done";return g(u?[{keys:"d",label:o("list.download"),run:()=>{a()}}]:[]),u?r`<${$} look="primary" icon="download" busy=${s} onClick=${a} keys="d">${o("list.download")}<//>`:!B(t)&&r`<${$} icon="ban" busy=${s} disabled=${t.cancelRequested} onClick=${l}>${o("transfers.cancel")}<//>`}function E({job:t}){let e=(s,n)=>r`<div><dt>${x("exports",s)}</dt><dd>${n}</dd></div>`;return r`<dl class="facts">
    ${e("kind",d("exports","kind",t.kind))}
    ${e("format",r`${t.format.toUpperCase()} ${t.fileSize!==null&&r`· ${v(t.fileSize)}`}`)}
    ${e("total",L(t.total))}
    ${t.q&&e("q",t.q)}
    ${e("where",t.where?r`<${S}>${o("transfers.filtered")}<//>`:o("transfers.all"))}
    ${e("columns",t.columns.length>0?t.columns.join(", "):o("list.columnsAll"))}
    ${e("createdAt",r`<${i} at=${t.createdAt} />`)}
    ${e("endedAt",r`<${i} at=${t.endedAt} />`)}
  </dl>`}export{T as default};
