function o(t,c){let e=document.createElement("a");e.href=URL.createObjectURL(t),e.download=c,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),6e4)}export{o as a};
