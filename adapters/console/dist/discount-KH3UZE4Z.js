import{a as $e}from"./chunk-63DKFLMJ.js";import{a as me,b as pe,d as fe}from"./chunk-DEKDNWXY.js";import{a as E,f as P}from"./chunk-KMD4BE6U.js";import{a as le,b as z,f as ue,g as de}from"./chunk-GSIU4YPD.js";import{a as ae}from"./chunk-WJMXFFMO.js";import"./chunk-USCASXRN.js";import"./chunk-73WIXOSZ.js";import"./chunk-6QJ7YWEH.js";import"./chunk-VPLB4NIS.js";import{b as L}from"./chunk-ZV2XWTMO.js";import{a as ce}from"./chunk-3WAPSNU2.js";import{a as H}from"./chunk-SLAW6HH6.js";import"./chunk-AM3DABK3.js";import"./chunk-FOTJFVPA.js";import{a as re}from"./chunk-7EM6NNTB.js";import{a as ie}from"./chunk-ZFQRI6BM.js";import"./chunk-RGNC7VM4.js";import"./chunk-IL44MJ62.js";import"./chunk-IMYQGOQZ.js";import{c as S,e as A,f as h,g as oe,h as ne}from"./chunk-CR5WSEUI.js";import{b as ee}from"./chunk-LDME6CXF.js";import{a as B,b as se}from"./chunk-YR7UKKP2.js";import{a as V}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as X,c as Y,d as N}from"./chunk-VZBJ6CRO.js";import{$ as Z,C as m,D as O,E as _,G as U,J as D,K as T,N as b,Q as k,aa as v,b as g,da as I,ea as F,f as j,fa as q,g as G,ga as te,ja as $,ka as M,p as K,s as o,z as s}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";var Ce=["percentage","fixed_amount","free_shipping","tiered"];function xe(e){let r=t=>({label:m("discounts",t.replace(/\.\d+/,"")),error:e.error(t)}),c=t=>i=>e.set(t,i);return{text:(t,i={})=>o`<${S} ...${r(t)} value=${e.get(t)??""} autocomplete="off" onInput=${c(t)}
      ...${i} />`,number:(t,i={})=>o`<${A} ...${r(t)} value=${e.get(t)}
      onInput=${n=>e.set(t,L(n))} ...${i} />`,check:(t,i={})=>o`<${oe} ...${r(t)} value=${e.get(t)??!1} onInput=${c(t)}
      ...${i} />`,date:(t,i={})=>o`<${ne} ...${r(t)} moment value=${e.get(t)??""}
      onInput=${n=>e.set(t,n||null)} ...${i} />`,many:(t,i,n={})=>o`<${H} ...${r(t)} many to=${i}
      value=${e.get(t)??[]} onInput=${c(t)} ...${n} />`}}function ve({form:e,fresh:r}){let{text:c,number:t,check:i,date:n,many:a}=xe(e),u=le(e.values),l=e.get("type");return o`<${$} title=${s("discounts.what")}>
      <div class="with-button">${c("code",{mono:!0,required:!0,spellcheck:!1,autofocus:r})}
        <${v} icon="rotate-ccw" onClick=${()=>e.set("code",de())}>${s("discounts.makeCode")}<//></div>
      ${c("title",{help:s("discounts.titleHelp")})}
      <fieldset class="kinds"><legend>${m("discounts","type")}</legend>
        ${Ce.map(d=>o`<label key=${d} class=${l===d?"on":""}><input type="radio" name="type" checked=${l===d}
          onChange=${()=>e.set("type",d)} />
          <b>${O("discounts","type",d)}</b><small>${s(`discounts.kind-${d}`)}</small></label>`)}
      </fieldset>
      ${(l==="percentage"||l==="fixed_amount")&&o`<div class="two">
        ${t("value",{label:s(l==="percentage"?"discounts.percent":"discounts.amount"),unit:l==="percentage"?"%":u,required:!0})}
        ${l==="percentage"&&t("maxDiscountAmount",{unit:u,help:s("discounts.maxHelp")})}
      </div>`}
      ${l==="tiered"&&o`<${Ie} form=${e} currency=${u} />`}
      <${Te} form=${e} />
      ${i("isActive")}
    <//>
    <${$} title=${s("discounts.when")}>
      ${t("minOrderAmount",{unit:u,help:s("discounts.minHelp")})}
      ${a("applicableProducts","products",{help:s("discounts.productsHelp")})}
      ${a("applicableCategories","categories")}
      ${a("markets","markets",{help:s("discounts.marketsHelp")})}
      <div class="two">${n("startsAt")}${n("endsAt")}</div>
    <//>
    <${$} title=${s("discounts.often")}>
      <div class="two">${t("usageLimit",{help:s("discounts.limitHelp")})}${t("perCustomerLimit",{help:s("discounts.limitHelp")})}</div>
      ${i("combinable",{help:s("discounts.combinableHelp")})}
    <//>`}function Te({form:e}){let r=T.value?.currency??"",c=[...new Set([r,...P().map(t=>t.currency),e.get("currency")])].filter(Boolean);return c.length<2?null:o`<${h} label=${m("discounts","currency")} help=${s("discounts.currencyHelp")} value=${e.get("currency")??r}
    error=${e.error("currency")}
    options=${c.map(t=>({value:t,label:t}))} onInput=${t=>e.set("currency",t)} />`}function Ie({form:e,currency:r}){let c=e.get("tiers")??[],t=["percentage","fixed_amount"].map(n=>({value:n,label:O("discounts","tiers.discountType",n)})),i=n=>m("discounts",`tiers.${n}`);return o`<fieldset class="stack group"><legend>${m("discounts","tiers")}</legend>
    ${e.error("tiers")&&o`<p class="error">${e.error("tiers")}</p>`}
    ${c.map((n,a)=>o`<div class="tier" key=${n.id??a}>
      <${A} label=${i("minAmount")} unit=${r} value=${n.minAmount} error=${e.error(`tiers.${a}.minAmount`)}
        onInput=${u=>e.set(`tiers.${a}.minAmount`,L(u))} />
      <${h} label=${i("discountType")} value=${n.discountType??"percentage"} options=${t}
        onInput=${u=>e.set(`tiers.${a}.discountType`,u)} />
      <${A} label=${i("value")} unit=${n.discountType==="fixed_amount"?r:"%"} value=${n.value}
        error=${e.error(`tiers.${a}.value`)}
        onInput=${u=>e.set(`tiers.${a}.value`,L(u))} />
      <${v} look="quiet" icon="trash" label=${s("discounts.removeTier",{n:a+1})}
        onClick=${()=>e.set("tiers",c.filter((u,l)=>l!==a))} />
    </div>`)}
    <div><${v} icon="plus" onClick=${()=>e.set("tiers",[...c,{discountType:"percentage"}])}>${s("discounts.addTier")}<//></div>
  </fieldset>`}var J=()=>k.collections.from("draft-orders"),ye=Promise.resolve();function Fe(e){let r=ye.then(e);return ye=r.catch(()=>{}),r}async function Se(e,r){let c={tags:{in:[E]},status:{equals:"draft"},assignee:{equals:D.value?.id}},{docs:t}=await J().find({where:c,limit:1,depth:0},{signal:r}),i=t[0],{doc:n}=i?await J().update(i.id,{...e,expectedRevision:i.revision}):await J().create({...e,tags:[E],assignee:D.value?.id,operatorNotes:s("discounts.trialNote")});return k.preview("POST /api/draft-orders/{id}/calculate",{id:n.id,explain:!0},{signal:r})}function ge({discount:e,dirty:r}){let[c,t]=g([]),[i,n]=g(null),[a,u]=g(""),[l,d]=g(""),w=j(null),y=P(),C=T.value?.currency??"",ke=y.find(f=>f.id===a)?.currency??C,Q={lines:c,customer:i,market:a||null,currency:ke,discountCode:e.code,shippingFee:null,shippingAddress:{postalCode:l.trim()||null}},he=c.length>0?JSON.stringify([Q,e.revision]):"",{preview:p,refusal:W,asking:we}=ae(he,f=>Fe(()=>Se(Q,f))),x=p?.explanation?.discountCodes[0];return o`<${$} title=${s("discounts.try")} class="trial">
    <p class="help">${s("discounts.tryText")}</p>
    ${r&&o`<${q} kind="warn">${s("discounts.trySaved")}<//>`}
    <${pe} lines=${c} onChange=${t} totals=${p} input=${w} foreign=${a!==""} />
    <details class="how"><summary>${s("discounts.tryMore")}</summary><div class="stack">
      <${H} label=${s("discounts.tryCustomer")} to="customers" value=${i} onInput=${n} />
      <${h} label=${m("draft-orders","market")} value=${a}
        options=${y.map(f=>({value:f.id,label:`${f.name} (${f.currency})`}))}
        empty=${s("drafts.ownPrices",{currency:C})} onInput=${u} />
      <${S} label=${s("discounts.tryPostalCode")} value=${l} inputmode="numeric" autocomplete="off" onInput=${d} />
    </div></details>
    <div aria-live="polite" class="stack">
      ${we&&!p&&o`<${I} />`}
      ${W&&o`<${F} refusal=${W} />`}
      ${p&&x&&o`<${q} kind=${x.applied?"good":"warn"}>${s(x.applied?"discounts.applies":"discounts.appliesNot")}<//>
        <${me} code=${x} currency=${p.currency} />`}
      ${p&&o`<${fe} totals=${{...p,explanation:void 0}} />`}
    </div>
  <//>`}var R=()=>k.collections.from("discounts"),be={type:"percentage",isActive:!0,combinable:!1};function Ae(){let{id:e=""}=K().params,r=e==="new",c=u=>R().findById(e,{depth:0},{signal:u}),{data:t,refusal:i,reload:n}=V(r?"":`discount ${e}`,c,{live:["discounts"],record:e}),a={href:X("/discounts"),label:_("discounts")};if(!r&&!t){let u=i?.reason==="not_found";return o`<${M} title=${_("discounts","one")} back=${a}>
      ${u?o`<${te} icon="search" title=${s("discounts.gone")} />`:i?o`<${F} refusal=${i}
        again=${n} />`:o`<${I} lines=${8} />`}
    <//>`}return o`<${He} key=${e} discount=${r?null:t} back=${a} reload=${n} />`}function He({discount:e,back:r,reload:c}){let t=b(e?"discounts:update":"discounts:create"),i=G(()=>e??be,[e]),n=ie({name:`discounts ${e?.id??"new"}`,initial:i,refresh:c,send:async(l,{revision:d,...w})=>{let y=z(l),{doc:C}=e?await R().update(e.id,{...y,expectedRevision:d},w):await R().create({...be,...y},w);B(s("common.saved")),e?c():N(Y("discounts",C.id),{replace:!0})}});U(t?[{keys:"mod+s",label:s("common.save"),everywhere:!0,run:()=>n.save()}]:[]);let a=l=>{l.preventDefault(),n.submit()},u=e&&b("discounts:delete")&&o`<${v} icon="trash" onClick=${()=>{Le(e)}}>${s("common.delete")}<//>`;return o`<${M} title=${e?.code??s("discounts.new")} back=${r} badges=${e&&o`<${$e} discount=${e} />`} top=${u}>
    <div class="columns">
      <div>
        ${t&&o`<form id="discount" class="cards" onSubmit=${a}><${ve} form=${n} fresh=${!e} /></form><${$}><${re}
          form=${n} slug="discounts" id="discount" /><//>`}
        ${e&&o`<${ce} slug="discounts" id=${e.id} live=${["discounts","comments"]} />`}
      </div>
      <aside>
        <${$} title=${s("discounts.inWords")}>
          <ul class="rules" aria-live="polite">${ue(z(n.values)).map(l=>o`<li key=${l}><${Z} name="check"
            size=${14} /><span>${l}</span></li>`)}</ul>
          ${e&&o`<p class="help">${s("discounts.used",{n:e.usageCount??0})}</p>`}
        <//>
        ${e&&b("draft-orders:create")&&b("draft-orders:update")&&o`<${ge} discount=${e} dirty=${n.dirty} />`}
      </aside>
    </div>
  <//>`}async function Le({id:e,code:r}){if(await ee({title:s("discounts.delete",{code:r}),text:s("discounts.deleteText"),action:s("common.delete"),danger:!0}))try{await R().remove(e),N("/discounts"),B(s("discounts.deleted",{code:r}))}catch(c){se(c)}}export{Ae as default};
