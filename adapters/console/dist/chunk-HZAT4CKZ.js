import{b as N}from"./chunk-USCASXRN.js";import{a as M}from"./chunk-7EM6NNTB.js";import{a as T}from"./chunk-ZFQRI6BM.js";import{b as R}from"./chunk-RGNC7VM4.js";import{a as L}from"./chunk-IMYQGOQZ.js";import{c as B,g as h,i as I}from"./chunk-CR5WSEUI.js";import{a as D}from"./chunk-LDME6CXF.js";import{a as E}from"./chunk-YR7UKKP2.js";import{a as A}from"./chunk-MWZMRQYO.js";import{b as v,c as b,d as y}from"./chunk-VZBJ6CRO.js";import{C as u,E as k,G as x,N as p,Q as f,aa as d,b as C,fa as F,ga as S,ia as w,ka as q,s as t,z as o}from"./chunk-OZNYBMST.js";var _={name:"",email:"",phone:"",groups:[],note:"",marketingConsent:!1,addresses:[]},G=["label","recipientName","phone","postalCode","address1","address2","deliveryMessage"];function O({customer:e,onClose:a,onSaved:i,refresh:l}){let m=f.collections.from("customers"),s=T({name:`customers ${e?.id??"new"}`,initial:e??_,...l&&{refresh:l},send:async(n,{revision:g,...$})=>{let{doc:Q}=e?await m.update(e.id,{...n,expectedRevision:g},$):await m.create(n,$);E(o("common.saved")),a(),i(Q)}}),r=(n,g={})=>t`<${B} key=${n} label=${u("customers",n.replace(/\.\d+/,""))}
    value=${s.get(n)??""}
    error=${s.error(n)} autocomplete="off" onInput=${$=>s.set(n,$)} ...${g} />`,c=e?o("customers.edit"):o("customers.new"),P=t`<${M} form=${s} slug="customers" onCancel=${a} id="customer" />`;return t`<${D} title=${c} size="large" onClose=${a} busy=${s.busy} actions=${P}>
    <form id="customer" class="stack" onSubmit=${n=>{n.preventDefault(),s.submit()}}>
      <div class="two">${r("name",{autofocus:!0})}${r("phone",{type:"tel"})}</div>
      ${r("email",{type:"email",required:!0})}
      <${I} label=${u("customers","groups")} value=${s.get("groups")??[]} error=${s.error("groups")}
        onInput=${n=>s.set("groups",n)} />
      ${r("note",{rows:2})}
      <${h} label=${u("customers","marketingConsent")} help=${o("customers.consentHelp")} value=${s.get("marketingConsent")??!1}
        error=${s.error("marketingConsent")} onInput=${n=>s.set("marketingConsent",n)} />
      <${J} form=${s} text=${r} />
    </form>
  <//>`}function J({form:e,text:a}){let i=e.get("addresses")??[],l=m=>e.set("addresses",i.map((s,r)=>({...s,isDefault:r===m})));return t`<fieldset class="stack group"><legend>${u("customers","addresses")}</legend>
    ${i.map((m,s)=>t`<div class="row-group" key=${m.id??s}>
      <div class="three">${G.map(r=>a(`addresses.${s}.${r}`,r==="phone"?{type:"tel"}:{}))}</div>
      <div class="between">
        <${h} label=${u("customers","addresses.isDefault")} value=${m.isDefault??!1}
          onInput=${r=>r?l(s):e.set(`addresses.${s}.isDefault`,!1)} />
        <${d} look="quiet" icon="trash" onClick=${()=>e.set("addresses",i.filter((r,c)=>c!==s))}>${o("customers.removeAddress")}<//>
      </div>
    </div>`)}
    <div><${d} icon="plus" onClick=${()=>e.set("addresses",[...i,{}])}>${o("customers.addAddress")}<//></div>
  </fieldset>`}var j=e=>e.erasedAt||e.erasingSince?o("customers.erased"):e.name||e.email||e.id.slice(-8),z=e=>t`${e.erasureRequestedAt&&t` <${w} tone="bad">${o("customers.asksErasure")}<//>`}${e.erasingSince&&t` <${w}
  tone="info">${o("customers.erasing")}<//>`}`,K={name:{cell:e=>t`${j(e)}${z(e)}`,width:"minmax(11rem, 1.4fr)"},email:{width:"minmax(12rem, 1.6fr)"},createdAt:{cell:e=>t`<${R} at=${e.createdAt} relative />`,width:"9rem"}},U=e=>t`<span class="person-card"><b>${j(e)}</b>${z(e)}<span>${[e.phone,e.email].filter(Boolean).join(" · ")}</span></span>`,V=["name","email","phone","groups","marketingConsent","createdAt"],H=()=>p("customers:update")&&p("customers:delete");function W(){let[e,a]=C(!1),i=p("customers:create");x(i?[{keys:"n",label:o("customers.new"),run:()=>a(!0)}]:[]);let l=i&&t`<${d} look="primary" icon="plus" onClick=${()=>a(!0)} keys="n">${o("customers.new")}<//>`,m=H()?[{label:o("customers.guests"),icon:"ban",href:v("/customers/guests")}]:[],s=t`${l}${m.length>0&&t`<${L} label=${o("common.more")} items=${m} />`}`,r=t`<${S} icon="users" title=${o("customers.none")} text=${o("customers.noneText")} action=${l} />`;return t`<${q} title=${k("customers")} class="full noted" top=${s}>
    <div><${X} /></div>
    <${N} slug="customers" label=${k("customers")} link=${c=>v(b("customers",c.id))} columns=${V}
      cells=${K}
      card=${U} empty=${r} />
    ${e&&t`<${O} customer=${null} onClose=${()=>a(!1)} onSaved=${c=>y(b("customers",c.id))} />`}
  <//>`}function X(){let e=l=>f.collections.from("customers").count({where:{erasureRequestedAt:{exists:!0}}},{signal:l}),{data:a}=A(H()?"customers who ask to be erased":"",e,{live:["customers"]});if(!a?.totalDocs)return null;let i=t`<${d} onClick=${()=>y("/customers?erasureRequestedAt=2000-01-01..")}>${o("customers.show")}<//>`;return t`<${F} kind="warn" action=${i}>${o("customers.asking",{n:a.totalDocs})}<//>`}export{O as a,j as b,H as c,W as d};
