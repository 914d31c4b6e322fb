import{b as H}from"./chunk-L2MJZ54E.js";import{a as J}from"./chunk-5J4SPC3A.js";import{b as P}from"./chunk-3WAPSNU2.js";import"./chunk-FOTJFVPA.js";import{b as N}from"./chunk-ZFQRI6BM.js";import{b,g as x}from"./chunk-RGNC7VM4.js";import{f as y}from"./chunk-CR5WSEUI.js";import{a as q}from"./chunk-LDME6CXF.js";import"./chunk-YR7UKKP2.js";import"./chunk-VWLCTMVX.js";import{b as I,c as D,e as v,f as S}from"./chunk-VZBJ6CRO.js";import{$ as g,D as u,E as d,G as A,O as h,Q as E,aa as f,b as w,ca as T,da as z,ea as B,ga as M,ja as F,ka as R,na as G,o as j,s as a,z as n}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";function Q({event:o,onClose:l,onFilter:r}){let{actor:i,collection:s,operation:e}=o,t=o.doc??o.data,c=a`<${f} icon="list-filter" onClick=${()=>r({record:t.id,collection:s})}>${n("events.onlyRecord")}<//>
    ${i?.id&&a`<${f} icon="user" onClick=${()=>r({actor:i.id??""})}>${n("events.onlyActor")}<//>`}
    ${e!=="delete"&&a`<${T} class="button primary" href=${I(D(s,t.id))}>${n("events.open")}<//>`}`,$=e==="update"?V(o):[],m=i?.via&&` · ${u("timeline","actor.via",i.via)}`;return a`<${q} title=${k(t)} size="beside" onClose=${l} actions=${c}>
    <p>${n(`common.did-${e}`,{what:d(s,"one")})} · <b>${C(i)}</b>${m}</p>
    <p class="help"><${b} at=${o.occurredAt} /> · ${n("events.number",{n:G(o.sequence??o.recordSequence)})}</p>
    ${$.length>0&&a`<ul class="changes">${$.map(p=>a`<${P} key=${p.path} slug=${s} change=${p} />`)}</ul>`}
    <details open=${$.length===0}><summary>${n("events.data")}</summary><${H} label=${n("events.data")} value=${o.data} /></details>
  <//>`}function V(o){let l=o.previousDoc??{};return Object.entries(o.data).filter(([r])=>r!=="revision").flatMap(([r,i])=>{let s=l[r];return!K(s)||!K(i)?[{path:r,from:s,to:i}]:Object.keys({...s,...i}).filter(t=>!N(s[t],i[t])).map(t=>({path:`${r}.${t}`,from:s[t],to:i[t]}))})}var K=o=>typeof o=="object"&&o!==null&&!Array.isArray(o);var U=["user","secret-key","customer","anonymous","provider","system"],W=50,X=10;function Y(){j();let o=v(),l={collection:o.get("collection")??"",record:o.get("record")??"",actor:o.get("actor")??""},r=Z(l),[i,s]=w(null),e=m=>{let p=v();for(let[L,O]of Object.entries(m))O?p.set(L,O):p.delete(L);S(p),s(null)};A([{keys:"r",label:n("list.reload"),run:r.reload}]);let{docs:t,refusal:c,next:$}=r;return a`<${R} title=${n("shell.events")}>
    <${_} asked=${l} set=${e} />
    ${c&&a`<${B} refusal=${c} again=${r.reload} />`}
    ${!t&&!c&&a`<${z} lines=${10} />`}
    ${t&&a`<${F}>
      ${t.length===0&&$===null&&a`<${M} icon="activity" title=${n("events.none")} text=${n("events.noneText")} />`}
      <ol class="log">${t.map(m=>a`<${oo} key=${m.id} event=${m} onOpen=${()=>s(m)} />`)}</ol>
      ${$!==null&&a`<div><${f} busy=${r.busy} onClick=${r.more}>${n("common.more")}<//></div>`}
    <//>`}
    ${i&&a`<${Q} event=${i} onClose=${()=>s(null)} onFilter=${e} />`}
  <//>`}function Z({collection:o,record:l,actor:r}){let i=async(s,e)=>{let t={...o&&{collection:o},...l&&{record:l},...r&&{actor:r}},c=[],$=s;for(let m=0;m<X&&c.length<W;m++){let p=await E.call("GET /api/events",{order:"desc",limit:m===0?50:200,...t,...$&&{before:$}},{signal:e});if(c.push(...p.docs),$=p.hasMore?p.nextBefore??null:null,$===null)break}return{docs:c,next:$}};return J(["events",o,l,r].join(" "),i,o?[o]:h())}function _({asked:o,set:l}){let r=h().map(e=>({value:e,label:d(e)})).sort((e,t)=>e.label.localeCompare(t.label)),i=o.actor&&!U.includes(o.actor),s=(e,t,c)=>a`<span
    class="chip filter"><b>${t}</b> <code>${c.slice(-8)}</code>
    <button type="button" aria-label=${n("common.removeNamed",{name:t})} onClick=${()=>l({[e]:""})}><${g} name="x"
      size=${14} /></button></span>`;return a`<div class="log-filters">
    <${y} label=${n("events.collection")} value=${o.collection} empty=${n("events.all")} options=${r}
      onInput=${e=>l({collection:e})} />
    <${y} label=${n("events.actor")} value=${i?"":o.actor} empty=${n("events.anybody")}
      options=${U.map(e=>({value:e,label:u("timeline","actor.kind",e)}))}
        onInput=${e=>l({actor:e})} />
    ${o.record&&s("record",n("events.record"),o.record)}
    ${i&&s("actor",n("events.actor"),o.actor)}
  </div>`}function oo({event:o,onOpen:l}){let{actor:r,collection:i,operation:s,occurredAt:e}=o,t=o.doc??o.data,c={create:"plus",update:"pencil",delete:"trash"}[s];return a`<li><button type="button" onClick=${l}>
    <${g} name=${c} size=${16} />
    <span class="what"><b>${k(t)}</b> <span>${n(`common.did-${s}`,{what:d(i,"one")})}</span></span>
    <span class="who">${C(r)}</span>
    <${b} at=${e} relative />
  </button></li>`}var k=o=>x(o)===o.id?`…${o.id.slice(-8)}`:x(o);function C(o){return o?.name??(o?.kind?u("timeline","actor.kind",o.kind):n("common.somebody"))}export{Y as default,k as nameIn,C as whoOf};
