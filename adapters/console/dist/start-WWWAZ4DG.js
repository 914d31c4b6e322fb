import{a as z}from"./chunk-SMEERDBE.js";import{a as w}from"./chunk-3WIUGPUD.js";import{a as l,b as S}from"./chunk-AEVRMOOY.js";import"./chunk-6QJ7YWEH.js";import"./chunk-VPLB4NIS.js";import{a as I}from"./chunk-7EM6NNTB.js";import{a as x}from"./chunk-ZFQRI6BM.js";import"./chunk-RGNC7VM4.js";import{f as p}from"./chunk-CR5WSEUI.js";import"./chunk-LDME6CXF.js";import"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as u,c as k,d as b,e as y}from"./chunk-VZBJ6CRO.js";import{C as n,D as $,Q as c,ga as h,ja as v,ka as F,pa as g,s,z as e}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";var E=["upsert","create","update"];function H(){let i={href:u("/transfers/imports"),label:e("transfers.imports")};return s`<${F} title=${e("transfers.start")} back=${i}>
    ${S()?s`<${M} />`:s`<${h} icon="lock" title=${e("common.notYours")} />`}
  <//>`}function M(){let i=y().get("kind")??"",t=x({name:"import",keep:!1,initial:{kind:"",mode:"upsert",file:null,stamp:""},send:async(r,{idempotencyKey:j})=>{let{file:a,kind:q,mode:C}=t.values,d=await c.jobs.startImport({file:a,filename:a.name,kind:q||i,mode:C,dryRun:!0},{idempotencyKey:j});w(d.import.id,a),b(k("imports",d.import.id),{replace:!0})}}),{mode:f,file:o}=t.values,m=t.values.kind||i,D=r=>{t.set("file",r),t.set("stamp",r?`${r.name} ${r.size} ${r.lastModified}`:"")},L=l(f).map(r=>({value:r,label:$("imports","kind",r)}));return s`<${v} class="narrow"><form id="import" class="stack" onSubmit=${r=>{r.preventDefault(),o&&t.submit()}}>
      <${p} label=${n("imports","kind")} value=${m} options=${L} empty=${e("transfers.choose")} required error=${t.error("kind")}
        help=${m&&e(`transfers.columns-${m}`)} onInput=${r=>t.set("kind",r)} />
      <${p} label=${n("imports","mode")} value=${f} error=${t.error("mode")}
        onInput=${r=>t.set("mode",r)}
        options=${E.filter(r=>l(r).length>0).map(r=>({value:r,label:e(`transfers.mode-${r}`)}))} />
      <${z} label=${o?o.name:e("transfers.drop")} help=${o?e("transfers.chosen",{size:g(o.size)}):e("transfers.dropHelp")}
        accept=".csv,.xlsx,text/csv" error=${t.error("file")} keys="f" onFiles=${r=>D(r[0])} />
      <p class="help">${e("transfers.tryFirst")}</p>
    </form>
    <${I} form=${t} id="import" action=${e("transfers.try")} ready=${o!==null} /><//>`}export{H as default};
