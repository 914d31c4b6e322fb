import{a as c}from"./chunk-LDME6CXF.js";import{$ as m,aa as $,s as t,z as e}from"./chunk-OZNYBMST.js";function d({title:r,results:s,busy:i=!1,onClose:l}){let a=t`<${$} look="primary" disabled=${i} onClick=${l}>${e("common.close")}<//>`;return t`<${c} title=${r} onClose=${l} busy=${i} actions=${a}>
    <ul class="results">${s.map(o=>t`<li class=${o.ok?"ok":"failed"} key=${o.id}><${m} name=${o.ok?"circle-check":"circle-alert"}
      size=${16} /><b>${o.name}</b> ${o.text}</li>`)}</ul>
  <//>`}export{d as a};
