import{$ as u,aa as h,b as f,d as p,f as m,i as b,s as n}from"./chunk-OZNYBMST.js";function C({label:a,icon:k="ellipsis",items:y,children:l,look:v="plain",side:g="right",up:w=!1}){let[r,c]=f(!1),t=m(null),s=b();p(()=>{if(!r)return;t.current?.querySelector("[role^=menuitem]")?.focus();let e=o=>{t.current?.contains(o.target)||c(!1)};return document.addEventListener("mousedown",e),()=>document.removeEventListener("mousedown",e)},[r]);let i=()=>{c(!1),t.current?.querySelector("button")?.focus()},E=e=>{let o=[...t.current?.querySelectorAll("[role^=menuitem]")??[]],d=o.indexOf(document.activeElement),$={ArrowDown:d+1,ArrowUp:d-1,Home:0,End:o.length-1}[e.key];if(e.key==="Escape"||e.key==="Tab")i();else if($!==void 0)o[($+o.length)%o.length]?.focus();else return;e.key!=="Tab"&&e.preventDefault(),e.stopPropagation()},x=e=>{i(),e.run?.()};return n`<div class="menu" ref=${t} onKeyDown=${r?E:void 0}>
    <${h} look=${v} icon=${k} label=${l?void 0:a} aria-haspopup="menu" aria-expanded=${r} aria-controls=${s}
      onClick=${()=>c(!r)}>${l}<//>
    ${r&&n`<div class=${`menu-list ${g} ${w?"up":""}`} role="menu" id=${s} aria-label=${a}>
      ${y.map(e=>e==="line"?n`<hr />`:e.href?n`<a role="menuitem" href=${e.href} onClick=${()=>c(!1)}>${e.icon&&n`<${u} name=${e.icon} />`}${e.label}</a>`:n`<button type="button" role=${e.on===void 0?"menuitem":"menuitemcheckbox"} aria-checked=${e.on} disabled=${e.disabled}
                class=${e.danger?"danger":""} onClick=${()=>x(e)}>
                ${e.on!==void 0?n`<${u} name=${e.on?"check":"circle"} />`:e.icon&&n`<${u} name=${e.icon} />`}${e.label}
              </button>`)}
    </div>`}
  </div>`}export{C as a};
