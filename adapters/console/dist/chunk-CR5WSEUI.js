import{$ as x,P as D,aa as I,b as y,i as v,s as i,z as w}from"./chunk-OZNYBMST.js";var F=new Map;function k(t,n){let e=F.get(n);if(!e){let o="2-digit";e=new Intl.DateTimeFormat("en-US",{timeZone:n,hourCycle:"h23",year:"numeric",month:o,day:o,hour:o,minute:o,second:o}),F.set(n,e)}let s=Object.fromEntries(e.formatToParts(t).map(({type:o,value:c})=>[o,Number(c)])),l=new Date(Date.UTC(2e3,(s.month??1)-1,s.day,s.hour,s.minute,s.second));return l.setUTCFullYear(s.year??0,(s.month??1)-1,s.day),l.getTime()+t%1e3}function T(t,n){let e=Date.parse(`${t}Z`),s=e-(k(e,n)-e);return new Date(e-(k(s,n)-s)).toISOString()}function S(t,n){return new Date(k(Date.parse(t),n)).toISOString().slice(0,16)}function U(t,n,e){let s=new Date(`${t}T00:00Z`);return s.setUTCDate(s.getUTCDate()+n),T(s.toISOString().slice(0,16),e)}function h({label:t,help:n,error:e,required:s=!1,hideLabel:l=!1,class:o="",group:c=!1,children:$}){let a=v(),r=[n&&`${a}-help`,e&&`${a}-error`].filter(Boolean).join(" ")||void 0,d={id:a,"aria-describedby":r,"aria-invalid":e?"true":void 0,required:s},p=s&&i`<span class="required" aria-hidden="true">*</span>`;return i`<div class=${`field ${e?"wrong":""} ${o}`}>
    ${c?i`<span class="label" id=${a}>${t}${p}</span>`:i`<label class=${l?"aside":""} for=${a}>${t}${p}</label>`}
    ${$(c?{role:"group","aria-labelledby":a}:d)}
    ${e&&i`<p class="error" id=${`${a}-error`}><${x} name="circle-alert" size=${14} />${e}</p>`}
    ${n&&i`<p class="help" id=${`${a}-help`}>${n}</p>`}
  </div>`}function B({value:t,onInput:n,type:e="text",rows:s,label:l,help:o,error:c,required:$,hideLabel:a,class:r,mono:d,autofocus:p,...f}){let b=u=>n(u.currentTarget.value),g=u=>{p&&u&&!u.dataset.focused&&(u.dataset.focused="yes",u.focus())};return i`<${h} ...${{label:l,help:o,error:c,required:$,hideLabel:a,class:r}}>
    ${u=>s?i`<textarea ...${u} ...${f} ref=${g} rows=${s} value=${t} class=${d?"mono":""} onInput=${b}></textarea>`:i`<input ...${u} ...${f} ref=${g} type=${e} value=${t} class=${d?"mono":""} onInput=${b} />`}
  <//>`}function z(t){let[n,e]=y(!1);return i`<div class="with-button">
    <${B} ...${t} type=${n?"text":"password"} spellcheck=${!1} />
    <${I} look="quiet" icon=${n?"eye-off":"eye"} label=${w(n?"common.hidePassword":"common.showPassword")} aria-pressed=${n}
      onClick=${()=>e(!n)} />
  </div>`}function K({value:t,onInput:n,unit:e,label:s,help:l,error:o,required:c,hideLabel:$,class:a,...r}){return i`<${h} ...${{label:s,help:l,error:o,required:c,hideLabel:$,class:a}}>
    ${d=>i`<div class="with-unit">
      <input ...${d} ...${r} type="text" inputmode="decimal" class="number" value=${t??""} onInput=${p=>n(p.currentTarget.value)} />
      ${e&&i`<span class="unit" aria-hidden="true">${e}</span>`}
    </div>`}
  <//>`}function L({value:t,onInput:n,options:e,empty:s,label:l,help:o,error:c,required:$,hideLabel:a,class:r,...d}){return i`<${h} ...${{label:l,help:o,error:c,required:$,hideLabel:a,class:r}}>
    ${p=>i`<div class="select">
      <select ...${p} ...${d} onChange=${f=>n(f.currentTarget.value)}>
        ${s!==void 0&&i`<option value="" selected=${t===""}>${s}</option>`}
        ${e.map(f=>i`<option value=${f.value} selected=${f.value===t}>${f.label}</option>`)}
      </select>
      <${x} name="chevron-down" size=${16} />
    </div>`}
  <//>`}function M({label:t,help:n,error:e,value:s,onInput:l,disabled:o}){let c=v(),$=n||e?`${c}-help`:void 0;return i`<div class=${`check ${e?"wrong":""}`}>
    <input id=${c} type="checkbox" checked=${s} disabled=${o} aria-describedby=${$}
      onChange=${a=>l(a.currentTarget.checked)} />
    <label for=${c}>${t}</label>
    ${(n||e)&&i`<p class=${e?"error":"help"} id=${`${c}-help`}>${e??n}</p>`}
  </div>`}function Y({value:t,onInput:n,moment:e=!1,label:s,help:l,error:o,required:c,hideLabel:$,class:a,...r}){let d=D.value,[p,f]=y(null),b=p??(e&&t?S(t,d):t),g=u=>{let m=u.currentTarget.value,C=m===""||/^[12]\d{3}-/.test(m);f(C?null:m),C&&n(e&&m?T(m,d):m)};return i`<${h} ...${{label:s,help:l,error:o,required:c,hideLabel:$,class:a}}>
    ${u=>i`<input ...${u} ...${r} type=${e?"datetime-local":"date"} value=${b} onChange=${g} />`}
  <//>`}function A({value:t,onInput:n,placeholder:e,...s}){let[l,o]=y(""),c=()=>{let a=l.split(",").map(r=>r.trim()).filter(r=>r&&!t.includes(r));o(""),a.length>0&&n([...t,...a])},$=a=>{a.isComposing||((a.key==="Enter"||a.key===",")&&l.trim()?(a.preventDefault(),c()):a.key==="Backspace"&&l===""&&t.length>0&&n(t.slice(0,-1)))};return i`<${h} ...${s}>
    ${a=>i`<div class="labels">
      ${t.map(r=>i`<span class="chip" key=${r}>${r}
        <button type="button" aria-label=${w("common.removeNamed",{name:r})} onClick=${()=>n(t.filter(d=>d!==r))}><${x} name="x" size=${14} /></button>
      </span>`)}
      <input ...${a} required=${!1} type="text" value=${l} placeholder=${e} onKeyDown=${$} onBlur=${c}
        onInput=${r=>o(r.currentTarget.value)} />
    </div>`}
  <//>`}function G({value:t,onInput:n,options:e,...s}){let l=o=>n(t.includes(o)?t.filter(c=>c!==o):[...t,o]);return i`<${h} ...${s} group>
    ${o=>i`<div ...${o} class="options">
      ${e.map(c=>i`<label key=${c.value}><input type="checkbox" checked=${t.includes(c.value)} onChange=${()=>l(c.value)} />${c.label}</label>`)}
    </div>`}
  <//>`}export{U as a,h as b,B as c,z as d,K as e,L as f,M as g,Y as h,A as i,G as j};
