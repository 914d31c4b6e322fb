import{a as s}from"./chunk-VPLB4NIS.js";import{a}from"./chunk-LDME6CXF.js";import{b as l}from"./chunk-YR7UKKP2.js";import{aa as i,b as m,fa as $,s as n,z as e}from"./chunk-OZNYBMST.js";function f({text:c,look:p="plain"}){let[o,t]=m(!1);return n`<${i} look=${p} icon=${o?"check":"copy"} onClick=${()=>navigator.clipboard.writeText(c).then(()=>{t(!0),setTimeout(()=>t(!1),2e3)},l)}><span aria-live="polite">
    ${e(o?"common.copied":"common.copy")}</span><//>`}function h({title:c,text:p,secret:o,filename:t,onClose:r}){let k=n`${t&&n`<${i} icon="download" onClick=${()=>s(new Blob([`${o}
`],{type:"text/plain"}),t??"")}>${e("common.keep")}<//>`}
    <${f} text=${o} /><${i} look="primary" onClick=${r}>${e("common.kept")}<//>`;return n`<${a} title=${c} busy onClose=${r} actions=${k}>
    <div class="stack"><${$} kind="warn">${p}<//><pre class="once" tabindex="0">${o}</pre></div>
  <//>`}export{f as a,h as b};
