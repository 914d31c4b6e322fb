import{a as Fe}from"./chunk-ZNBJFM4Q.js";import{a as xe}from"./chunk-VPLB4NIS.js";import{a as Ie,c as te}from"./chunk-AAUNYJZS.js";import{a as Te,b as Ce}from"./chunk-ZV2XWTMO.js";import{a as Se}from"./chunk-3WAPSNU2.js";import"./chunk-SLAW6HH6.js";import"./chunk-AM3DABK3.js";import{b as U,c as J}from"./chunk-FOTJFVPA.js";import{a as D}from"./chunk-7EM6NNTB.js";import{a as M}from"./chunk-ZFQRI6BM.js";import{a as be,b as ke,c as ye,h as we}from"./chunk-RGNC7VM4.js";import{c as T,d as ne,e as he,f as G,g as V}from"./chunk-CR5WSEUI.js";import{a as ee,b as _}from"./chunk-LDME6CXF.js";import{a as S,b as q}from"./chunk-YR7UKKP2.js";import{a as g}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as C,d as Q}from"./chunk-VZBJ6CRO.js";import{$ as A,A as ce,B as de,C as h,D as L,E as W,G as Z,J as me,K as B,M as $e,N as w,Q as $,U as ue,Y as fe,aa as x,b as H,ca as K,da as b,ea as k,fa as P,g as O,ga as F,ia as I,ja as f,ka as R,na as ve,p as X,s as o,ua as ge,v as pe,y as z,z as n}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";function re(t){let e=Object.entries(t??{}).filter(([,s])=>s?.trim());return e.length>0?Object.fromEntries(e.map(([s,a])=>[s,a.trim()])):void 0}function oe(t){let e=n(`setup.of-${t}`);return e.endsWith(`.of-${t}`)?void 0:e}var ie=t=>t.charAt(0).toUpperCase()+t.slice(1);function Me({form:t,provider:e,fresh:s}){let a=h("provider-connections","credentials"),i=re(t.values.credentials)!==void 0,l=({name:r,description:p,requiredFor:c,secret:d})=>o`<${d?ne:T} key=${r}
    label=${oe(`key-${r}`)??de(r)}
    help=${pe.value==="ko"&&oe(`key-${r}`)?void 0:ie(p)} mono autocomplete="off" spellcheck=${!1}
    required=${(s||i)&&e.credentials.length===1&&c.length>0&&e.name!=="sandbox"}
    value=${t.get(`credentials.${r}`)??""} error=${t.error(`credentials.${r}`)}
      onInput=${m=>t.set(`credentials.${r}`,m)} />`;return o`${e.credentials.length>0&&o`<fieldset class="stack group"><legend>${a}</legend>
      <p class="help">${n(s?"setup.secrets":"setup.secretsKept")}</p>
      ${e.credentials.map(l)}
      ${t.refusal?.fields.credentials&&o`<p class="error">${t.refusal.fields.credentials}</p>`}
    </fieldset>`}
    ${e.signsWebhooks&&o`<${ne} label=${h("provider-connections","webhookSecrets")}
      help=${n(s?"setup.webhookSecret":"setup.webhookSecretKept")}
      mono autocomplete="off" value=${t.values.webhookSecret??""} error=${t.error("webhookSecrets")}
        onInput=${r=>t.set("webhookSecret",r)} />`}`}function De({form:t,methods:e}){let s=t.values.enabledMethods??[],a=(i,l)=>t.set("enabledMethods",e.filter(r=>r===i?l:s.includes(r)));return o`<fieldset class="group"><legend>${h("provider-connections","enabledMethods")}</legend>
    <p class="help">${z("help","provider-connections.enabledMethods","enabledMethods")}</p>
    <div class="methods">${e.map(i=>o`<${V} key=${i} label=${L("provider-connections","enabledMethods",i)}
      value=${s.includes(i)}
      onInput=${l=>a(i,l)} />`)}</div>
    ${t.error("enabledMethods")&&o`<p class="error">${t.error("enabledMethods")}</p>`}
  </fieldset>`}function Le({id:t,signs:e}){let s=`${location.origin}/api/providers/${t}/webhook`;return o`<${f} title=${n("setup.webhook")}>
    <p class="help">${n("setup.webhookText")} ${e&&n("setup.webhookSigned")}</p>
    <div class="secret-row"><code>${s}</code><${Fe} text=${s} /></div>
  <//>`}function Re(){let{id:t=""}=X().params,e=t==="new",s=async c=>{let[{providers:d},m]=await Promise.all([$.call("GET /api/payment-providers",{},{signal:c}),e?null:$.collections.from("provider-connections").findById(t,{},{signal:c})]);return{providers:d,connection:m}},{data:a,refusal:i,reload:l}=g(`connection ${t}`,s,{live:["provider-connections"],record:t}),r={href:C("/settings"),label:n("setup.title")},p=e?n("setup.paymentNew"):a?.connection?.name??W("provider-connections","one");return a?o`<${et} key=${t} ...${a} title=${p} back=${r} reload=${l} />`:o`<${R} title=${p} back=${r} class="single">
      ${i?.reason==="not_found"?o`<${F} icon="search" title=${n("setup.paymentGone")} />`:i?o`<${k} refusal=${i} again=${l} />`:o`<${b} lines=${8} />`}
    <//>`}function et({providers:t,connection:e,title:s,back:a,reload:i}){let l=O(()=>e??{name:"",provider:"",environment:$e.value,accountKey:"",enabled:!0,enabledMethods:[]},[e]),r=$.collections.from("provider-connections"),p=M({name:`connection ${e?.id??"new"}`,initial:l,keep:!1,refresh:i,send:async({credentials:v,webhookSecret:Y,...E},{revision:Je,...ae})=>{let le={...E,...re(v)&&{credentials:re(v)},...Y&&{webhookSecrets:Y.split(/\s+/).filter(Boolean)}},{doc:Xe}=e?await r.update(e.id,{...le,expectedRevision:Je},ae):await r.create({...l,...le},ae);S(n("common.saved")),e?i():Q(`/settings/payments/${Xe.id}`,{replace:!0})}}),c=w(e?"provider-connections:update":"provider-connections:create");Z(c?[{keys:"mod+s",label:n("common.save"),everywhere:!0,run:()=>p.save()}]:[]);let d=async()=>{!e||!await _({title:n("setup.paymentDelete",{name:s}),text:n("setup.paymentDeleteText"),action:n("common.delete"),danger:!0})||await r.remove(e.id).then(()=>Q("/settings"),q)};Z(e&&w("provider-connections:delete")?[{keys:"d",label:n("common.delete"),run:()=>{d()}}]:[]);let m=e&&w("provider-connections:delete")&&o`<${x} icon="trash" onClick=${d}>${n("common.delete")}<//>`,u=t.find(v=>v.name===p.values.provider),y=e&&o`<${I} tone=${e.environment==="live"?"good":"wait"}>
    ${L("provider-connections","environment",e.environment)}<//>`;return o`<${R} title=${s} back=${a} top=${m} badges=${y} class="single">
    <${f}><form id="connection" class="stack" onSubmit=${v=>{v.preventDefault(),p.submit()}}>
        <${tt} form=${p} providers=${t} provider=${u} fresh=${!e} />
        ${u&&o`<${Me} form=${p} provider=${u} fresh=${!e} /><${ot} form=${p} provider=${u} />`}
      </form>
      ${c?o`<${D} form=${p} id="connection" slug="provider-connections" />`:o`<${P}>${n("setup.readOnly")}<//>`}<//>
    ${e&&o`<${Le} id=${e.id} signs=${u?.signsWebhooks??!1} />
      <${Se} slug="provider-connections" id=${e.id} live=${["provider-connections"]} />`}
  <//>`}var se=t=>z("help",`provider-connections.${t}`,t);function tt({form:t,providers:e,provider:s,fresh:a}){let i=r=>({label:h("provider-connections",r),error:t.error(r),value:t.values[r]??"",required:!0,onInput:p=>t.set(r,p)}),l=["test","live"].map(r=>({value:r,label:L("provider-connections","environment",r)}));return o`${a&&o`<div class="two">
      <${G} ...${i("provider")} empty="—" options=${e.map(r=>({value:r.name,label:r.title}))} />
      <${G} ...${i("environment")} help=${se("environment")} options=${l} />
    </div>`}
    ${!a&&o`<dl class="facts">
      <div><dt>${h("provider-connections","provider")}</dt><dd>${s?.title??t.values.provider}</dd></div>
      <div><dt>${h("provider-connections","accountKey")}</dt><dd><code>${t.values.accountKey}</code></dd></div></dl>`}
    <${T} ...${i("name")} help=${se("name")} />
    ${s&&a&&o`<${T} ...${i("accountKey")}
      help=${oe(`account-${s.name}`)??ie(s.account)} mono spellcheck=${!1} autocomplete="off" />`}`}function ot({form:t,provider:e}){let s=i=>o`<${V} label=${h("provider-connections",i)} help=${se(i)}
    error=${t.error(i)}
    value=${t.values[i]??!1} onInput=${l=>t.set(i,l)} />`,a=["automatic","on_shipping","manual"].map(i=>({value:i,label:L("provider-connections","capture",i)}));return o`${e.methods.length>0&&o`<${De} form=${t} methods=${e.methods} />`}
    ${e.capturesLater&&o`<${G} label=${h("provider-connections","capture")} help=${se("capture")}
      error=${t.error("capture")}
      value=${t.values.capture??"automatic"} options=${a} onInput=${i=>t.set("capture",i)} />`}
    ${s("enabled")}${s("isDefault")}`}function N({schema:t,paths:e,form:s}){return e.map(a=>{let i=J(t,a);return i&&o`<${Ie} key=${a} slug=${t.slug} path=${a} at=${a} field=${i} form=${s} fresh=${!1} />`})}function j({schema:t,paths:e,record:s}){return o`<dl class="facts">${e.map(a=>{let i=J(t,a),l=a.split(".").reduce((r,p)=>r?.[p],s);return i&&o`<div key=${a}><dt>${h(t.slug,a)}</dt><dd><${we} slug=${t.slug} path=${a} field=${i} value=${l}
      record=${s} /></dd></div>`})}</dl>`}function Ee(t){let e=s=>(s.ranges??[]).map(a=>a.from===a.to?a.from:`${a.from}-${a.to}`).join(", ");return t.map(s=>({name:s.name,codes:e(s),extraFee:s.extraFee,waivedWhenFree:s.waivedWhenFree}))}function Oe(t){return t.map(({codes:e,extraFee:s,...a})=>({...a,extraFee:Te(s),ranges:e.split(/[,\s]+/).filter(Boolean).map(i=>{let[l="",r=l]=i.split(/[-–~]/);return{from:l,to:r}})}))}function Be({form:t,currency:e}){let s=t.values.zones??[],a=p=>t.set("zones",p),i=(p={})=>a([...s,{name:"",codes:"",extraFee:null,...p}]),l=p=>a(s.map((c,d)=>d===p?s[p-1]??c:d===p-1?s[p]??c:c)),r=o`<div class="actions">
    ${e==="KRW"&&o`<${x} onClick=${()=>i({name:n("setup.jeju"),codes:"63000-63644"})}>${n("setup.addJeju")}<//>`}
    <${x} icon="plus" onClick=${()=>i()}>${n("common.add")}<//></div>`;return o`<${f} title=${h("shipping-policies","zones")} top=${r}>
    <p class="help">${n("setup.zonesText")}</p>
    ${s.length===0&&o`<${F} icon="map-pin" title=${n("setup.noZones")} />`}
    ${s.map((p,c)=>o`<${rt} key=${c}
      ...${{form:t,currency:e,zone:p,i:c}} onUp=${c>0?()=>l(c):void 0} onRemove=${()=>a(s.filter((d,m)=>m!==c))} />`)}
  <//>`}function rt({form:t,currency:e,zone:s,i:a,onUp:i,onRemove:l}){let r=d=>h("shipping-policies",`zones.${d}`),p=d=>m=>t.set(`zones.${a}.${d}`,m),c=s.name||n("setup.zone",{n:a+1});return o`<div class="zone" role="group" aria-label=${c}>
    <${T} label=${r("name")} required value=${s.name} error=${t.error(`zones.${a}.name`)} onInput=${p("name")} />
    <${T} label=${r("ranges")} placeholder="63000-63644, 40240" value=${s.codes} error=${t.error(`zones.${a}.ranges`)} onInput=${p("codes")} />
    <${he} label=${r("extraFee")} required unit=${e} value=${s.extraFee} error=${t.error(`zones.${a}.extraFee`)}
      onInput=${d=>p("extraFee")(Ce(d))} />
    <div class="actions">
      ${i&&o`<${x} look="quiet" icon="arrow-up" label=${n("setup.zoneUp",{name:c})} onClick=${i} />`}
      <${x} look="quiet" icon="trash" label=${n("common.removeNamed",{name:c})} onClick=${l} />
    </div>
    <${V} label=${r("waivedWhenFree")} value=${s.waivedWhenFree??!1} onInput=${p("waivedWhenFree")} />
  </div>`}var Pe=["baseFee","freeShippingThreshold","returnShippingFee","initialShippingRefund"];function qe(){let{id:t=""}=X().params,e=t==="new",s=U("shipping-policies"),a=d=>$.collections.from("shipping-policies").findById(t,{},{signal:d}),{data:i,refusal:l,reload:r}=g(e?"":`policy ${t}`,a,{live:["shipping-policies"],record:t}),p={href:C("/settings"),label:n("setup.title")},c=e?n("setup.policyNew"):i?.title??W("shipping-policies","one");return!s||!e&&!i?o`<${R} title=${c} back=${p} class="single">
      ${s===null?o`<${F} icon="lock" title=${n("common.notYours")} />`:l?o`<${k} refusal=${l} again=${r} />`:o`<${b} lines=${8} />`}
    <//>`:s.may.includes(e?"create":"update")?o`<${st} key=${t} schema=${s} policy=${i} title=${c} back=${p} reload=${r} />`:o`<${R} title=${c} back=${p} class="single"><${f}><${j} schema=${s} paths=${Pe} record=${i} /><//><//>`}function st({schema:t,policy:e,title:s,back:a,reload:i}){let l=$.collections.from("shipping-policies"),r=O(()=>e?{...e,zones:Ee(e.zones)}:{title:"",baseFee:"",currency:B.value?.currency??null,zones:[]},[e]),p=M({name:`policy ${e?.id??"new"}`,initial:r,refresh:i,send:async({zones:m,...u},{revision:y,...v})=>{let Y={...te(u,t.fields),...m&&{zones:Oe(m)}},{doc:E}=e?await l.update(e.id,{...Y,expectedRevision:y},v):await l.create({currency:r.currency,...Y},v);S(n("common.saved")),e?i():Q(`/settings/shipping/${E.id}`,{replace:!0})}});Z([{keys:"mod+s",label:n("common.save"),everywhere:!0,run:()=>p.save()}]);let c=async()=>{!e||!await _({title:n("setup.policyDelete",{name:e.title}),text:n("setup.policyDeleteText"),action:n("common.delete"),danger:!0})||await l.remove(e.id).then(()=>Q("/settings"),q)};Z(e&&w("shipping-policies:delete")?[{keys:"d",label:n("common.delete"),run:()=>{c()}}]:[]);let d=e&&w("shipping-policies:delete")&&o`<${x} icon="trash" onClick=${c}>${n("common.delete")}<//>`;return o`<${R} title=${s} back=${a} top=${d} class="single">
    <form id="policy" class="stack" onSubmit=${m=>{m.preventDefault(),p.submit()}}>
      <${f}><${N} schema=${t} paths=${["title"]} form=${p} />
        <div class="pairs"><${N} schema=${t} paths=${Pe} form=${p} /></div>
        <${N} schema=${t} paths=${["isDefault"]} form=${p} /><//>
      <${Be} form=${p} currency=${p.values.currency??B.value?.currency??""} />
    </form>
    <div class="foot-bar"><${D} form=${p} id="policy" slug="shipping-policies" /></div>
  <//>`}var nt=t=>[t.code,t.currency,t.countries.join(", "),t.exchangeRate&&n("setup.rate",{rate:t.exchangeRate})].filter(Boolean).join(" · ");function Ne({title:t}){let e=r=>$.collections.from("markets").find({limit:100,sort:"name"},{signal:r}),{data:s,refusal:a,reload:i}=g("markets",e,{live:["markets"]}),l=w("markets:create")&&o`<${K} class="button" href=${C("/records/markets/new")}><${A} name="plus" /><span>${n("common.add")}</span>
    <//>`;return o`<${f} title=${t} top=${l}>
    ${a?o`<${k} refusal=${a} again=${i} />`:!s&&o`<${b} />`}
    ${s?.docs.length===0&&o`<${F} icon="globe" title=${n("setup.noMarkets")} text=${n("setup.noMarketsText")} />`}
    <ul class="rows-plain">${s?.docs.map(r=>o`<li key=${r.id}><a class="row-plain" href=${C(`/records/markets/${r.id}`)}>
      <b>${r.name}</b> ${r.isDefault&&o`<${I} tone="info">${n("setup.default")}<//>`} ${r.status==="inactive"&&o`<${ye} slug="markets"
        path="status" value=${r.status} />`}
      <small>${nt(r)}</small></a><${A} name="chevron-right" /></li>`)}</ul>
  <//>`}function Ye({title:t}){let e=r=>$.collections.from("provider-connections").find({limit:100,sort:"name"},{signal:r}),{data:s,refusal:a,reload:i}=g("connections",e,{live:["provider-connections"]}),l=w("provider-connections:create")&&o`<${K} class="button" href=${C("/settings/payments/new")}><${A} name="plus" /><span>
    ${n("common.add")}</span><//>`;return o`<${f} title=${t} top=${l}>
    ${a?o`<${k} refusal=${a} again=${i} />`:!s&&o`<${b} />`}
    ${s?.docs.length===0&&o`<${F} icon="credit-card" title=${n("setup.noPayments")} text=${n("setup.noPaymentsText")} />`}
    <ul class="rows-plain">${s?.docs.map(r=>o`<li key=${r.id}><a class="row-plain" href=${C(`/settings/payments/${r.id}`)}>
      <b>${r.name}</b> <${I} tone=${r.environment==="live"?"good":"wait"}>${L("provider-connections","environment",r.environment)}<//>
      ${r.isDefault&&o` <${I} tone="info">${n("setup.default")}<//>`} ${!r.enabled&&o`<${I} tone="over">${n("setup.disabled")}<//>`}
      <small>${L("provider-connections","provider",r.provider)} · ${r.accountKey}</small></a><${A} name="chevron-right" /></li>`)}</ul>
  <//>`}var ze=["businessName","representative","registrationNumber","mailOrderNumber","email","phone"],it=["logo","address","returnAddress","policies"];function We({title:t}){let e=U("shop-profiles"),s=async r=>(await $.collections.from("shop-profiles").find({limit:1,depth:0},{signal:r})).docs[0]??null,{data:a,refusal:i,reload:l}=g("shop-profile",s,{live:["shop-profiles"]});return o`<${f} title=${t}>
    ${i?o`<${k} refusal=${i} again=${l} />`:(!e||a===void 0)&&o`<${b} lines=${6} />`}
    ${e&&a!==void 0&&(e.may.includes("update")?o`<${at} key=${a?.id} schema=${e} profile=${a} reload=${l} />`:o`<${j} schema=${e} paths=${ze} record=${a??{}} />`)}
  <//>`}function at({schema:t,profile:e,reload:s}){let a=O(()=>e??{},[e]),i=fe("shop-profiles"),l=M({name:"shop-profile",initial:a,refresh:s,send:(r,{revision:p,...c})=>e?i.update(e.id,{...r,expectedRevision:p},c):i.create(r,c),onSent:()=>{s(),S(n("common.saved"))}});return o`<form id="profile-form" class="stack" onSubmit=${r=>{r.preventDefault(),l.submit()}}>
      <p class="help">${n("setup.profileText")}</p>
      <div class="pairs"><${N} schema=${t} paths=${ze} form=${l} /></div>
      <details open=${l.error("address")||l.error("returnAddress")||l.error("policies")?!0:void 0}><summary>
        ${n("setup.profileMore")}</summary>
        <div class="stack"><${N} schema=${t} paths=${it} form=${l} /></div></details>
    </form>
    <${D} form=${l} id="profile-form" slug="shop-profiles" />`}function Ze(t){let[e="",s="",a=""]=ge(new Date).split("-"),i=e.slice(2),l={YYYY:e,YY:i,MM:s,DD:a,YYYYMMDD:e+s+a,YYMMDD:i+s+a,SEQ:"0042",RANDOM:"480715"};return t.replace(/{(\w+)}/g,(r,p)=>l[p]??r)}var Ae=["settings.checkoutOrderSeparation","settings.unpaidOrderHours","settings.autoConfirmDays"],je=["settings.requireEmailVerification","settings.passwordMinLength","settings.allowedOrigins"],lt=["name","slug","currency","roundingMode","settings.locale","settings.timeZone","settings.orderNumberFormat",...Ae,"settings.requireSecondFactor",...je];function Qe({title:t}){let e=B.value?.id??"",s=U("tenants"),a=p=>$.collections.from("tenants").findById(e,{depth:0},{signal:p}),{data:i,refusal:l,reload:r}=g(`tenant ${e}`,a,{live:["tenants"],record:e});return o`<${f} title=${t}>
    ${l?o`<${k} refusal=${l} again=${r} />`:(!s||!i)&&o`<${b} lines=${6} />`}
    ${s&&i&&(s.may.includes("update")?o`<${pt} schema=${s} tenant=${i} reload=${r} />`:o`<${j} schema=${s} paths=${lt} record=${i} />`)}
  <//>`}function pt({schema:t,tenant:e,reload:s}){let a=O(()=>({name:e.name,slug:e.slug,roundingMode:e.roundingMode,settings:e.settings,revision:e.revision}),[e]),i=M({name:`tenant ${e.id}`,initial:a,refresh:s,send:(c,{revision:d,...m})=>$.collections.from("tenants").update(e.id,{...te(c,t.fields),expectedRevision:d},m),onSent:()=>{s(),ue().catch(q),S(n("common.saved"))}}),l=(c,d)=>o`<fieldset class="part"><legend>${c}</legend><div class="pairs">
    ${d}</div></fieldset>`,r=c=>o`<${N} schema=${t} paths=${c} form=${i} />`,p=i.get("settings.requireSecondFactor")&&!e.settings.requireSecondFactor;return o`<form id="shop-form" class="stack" onSubmit=${c=>{c.preventDefault(),i.submit()}}>
      ${l(n("setup.basics"),o`${r(["name","slug"])}<${j} schema=${t} paths=${["currency","plan"]} record=${e} />
        ${r(["roundingMode","settings.locale"])}<${ct} form=${i}
          help=${z("help","tenants.settings.timeZone","timeZone")??J(t,"settings.timeZone")?.doc} />`)}
      ${l(n("setup.orders"),o`<div class="wide">${r(["settings.orderNumberFormat"])}<${dt} form=${i} /></div>${r(Ae)}`)}
      ${l(n("setup.people"),o`${r(["settings.requireSecondFactor"])}
        ${p&&o`<${P} kind="warn">${n("setup.factorWarning")}<//>`}${r(je)}`)}
    </form>
    <${D} form=${i} id="shop-form" slug="tenants" />`}function ct({form:t,help:e}){let s=t.get("settings.timeZone")??"",a=O(()=>[...new Set([s,"UTC",...Intl.supportedValuesOf("timeZone")])].filter(Boolean).sort(),[s]);return o`<${G} label=${h("tenants","settings.timeZone")} help=${e} required
    value=${s} error=${t.error("settings.timeZone")} options=${a.map(i=>({value:i,label:i.replaceAll("_"," ")}))}
    onInput=${i=>t.set("settings.timeZone",i)} />`}function dt({form:t}){let e=t.get("settings.orderNumberFormat")??"";return o`<dl class="facts" aria-live="polite"><div><dt>${n("setup.sample")}</dt><dd><code>${Ze(e)||"—"}</code></dd></div></dl>`}function Ke({title:t}){let e=r=>$.collections.from("shipping-policies").find({limit:100,sort:"title"},{signal:r}),{data:s,refusal:a,reload:i}=g("shipping-policies",e,{live:["shipping-policies"]}),l=w("shipping-policies:create")&&o`<${K} class="button" href=${C("/settings/shipping/new")}><${A} name="plus" /><span>
    ${n("common.add")}</span><//>`;return o`<${f} title=${t} top=${l}>
    ${a?o`<${k} refusal=${a} again=${i} />`:!s&&o`<${b} />`}
    ${s?.docs.length===0&&o`<${F} icon="truck" title=${n("setup.noShipping")} text=${n("setup.noShippingText")} />`}
    ${s?.docs.map(r=>o`<${mt} key=${r.id} policy=${r} />`)}
  <//>`}function mt({policy:{id:t,title:e,currency:s,baseFee:a,freeShippingThreshold:i,returnShippingFee:l,initialShippingRefund:r,isDefault:p,zones:c}}){let d=y=>h("shipping-policies",y),m=y=>o`<${be} amount=${y} currency=${s} />`,u=y=>(y.ranges??[]).map(v=>v.from===v.to?v.from:`${v.from}–${v.to}`).join(", ");return o`<div class="policy">
    <h3><a href=${C(`/settings/shipping/${t}`)}>${e}</a> ${p&&o`<${I} tone="info">${n("setup.default")}<//>`}</h3>
    <dl class="facts">
      <div><dt>${d("baseFee")}</dt><dd>${m(a)}</dd></div>
      <div><dt>${d("freeShippingThreshold")}</dt><dd>${m(i)}</dd></div>
      <div><dt>${d("returnShippingFee")}</dt><dd>${m(l)}</dd></div>
      ${r&&o`<div><dt>${d("initialShippingRefund")}</dt><dd>
        ${L("shipping-policies","initialShippingRefund",r)}</dd></div>`}
    </dl>
    ${c.length>0&&o`<div class="scroll"><table class="zones"><caption class="aside">${d("zones")}</caption>
      <thead><tr><th scope="col">${d("zones.name")}</th><th scope="col">${d("zones.ranges")}</th><th scope="col" class="end">
        ${d("zones.extraFee")}</th></tr></thead>
      <tbody>${c.map((y,v)=>o`<tr key=${v}><th scope="row">${y.name}</th><td>${u(y)||"—"}</td><td class="end">${m(y.extraFee)}</td>
        </tr>`)}</tbody>
    </table></div>`}
  </div>`}function _e({tenant:{id:t,name:e,slug:s},onClose:a,onChanged:i}){let{data:l,refusal:r,reload:p}=g(`deletion ${t}`,u=>$.call("GET /api/tenants/{id}/deletion",{id:t},{signal:u})),c=M({name:`delete ${t}`,initial:{confirm:""},keep:!1,send:({confirm:u},y)=>$.call("POST /api/tenants/{id}/delete",{id:t,confirm:u},y),onSent:()=>{i(),S(n("setup.deleted",{name:e}))}}),d=l&&l.blocked.length===0&&!l.deletion,m=d&&o`<${D} form=${c} id="delete" action=${n("setup.delete")} onCancel=${a} danger />`;return o`<${ee} title=${n("setup.deleteTitle",{name:e})} onClose=${a} busy=${c.busy} actions=${m}>
    ${r?o`<${k} refusal=${r} again=${p} />`:!l&&o`<${b} lines=${5} />`}
    ${l&&o`<div class="stack"><${$t} deletion=${l} />
      ${d&&o`<form id="delete" class="stack" onSubmit=${u=>{u.preventDefault(),c.submit()}}>
        <${T} label=${n("setup.deleteConfirm",{slug:s})} required autofocus mono spellcheck=${!1} autocomplete="off"
          value=${c.values.confirm} error=${c.error("confirm")}
          onInput=${u=>c.set("confirm",u)} />
      </form>`}</div>`}
  <//>`}function $t({deletion:{blocked:t,deletion:e,records:s,events:a,money:i}}){if(e)return o`<${P}>${n("setup.deleting")}<//>`;let l=s.filter(r=>r.count>0);return o`<p>${n("setup.deleteText")}</p>
    ${t.map(r=>o`<${P} key=${r.reason} kind="warn">${ce(z("reasons",r.reason)??r.message,{...i})}<//>`)}
    <details><summary>${n("setup.deleteWhat",{n:l.reduce((r,p)=>r+p.count,0),events:a})}</summary>
      <dl class="facts">${l.map(r=>o`<div key=${r.collection}><dt>${W(r.collection)}</dt><dd>${ve(r.count)}</dd></div>`)}</dl>
        </details>`}function Ge({tenant:{id:t,name:e},onClose:s,onChanged:a}){let i=M({name:`suspend ${t}`,initial:{reason:""},keep:!1,send:({reason:r},p)=>$.call("POST /api/tenants/{id}/suspend",{id:t,reason:r},p),onSent:()=>{a(),S(n("setup.suspended",{name:e}))}}),l=o`<${D} form=${i} id="suspend" action=${n("setup.suspend")} onCancel=${s} danger />`;return o`<${ee} title=${n("setup.suspendTitle",{name:e})} onClose=${s} busy=${i.busy} actions=${l}>
    <form id="suspend" class="stack" onSubmit=${r=>{r.preventDefault(),i.submit()}}>
      <p>${n("setup.suspendText")}</p>
      <${T} label=${n("setup.reason")} required autofocus value=${i.values.reason} error=${i.error("reason")}
        onInput=${r=>i.set("reason",r)} />
    </form>
  <//>`}function Ve({title:t}){let[e,s]=H(""),[a,i]=H(""),l=r=>{r.preventDefault(),i(e.trim())};return o`<${f} title=${t}>
    <p class="help">${n("setup.shopsText")}</p>
    <form class="secret-row" onSubmit=${l}>
      <${T} class="grow" label=${n("setup.shopId")} mono spellcheck=${!1} autocomplete="off" required value=${e} onInput=${s} />
      <${x} type="submit" icon="search">${n("setup.show")}<//>
    </form>
    ${a&&o`<${ut} key=${a} id=${a} />`}
  <//>`}function ut({id:t}){let{data:e,refusal:s,reload:a}=g(`deletion ${t}`,E=>$.call("GET /api/tenants/{id}/deletion",{id:t},{signal:E})),[i,l]=H(""),[r,p]=H(!1);if(!e)return s?o`<${k} refusal=${s} again=${a} />`:o`<${b} />`;if(e.deletion)return o`<${P}>${n(e.deletion.finishedAt?"setup.isDeleted":"setup.deleting")}<//>`;let c={id:t,name:e.name??"",slug:e.slug??""},{name:d}=c,m=e.blocked.some(E=>E.reason==="tenant_not_suspended"),u=()=>{l(""),a()},y=async()=>{await _({title:n("setup.resume"),text:n("setup.resumeText",{name:d}),action:n("setup.resume")})&&(await $.call("POST /api/tenants/{id}/resume",{id:t}).then(()=>S(n("setup.resumed",{name:d})),q),u())},v=async()=>{p(!0),await $.file("GET /api/tenants/{id}/export",{id:t}).then(E=>xe(E,`${c.slug}.zip`),q),p(!1),u()},Y={tenant:c,onClose:()=>l(""),onChanged:u};return o`<div class="policy">
    <h3>${d} <${I} tone=${m?"good":"bad"}>${n(m?"setup.works":"setup.stopped")}<//>
      ${t===B.value?.id&&o`<${I} tone="info">${n("setup.here")}<//>`}</h3>
    <p><small><code>${c.slug}</code>${e.export?.at&&o` · ${n("setup.exported")} <${ke} at=${e.export.at} relative />`}</small></p>
    <div class="actions">
      ${m?o`<${x} icon="pause" onClick=${()=>l("suspend")}>${n("setup.suspend")}<//>`:o`<${x} icon="play" onClick=${y}>${n("setup.resume")}<//>`}
      <${x} icon="download" busy=${r} onClick=${v}>${n(r?"setup.exporting":"setup.export")}<//>
      <${x} icon="trash" onClick=${()=>l("delete")}>${n("setup.delete")}<//>
    </div>
    ${i==="suspend"&&o`<${Ge} ...${Y} />`}
    ${i==="delete"&&o`<${_e} ...${Y} />`}
  </div>`}function He(){let t=[{id:"profile",label:n("setup.profile"),needs:"shop-profiles:read",show:We},{id:"shop",label:n("setup.shop"),needs:"tenants:read",show:Qe},{id:"markets",label:W("markets"),needs:"markets:read",show:Ne},{id:"shipping",label:n("setup.shipping"),needs:"shipping-policies:read",show:Ke},{id:"payments",label:n("setup.payments"),needs:"provider-connections:read",show:Ye},...me.value?.role==="platform-admin"?[{id:"shops",label:n("setup.shops"),needs:"tenants:read",show:Ve}]:[]].filter(({needs:e})=>w(e));return Z(t.map(({id:e,label:s},a)=>({keys:String(a+1),label:n("setup.to",{what:s}),run:()=>Ue(e)}))),!B.value||t.length===0?o`<${R} title=${n("setup.title")}><${F} icon="lock" title=${n("common.notYours")} /><//>`:o`<${R} title=${n("setup.title")}>
    <div class="settings">
      <nav aria-label=${n("setup.sections")}><ul>${t.map(({id:e,label:s})=>o`<li key=${e}><a href=${`#${e}`}
        onClick=${a=>{a.preventDefault(),Ue(e)}}>${s}</a></li>`)}</ul></nav>
      <div class="settings-body">
        ${t.map(({id:e,label:s,show:a})=>o`<section key=${e} id=${e} tabindex="-1" aria-label=${s}><${a} title=${s} /></section>`)}
      </div>
    </div>
  <//>`}function Ue(t){let e=document.getElementById(t);e?.scrollIntoView({block:"start"}),e?.focus({preventScroll:!0})}export{Re as Connection,qe as Policy,He as Settings};
