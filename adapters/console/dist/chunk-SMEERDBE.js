import{$ as g,G as i,b as p,f,s as r}from"./chunk-OZNYBMST.js";function T({label:a,help:l,accept:m,many:o=!1,error:t,keys:s,onFiles:v}){let[d,u]=p(!1),$=f(null);i(s?[{keys:s,label:a,run:()=>$.current?.click()}]:[]);let c=e=>{u(!1),e?.length&&v([...e].slice(0,o?void 0:1))},n=e=>{e.preventDefault(),u(e.type!=="dragleave")};return r`<label class=${`drop ${d?"over":""} ${t?"wrong":""}`} onDragEnter=${n} onDragOver=${n} onDragLeave=${n}
    onDrop=${e=>{e.preventDefault(),c(e.dataTransfer?.files)}}>
    <${g} name="upload" size=${24} /><b>${a}</b>${l&&r`<small>${l}</small>`}
    ${t&&r`<span class="error">${t}</span>`}
    <input ref=${$} type="file" accept=${m} multiple=${o} onChange=${e=>{c(e.currentTarget.files),e.currentTarget.value=""}} />
  </label>`}export{T as a};
