import{a as $e}from"./chunk-L2MJZ54E.js";import{a as de}from"./chunk-SMEERDBE.js";import{a as re}from"./chunk-5J4SPC3A.js";import{a as ce}from"./chunk-7EM6NNTB.js";import{a as me}from"./chunk-ZFQRI6BM.js";import{b as se,e as B,g as le}from"./chunk-RGNC7VM4.js";import{c as k,f as ae}from"./chunk-CR5WSEUI.js";import{a as S,b as ee}from"./chunk-LDME6CXF.js";import{a as W,b as oe,c as ne}from"./chunk-YR7UKKP2.js";import{a as P,b as Y}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as Z,c as _,e as R,f as U}from"./chunk-VZBJ6CRO.js";import{$ as x,C as b,E as p,G as J,I,N as h,Q as g,R as V,Z as X,aa as f,b as H,d as D,da as w,ea as y,f as K,g as N,ga as A,j as Q,ja as te,ka as ie,na as q,o as G,pa as T,s as n,z as a}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";var be=[["video/","play"],["audio/","play"],["text/csv","file-spreadsheet"]];function C({media:e,large:t=!1}){let{mimeType:i,url:s,width:r,height:l}=e;return i?.startsWith("image/")&&B(s)?n`<img class=${t?"large":""} src=${s} alt="" loading="lazy" width=${r??void 0} height=${l??void 0} />`:t&&i?.startsWith("video/")&&B(s)?n`<video class="large" src=${s} controls></video>`:n`<span class="no-picture"><${x} name=${i?be.find(([o])=>i.startsWith(o))?.[1]??"file-text":"image"} size=${32} /></span>`}var xe={products:"images","product-variants":"images",posts:"images",pages:"images",videos:"poster",users:"picture"},we=5;function fe({id:e,onClose:t,onChanged:i}){let s=m=>g.collections.from("media").findById(e,{depth:0},{signal:m}),{data:r,refusal:l,reload:o}=P(`media ${e}`,s,{live:["media"],record:e});return r?n`<${ke} media=${r} onClose=${t} onChanged=${()=>{o(),i()}} />`:n`<${S} title=${p("media","one")} size="beside" onClose=${t}>
      ${l?n`<${y} refusal=${l} again=${o} />`:n`<${w} lines=${6} />`}<//>`}function ke({media:e,onClose:t,onChanged:i}){let{id:s}=e,r=e.mimeType?.startsWith("image/")??!0,l=N(()=>({alt:e.alt??"",revision:e.revision}),[e]),o=me({name:`media ${s}`,initial:l,refresh:i,send:async(c,u)=>{await g.collections.from("media").update(s,{...c,expectedRevision:u.revision},u),W(a("common.saved")),i()}}),m=h("media:update")&&r,$=m&&n`<${ce} form=${o} id="media" slug="media" />`;return n`<${S} title=${e.filename??p("media","one")} size="beside" onClose=${t} busy=${o.busy} actions=${$}>
    <div class="file"><${C} media=${e} large /></div>
    ${m&&n`<form id="media" class="stack" onSubmit=${c=>{c.preventDefault(),o.submit()}}><${k} label=${b("media","alt")} rows=${2} value=${o.values.alt} help=${a("media.altHelp")} error=${o.error("alt")}
      maxLength=${1e3}
      onInput=${c=>o.set("alt",c)} /></form>`}
    <${Te} media=${e} />
    <${Ce} id=${s} onClose=${t} />
    ${h("media:delete")&&n`<${Fe} media=${e} onClose=${t} onChanged=${i} />`}
  <//>`}function Te({media:e}){let t=(s,r)=>n`<div><dt>${b("media",s)}</dt><dd>${r}</dd></div>`,i=e.url?new URL(e.url,location.origin).href:"";return n`<dl class="facts">
      ${t("mimeType",e.mimeType??"—")}
      ${t("filesize",T(e.filesize))}
      ${e.width&&n`<div><dt>${a("media.size")}</dt><dd>${q(e.width)} × ${q(e.height)}</dd></div>`}
      ${t("createdAt",n`<${se} at=${e.createdAt} />`)}
    </dl>
    ${i&&n`<${$e} text=${i} label=${b("media","url")} />`}`}function Ce({id:e}){let t=async r=>{let l=Object.entries(xe).filter(([m])=>h(`${m}:read`));return(await Promise.all(l.map(async([m,$])=>{let c={[$]:$==="images"?{in:[e]}:{equals:e}},{docs:u,totalDocs:z}=await g.collections.from(m).find({where:c,limit:we,depth:0},{signal:r});return{slug:m,docs:u,totalDocs:z}}))).filter(({docs:m})=>m.length>0)},{data:i,refusal:s}=P(`media uses ${e}`,t);return s?n`<${y} refusal=${s} />`:n`<section><h3>${a("media.uses")}</h3>
    ${i?.length===0&&n`<p class="help">${a("media.noUses")}</p>`}
    <ul class="uses">${i?.flatMap(({slug:r,docs:l,totalDocs:o})=>[...l.map(m=>n`<li key=${m.id}>${p(r,"one")}: <a href=${Z(_(r,m.id))}>${le(m)}</a></li>`),o>l.length&&n`<li>${a("media.moreUses",{n:o-l.length,what:p(r)})}</li>`])}</ul>
  </section>`}function Fe({media:e,onClose:t,onChanged:i}){return n`<div><${f} icon="trash" onClick=${async()=>{if(await ee({title:a("media.delete"),text:a("media.deleteText",{name:e.filename}),action:a("common.delete"),danger:!0}))try{await g.collections.from("media").remove(e.id),t(),i(),W(a("media.deleted"))}catch(r){oe(r)}}}>${a("common.delete")}<//></div>`}var d=Q([]),Le=2;addEventListener("beforeunload",e=>{d.value.some(t=>t.state==="waiting"||t.state==="sending")&&e.preventDefault()});Y(()=>{let e=d.value.filter(t=>t.state==="waiting").length;d.value=[],e>0&&ne(a("media.unsent",{n:e}))});var ze=0,M=0;function ue(e){let t="waiting",i=V(),s=e.map(r=>({id:++ze,file:r,to:i,key:I(),state:t,text:""}));d.value=[...d.value,...s],L()}function pe(e){F(e,{state:"waiting",text:""}),L()}function ge(){d.value=d.value.filter(e=>e.state==="waiting"||e.state==="sending")}function F(e,t){d.value=d.value.map(i=>i.id===e?{...i,...t}:i)}function L(){let e=d.value.find(t=>t.state==="waiting");!e||M>=Le||(M++,F(e.id,{state:"sending"}),Oe(e).finally(()=>{M--,L()}),L())}async function Oe({id:e,file:t,to:i,key:s}){try{await i.upload("/api/media",{file:t,filename:t.name},{idempotencyKey:s}),F(e,{state:"done"})}catch(r){F(e,{state:"refused",text:X(r).text,key:I()})}}var De={waiting:"clock",sending:"loader-circle",done:"circle-check",refused:"circle-alert"};function he(){let e=d.value;if(e.length===0)return null;let t=e.filter(o=>o.state==="done").length,i=e.filter(o=>o.state==="refused").length,s=e.length-t-i,r=s>0?a("media.uploading",{n:t+i,total:e.length}):a("media.uploaded",{n:t}),l=s===0&&n`<${f} look="quiet" icon="x" label=${a("common.close")} onClick=${ge} />`;return n`<${te} title=${r} top=${l}>
    <progress class="whole-line" max=${e.length} value=${t+i} aria-label=${r}></progress>
    ${i>0&&n`<p role="alert">${a("media.refused",{n:i})}</p>`}
    <ul class="results uploads">${e.filter(o=>o.state!=="done").map(o=>n`<li class=${o.state==="refused"?"failed":""} key=${o.id}
      aria-busy=${o.state==="sending"}>
      <${x} name=${De[o.state]} size=${16} /><b>${o.file.name}</b> <span>${o.text||T(o.file.size)}</span>
      ${o.state==="refused"&&n`<${f} look="quiet" icon="refresh-cw" label=${a("media.again",{name:o.file.name})}
        onClick=${()=>pe(o.id)} />`}</li>`)}</ul>
  <//>`}var ve={pictures:"image/",films:"video/",sound:"audio/",documents:"application/"},Ie=60;function Pe(){G();let e=R(),t={name:e.get("name")??"",kind:e.get("kind")??"",alt:e.get("alt")??""},{docs:i,next:s,refusal:r,busy:l,reload:o,more:m}=Re(t),$=e.get("file"),c=v=>{let O=R();for(let[j,E]of Object.entries(v))E?O.set(j,E):O.delete(j);U(O)};J([{keys:"r",label:a("list.reload"),run:o}]);let u=t.name||t.kind||t.alt,z=h("media:create"),ye=u?n`<${A} icon="search" title=${a("list.nothingFound")} text=${a("list.nothingFoundText")} action=${n`<${f}
      onClick=${()=>U(new URLSearchParams)}>${a("list.clear")}<//>`} />`:n`<${A} icon="image" title=${a("media.none")} text=${a("media.noneText")} />`;return n`<${ie} title=${p("media")}>
    ${z&&n`<${de} label=${a("media.drop")} help=${a("media.dropHelp")} accept="image/*,video/*,audio/*,.pdf,.csv,.txt" many keys="n" onFiles=${ue} />`}
    <${he} />
    <${Ue} asked=${t} set=${c} />
    ${r&&n`<${y} refusal=${r} again=${o} />`}
    ${!i&&!r&&n`<${w} lines=${8} />`}
    ${i?.length===0&&ye}
    ${i&&i.length>0&&n`<ul class="library">${i.map(v=>n`<li key=${v.id}><${Se} media=${v}
      onOpen=${()=>c({file:v.id})} /></li>`)}</ul>`}
    ${s!==null&&n`<div><${f} busy=${l} onClick=${m}>${a("common.more")}<//></div>`}
    ${$&&n`<${fe} key=${$} id=${$} onClose=${()=>c({file:""})} onChanged=${o} />`}
  <//>`}function Re({name:e,kind:t,alt:i}){let s=[...e?[{filename:{contains:e}}]:[],...t?[{mimeType:{contains:ve[t]}}]:[],...i?[{alt:{exists:!1}}]:[]],r=async(l,o)=>{let m=l??1,$=s.length>0?{where:{and:s}}:{},{docs:c,hasNextPage:u}=await g.collections.from("media").find({...$,limit:Ie,page:m,sort:"-createdAt",depth:0},{signal:o});return{docs:c,next:u?m+1:null}};return re(`media ${e} ${t} ${i}`,r,["media"])}function Ue({asked:e,set:t}){let[i,s]=H(e.name),r=K(e.name);D(()=>{if(i===r.current)return;let o=setTimeout(()=>{r.current=i,t({name:i})},200);return()=>clearTimeout(o)},[i]),D(()=>{e.name!==r.current&&(r.current=e.name,s(e.name))},[e.name]);let l=Object.keys(ve).map(o=>({value:o,label:a(`media.kind-${o}`)}));return n`<div class="library-filters">
    <${k} label=${a("media.name")} type="search" value=${i} onInput=${s} />
    <${ae} label=${a("media.kind")} value=${e.kind} empty=${a("media.kind-all")} options=${l}
      onInput=${o=>t({kind:o})} />
    <${f} aria-pressed=${e.alt!==""} icon=${e.alt?"check":"circle"}
      onClick=${()=>t({alt:e.alt?"":"none"})}>${a("media.withoutAlt")}<//>
  </div>`}function Se({media:e,onOpen:t}){return n`<button type="button" class="tile" onClick=${t}><${C} media=${e} /><span>${e.filename}</span>
    ${e.mimeType?.startsWith("image/")&&!e.alt&&n`<small>${a("media.noAlt")}</small>`}</button>`}export{Pe as default};
