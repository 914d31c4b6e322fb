import{c as k,d as C}from"./chunk-CR5WSEUI.js";import{Q as p,U as O,Z as S,aa as d,b as u,fa as P,s as t,v,w as h,z as n}from"./chunk-OZNYBMST.js";function b(){return"PublicKeyCredential"in globalThis&&"parseRequestOptionsFromJSON"in PublicKeyCredential}function w(e){return q(()=>navigator.credentials.get({publicKey:PublicKeyCredential.parseRequestOptionsFromJSON(e.publicKey??e)}))}function J(e){return q(()=>navigator.credentials.create({publicKey:PublicKeyCredential.parseCreationOptionsFromJSON(e.publicKey??e)}))}async function q(e){try{return(await e())?.toJSON()??null}catch(o){if(o instanceof DOMException&&(o.name==="NotAllowedError"||o.name==="AbortError"))return null;throw o}}function _(){return t`<${F} title=${n("login.title")} first=${E} />`}function F({title:e,first:o,onEntered:l}){let[r,i]=u(null),[c,$]=u(""),[m,a]=u("");document.title=`${e} · Cartwright`;let f=async(y,x)=>{$(y),a("");try{let g=await x();g?.secondFactorRequired?i({challenge:g.challenge,methods:g.methods??[]}):g&&(await O(),l?.())}catch(g){let{alone:K,reason:T}=S(g);T==="challenge_invalid"&&i(null),a(K)}$("")},s=v.value==="ko"?"en":"ko";return t`<main class="login">
    <div class="login-box">
      <p class="brand">Cartwright</p>
      <h1>${r?n("login.second"):e}</h1>
      ${m&&t`<${P} kind="bad">${m}<//>`}
      ${r?t`<${N} ...${{second:r,attempt:f,busy:c}} onBack=${()=>i(null)} />`:t`<${o} ...${{attempt:f,busy:c}} />`}
    </div>
    <${d} look="quiet" icon="languages" onClick=${()=>{h(s)}}>${s==="ko"?"한국어":"English"}<//>
  </main>`}function E({attempt:e,busy:o}){let[l,r]=u(""),[i,c]=u(""),$=a=>{a.preventDefault(),e("password",()=>p.ask("POST /api/users/login",{email:l,password:i}))},m=()=>e("passkey",async()=>{let{options:a,challenge:f}=await p.ask("POST /api/users/login/passkey/begin"),s=await w(a);return s&&p.ask("POST /api/users/login/passkey",{challenge:f,credential:s})});return t`<form onSubmit=${$}>
      <${k} label=${n("login.email")} type="email" autocomplete="username webauthn" value=${l} onInput=${r} required autofocus />
      <${C} label=${n("login.password")} autocomplete="current-password" value=${i} onInput=${c} required />
      <${d} look="primary" type="submit" busy=${o==="password"}>${n("login.enter")}<//>
    </form>
    ${b()&&t`<div class="or"><span>${n("login.or")}</span></div>
      <${d} icon="fingerprint-pattern" busy=${o==="passkey"} onClick=${m}>${n("login.passkey")}<//>`}
    <p><a href="/console/forgot">${n("login.forgot")}</a></p>`}function N({second:{challenge:e,methods:o},attempt:l,busy:r,onBack:i}){let[c,$]=u(""),m=s=>{s.preventDefault(),l("code",()=>p.ask("POST /api/users/login/second-factor",{challenge:e,code:c.replace(/\s/g,"")}))},a=()=>l("passkey",async()=>{let{options:s}=await p.ask("POST /api/users/login/passkey-options",{challenge:e}),y=await w(s);return y&&p.ask("POST /api/users/login/second-factor",{challenge:e,credential:y})}),f=o.includes("totp")||o.includes("recovery-code");return t`${f&&t`<form onSubmit=${m}>
      <${k} label=${n("login.code")} help=${n("login.codeHelp")} autocomplete="one-time-code" value=${c} onInput=${$} required autofocus mono />
      <${d} look="primary" type="submit" busy=${r==="code"}>${n("login.enter")}<//>
    </form>`}
    ${o.includes("passkey")&&b()&&t`<${d} icon="fingerprint-pattern" busy=${r==="passkey"} onClick=${a}>${n("login.passkey")}<//>`}
    <${d} look="quiet" icon="arrow-left" onClick=${i}>${n("login.back")}<//>`}export{b as a,J as b,_ as c,F as d};
