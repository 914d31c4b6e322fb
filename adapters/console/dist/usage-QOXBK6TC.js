import{a as y}from"./chunk-GPYXVRE7.js";import"./chunk-IL44MJ62.js";import{a as p}from"./chunk-MWZMRQYO.js";import"./chunk-VWLCTMVX.js";import{D as d,Q as m,da as c,ea as f,fa as v,ja as g,ka as h,na as i,ra as $,s as t,ta as b,z as e}from"./chunk-OZNYBMST.js";import"./chunk-3TXHFKDN.js";function k(){let{data:l,refusal:s,reload:a}=p("usage",n=>m.call("GET /api/usage",{},{signal:n}));return t`<${h} title=${e("shell.usage")}>
    ${s&&t`<${f} refusal=${s} again=${a} />`}
    ${!l&&!s&&t`<${c} lines=${6} />`}
    ${l&&t`<${A} usage=${l} />`}
  <//>`}function A({usage:l}){let{used:s,limit:a,remaining:n,plan:w,resetAt:u,daily:x}=l,C=a!==null&&s>a*.8,L=x.map(r=>({label:b(r.date,"short"),value:r.calls,told:i(r.calls)})),o=(r,U)=>t`<div><dt>${r}</dt><dd>${U}</dd></div>`;return t`${C&&t`<${v} kind="warn">${e(n===0?"events.usedUp":"events.scarce")} ${$(u)}<//>`}
    <${g} title=${e("events.calls")}>
      <dl class="figures">
        ${o(e("events.used"),i(s))}
        ${o(e("events.left"),n===null?e("events.unlimited"):i(n))}
        ${o(e("events.plan"),d("tenants","plan",w))}
        ${o(e("events.resets"),$(u,"day"))}
      </dl>
      ${a!==null&&t`<progress class="whole-line" max=${a} value=${s} aria-label=${e("list.handled",{n:s,total:a})}></progress>`}
      <${y} label=${e("events.perDay")} bars=${L} />
      <p class="help">${e("events.whatCounts")}</p>
    <//>`}export{k as default};
