import{aa as a,d as g,f as p,i as v,j as k,s as n,z as d}from"./chunk-OZNYBMST.js";function x({title:o,onClose:t,children:s,actions:l,size:h="small",busy:i=!1,top:w}){let c=p(null),u=v();g(()=>{let e=c.current,r=document.activeElement;e?.showModal();let m=e?.querySelector("[data-focused]")??e?.querySelector(".dialog-body :is(input, select, textarea):not([disabled])");return m instanceof HTMLElement&&m.focus(),()=>{e?.close(),r instanceof HTMLElement&&r.isConnected&&r.focus()}},[]);let $=e=>{e.preventDefault(),i||t()},y=e=>{i&&e.key==="Escape"&&e.preventDefault()},b=e=>{e.target===c.current&&$(e)};return n`<dialog ref=${c} class=${`dialog ${h}`} aria-labelledby=${u} onCancel=${$} onKeyDown=${y} onMouseDown=${b}>
    <div class="dialog-frame">
      <header class="dialog-head">
        <h2 id=${u}>${o}</h2>
        ${w}<${a} look="quiet" icon="x" label=${d("common.close")} disabled=${i} onClick=${t} />
      </header>
      <div class="dialog-body">${s}</div>
      ${l&&n`<footer class="dialog-foot">${l}</footer>`}
    </div>
  </dialog>`}var f=k(null);function q(o){return new Promise(t=>{f.value={...o,answer:t}})}function M(){let o=f.value;if(!o)return null;let t=l=>{f.value=null,o.answer(l)},s=n`<${a} onClick=${()=>t(!1)}>${d("common.cancel")}<//>
    <${a} look=${o.danger?"danger":"primary"} onClick=${()=>t(!0)}>${o.action}<//>`;return n`<${x} title=${o.title} onClose=${()=>t(!1)} actions=${s}><p>${o.text}</p><//>`}export{x as a,q as b,M as c};
