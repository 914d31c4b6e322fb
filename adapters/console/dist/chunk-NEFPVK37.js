import{a as L}from"./chunk-7EM6NNTB.js";import{a as S}from"./chunk-ZFQRI6BM.js";import{c as d}from"./chunk-CR5WSEUI.js";import{a as v}from"./chunk-LDME6CXF.js";import{b as k,c as y}from"./chunk-VZBJ6CRO.js";import{C as g,E as $,aa as u,b,da as w,ea as x,fa as i,na as f,s as o,z as t}from"./chunk-OZNYBMST.js";function T({held:l}){let s=l.collections.filter(e=>e.records>0);return s.length===0?o`<p class="none">${t("customers.nothingHeld")}</p>`:o`<div class="scroll"><table class="held">
    <thead><tr><th>${t("customers.held")}</th><th class="end">${t("customers.records")}</th><th
      class="end">${t("customers.personal")}</th><th>${t("customers.fields")}</th></tr></thead>
    <tbody>${s.map(e=>o`<tr key=${e.collection}>
      <th scope="row">${$(e.collection)}</th>
      <td class="end">${f(e.records)}</td>
      <td class="end">${f(e.personal)}${e.underWay>0&&o`<small>${t("customers.underWay",{n:e.underWay})}</small>`}</td>
      <td><small>${E(e.collection,e.fields)}</small></td>
    </tr>`)}</tbody>
  </table></div>`}function E(l,s){return[...new Set(s.map(e=>g(l,e)))].join(", ")}function W({blocking:l}){return l.length===0?null:o`<${i} kind="warn"><p>${t("customers.blocking",{n:l.length})}</p>
    <ul class="blocking">${l.slice(0,12).map(({collection:s,record:e})=>o`<li key=${e}>
      <a href=${k(y(s,e))}>${$(s,"one")} <code>${e.slice(-8)}</code></a></li>`)}</ul>
  <//>`}function Y({name:l,email:s,title:e,held:a,refusal:p,send:C,onClose:m,onBegun:F}){let[c,H]=b(!1),r=S({name:l,keep:!1,initial:{reason:"",email:""},send:({reason:n},{idempotencyKey:D})=>C(n??null,{idempotencyKey:D}),onSent:F}),h=r.values.email.trim().toLowerCase()===s.toLowerCase(),B=n=>{n.preventDefault(),h&&r.submit()},N=o`<${u} onClick=${m}>${t("common.cancel")}<//>
    <${u} look="danger" disabled=${!a||a.blocking.length>0} onClick=${()=>H(!0)}>${t("customers.goOn")}<//>`,O=o`<${L} form=${h?r:{...r,dirty:!1}} onCancel=${m} id="erase" action=${t("customers.eraseNow")} danger />`;return o`<${v} title=${e} size="large" onClose=${m} busy=${r.busy} actions=${c?O:N}>
    ${!c&&o`<div class="stack">
      <p>${t("customers.eraseText")}</p>
      ${p?o`<${x} refusal=${p} />`:!a&&o`<${w} lines=${5} />`}
      ${a&&o`<${W} blocking=${a.blocking} /><${T} held=${a} /><p class="help">${t("customers.staysText")}</p>`}
    </div>`}
    ${c&&o`<form id="erase" class="stack" onSubmit=${B}>
      <${i} kind="warn">${t("customers.eraseSure")}<//>
      <${d} label=${t("customers.typeEmail",{email:s})} value=${r.values.email} autofocus autocomplete="off" spellcheck=${!1} required
        onInput=${n=>r.set("email",n)} />
      <${d} label=${t("customers.eraseWhy")} help=${t("customers.eraseWhyHelp")} value=${r.values.reason} error=${r.error("reason")}
        onInput=${n=>r.set("reason",n)} />
    </form>`}
  <//>`}export{T as a,W as b,Y as c};
