import{a as O,b as L,c as P}from"./chunk-NEFPVK37.js";import{c as G}from"./chunk-HZAT4CKZ.js";import{b as E}from"./chunk-USCASXRN.js";import"./chunk-73WIXOSZ.js";import"./chunk-6QJ7YWEH.js";import"./chunk-VPLB4NIS.js";import"./chunk-SLAW6HH6.js";import"./chunk-AM3DABK3.js";import"./chunk-FOTJFVPA.js";import"./chunk-7EM6NNTB.js";import"./chunk-ZFQRI6BM.js";import{b as c}from"./chunk-RGNC7VM4.js";import"./chunk-IL44MJ62.js";import"./chunk-IMYQGOQZ.js";import{c as C}from"./chunk-CR5WSEUI.js";import"./chunk-LDME6CXF.js";import{a as w}from"./chunk-YR7UKKP2.js";import{a as x}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{b as m,c as A}from"./chunk-VZBJ6CRO.js";import{C as S,E as p,M as y,Q as g,aa as b,b as u,ea as T,fa as k,ga as h,ja as B,ka as v,s as t,z as s}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";var I={email:{width:"minmax(14rem, 2fr)"},erasingSince:{cell:e=>t`<${c} at=${e.erasingSince} />`},erasedAt:{cell:e=>t`<${c} at=${e.erasedAt} />`}},N=e=>t`<span class="person-card"><b>${e.email}</b><span>${e.erasedAt?s("customers.erasedAt"):s("customers.erasingSince")} <${c}
  at=${e.erasedAt??e.erasingSince} /></span></span>`;function U(){let[e,$]=u(""),[a,n]=u(""),[r,l]=u(0),i={href:m("/customers"),label:p("customers")};if(!G())return t`<${v} title=${s("customers.guests")} back=${i}><${h} icon="lock" title=${s("common.notYours")} /><//>`;let d=o=>{o.preventDefault(),n(e.trim())},f=t`<${h} icon="ban" title=${s("customers.noGuests")} text=${s("customers.noGuestsText")} />`;return t`<${v} title=${s("customers.guests")} back=${i} class="full guests">
    <${B}><p>${s(`customers.guestsText-${y.value}`)}</p>
      <form class="with-button" onSubmit=${d}>
        <${C} label=${S("guest-erasures","email")} type="email" value=${e} autocomplete="off" required onInput=${$} />
        <${b} type="submit" icon="search" disabled=${!e.trim()}>${s("customers.lookUp")}<//>
      </form>
      ${a&&t`<${q} key=${a} email=${a} onBegun=${()=>l(o=>o+1)} />`}
    <//>
    <${E} key=${r} slug="guest-erasures" label=${p("guest-erasures")}
      link=${o=>m(`/orders?email=${encodeURIComponent(o.email)}`)}
      columns=${["email","erasingSince","erasedAt","erasureReason","createdAt"]} cells=${I} card=${N} empty=${f} />
  <//>`}function q({email:e,onBegun:$}){let[a,n]=u(!1),{data:r,refusal:l,reload:i}=x(`guest ${e}`,o=>g.preview("POST /api/guest-erasures/preview",{email:e},{signal:o}),{live:["orders","guest-erasures"]});if(l)return t`<${T} refusal=${l} again=${i} />`;if(!r)return null;let d=r.collections.some(o=>o.records>0),f=()=>{n(!1),i(),$(),w(s("customers.erasureBegun"))};return t`<div class="stack">
    ${r.customer&&t`<${k}><a href=${m(A("customers",r.customer))}>${s("customers.hasAccount")}</a><//>`}
    ${r.erasure&&t`<${k}>${s("customers.erasingSince")} <${c} at=${r.erasure.erasingSince} /><//>`}
    <${L} blocking=${r.blocking} /><${O} held=${r} />
    ${d&&!r.erasure&&t`<div><${b} look="danger" icon="trash" disabled=${r.blocking.length>0}
      onClick=${()=>n(!0)}>${s("customers.erase")}<//></div>`}
    ${a&&t`<${P} name=${`erase guest ${e}`} email=${e} title=${s("customers.eraseNamed",{name:e})} held=${r}
      refusal=${void 0} onClose=${()=>n(!1)}
      onBegun=${f} send=${(o,R)=>g.call("POST /api/guest-erasures/begin",{email:e,reason:o},R)} />`}
  </div>`}export{U as default};
