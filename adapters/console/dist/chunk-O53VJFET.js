import{a as k}from"./chunk-7EM6NNTB.js";import{a as w}from"./chunk-ZFQRI6BM.js";import{c,j as $}from"./chunk-CR5WSEUI.js";import{a as f}from"./chunk-LDME6CXF.js";import{a as h}from"./chunk-YR7UKKP2.js";import{C as m,D as b,E as u,O as d,Q as p,s as a,z as r}from"./chunk-OZNYBMST.js";var L=["create","update","delete"];function j({endpoint:t,onClose:s,onMade:v,onChanged:n}){let e=w({name:`webhook ${t?.id??"new"}`,...n&&{refresh:n},initial:t??{url:"",description:"",collections:[],operations:[]},send:async(o,l)=>{if(t){let H={...o,expectedRevision:l.revision};await p.collections.from("webhook-endpoints").update(t.id,H,l),h(r("common.saved")),n?.()}else v?.(await p.call("POST /api/webhook-endpoints",o,l))},onSent:s}),{url:y,description:F,collections:I,operations:g}=e.values,x=d().map(o=>({value:o,label:u(o)})).sort((o,l)=>o.label.localeCompare(l.label)),i=o=>m("webhook-endpoints",o),D=a`<${k} form=${e} onCancel=${s} id="webhook" slug="webhook-endpoints" />`;return a`<${f} title=${r(t?"webhooks.edit":"webhooks.add")} size="large" onClose=${s} busy=${e.busy} actions=${D}>
    <form id="webhook" class="stack" onSubmit=${o=>{o.preventDefault(),e.submit()}}>
      <${c} label=${i("url")} type="url" value=${y} required autofocus placeholder="https://" help=${r("webhooks.urlHelp")}
        error=${e.error("url")}
        onInput=${o=>e.set("url",o)} />
      <${c} label=${i("description")} value=${F??""} error=${e.error("description")}
        onInput=${o=>e.set("description",o)} />
      <${$} label=${i("operations")} value=${g} error=${e.error("operations")} help=${r("webhooks.operationsHelp")}
        options=${L.map(o=>({value:o,label:b("webhook-endpoints","operations",o)}))}
          onInput=${o=>e.set("operations",o)} />
      <${$} label=${i("collections")} value=${I} error=${e.error("collections")} help=${r("webhooks.collectionsHelp")} options=${x}
        class="many"
        onInput=${o=>e.set("collections",o)} />
    </form>
  <//>`}export{j as a};
