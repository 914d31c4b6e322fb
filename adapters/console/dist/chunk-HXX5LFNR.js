import{b as Ae,c as Be,d as Fe,e as Ie,f as ze}from"./chunk-DEKDNWXY.js";import{a as Ce,b as Se,d as xe,e as Oe,f as Ne}from"./chunk-KMD4BE6U.js";import{g as Te}from"./chunk-GSIU4YPD.js";import{a as U,b as ke}from"./chunk-ZV2XWTMO.js";import{a as G}from"./chunk-3WAPSNU2.js";import{a as we}from"./chunk-AM3DABK3.js";import{a as be}from"./chunk-7EM6NNTB.js";import{a as W,b as ge}from"./chunk-ZFQRI6BM.js";import{a as ye,c as ve}from"./chunk-RGNC7VM4.js";import{a as $e}from"./chunk-IMYQGOQZ.js";import{b as me,c as C,e as K,f as M,i as pe}from"./chunk-CR5WSEUI.js";import{a as _,b as ce}from"./chunk-LDME6CXF.js";import{a as j,b as F}from"./chunk-YR7UKKP2.js";import{a as P}from"./chunk-MWZMRQYO.js";import{b as B,c as O,d as z}from"./chunk-VZBJ6CRO.js";import{$ as H,C as v,D as oe,E as J,G as ne,I as ie,J as ae,K as I,M as de,N as g,Q as b,Z as le,aa as w,b as x,c as ee,d as T,da as ue,ea as R,f as A,fa as N,ga as fe,h as te,ja as k,ka as E,la as L,na as he,p as re,s as n,t as se,u as D,z as r}from"./chunk-OZNYBMST.js";var Le=["recipientName","phone","postalCode","address1","address2","deliveryMessage"];function qe({values:t}){let e=t?.customer??"",s=i=>b.collections.from("customers").findById(e,{depth:0},{signal:i});return P(e&&g("customers:read")?`customer ${e}`:"",s,{live:["customers"],record:e}).data}function De({draft:t,input:e,customer:s}){let{values:i,change:o,within:a,error:u}=t,f=i?.customerSnapshot??{},p=l=>{let d=(l.addresses??[]).find(m=>m.isDefault)??l.addresses?.[0],h=!Le.some(m=>i?.shippingAddress[m]);o({customer:l.id,customerSnapshot:{name:l.name,email:l.email,phone:l.phone},...d&&h&&{shippingAddress:{...i?.shippingAddress,...Pe(d)}}})},c=(l,d)=>n`<${C}
    label=${v("draft-orders",`customerSnapshot.${l}`)} type=${d}
    value=${f[l]??""} autocomplete="off" error=${u(`customerSnapshot.${l}`)}
      onInput=${h=>a("customerSnapshot",{[l]:h})} />`;return n`<${k} title=${r("drafts.buyer")}>
    ${g("customers:read")&&(i?.customer?n`<${Qe} id=${i.customer} customer=${s}
      onRemove=${()=>o({customer:null})} />`:n`
      <${me} label=${r("drafts.findBuyer")} help=${r("drafts.findBuyerHelp")}>
        ${l=>n`<div class="labels relation"><${we} attributes=${l} input=${e} eager=${!1} find=${Je}
          onChoose=${p}
          placeholder=${r("drafts.findBuyerWith")} none=${r("drafts.unknownBuyer")} show=${d=>n`<span
            class="found-goods"><b>${d.name||d.email}</b><span>${d.phone??""}</span><small>${d.email}</small></span>`} /></div>`}
      <//>`)}
    <div class="three">${c("name","text")}${c("phone","tel")}${c("email","email")}</div>
  <//>`}async function Je(t,e){return(await b.collections.from("customers").find({q:t,limit:8,depth:0},{signal:e})).docs}function Qe({id:t,customer:e,onRemove:s}){let i=u=>b.collections.from("orders").find({where:{customer:{equals:t}},sort:"-placedAt",limit:1,depth:0},{signal:u}),{data:o}=P(g("orders:read")?`orders of ${t}`:"",i,{live:["orders"]}),a=o?.docs[0];return n`<div class="account"><${H} name="user" />
    <div><a href=${B(O("customers",t))}><b>${e?.name||e?.email||"…"}</b></a> ${e?.groups?.map(u=>n`<span
      class="chip" key=${u}>${u}</span>`)}
      ${o&&n`<small>${r("drafts.ordersOf",{n:o.totalDocs})}${a&&n` · <a
        href=${B(O("orders",a.id))}>${a.orderNumber}</a> <${ye} amount=${a.totalAmount} currency=${a.currency} />`}</small>`}
      ${e?.note&&n`<p class="quote">${e.note}</p>`}</div>
    <${w} look="quiet" icon="x" label=${r("drafts.asGuest")} onClick=${s} />
  </div>`}function Pe(t){return Object.fromEntries(Le.map(e=>[e,t[e]??null]))}function Re({draft:t,customer:e,input:s}){let{values:i,within:o,error:a}=t,u=i?.shippingAddress??{},f=i?.customerSnapshot??{},p=(l,d={})=>n`<${C} key=${l} label=${v("draft-orders",`shippingAddress.${l}`)}
    value=${u[l]??""} autocomplete="off"
    error=${a(`shippingAddress.${l}`)} onInput=${h=>o("shippingAddress",{[l]:h})} ...${d} />`,c=f.name&&(f.name!==u.recipientName||(f.phone??"")!==(u.phone??""));return n`<${k} title=${r("drafts.address")}>
    ${((e?.addresses?.length??0)>0||c)&&n`<div class="choices-row" role="group" aria-label=${r("drafts.takeAddress")}>
      ${e?.addresses?.map((l,d)=>n`<${w} key=${d} icon="map-pin"
        onClick=${()=>o("shippingAddress",Pe(l))}>${l.label||l.address1||l.recipientName}<//>`)}
      ${c&&n`<${w} icon="user"
        onClick=${()=>o("shippingAddress",{recipientName:f.name,phone:f.phone??null})}>${r("drafts.toBuyer")}<//>`}
    </div>`}
    <div class="two" ref=${s}>${p("recipientName")}${p("phone",{type:"tel"})}</div>
    <div class="address-grid">${p("postalCode",{inputmode:"numeric"})}${p("address1")}</div>
    <div class="two">${p("address2")}${p("country",{maxLength:2,placeholder:"KR"})}</div>
    ${p("deliveryMessage")}
  <//>`}function Ee({draft:t}){let e=t.values,s=xe(e.lines.map(d=>d.variant)),{status:i,order:o,totals:a,currency:u,shippingAddress:f,customerSnapshot:p}=e,c=["customerNotes","operatorNotes"].filter(d=>e[d]),l=o&&g("orders:read");return n`${i==="finalized"&&n`<${N} kind="good" action=${l&&n`<a class="button"
    href=${B(O("orders",o))}>${r("drafts.toOrder")}</a>`}>${r("drafts.isOrder")}<//>`}
    ${i==="discarded"&&n`<${N}>${r("drafts.isDiscarded")}<//>`}
    <div class="columns"><div>
      <${k} title=${r("drafts.items")}><ul class="facts">${e.lines.map((d,h)=>n`<li
        key=${d.id??h}>${he(d.quantity)} × ${Oe(s(d.variant))}</li>`)}</ul><//>
      <${G} slug="draft-orders" id=${e.id} live=${["draft-orders","comments"]} />
    </div><aside>
      ${a&&n`<${k} title=${r("drafts.totals")}><dl class="sums">
        ${["subtotal","discount","shipping"].map(d=>n`<div key=${d}><dt>${r(`drafts.${d}`)}</dt><dd
          class="money">${L(a[d],u)}</dd></div>`)}
        <div class="whole"><dt>${r("drafts.total")}</dt><dd class="money">${L(a.total,u)}</dd></div>
      </dl><//>`}
      <${k} title=${r("drafts.buyer")}>${[p.name,p.phone,p.email].filter(Boolean).map(d=>n`<p key=${d}>${d}</p>`)}<//>
      <${k} title=${r("drafts.address")}><address>${[f.recipientName,f.phone,f.postalCode,f.address1,f.address2].filter(Boolean).map(d=>n`<span key=${d}>${d}</span>`)}</address><//>
      ${c.map(d=>n`<${k} key=${d} title=${v("draft-orders",d)}><p class="quote">${e[d]}</p><//>`)}
    </aside></div>`}function Me({draft:t,totals:e,asked:s,onClose:i}){let[o,a]=x(!1),[u,f]=x(""),p=s.loading||!!s.refusal,c=g("payments:record")&&e.total!==0,l=t.record?.id??"",d=W({name:`finalize ${l}`,keep:!1,initial:{revision:t.record?.revision},send:async(y,$)=>{let{order:S}=await b.call("POST /api/draft-orders/{id}/finalize",{id:l,expectedRevision:$.revision},{idempotencyKey:$.idempotencyKey});o&&c&&await Ve(S,u),j(r("drafts.made",{number:S.orderNumber})),z(O("orders",S.id))}}),h=async y=>{y.preventDefault(),!p&&!await d.submit()&&s.reload()},m=n`${d.refusal&&n`<${N} kind="bad">${d.refusal.text}<//>`}<${w} onClick=${i}
    disabled=${d.busy}>${r("common.cancel")}<//>
    <${w} look="primary" type="submit" form="finalize" busy=${d.busy||s.loading}
      disabled=${!!s.refusal}>${r(o&&c?"drafts.makePaid":"drafts.make")}<//>`;return n`<${_} title=${r("drafts.finalize")} onClose=${i} busy=${d.busy} actions=${m}>
    <form id="finalize" class="stack" onSubmit=${h}>
      ${s.refusal&&n`<${R} refusal=${s.refusal} again=${s.reload} />`}
      <div class="preview"><${Fe} totals=${e} wait=${p} /></div>
      <ul class="rules">${Xe(t,e,o&&c).map(y=>n`<li key=${y}><${H} name="arrow-right"
        size=${14} /><span>${y}</span></li>`)}</ul>
      ${c&&n`<fieldset class="options"><legend>${r("drafts.money")}</legend>
        <label><input type="radio" name="paid" checked=${!o} onChange=${()=>a(!1)} />${r("drafts.notPaid")}</label>
        <label><input type="radio" name="paid" checked=${o} onChange=${()=>a(!0)} />${r("drafts.alreadyPaid")}</label>
      </fieldset>`}
      ${c&&o&&n`<${C} label=${r("drafts.paidHow")} help=${r("drafts.paidHowHelp")} value=${u} onInput=${f} maxLength=${500} />`}
    </form>
  <//>`}async function Ve({id:t,revision:e=void 0},s){try{await b.call("POST /api/orders/{id}/transitions",{id:t,to:"paid",note:s.trim()||null,expectedRevision:e??null})}catch(i){F(i)}}function Xe({values:t},e,s){let i=I.value?.settings.unpaidOrderHours??24,o=t?.customerSnapshot,a=e.lines.reduce((f,p)=>f+p.quantity,0),u=i>0?r("drafts.willWait",{n:i}):r("drafts.willWaitLong");return[r("drafts.willOrder",{amount:L(e.total,e.currency),name:o?.name||o?.email||"—"}),r("drafts.willTake",{n:a}),e.total===0?r("drafts.willBeFree"):s?r("drafts.willBePaid",{amount:L(e.total,e.currency)}):u,r("drafts.willNotMail")]}var He=500,V=()=>b.collections.from("draft-orders");function _e(t,e){let[,s]=ee(m=>m+1,0),i=A(null),o=A(e);o.current=e,i.current??=new X(()=>s(void 0),m=>o.current(m),t==="new");let a=i.current,u=m=>V().findById(t,{depth:0},{signal:m}),{data:f,refusal:p,reload:c}=P(t==="new"?"":`draft ${t}`,u,{live:["draft-orders"],record:t});T(()=>a.meet(f),[f]),T(()=>{let m=()=>document.visibilityState==="hidden"&&void a.flush();return document.addEventListener("visibilitychange",m),()=>{document.removeEventListener("visibilitychange",m),a.leave()}},[]);let l=te(()=>{a.forget(),c()},[c]),{record:d}=a,h=d||t==="new"?{...Ye,...d,...a.unkept()}:null;return{values:h,record:d,restart:l,state:a.state(),change:m=>a.change(m),restored:a.restored,flush:async()=>await a.flush()?a.record:null,settle:()=>a.settle(),within:(m,y)=>h&&a.change({[m]:{...h[m],...y}}),refusal:a.refusal??p,overtaken:a.refusal?.reason==="changed_meanwhile",error:m=>a.refusal?.fields[m]??Object.entries(a.refusal?.fields??{}).find(([y])=>y.startsWith(`${m}.`))?.[1],open:(d?.status??"draft")==="draft"&&g(d?"draft-orders:update":"draft-orders:create")}}var Ye={lines:[],customerSnapshot:{},shippingAddress:{},tags:[],status:"draft"},X=class{record=null;typed={};refusal;failure;running;sent;here=!0;timer=0;noted=!1;restored=!1;where=`draft ${ae.value?.id} ${I.value?.id} ${de.value}`;constructor(e,s,i=!1){this.changed=e,this.created=s,i&&this.restore()}place(){return`${this.where} ${this.record?.id??"new"}`}note(){let{typed:e,sent:s,record:i}=this,o=this.waits()&&(this.noted||this.refusal!==void 0);o?D(this.place(),JSON.stringify({typed:e,sent:s,revision:i?.revision})):this.noted&&D(this.place(),null),this.noted=o}restore(){let e=Ze(se(this.place()));if(e){if(this.record&&this.record.status!=="draft"){D(this.place(),null);return}this.typed=e.typed,this.sent=e.sent,this.record&&(this.record={...this.record,revision:e.revision}),this.noted=!0,this.restored=!0,this.later(He)}}show(){this.note(),this.here&&this.changed()}state(){return this.refusal?"refused":this.running||this.waits()?"keeping":"kept"}waits(){return this.sent!==void 0||Object.keys(this.typed).length>0}unkept(){return{...this.sent?.values,...this.typed}}change(e){this.typed={...this.typed,...e};for(let[s,i]of Object.entries(this.typed))!(s in(this.sent?.values??{}))&&this.record&&ge(i,this.record[s])&&delete this.typed[s];this.show(),this.later(He)}later(e){clearTimeout(this.timer),this.timer=window.setTimeout(()=>{this.flush()},e)}flush(){return this.running??=this.keepAll().finally(()=>{this.running=void 0,this.show()}),this.running}meet(e){if(!e||this.running||this.waits()||this.record&&this.record.revision>=e.revision)return;let s=!this.record;this.record=Q(e),s&&this.restore(),this.show()}forget(){this.drop(),this.record=null,this.show()}drop(){clearTimeout(this.timer),this.typed={},this.sent=void 0,this.refusal=void 0,this.restored=!1,this.note()}async settle(){return this.typed={},await this.running,this.drop(),this.record}leave(){this.here=!1,this.flush().then(e=>e||F(this.failure))}async keepAll(){if(clearTimeout(this.timer),this.refusal?.reason==="changed_meanwhile")return!1;for(;this.waits();){let e=this.sent??={values:this.typed,key:ie()};e.values===this.typed&&(this.typed={}),this.show();try{await(this.record?this.update(this.record,e):this.create(e)),this.refusal=void 0}catch(s){return this.refuse(s),!1}}return!0}refuse(e){if(this.failure=e,this.refusal=le(e),this.refusal.again){this.here&&this.later(4e3);return}this.typed=this.unkept(),this.sent=void 0}async update(e,{values:s,key:i}){let{doc:o}=await V().update(e.id,{...s,expectedRevision:e.revision},{idempotencyKey:i});this.sent=void 0,this.record=Q(o)}async create({values:e,key:s}){let{doc:i}=await V().create(e,{idempotencyKey:s});this.noted&&D(this.place(),null),this.sent=void 0,this.record=Q(i),this.here&&this.created(i.id)}};function Ze(t){try{return JSON.parse(t??"null")}catch{return null}}function Q(t){let e=s=>s&&typeof s=="object"?s.id:s??null;return{...t,customer:e(t.customer),market:e(t.market),order:e(t.order),customerSnapshot:t.customerSnapshot??{},shippingAddress:t.shippingAddress??{},lines:(t.lines??[]).map(s=>({id:s.id,variant:e(s.variant),quantity:s.quantity})),tags:t.tags??[]}}var et=7*864e5;function je({lines:t,currency:e,onClose:s,onMade:i}){let o=W({name:"concession",keep:!1,initial:{type:"percentage",value:"",title:"",product:""},send:async({value:c,title:l,product:d,type:h="percentage"},{idempotencyKey:m})=>{let y=d?{applicableProducts:[d]}:{},$=new Date(Date.now()+et).toISOString(),S={code:Te(),type:h,value:U(c),title:l,currency:e,usageLimit:1,endsAt:$,isActive:!0,combinable:!1,...y},{doc:q}=await b.collections.from("discounts").create(S,{idempotencyKey:m});i(q.code)}}),a=c=>l=>o.set(c,l),f=[...new Map(t.map(c=>Se(c.variant)).flatMap(c=>c?[[c.productId,c.product]]:[]))].map(([c,l])=>({value:c,label:l})),p=o.values.type==="percentage";return n`<${_} title=${r("drafts.giveOff")} onClose=${s} busy=${o.busy}
    actions=${n`<${be} form=${o} onCancel=${s} id="concession" action=${r("drafts.give")} />`}>
    <form id="concession" class="stack" onSubmit=${c=>{c.preventDefault(),o.submit()}}>
      <p class="help">${r("drafts.concessionText")}</p>
      <div class="two">
        <${K} label=${v("discounts","value")} unit=${p?"%":e} value=${o.values.value}
          error=${o.error("value")} required
          onInput=${c=>o.set("value",ke(c))} />
        <${M} label=${r("drafts.concessionKind")} value=${o.values.type} onInput=${a("type")}
          options=${[{value:"percentage",label:"%"},{value:"fixed_amount",label:e}]} />
      </div>
      <${M} label=${r("drafts.concessionOn")} value=${o.values.product} empty=${r("drafts.wholeOrder")} options=${f}
        onInput=${a("product")} />
      <${C} label=${r("drafts.concessionWhy")} value=${o.values.title} error=${o.error("title")} required onInput=${a("title")} />
    </form>
  <//>`}function Ke({draft:t,totals:e,onUnclear:s}){let{values:i,change:o,error:a}=t,[u,f]=x(!1),p=Ne(),c=I.value?.currency??"",l=e?.currency??i?.currency??c,d=p.map($=>({value:$.id,label:`${$.name} (${$.currency})`})),h=$=>o({market:$||null,currency:p.find(S=>S.id===$)?.currency??c,shippingFee:null}),m=e?.discountCode,y=m&&!m.valid&&m.code===(i?.discountCode??"").trim().toUpperCase()?oe("draft-orders","discountCode.reason",m.reason??""):void 0;return n`<${k} title=${r("drafts.terms")}>
    <div class="two">
      ${d.length>0&&n`<${M} label=${v("draft-orders","market")} value=${i?.market??""} options=${d}
        empty=${r("drafts.ownPrices",{currency:c})} error=${a("market")??a("currency")} onInput=${h} />`}
      <div class="with-button"><${C} label=${v("draft-orders","discountCode")} value=${i?.discountCode??""} autocomplete="off"
        spellcheck=${!1} mono
          error=${a("discountCode")??y} onInput=${$=>o({discountCode:$.trim()?$:null})} />
        ${g("discounts:create")&&(i?.lines.length??0)>0&&n`<${w} icon="percent"
          onClick=${()=>f(!0)}>${r("drafts.giveOff")}<//>`}</div>
      <${tt} value=${i?.shippingFee??null} currency=${l} error=${a("shippingFee")} onUnclear=${s}
        onChange=${$=>o({shippingFee:$})} />
    </div>
    <div class="two">
      <${C} label=${v("draft-orders","customerNotes")} help=${r("drafts.customerNotesHelp")} rows=${2} value=${i?.customerNotes??""}
        error=${a("customerNotes")} onInput=${$=>o({customerNotes:$})} />
      <${C} label=${v("draft-orders","operatorNotes")} help=${r("drafts.operatorNotesHelp")} rows=${2} value=${i?.operatorNotes??""}
        error=${a("operatorNotes")} onInput=${$=>o({operatorNotes:$})} />
    </div>
    <${pe} label=${v("draft-orders","tags")} value=${i?.tags??[]} error=${a("tags")}
      onInput=${$=>o({tags:$})} />
    ${u&&n`<${je} lines=${i?.lines??[]} currency=${l} onClose=${()=>f(!1)}
      onMade=${$=>{f(!1),o({discountCode:$})}} />`}
  <//>`}function Y(t){let e=t.trim()===""?null:U(t);return e===null||typeof e=="number"&&e>=0?e:void 0}function tt({value:t,currency:e,error:s,onChange:i,onUnclear:o}){let[a,u]=x(String(t??""));T(()=>{Y(a)!==t&&u(String(t??""))},[t]);let f=Y(a)===void 0;T(()=>o(f),[f]);let p=c=>{u(c);let l=Y(c);l!==void 0&&i(l)};return n`<${K} label=${v("draft-orders","shippingFee")} help=${r("drafts.feeHelp")} unit=${e} value=${a}
    error=${f?r("drafts.feeWrong"):s} onInput=${p} />`}function rt(){let{id:t=""}=re().params,e=A({id:"",n:0});t==="new"&&e.current.id&&(e.current={id:"",n:e.current.n+1});let s=t==="new"||t===e.current.id?`new ${e.current.n}`:t;return n`<${ot} key=${s} id=${t} onCreated=${o=>{e.current.id=o,z(O("draft-orders",o),{replace:!0})}} />`}function st(t){return t?.customerSnapshot?.name||t?.customerSnapshot?.email||r("drafts.nobody")}function ot({id:t,onCreated:e}){let s=_e(t,e),{values:i,record:o,refusal:a,restart:u}=s,f={href:B("/drafts"),label:J("draft-orders")},p=o?st(i):t==="new"?r("drafts.new"):J("draft-orders","one");if(!i){let l=a?.reason==="not_found"&&n`<${fe} icon="search" title=${r("drafts.gone")} text=${r("drafts.goneText")} />`,d=n`<${ue} lines=${8} />`;return n`<${E} title=${p} back=${f}>${l||(a?n`<${R} refusal=${a} again=${u} />`:d)}<//>`}if(o?.tags.includes(Ce))return n`<${E} title=${p} back=${f}><${N}>${r("drafts.isTrial")}<//><//>`;let c=o&&n`<${ve} slug="draft-orders" path="status" value=${o.status} />`;return s.open?n`<${nt} ...${{draft:s,title:p,back:f,badges:c}} />`:n`<${E} title=${p} back=${f} badges=${c} top=${n`<${lt} values=${i} />`}><${Ee}
    draft=${s} /><//>`}function nt({draft:t,title:e,back:s,badges:i}){let{values:o,record:a}=t,[u,f]=x(!1),[p,c]=x(!1),l=A(null),d=A(null),h=A(null),m=Be(t),y=qe(t),$=a?m.data:void 0;T(()=>{!a&&d.current?.focus()},[]);let S=[...Ie(t,$),...p?[r("drafts.needs-fee")]:[]],q=!!(a&&o?.lines.length&&$&&!m.refusal&&t.state!=="refused"&&S.length===0),Z=async()=>{!q||!await t.flush()||(m.reload(),f(!0))};ne([{keys:"/",label:r("drafts.addItem"),run:()=>l.current?.focus()},{keys:"c",label:r("drafts.findBuyer"),run:()=>d.current?.focus()},{keys:"a",label:r("drafts.address"),run:()=>h.current?.querySelector("input")?.focus()},...q?[{keys:"mod+Enter",label:r("drafts.finalize"),everywhere:!0,run:()=>{Z()}}]:[]]);let We=a&&n`<${$e} label=${r("common.more")}
    items=${[{label:r("drafts.discard"),icon:"trash",danger:!0,run:()=>{at(t)}}]} />`,Ge=n`<${w} look="primary" icon="shopping-cart" disabled=${!q} onClick=${Z} keys="mod+Enter">${r("drafts.finalize")}<//>`;return n`<${E} title=${e} back=${s} badges=${i} top=${We}>
    <${it} draft=${t} />
    <div class="columns">
      <div>
        <${De} draft=${t} input=${d} customer=${y} />
        <${Ae} lines=${o?.lines??[]} onChange=${Ue=>t.change({lines:Ue})} totals=${$} input=${l}
          error=${t.error("lines")} foreign=${!!o?.market} />
        <${Re} draft=${t} customer=${y} input=${h} />
        <${Ke} draft=${t} totals=${$} onUnclear=${c} />
        ${a&&n`<${G} slug="draft-orders" id=${a.id} live=${["comments"]} />`}
      </div>
      <aside><${ze} draft=${t} asked=${m} needed=${S} action=${Ge} /></aside>
    </div>
    ${u&&$&&n`<${Me} draft=${t} totals=${$} asked=${m} onClose=${()=>f(!1)} />`}
  <//>`}function it({draft:t}){let{restored:e,overtaken:s,restart:i,refusal:o,state:a}=t,u=a==="refused"&&!s&&n`<${w} onClick=${i}>${r("common.discard")}<//>`;return n`${e&&n`<${N} action=${u}>${r("common.restored")}<//>`}
    ${s&&n`<${N} kind="warn" action=${n`<${w} icon="refresh-cw"
      onClick=${i}>${r("drafts.takeTheirs")}<//>`}>${r("drafts.overtaken")}<//>`}
    ${o&&!s&&n`<${R} refusal=${o} again=${()=>{t.flush()}} />`}`}async function at({settle:t,restart:e}){let s={title:r("drafts.discard"),text:r("drafts.discardText"),action:r("drafts.discard"),danger:!0};if(!await ce(s))return;let i=await t();if(i)try{await b.call("POST /api/draft-orders/{id}/discard",{id:i.id,expectedRevision:i.revision}),j(r("drafts.discarded")),z("/drafts")}catch(o){F(o),e()}}var dt=["customer","customerSnapshot","shippingAddress","market","currency","customerNotes","operatorNotes","tags"];function lt({values:t}){let[e,s]=x(!1);return g("draft-orders:create")?n`<${w} icon="copy" busy=${e} onClick=${async()=>{s(!0);let o=t.lines.map(({variant:u,quantity:f})=>({variant:u,quantity:f})),a=Object.fromEntries(dt.filter(u=>t[u]).map(u=>[u,t[u]]));await b.collections.from("draft-orders").create({...a,lines:o}).then(({doc:u})=>z(O("draft-orders",u.id)),F),s(!1)}}>${r("drafts.again")}<//>`:null}export{rt as a,st as b};
