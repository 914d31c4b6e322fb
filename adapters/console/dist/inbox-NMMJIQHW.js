import{a as E}from"./chunk-5J4SPC3A.js";import{b as I,g as w}from"./chunk-RGNC7VM4.js";import{a as P}from"./chunk-LDME6CXF.js";import{b as g}from"./chunk-YR7UKKP2.js";import{a as O}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{c as S,d as j}from"./chunk-VZBJ6CRO.js";import{$ as M,E as A,J as h,N as C,Q as y,aa as f,b as v,da as R,ea as T,ga as z,s as c,z as t}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";var U={mentioned:"message-square",assigned:"user",lowStock:"boxes",paymentAttention:"triangle-alert",returnRequested:"undo-2",erasureRequested:"shield",orderPlaced:"shopping-cart"},F=30,k=y.collections.from("notifications");function se({onClose:l}){let[o,d]=v(!1),r={recipient:{equals:h.value?.id},...!o&&{seen:{equals:!1}}},u=async(e,x)=>{let q=e??1,{docs:D,hasNextPage:Q}=await k.find({where:r,sort:"-createdAt",limit:F,page:q,depth:1},{signal:x});return{docs:D,next:Q?q+1:null}},{docs:n,next:m,refusal:a,busy:i,reload:s,more:$}=E(`notifications ${o} ${h.value?.id}`,u,["notifications"]),b=J(n??[]),p=(e,x=!0)=>k.update(e.id,{seen:x}).then(s,g),L=()=>k.updateMany({where:{...r,seen:{equals:!1}},data:{seen:!0}}).then(s,g),N=e=>{e.seen||p(e),l(),e.collection&&j(S(e.collection,e.record??void 0))},B=n?.some(e=>!e.seen)&&c`<${f} icon="check" onClick=${L}>${t("inbox.seeAll")}<//>`;return c`<${P} title=${t("shell.inbox")} size="beside" onClose=${l} actions=${B}>
    <div class="segments" role="group" aria-label=${t("inbox.which")}>
      <button type="button" aria-pressed=${!o} onClick=${()=>d(!1)}>${t("inbox.unseen")}</button>
      <button type="button" aria-pressed=${o} onClick=${()=>d(!0)}>${t("inbox.all")}</button>
    </div>
    ${a&&c`<${T} refusal=${a} again=${s} />`}
    ${!n&&!a&&c`<${R} lines=${6} />`}
    ${n?.length===0&&c`<${z} icon="inbox" title=${t(o?"inbox.none":"inbox.noneUnseen")} text=${t("inbox.noneText")} />`}
    <ul class="inbox">${n?.map(e=>c`<${G} key=${e.id} one=${e} name=${b[e.record??""]} onOpen=${()=>N(e)}
      onSee=${()=>{p(e,!e.seen)}} />`)}</ul>
    ${m!==null&&c`<${f} busy=${i} onClick=${$}>${t("common.more")}<//>`}
  <//>`}function G({one:l,name:o,onOpen:d,onSee:r}){let{kind:u,collection:n,count:m,seen:a,comment:i,author:s}=l,$=n?A(n,"one"):"",b=m&&m>1?t("inbox.many",{n:m,what:t(`inbox.short-${u}`)}):t(`inbox.told-${u}`,{who:H(s),what:$}),p=typeof i=="object"&&i!==null?i.text:void 0;return c`<li class=${a?"seen":""}>
    <button type="button" class="notice-link" onClick=${d}><${M} name=${U[u??""]??"bell"} />
      <span><b>${b}</b>${o&&c`<span>${o}</span>`}${p&&c`<span class="quote">${p}</span>`}<small><${I}
        at=${l.createdAt} relative /></small></span></button>
    <${f} look="quiet" icon=${a?"circle":"circle-dot"} label=${t(a?"inbox.unsee":"inbox.see")} onClick=${r} />
  </li>`}function H(l){let o=l?.user??l?.key;return o&&typeof o=="object"?w(o):t("common.somebody")}function J(l){let o=l.filter(n=>n.record&&n.collection&&C(`${n.collection}:read`)),d=async n=>{let m=[...new Set(o.map(i=>i.collection??""))],a=await Promise.all(m.map(i=>{let s=o.filter($=>$.collection===i).map($=>$.record);return y.collections.from(i).find({where:{id:{in:s}},limit:s.length,depth:0},{signal:n})}));return Object.fromEntries(a.flatMap(({docs:i})=>i.map(s=>[s.id,w(s)])))},r=o.map(n=>n.record).sort(),{data:u}=O(r.length>0?`names ${r.join()}`:"",d);return u??{}}export{se as Inbox};
