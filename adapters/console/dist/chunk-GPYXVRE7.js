import{a as l}from"./chunk-IL44MJ62.js";import{s as a}from"./chunk-OZNYBMST.js";function p({label:i,bars:e}){if(e.length===0)return null;let r=Math.max(...e.map(t=>t.value),1),n=Math.ceil(e.length/(l.value?4:8));return a`<figure class="bars">
    <div class="bars-plot" aria-hidden="true" style=${{gridTemplateColumns:`repeat(${e.length}, minmax(0, 1fr))`}}>
      ${e.map(t=>a`<i title=${`${t.label}: ${t.told}`} style=${{height:`${Math.max(t.value>0?2:0,t.value/r*100)}%`}}></i>`)}
    </div>
    <div class="bars-axis" aria-hidden="true" style=${{gridTemplateColumns:`repeat(${e.length}, minmax(0, 1fr))`}}>
      ${e.map((t,o)=>a`<span>${o%n===0?t.label:""}</span>`)}
    </div>
    <table class="aside"><caption>${i}</caption><tbody>${e.map(t=>a`<tr><th scope="row">${t.label}</th><td>${t.told}</td></tr>`)}</tbody></table>
  </figure>`}export{p as a};
