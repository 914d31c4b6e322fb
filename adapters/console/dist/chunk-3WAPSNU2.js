import{a as D,c as F}from"./chunk-FOTJFVPA.js";import{b as g,g as S}from"./chunk-RGNC7VM4.js";import{c as O}from"./chunk-CR5WSEUI.js";import{b as B}from"./chunk-YR7UKKP2.js";import{b as A}from"./chunk-VWLCTMVX.js";import{$ as L,C as T,D as y,E as w,N as C,Q as x,Z as E,aa as k,b as l,d as h,ea as q,h as b,ja as z,s as n,z as s}from"./chunk-OZNYBMST.js";var R=["orders","draft-orders","return-requests","customers","products"];function ee({slug:o,id:t,live:i}){let[c,r]=l([]),[m,e]=l(null),[f,d]=l(void 0),a=b(async $=>{try{let u=await x.call("GET /api/{collection}/{id}/timeline",{collection:o,id:t,limit:20,...$&&{before:$}});r(I=>$?[...I,...u.docs]:u.docs),e(u.nextBefore),d(void 0)}catch(u){d(E(u))}},[o,t]),p=b(()=>{a(null)},[a]);return h(p,[p]),A(i,p,{record:t}),n`<${z} title=${s("common.timeline")}>
    ${C("comments:create")&&R.includes(o)&&n`<${j} slug=${o} id=${t} onDone=${p} />`}
    ${f&&n`<${q} refusal=${f} again=${p} />`}
    <ol class="timeline">${c.map($=>n`<${v} key=${$.id} entry=${$} />`)}</ol>
    ${m&&n`<${k} onClick=${()=>{a(m)}}>${s("common.more")}<//>`}
  <//>`}function j({slug:o,id:t,onDone:i}){let[c,r]=l(""),[m,e]=l(!1);return n`<form class="comment" onSubmit=${async d=>{if(d.preventDefault(),!!c.trim()){e(!0);try{await x.collections.from("comments").create({collection:o,record:t,text:c}),r(""),i()}catch(a){B(a)}e(!1)}}}>
    <${O} label=${s("common.comment")} hideLabel placeholder=${s("common.comment")} value=${c} onInput=${r} rows=${2} />
    <${k} type="submit" icon="send" busy=${m} disabled=${!c.trim()}>${s("common.say")}<//>
  </form>`}function v({entry:o}){let{actor:t,comment:i,changes:c,collection:r,operation:m,occurredAt:e}=o,f=t?.name??(t?.kind?y("timeline","actor.kind",t.kind):s("common.somebody")),d=t?.via&&t.via!=="api"&&t.via!=="console"?` · ${y("timeline","actor.via",t.via)}`:"";return n`<li class=${i?"said":""}>
    <${L} name=${i?"message-square":m==="create"?"circle-dot":"circle"} size=${14} />
    <div>
      <p><b>${f}</b>${d} <small><${g} at=${e} relative /></small></p>
      ${i?n`<p class="quote">${i.text}</p>`:n`<p>${G(r,m)}</p>`}
      ${!i&&c.length>0&&m==="update"&&n`<ul class="changes">${c.slice(0,12).map(a=>n`<${_} key=${a.path} slug=${r} change=${a} />`)}</ul>`}
    </div>
  </li>`}function G(o,t){return s(`common.did-${t}`,{what:w(o,"one")})}var N=/^[a-z]+(_[a-z]+)+$/;function _({slug:o,change:t}){let[i,c]=l(void 0),r=t.path.replace(/\.\d+\b/g,"");h(()=>{D(o).then(e=>c(e&&F(e,r)),()=>{})},[o,r]);let m=e=>e==null||e===""?"—":typeof e=="string"&&(i?.options||N.test(e))?y(o,r,e):i?.kind==="date"?n`<${g} at=${e} />`:typeof e=="boolean"?s(e?"common.yes":"common.no"):typeof e=="object"?Array.isArray(e)?s("common.items",{n:e.length}):S(e):String(e);return n`<li>${T(o,r)}: <del>${m(t.from)}</del> → <ins>${m(t.to)}</ins></li>`}export{ee as a,_ as b};
