import{a as u}from"./chunk-LDME6CXF.js";import{C as m,aa as s,fa as l,s as $,z as e}from"./chunk-OZNYBMST.js";function h({form:t,onCancel:o,id:i,action:n=e("common.save"),danger:d=!1,slug:c="",ready:r=t.dirty,keys:a,told:b=f}){return $`<div class="form-foot">
    ${t.overtaken.length>0&&$`<${p} ...${{form:t,slug:c,told:b}} />`}
    ${t.restored&&!t.refusal&&$`<${l} action=${$`<${s} onClick=${t.reset}>${e("common.discard")}<//>`}>${e("common.restored")}<//>`}
    ${t.refusal&&$`<${l} kind="bad">${t.refusal.text}${t.refusal.id&&$` <small>${e("common.requestId",{id:t.refusal.id})}</small>`}<//>`}
    <div class="buttons">
      ${o&&$`<${s} onClick=${o}>${e("common.cancel")}<//>`}
      <${s} look=${d?"danger":"primary"} type="submit" form=${i} keys=${a} busy=${t.busy} disabled=${!r}>${n}<//>
    </div>
  </div>`}function C({form:t,id:o,title:i,onClose:n,children:d,...c}){let r=a=>{a.preventDefault(),t.submit()};return $`<${u} title=${i} onClose=${n} busy=${t.busy} actions=${$`<${h} form=${t} id=${o} onCancel=${n} ...${c} />`}>
    <form id=${o} class="stack" onSubmit=${r}>${d}</form>
  <//>`}function p({form:t,slug:o,told:i}){return $`<${l} kind="warn">
    <p>${e("common.overtaken")}</p>
    <div class="scroll"><table class="compared">
      <thead><tr><th>${e("common.field")}</th><th>${e("common.was")}</th><th>${e("common.theirs")}</th><th>${e("common.mine")}</th></tr></thead>
      <tbody>${t.overtaken.map(({name:n,was:d,theirs:c,mine:r,both:a})=>$`<tr key=${n}>
        <th scope="row">${m(o,n)}</th>
        <td>${i(n,d)}</td>
        <td>${i(n,c)} ${a&&$`<${s} onClick=${()=>t.drop(n)}>${e("common.takeTheirs")}<//>`}</td>
        <td>${r===void 0?"":$`<b>${i(n,r)}</b>`}</td>
      </tr>`)}</tbody>
    </table></div>
    <${s} onClick=${t.rebase}>${e("common.rebase")}<//>
  <//>`}function f(t,o){if(o==null||o==="")return"—";let i=typeof o=="object"?JSON.stringify(o):String(o);return i.length>80?`${i.slice(0,80)}…`:i}export{h as a,C as b};
