import{a as T}from"./chunk-JWEM6ZSW.js";import{a as G}from"./chunk-WJMXFFMO.js";import{a as C}from"./chunk-ZV2XWTMO.js";import{a as _}from"./chunk-SLAW6HH6.js";import{a as Q}from"./chunk-7EM6NNTB.js";import{a as J}from"./chunk-ZFQRI6BM.js";import{a as N}from"./chunk-RGNC7VM4.js";import{e as x,f as F}from"./chunk-CR5WSEUI.js";import{a as j}from"./chunk-LDME6CXF.js";import{a as z,b as E}from"./chunk-YR7UKKP2.js";import{a as L}from"./chunk-MWZMRQYO.js";import{D as I,E as w,G as A,K as D,N as y,Q as b,_ as H,aa as g,b as m,da as M,fa as q,s as a,z as t}from"./chunk-OZNYBMST.js";var K="POST /api/products/prices/adjust";function U({ids:e,onClose:o}){let[n,u]=m(null),s=J({name:"adjust prices",initial:{percent:"",rounding:"nearest",roundTo:"",below:"",market:""},keep:!1,send:async(v,X)=>{let Y=(c?.prices??[]).flatMap(O=>O.status==="updated"?[{id:O.id,revision:O.revision}]:[]),S=await b.call(K,{...h,expected:Y},X);return S.refused>0?u(S):(z(t("products.adjusted",{n:S.updated})),o())}}),{percent:l,rounding:i,roundTo:r,below:$,market:d}=s.values,f=Math.round(Number(C(l))*100),h={products:e,basisPoints:f,rounding:i,...r&&{roundTo:C(r)},...$&&{below:C($)},...d&&{market:d}},k=f?JSON.stringify(h):"",{preview:c,refusal:p,asking:V}=G(k,v=>b.preview(K,{...h,preview:!0},{signal:v}));if(n)return a`<${T} title=${t("products.worked",{n:n.updated})} onClose=${o} results=${et(n)} />`;let B=c!==void 0&&c.updated>0,W=a`<${Q} form=${{...s,dirty:B}} onCancel=${o} id="adjust-prices"
    action=${t("products.adjustNow",{n:c?.updated??0})} />`;return a`<${j} title=${t("products.adjust")} size="large" onClose=${o} busy=${s.busy} actions=${W}>
    <form id="adjust-prices" class="stack" onSubmit=${v=>{v.preventDefault(),B&&s.submit()}}>
      <p class="help">${t("products.adjustHelp")}</p>
      <${Z} form=${s} />
      ${p&&!s.refusal&&a`<${q} kind="warn">${p.text} ${Object.values(p.fields).join(" ")}<//>`}
      ${V&&a`<${M} />`}
      ${c&&a`<${tt} of=${c} />`}
    </form>
  <//>`}function Z({form:e}){let o=r=>b.collections.from("markets").find({limit:100,depth:0,sort:"name"},{signal:r}),{data:n}=L(y("markets:read")?"markets by name":"",o),s=n?.docs.find(r=>r.id===e.values.market)?.currency??D.value?.currency,l=r=>({value:e.values[r],error:e.error(r),onInput:$=>e.set(r,$)}),i=["nearest","up","down"].map(r=>({value:r,label:t(`products.rounding-${r}`)}));return a`<div class="fields">
    <${x} label=${t("products.percent")} unit="%" help=${t("products.percentHelp")} ...${l("percent")}
      error=${e.error("basisPoints")} required />
    ${n&&n.docs.length>0&&a`<${F} label=${w("markets","one")} empty=${t("products.basePrices")}
      options=${n.docs.map(r=>({value:r.id,label:`${r.name} · ${r.currency}`}))} ...${l("market")} />`}
    <${F} label=${t("products.rounding")} options=${i} ...${l("rounding")} />
    <${x} label=${t("products.roundTo")} unit=${s} ...${l("roundTo")} />
    <${x} label=${t("products.below")} unit=${s} help=${t("products.belowHelp")} ...${l("below")} />
  </div>`}function tt({of:{prices:e,currency:o,updated:n,unchanged:u,refused:s}}){let l=[u>0&&t("products.stay",{n:u}),s>0&&t("products.refused",{n:s})].filter(Boolean).join(" ");return a`<p aria-live="polite"><b>${t("products.willChange",{n})}</b> ${l}</p>
    <div class="scroll tall" tabindex="0" role="group" aria-label=${t("products.before")}><table class="compared">
      <thead><tr><th>${w("products","one")}</th><th class="end">${t("products.before")}</th>
        <th class="end">${t("products.after")}</th></tr></thead>
      <tbody>${e.map(i=>a`<tr key=${i.id} class=${i.status}>
        <td>${i.variant&&"↳ "}${i.title??w("product-variants","one")}${i.status==="refused"&&a`<small>${P(i)}</small>`}</td>
        <td class="end"><${N} amount=${i.from} currency=${o} /></td><td class="end"><${N} amount=${i.to} currency=${o} /></td>
      </tr>`)}</tbody>
    </table></div>`}var et=({prices:e})=>e.map(o=>({id:o.id,name:o.title??"",ok:o.status!=="refused",text:P(o)}));var R=500;function Nt({ids:e,onDone:o}){let[n,u]=m(""),[s,l]=m(!1),[i,r]=m(null),$=async c=>{u(""),l(!0);try{r(await ot([...e],c))}catch(p){E(p)}l(!1)},d=c=>{$(()=>({data:{status:c}}))},f=(c,p)=>[...new Set([...c.tags??[],...p])],h=c=>{$(p=>({data:{tags:f(p,c)},expectedRevision:p.revision}))};A([{keys:"p",label:t("products.publish"),run:()=>d("published")},{keys:"u",label:t("products.unpublish"),run:()=>d("draft")},{keys:"m",label:t("products.adjust"),run:()=>u("prices")},...y("tags:read")?[{keys:"t",label:t("products.tag"),run:()=>u("tags")}]:[]]);let k=(i??[]).filter(c=>c.ok).length;return a`<${g} icon="eye" busy=${s} onClick=${()=>d("published")}>${t("products.publish")}<//>
    <${g} icon="eye-off" busy=${s} onClick=${()=>d("draft")}>${t("products.unpublish")}<//>
    <${g} icon="percent" onClick=${()=>u("prices")}>${t("products.adjust")}<//>
    ${y("tags:read")&&a`<${g} icon="tags" busy=${s} onClick=${()=>u("tags")}>${t("products.tag")}<//>`}
    ${n==="prices"&&a`<${U} ids=${[...e]} onClose=${()=>u("")} />`}
    ${n==="tags"&&a`<${st} onClose=${()=>u("")} onTag=${h} />`}
    ${i&&a`<${T} title=${t("products.worked",{n:k})} results=${i} onClose=${()=>{r(null),k===i.length&&o()}} />`}`}async function ot(e,o){let n=b.collections.from("products"),u=[];for(let s=0;s<e.length;s+=R){let l=e.slice(s,s+R),i={name:!0,tags:!0,revision:!0},{docs:r}=await n.find({where:{id:{in:l}},limit:R,depth:0,select:i}),{results:$}=await n.updateEach({patches:r.map(d=>({id:d.id,...o(d)}))});for(let d of $)u.push({id:d.id,name:r.find(f=>f.id===d.id)?.name??"",ok:d.status!=="refused",text:P(d)})}return u}function P({status:e,errors:o}){return o.length>0?H(o[0]):t(e==="unchanged"?"products.unchanged":"products.done")}function st({onClose:e,onTag:o}){let[n,u]=m([]),s=a`<${g} look="primary" disabled=${n.length===0} onClick=${()=>o(n)}>${t("products.tag")}<//>`;return a`<${j} title=${t("products.tag")} onClose=${e} actions=${s}>
    <div class="room"><${_} label=${t("products.tags")} to="tags" many value=${n} onInput=${u} /></div>
  <//>`}var Rt=()=>["draft","published","unlisted","out-of-stock"].map(e=>({value:e,label:I("products","status",e)}));export{Nt as a,Rt as b};
