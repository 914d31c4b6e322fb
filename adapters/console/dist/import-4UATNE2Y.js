import{b as C}from"./chunk-3WIUGPUD.js";import{a as X}from"./chunk-AEVRMOOY.js";import{a as z}from"./chunk-5J4SPC3A.js";import{a as U,b as V,d as W}from"./chunk-6QJ7YWEH.js";import{a as Q}from"./chunk-VPLB4NIS.js";import{b as D,c as H}from"./chunk-RGNC7VM4.js";import{b as v}from"./chunk-LDME6CXF.js";import{a as M,b as Y}from"./chunk-YR7UKKP2.js";import"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as y,c as k,d as G}from"./chunk-VZBJ6CRO.js";import{C as B,D as E,E as O,G as A,Q as f,_ as P,aa as p,b as w,ca as I,d as T,da as q,ea as b,fa as u,ga as F,ia as J,ja as K,ka as S,na as x,p as N,s as t,z as r}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";var j=["rejected","applied","unchanged"];function Z({job:e}){let[n,a]=w(""),s=n||(e.rejected>0?"rejected":"applied"),i=async(o,_)=>{let L=await f.call("GET /api/imports/{id}/rows",{id:e.id,status:s,limit:100,...o!==null&&{after:o}},{signal:_});return{docs:L.rows,next:L.next}},{docs:c=[],next:d,further:m,refusal:g,busy:h,reload:l,more:$}=z(`rows ${e.id} ${s}`,i),R=m?0:e.handled;return T(l,[R]),t`<div class="segments" role="group" aria-label=${r("transfers.rows")}>
      ${j.map(o=>t`<button type="button" aria-pressed=${o===s}
        onClick=${()=>a(o)}>${B("imports",o)} <b>${x(e[o])}</b></button>`)}
    </div>
    ${g&&t`<${b} refusal=${g} again=${l} />`}
    ${c.length===0&&!g&&t`<${F} icon="list" title=${r("transfers.noRows")} />`}
    ${c.length>0&&t`<div class="scroll"><table class="job-rows"><thead><tr>
        ${["transfers.row","transfers.outcome","transfers.why","transfers.record"].map(o=>t`<th scope="col" key=${o}>${r(o)}</th>`)}
      </tr></thead><tbody>${c.map(o=>t`<${ee} key=${o.row} job=${e} row=${o} />`)}</tbody></table></div>`}
    ${d!==null&&t`<div><${p} busy=${h} onClick=${$}>${r("common.more")}<//></div>`}`}function ee({job:e,row:n}){let a=n.record&&!e.dryRun&&n.status!=="rejected";return t`<tr>
    <th scope="row">${x(n.row)}</th>
    <td><${H} slug="imports" path="rows.status" value=${n.status} /></td>
    <td>${n.errors.map(s=>t`<p key=${s.code+s.column}>${s.column&&t`<code>${s.column}</code> `}${te(s)}</p>`)}</td>
    <td>${a&&t`<a href=${y(k(e.collection,n.record??""))}>${r("transfers.open")}</a>`}</td>
  </tr>`}var te=({code:e,message:n})=>P({reason:e,message:n});function re(){let{id:e=""}=N().params,{job:n,refusal:a,reload:s}=V("imports",e),i={href:y("/transfers/imports"),label:r("transfers.imports")},c=n?.fileName??O("imports","one");if(!n)return t`<${S} title=${c} back=${i}>${a?t`<${b} refusal=${a} again=${s} />`:t`<${q} />`}<//>`;let d=n.dryRun&&t`<${J} tone="info">${r("transfers.trial")}<//>`;return t`<${S} title=${c} back=${i} badges=${d} top=${t`<${se} job=${n} onChanged=${s} />`}>
    <p class="under">${E("imports","kind",n.kind)} · ${r(`transfers.mode-${n.mode}`)} · <${D} at=${n.createdAt} /></p>
    <${ne} job=${n} />
    <${K} title=${r("transfers.rows")}>
      <${W} slug="imports" job=${n} />
      <${Z} job=${n} key=${n.id} />
    <//>
  <//>`}function ne({job:e}){let{applied:n,unchanged:a,rejected:s,dryRun:i,status:c}=e;if(e.problem)return t`<${u} kind="bad">${e.problem}<//>`;if(c==="canceled")return t`<${u} kind="warn">${r(i?"transfers.trialCanceled":"transfers.importCanceled",{n})}<//>`;if(c!=="done")return t`<${u}>${r(i?"transfers.trying":"transfers.importing")}<//>`;let d={n,unchanged:a,rejected:s};if(!i)return t`<${u} kind=${s>0?"warn":"good"}>${r(s>0?"transfers.didSome":"transfers.did",d)}<//>`;let m=t`<${I} class="button" href=${y(`/transfers/new?kind=${e.kind}`)}>${r("transfers.chooseAgain")}<//>`;return t`<${u} kind=${s>0?"warn":"info"} action=${!C(e.id)&&n>0&&m}>
    <b>${r("transfers.nothingYet")}</b> ${r(n===0?"transfers.wouldNothing":s>0?"transfers.wouldSome":"transfers.would",d)}<//>`}function se({job:e,onChanged:n}){let[a,s]=w(""),i=C(e.id),c=e.dryRun&&e.status==="done"&&i!==void 0&&e.applied>0&&X(e.mode).includes(e.kind),d=async(l,$)=>{s(l),await $().catch(Y),s("")},m=async()=>{if(!i)return;let l=r(e.rejected>0?"transfers.beginSome":"transfers.beginText",{n:e.applied,rejected:e.rejected});await v({title:r("transfers.begin",{n:e.applied}),text:l,action:r("transfers.begin",{n:e.applied})})&&await d("begin",async()=>{let{file:$,idempotencyKey:R}=i,o=await f.jobs.startImport({file:$,filename:$.name,kind:e.kind,mode:e.mode},{idempotencyKey:R});G(k("imports",o.import.id))})},g=async()=>{!e.dryRun&&!await v({title:r("transfers.cancel"),text:r("transfers.cancelText"),action:r("transfers.cancel"),danger:!0})||await d("cancel",async()=>{await f.call("POST /api/imports/{id}/cancel",{id:e.id}),M(r("transfers.canceled")),n()})},h=()=>d("report",async()=>{let l=(e.fileName??e.kind).replace(/\.\w+$/,"");Q(await f.file("GET /api/imports/{id}/report",{id:e.id}),r("transfers.reportName",{name:l}))});return A([...c?[{keys:"n",label:r("transfers.begin",{n:e.applied}),run:()=>{m()}}]:[],...e.rejected>0?[{keys:"d",label:r("transfers.report"),run:()=>{h()}}]:[]]),t`${!U(e)&&t`<${p} icon="ban" busy=${a==="cancel"} disabled=${e.cancelRequested}
    onClick=${g}>${r("transfers.cancel")}<//>`}
    ${e.rejected>0&&t`<${p} icon="download" busy=${a==="report"} onClick=${h}>${r("transfers.report")}<//>`}
    ${c&&t`<${p} look="primary" icon="upload" keys="n" busy=${a==="begin"}
      onClick=${m}>${r("transfers.begin",{n:e.applied})}<//>`}`}export{re as default};
