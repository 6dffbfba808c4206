/** The look of the sidecar's pages: nothing from elsewhere, light and dark, readable from a phone to a large screen. */
export const style = `:root{color-scheme:light dark;--ink:#1d2430;--soft:#566073;--line:#d3d9e4;--card:#fff;--back:#f3f5f9;--mark:#2b57c4}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebf2;--soft:#a3adbf;--line:#39435a;--card:#1c2230;--back:#121722;--mark:#8fb0ff}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;padding:clamp(1rem,12vh,7rem) 1rem 2rem;background:var(--back);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:27rem;margin:0 auto;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:14px;overflow-wrap:anywhere}
.host{margin:0 0 .5rem;color:var(--soft);font-size:.875rem}h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}p{margin:0 0 1rem;color:var(--soft)}
ul{list-style:none;margin:1.5rem 0 0;padding:0}li+li{margin-top:.6rem}
a.button{display:block;padding:.7rem 1rem;border:1px solid var(--line);border-radius:10px;color:var(--ink);font-weight:600;text-align:center;text-decoration:none}
a.button:hover{border-color:var(--mark);color:var(--mark)}a.button:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
.facts{margin:1.5rem 0 0;padding-top:1rem;border-top:1px solid var(--line);font-size:.875rem}`;
