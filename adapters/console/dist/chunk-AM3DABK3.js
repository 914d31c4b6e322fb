import{b as E}from"./chunk-YR7UKKP2.js";import{b as d,d as F,f as T,i as C,s as m,z as y}from"./chunk-OZNYBMST.js";function M({find:$,onChoose:w,eager:v=!0}){let[t,g]=d(""),[f,h]=d(!1),[i,k]=d(null),[u,o]=d(0),r=T(!1),a=s=>{r.current=!1,g(""),k(null),h(!1),w(s)};return F(()=>{if(!f||!v&&!t.trim())return;let s=new AbortController,b=l=>{if(!s.signal.aborted){if(r.current&&l.length>0)return a(l[0]);r.current=!1,k({of:t,all:l}),o(0)}},A=t.trim()!==""&&!/[\p{L}\p{N}]/u.test(t),n=setTimeout(()=>(A?Promise.resolve([]):$(t.trim(),s.signal)).then(b,l=>s.signal.aborted||E(l)),120);return()=>{clearTimeout(n),s.abort()}},[t,f]),{text:t,setText:g,open:f,setOpen:h,found:i,at:u,setAt:o,take:a,taking:r}}function B($){let{attributes:w,show:v,placeholder:t=y("common.find"),eager:g=!0,input:f,none:h=y("list.nothingFound")}=$,{text:i,setText:k,open:u,setOpen:o,found:r,at:a,setAt:s,take:b,taking:A}=M($),p=C(),n=r?.all??[],l=r?.of===i,K=()=>{l&&n[a]?b(n[a]):!l&&i.trim()&&(A.current=!0)},I=e=>{if(e.isComposing)return;let c={ArrowDown:1,ArrowUp:-1}[e.key];if(c&&u)s(D=>(D+c+n.length)%Math.max(1,n.length));else if(c)o(!0);else if(e.key==="Enter"&&u&&!e.ctrlKey&&!e.metaKey)K();else if(e.key==="Escape"&&u)o(!1);else return;e.preventDefault(),e.stopPropagation()},x=u&&r!==null&&(g||i.trim()!=="");return m`<input ...${w} ref=${f} required=${!1} type="text" role="combobox" aria-expanded=${x}
    aria-controls=${x?p:void 0} aria-autocomplete="list"
      autocomplete="off" aria-activedescendant=${x&&n.length?`${p}-${a}`:void 0} value=${i} placeholder=${t} onKeyDown=${I}
      onFocus=${()=>o(!0)} onBlur=${()=>o(!1)}
      onInput=${e=>{k(e.currentTarget.value),o(!0)}} />
    ${x&&m`<ul class="options-list" role="listbox" id=${p} aria-label=${y("list.found")}>
      ${n.map((e,c)=>m`<li key=${e.id} role="option" id=${`${p}-${c}`} aria-selected=${c===a}
        onMouseDown=${D=>D.preventDefault()}
        onClick=${()=>b(e)}>${v(e)}</li>`)}
      ${n.length===0&&m`<li class="none" role="option" aria-selected="false" aria-disabled="true">${h}</li>`}
    </ul>`}`}export{B as a};
