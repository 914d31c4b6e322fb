import{$ as m,Z as u,aa as r,j as s,s as i,z as a}from"./chunk-OZNYBMST.js";var l=s([]),f=0;function b(o,t){$({text:o,kind:"done",action:t},t?1e4:5e3)}function q(o){let{alone:t,id:e}=u(o);p(e?`${t} (${e})`:t)}function p(o){$({text:o,kind:"failed"},15e3)}function $(o,t){let e=++f;l.value=[...l.value.slice(-3),{...o,id:e}],setTimeout(()=>c(e),t)}function c(o){l.value=l.value.filter(t=>t.id!==o)}function w(){return i`<div class="toasts" role="status" aria-live="polite">
    ${l.value.map(({id:o,text:t,kind:e,action:n})=>i`<div class=${`toast ${e}`} key=${o}>
        <${m} name=${e==="done"?"circle-check":"circle-alert"} />
        <p>${t}</p>
        ${n&&i`<${r}
          look="quiet"
          onClick=${()=>{c(o),n.run()}}
          >${n.label}<//
        >`}
        <${r} look="quiet" icon="x" label=${a("common.close")} onClick=${()=>c(o)} />
      </div>`)}
  </div>`}export{b as a,q as b,p as c,w as d};
