import{a as re}from"./chunk-KMD4BE6U.js";import{b as se}from"./chunk-TCXQKCMH.js";import{c as oe}from"./chunk-NEFPVK37.js";import{a as te,b,c as B}from"./chunk-HZAT4CKZ.js";import"./chunk-USCASXRN.js";import"./chunk-73WIXOSZ.js";import"./chunk-6QJ7YWEH.js";import"./chunk-VPLB4NIS.js";import{a as Z}from"./chunk-3WAPSNU2.js";import{a as ee}from"./chunk-SLAW6HH6.js";import"./chunk-AM3DABK3.js";import"./chunk-FOTJFVPA.js";import{a as X}from"./chunk-7EM6NNTB.js";import{a as U}from"./chunk-ZFQRI6BM.js";import{a as M,b as y,c as F,d as J}from"./chunk-RGNC7VM4.js";import"./chunk-IL44MJ62.js";import{a as V}from"./chunk-IMYQGOQZ.js";import"./chunk-CR5WSEUI.js";import{a as K,b as W}from"./chunk-LDME6CXF.js";import{a as D,b as L}from"./chunk-YR7UKKP2.js";import{a as v}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as S,c as C,d as Q}from"./chunk-VZBJ6CRO.js";import{$ as z,C as f,E as g,G as I,N as h,Q as $,aa as q,b as P,da as w,ea as A,fa as T,ga as H,ia as N,ja as x,ka as R,ma as Y,na as O,p as j,s,z as r}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";var $e=["carts","checkouts","draft-orders","orders","return-requests"];function ae({customer:e,onClose:t,onMerged:o}){let n=U({name:`merge ${e.id}`,keep:!1,initial:{from:"",revision:e.revision},send:async({from:d},{revision:c,idempotencyKey:l})=>{let{moved:p}=await $.call("POST /api/customers/{id}/merge",{id:e.id,from:d,expectedRevision:c},{idempotencyKey:l});D(r("customers.merged",{n:p.reduce((k,u)=>k+u.records,0)}))},onSent:o}),a=n.values.from,m=a===e.id,i=s`<${X} form=${a&&!m?n:{...n,dirty:!1}} onCancel=${t} id="merge"
    action=${r("customers.mergeNow")} danger />`;return s`<${K} title=${r("customers.merge")} size="large" onClose=${t} busy=${n.busy} actions=${i}>
    <form id="merge" class="stack" onSubmit=${d=>{d.preventDefault(),a&&!m&&n.submit()}}>
      <p>${r("customers.mergeText",{name:b(e)})}</p>
      <${ee} label=${r("customers.mergeFrom")} to="customers" value=${a||null} error=${m?r("customers.mergeSelf"):n.error("from")}
        onInput=${d=>n.set("from",d??"")} />
      ${a&&!m&&s`<${pe} key=${a} into=${e} from=${a} />`}
    </form>
  <//>`}function pe({into:e,from:t}){let{data:o,refusal:n}=v(`merge of ${t}`,i=>$.call("GET /api/customers/{id}/erasure",{id:t},{signal:i}));if(n)return s`<${A} refusal=${n} />`;if(!o)return s`<${w} lines=${4} />`;let a=o.customer,m=o.collections.filter(i=>i.records>0&&$e.includes(i.collection));return s`<div class="preview stack" aria-live="polite">
    <h3>${r("customers.mergeMoves",{from:b(a),to:b(e)})}</h3>
    ${m.length===0?s`<p class="none">${r("customers.mergeNothing")}</p>`:s`<dl class="sums">
      ${m.map(i=>s`<div key=${i.collection}><dt>${g(i.collection)}</dt><dd>${O(i.records)}</dd></div>`)}</dl>`}
    <ul class="rules">${fe(e,a).map(i=>s`<li key=${i}><${z} name="arrow-right" size=${14} /><span>${i}</span></li>`)}</ul>
    <${T} kind="warn">${r("customers.mergeGone",{email:a.email??""})}<//>
  </div>`}function fe(e,t){let o=["name","phone"].filter(a=>!e[a]&&t[a]),n=(t.groups??[]).filter(a=>!e.groups?.includes(a));return[...o.map(a=>r("customers.mergeTakes",{what:f("customers",a),value:t[a]})),n.length>0?r("customers.mergeTakes",{what:f("customers","groups"),value:n.join(", ")}):"",t.addresses.length>0?r("customers.mergeAddresses",{n:t.addresses.length}):"",t.note?r("customers.mergeTakes",{what:f("customers","note"),value:t.note}):"",r("customers.mergeKeeps",{email:e.email??""})].filter(Boolean)}var ne=8,_=e=>r("customers.lines",{n:(e.lines??[]).length}),ge=[{slug:"orders",name:e=>e.orderNumber,amount:e=>[e.totalAmount,e.currency],sort:"-placedAt"},{slug:"draft-orders",name:_,amount:e=>[e.totals?.total,e.currency],sort:"-createdAt",where:{status:{equals:"draft"},tags:{not_in:[re]}}},{slug:"return-requests",name:_,amount:e=>[e.refundAmount,e.currency],sort:"-createdAt"},{slug:"carts",name:_,amount:e=>[e.totals?.total,e.currency],sort:"-createdAt",where:{status:{equals:"active"}}}];function ie({id:e}){return s`${ge.filter(({slug:t})=>h(`${t}:read`)).map(t=>s`<${he} key=${t.slug} id=${e} kind=${t} />`)}`}function he({id:e,kind:{slug:t,name:o,amount:n,sort:a,where:m}}){let i={customer:{equals:e},...m},d=u=>$.collections.from(t).find({where:i,sort:a,limit:ne,depth:0},{signal:u}),{data:c,refusal:l,reload:p}=v(`${t} of customer ${e}`,d,{live:[t]});if(t!=="orders"&&!c?.totalDocs&&!l)return null;let k=c?.totalDocs>ne&&s`<a href=${S(`${C(t)}?customer=${e}`)}>${r("customers.all",{n:c.totalDocs})}</a>`;return s`<${x} title=${g(t)} top=${k}>
    ${l?s`<${A} refusal=${l} again=${p} />`:!c&&s`<${w} />`}
    ${c?.totalDocs===0&&s`<p class="none">${r("customers.noOrders")}</p>`}
    <ul class="trade">${c?.docs.map(u=>s`<li key=${u.id}>
      <a href=${S(C(t,u.id))}>${o(u)}</a>
      <span class="badges"><${F} slug=${t} path="status" value=${u.status} />${t==="orders"&&s`<${F} slug=${t} path="paymentStatus"
        value=${u.paymentStatus} />`}</span>
      <${y} at=${u.placedAt??u.createdAt} relative />
      <${M} amount=${n(u)[0]} currency=${n(u)[1]} />
    </li>`)}</ul>
  <//>`}var G=500,ve={payment:"paid",refund:"refunded",reversal:"reversed"};function me({id:e}){let t={"order.customer":{equals:e}},o=l=>$.collections.from("transactions").find({where:t,limit:G,sort:"-createdAt",depth:0},{signal:l}),{data:n}=v(h("transactions:read")?`money of customer ${e}`:"",o,{live:["transactions"]}),a=v(h("orders:read")?`orders of customer ${e} counted`:"",l=>$.collections.from("orders").count({where:{customer:{equals:e}}},{signal:l}),{live:["orders"]});if(!n&&!a.data)return null;let m=(n?.docs??[]).filter(l=>l.status===ve[l.type??"payment"]),i=[...new Set(m.map(l=>l.currency??""))].filter(Boolean),d=l=>((l.type??"payment")==="payment"?1:-1)*(l.amount??0),c=l=>Y(m.filter(p=>p.currency===l).map(d),l);return s`<${x} title=${r("customers.spent")}>
    <dl class="sums">
      ${a.data&&s`<div><dt>${g("orders")}</dt><dd>${O(a.data.totalDocs)}</dd></div>`}
      ${i.map(l=>s`<div class="whole" key=${l}><dt>${r("customers.paid")}</dt><dd><${M} amount=${c(l)}
        currency=${l} /></dd></div>`)}
    </dl>
    ${i.length>0&&s`<p class="help">${r("customers.paidHelp")}</p>`}
    ${n&&n.totalDocs>G&&s`<p class="help">${r("customers.onlyLast",{n:G})}</p>`}
  <//>`}function le({customer:e,edit:t}){let o=e.erasedAt||e.erasingSince,{email:n,phone:a,groups:m=[],note:i,isVerified:d,marketingConsent:c,consentedAt:l,createdAt:p}=e;return s`<${x} title=${r("customers.who")} top=${t}>
    ${n&&!o&&s`<p><a href=${`mailto:${n}`}>${n}</a> ${d&&s`<${N} tone="good">${r("customers.verified")}<//>`}</p>`}
    ${a&&s`<p><a href=${`tel:${a}`}>${a}</a></p>`}
    ${m.length>0&&s`<p class="tags">${m.map(k=>s`<span class="chip" key=${k}>${k}</span>`)}</p>`}
    ${i&&s`<p class="quote">${i}</p>`}
    <dl class="facts">
      <div><dt>${f("customers","marketingConsent")}</dt><dd><${J}
        value=${c} /> ${c&&l&&s`<small><${y} at=${l} /></small>`}</dd></div>
      <div><dt>${f("customers","createdAt")}</dt><dd><${y} at=${p} /></dd></div>
    </dl>
  <//>`}function ce({customer:e}){let t=(e.addresses??[]).filter(o=>o.recipientName||o.address1||o.postalCode).sort((o,n)=>Number(n.isDefault??!1)-Number(o.isDefault??!1));return t.length===0?null:s`<${x} title=${f("customers","addresses")}>
    ${t.map((o,n)=>s`<address key=${n}>
      ${(o.label||o.isDefault)&&s`<span><b>${o.label}</b> ${o.isDefault&&s`<${N}>${f("customers","addresses.isDefault")}<//>`}</span>`}
      ${[o.recipientName,o.phone,[o.postalCode,o.address1].filter(Boolean).join(" "),o.address2].filter(Boolean).map(a=>s`<span
        key=${a}>${a}</span>`)}
      ${o.deliveryMessage&&s`<small>${o.deliveryMessage}</small>`}
    </address>`)}
  <//>`}function ye(){let{id:e=""}=j().params,{data:t,refusal:o,reload:n}=v(`customer ${e}`,m=>$.collections.from("customers").findById(e,{depth:0},{signal:m}),{live:["customers"],record:e}),a={href:S("/customers"),label:g("customers")};if(!t){let m=o?.reason==="not_found";return s`<${R} title=${g("customers","one")} back=${a}>
      ${m?s`<${H} icon="search" title=${r("customers.gone")} text=${r("customers.goneText")} />`:o?s`<${A} refusal=${o}
        again=${n} />`:s`<${w} lines=${8} />`}
    <//>`}return s`<${ke} key=${e} customer=${t} reload=${n} />`}function ke({customer:e,reload:t}){let[o,n]=P(""),{id:a,erasedAt:m,erasingSince:i,erasureRequestedAt:d}=e,c=()=>n(""),l=!m&&!i,p=be(e,n),k=l&&h("customers:update")&&s`<${q} look="quiet" icon="pencil" label=${r("customers.edit")} onClick=${()=>n("edit")} />`,u=p.find(E=>E.keys==="n"),de=s`${u&&s`<${q} look="primary" icon="phone" onClick=${u.run} keys="n">${u.label}<//>`}
    ${p.length>0&&s`<${V} label=${r("common.more")} items=${p.filter(E=>E!==u)} />`}`,ue=B()&&s`<${q} onClick=${()=>n("erase")}>${r("customers.seeErasure")}<//>`;return s`<${R} title=${b(e)} back=${{href:S("/customers"),label:g("customers")}} class="customer" top=${de}>
    ${d&&s`<${T} kind="warn" action=${ue}>${r("customers.askedErasure")} <${y} at=${d} /><//>`}
    ${i&&s`<${T}>${r("customers.erasingSince")} <${y} at=${i} /><//>`}
    ${m&&s`<${T}>${r("customers.erasedAt")} <${y} at=${m} />${e.erasureReason&&s` · ${e.erasureReason}`}<//>`}
    <div class="columns">
      <div><${ie} id=${a} /><${Z} slug="customers" id=${a} live=${["customers","comments"]} /></div>
      <aside><${le} customer=${e} edit=${k} /><${me} id=${a} /><${ce} customer=${e} /></aside>
    </div>
    ${o==="edit"&&s`<${te} customer=${e} onClose=${c} onSaved=${t} refresh=${t} />`}
    ${o==="merge"&&s`<${ae} customer=${e} onClose=${c} onMerged=${()=>{c(),t()}} />`}
    ${o==="erase"&&s`<${Te} customer=${e} onClose=${c} onBegun=${()=>{c(),t(),D(r("customers.erasureBegun"))}} />`}
  <//>`}function be(e,t){let o=!e.erasedAt&&!e.erasingSince,a=[{keys:"n",label:r("customers.order"),icon:"phone",may:o&&h("draft-orders:create"),run:()=>{Se(e)}},{keys:"e",label:r("customers.edit"),icon:"pencil",may:o&&h("customers:update"),run:()=>t("edit")},{keys:"x",label:r("customers.export"),icon:"download",may:!0,run:()=>{we(e)}},{label:r("customers.endSessions"),icon:"log-out",may:o&&h("customers:update"),run:()=>{Ae(e)}},{keys:"m",label:r("customers.merge"),icon:"users",may:o&&B(),run:()=>t("merge")},{label:r("customers.erase"),icon:"trash",danger:!0,may:!e.erasingSince&&B(),run:()=>t("erase")}].filter(m=>m.may).map(({may:m,...i})=>i);return I(a.flatMap(({keys:m,label:i,run:d})=>m?[{keys:m,label:i,run:d}]:[])),a}async function Se(e){let t=(e.addresses??[]).find(i=>i.isDefault)??e.addresses?.[0],{label:o,isDefault:n,...a}=t??{label:"",isDefault:!1},m={customer:e.id,customerSnapshot:{name:e.name,email:e.email,phone:e.phone},shippingAddress:t?a:null};await $.collections.from("draft-orders").create(m).then(({doc:i})=>Q(C("draft-orders",i.id)),L)}var we=e=>se($.file("GET /api/customers/{id}/export",{id:e.id}),`customer-${e.id}.json`);async function Ae(e){await W({title:r("customers.endSessions"),text:r("customers.endSessionsText",{name:b(e)}),action:r("customers.endSessions")})&&await $.call("POST /api/customers/{id}/end-sessions",{id:e.id}).then(()=>D(r("customers.endedSessions")),L)}function Te({customer:e,onClose:t,onBegun:o}){let{id:n,revision:a=null}=e,{data:m,refusal:i}=v(`erasure of ${n}`,d=>$.call("GET /api/customers/{id}/erasure",{id:n},{signal:d}),{live:["orders","payment-sessions","return-requests"]});return s`<${oe} name=${`erase ${n}`} email=${e.email??""} title=${r("customers.eraseNamed",{name:b(e)})} held=${m}
    refusal=${i} onClose=${t}
    onBegun=${o} send=${(d,c)=>$.call("POST /api/customers/{id}/erase",{id:n,reason:d,expectedRevision:a},c)} />`}export{ye as default};
