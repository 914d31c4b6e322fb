import{a as H,b as D}from"./chunk-SERE7LNX.js";import{a as B}from"./chunk-WJMXFFMO.js";import{a as v}from"./chunk-ZV2XWTMO.js";import{a as j}from"./chunk-7EM6NNTB.js";import{a as C}from"./chunk-ZFQRI6BM.js";import"./chunk-RGNC7VM4.js";import{c as k,e as f,g as A}from"./chunk-CR5WSEUI.js";import"./chunk-LDME6CXF.js";import{a as P}from"./chunk-YR7UKKP2.js";import{a as q}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as L,d as N}from"./chunk-VZBJ6CRO.js";import{C as b,E as F,G as w,Q as g,aa as S,da as x,ea as O,fa as T,ga as I,ja as y,ka as E,la as h,p as R,s,z as r}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";function G({line:e,form:n,currency:l,of:t,index:i}){let u=`lines.${e.id}`,o=t?.remaining??0,$=c=>b("return-requests",`lines.${c}`),p=c=>({value:n.get(`${u}.${c}`)??"",error:n.error(`lines.${i}.${c}`),onInput:a=>n.set(`${u}.${c}`,a)}),d=o===0?r("returns.noneLeft"):r("returns.leftOf",{n:o,of:t?.ordered??0,each:h(t?.unitRefund,l)});return s`<div class="return-line">
    <span><b>${e.title}</b><small>${[e.variantTitle,e.sku].filter(Boolean).join(" · ")}</small><small>${d}</small></span>
    <${f} label=${r("returns.unitsOf",{name:e.title})} hideLabel unit=${`/ ${o}`} disabled=${o===0}
      ...${p("quantity")} />
    ${i>=0&&s`<div class="return-more">
      <${k} label=${$("reason")} ...${p("reason")} />
      <${f} label=${$("restockingFee")} unit=${l} ...${p("restockingFee")} />
      ${e.stockTaken!==!1&&s`<${A} ...${p("restock")} label=${$("restock")} value=${n.get(`${u}.restock`)??!0} />`}
    </div>`}
  </div>`}function Q(){let{id:e=""}=R().params,n=async o=>{let[$,p]=await Promise.all([g.collections.from("orders").findById(e,{depth:0},{signal:o}),g.call("GET /api/orders/{id}/returnable",{id:e},{signal:o})]);return{order:$,returnable:p}},{data:l,refusal:t,reload:i}=q(`returnable ${e}`,n,{live:["return-requests"]}),u={href:L(`/orders/${e}`),label:F("orders","one")};return s`<${E} title=${r("returns.new",{number:l?.order.orderNumber??""})} back=${u}>
    ${t&&s`<${O} refusal=${t} again=${i} />`}
    ${!l&&!t&&s`<${x} lines=${8} />`}
    ${l&&(l.returnable.lines.some(o=>o.remaining>0)?s`<${_} key=${e} ...${l} />`:s`<${I} icon="undo-2" title=${r("returns.nothingLeft")} text=${r("returns.nothingLeftText")} />`)}
  <//>`}var U=["initialShippingRefundAmount","returnShippingFee"];function J(e,n){let l=e.lines.flatMap(({id:i})=>{let{quantity:u,reason:o,restockingFee:$,restock:p}=n.lines?.[i]??{};if(!u||u==="0")return[];let d={...o&&{reason:o},...$&&{restockingFee:v($)},...p===!1&&{restock:p}};return[{orderLine:i,quantity:v(u),...d}]}),t=Object.fromEntries(U.filter(i=>n[i]).map(i=>[i,v(n[i])]));return{order:e.id,lines:l,...t,...n.auditNote&&{auditNote:n.auditNote}}}function _({order:e,returnable:n}){let{currency:l}=n,t=C({name:`return of ${e.id}`,initial:{lines:{},initialShippingRefundAmount:"",returnShippingFee:"",auditNote:""},send:async(a,{idempotencyKey:m})=>{let M=await g.call("POST /api/return-requests",J(e,t.values),{idempotencyKey:m});P(r("returns.created")),N(`/returns/${M.returnRequest.id}`,{replace:!0})}}),i=J(e,t.values),u=i.lines.length>0,{preview:o,refusal:$}=B(u?JSON.stringify(i):"",a=>g.preview("POST /api/return-requests/preview",i,{signal:a})),p=({orderLine:a,remaining:m})=>[a,{...t.get(`lines.${a}`),quantity:String(m||"")}],d=()=>t.set("lines",Object.fromEntries(n.lines.map(p)));w([{keys:"a",label:r("returns.every"),run:d},{keys:"mod+Enter",label:r("returns.create"),everywhere:!0,run:()=>{u&&o&&t.submit()}}]);let c=a=>({line:a,form:t,currency:l,of:n.lines.find(m=>m.orderLine===a.id),index:i.lines.findIndex(m=>m.orderLine===a.id)});return s`<div class="columns">
    <form id="return" class="stack return-form" onSubmit=${a=>{a.preventDefault(),t.submit()}}>
      <${y} title=${r("returns.lines")} top=${s`<${S} onClick=${d} keys="a">${r("returns.every")}<//>`}>
        ${e.lines.map(a=>s`<${G} key=${a.id} ...${c(a)} />`)}
      <//>
      <${z} form=${t} returnable=${n} suggested=${o?.suggestedInitialShippingRefund??n.suggestedInitialShippingRefund} />
    </form>
    <aside class="return-follows"><${y} title=${r("returns.money")}>
      <div aria-live="polite">
        ${!u&&s`<p class="none">${r("returns.chooseUnits")}</p>`}
        ${$&&!t.refusal&&s`<${T} kind="warn">${$.text}<//>`}
        ${o&&s`<${H} amounts=${o} titleOf=${D(e)} />`}
      </div>
      <p class="help">${r("returns.createText")}</p>
      <${j} form=${t} id="return" action=${r("returns.create")} ready=${u&&o!==void 0} />
    <//></aside>
  </div>`}function z({form:e,returnable:n,suggested:l}){let{currency:t,initialShippingRefundCap:i}=n,u=d=>({label:b("return-requests",d),value:e.get(d),error:e.error(d),onInput:c=>e.set(d,c)}),o={cap:h(i,t),suggested:h(l,t)},$=()=>e.set("initialShippingRefundAmount",String(l)),p=n.auditNoteRequired&&e.values.initialShippingRefundAmount;return s`<${y} title=${r("returns.shipping")}>
    ${i>0&&s`<${f} ...${u("initialShippingRefundAmount")} unit=${t} help=${r("returns.shippingHelp",o)} />`}
    ${i>0&&l>0&&s`<${S} onClick=${$}>${r("returns.suggested",{amount:o.suggested})}<//>`}
    <${f} ...${u("returnShippingFee")} unit=${t} help=${r("returns.returnShippingHelp")} />
    ${p&&s`<${k} ...${u("auditNote")} rows=${2} help=${r("returns.auditHelp")} required />`}
  <//>`}export{Q as default};
