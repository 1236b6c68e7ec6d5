/** The style of the pages of problems: light and dark, wide and narrow, on screen and on paper. */
export const pageStyle = `
:root{color-scheme:light dark;
--paper:#fcfbf8;--panel:#f4f2ec;--line:#e1ddd3;--ink:#23272b;--soft:#5a6067;--accent:#0f5c5c;
--get:#1d5a88;--post:#2a683c;--put:#7a4c10;
--serif:"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua",Georgia,serif;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media(prefers-color-scheme:dark){:root{
--paper:#15181b;--panel:#1d2125;--line:#33393e;--ink:#e7e4dd;--soft:#a8aeb4;--accent:#86cfc6;
--get:#8fc1ea;--post:#93d3a2;--put:#e2b877}}
*{box-sizing:border-box}
html{scroll-padding-top:1.5rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 var(--sans);
display:grid;grid-template-columns:18rem minmax(0,1fr)}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:.06em}
a:focus-visible,pre:focus-visible{outline:2px solid var(--accent);
outline-offset:2px;border-radius:.2rem}
main:focus,nav:focus{outline:none}
code,pre{font-family:var(--mono);font-size:.86em}
p{margin:.6rem 0}
p,li,dd,dt,h1,h2,h3{overflow-wrap:anywhere}
h1,h2{font-family:var(--serif);font-weight:600;line-height:1.2;text-wrap:balance}
h1{font-size:2.4rem;margin:0 0 1.2rem;letter-spacing:-.01em}
h2{font-size:1.6rem;margin:2.6rem 0 .8rem}
h3{font-size:1.12rem;margin:0 0 .2rem;line-height:1.35}
h4{font-size:.78rem;letter-spacing:.07em;text-transform:uppercase;color:var(--soft);margin:1.8rem 0 .4rem}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;z-index:9;background:var(--paper);padding:.5rem 1rem}

.side{position:sticky;top:0;height:100vh;display:flex;flex-direction:column;background:var(--panel);
border-right:1px solid var(--line)}
.side header{padding:1.6rem 1.5rem .8rem}
.brand{font:600 1.35rem/1 var(--serif);color:var(--ink);text-decoration:none}
.open,.close{display:none}
nav{overflow-y:auto;padding:0 1.5rem 3rem;font-size:.9rem;scrollbar-width:thin}
nav ul{list-style:none;margin:.9rem 0 0;padding:0}
nav a{display:flex;gap:.6rem;align-items:baseline;padding:.22rem 0;color:var(--ink);text-decoration:none;
line-height:1.35}
nav a:hover{color:var(--accent);text-decoration:underline}
nav [aria-current]{font-weight:600;color:var(--accent)}
nav .status{margin:0}

main{padding:3.2rem clamp(1.25rem,4vw,4rem) 6rem;max-width:90rem}
.introduction{max-width:44rem}
pre{margin:.8rem 0;padding:1rem 1.1rem;background:var(--panel);border:1px solid var(--line);
border-radius:.5rem;overflow-x:auto;font-size:.84rem;line-height:1.55;scrollbar-width:thin}
pre code{font-size:1em}
p code{background:var(--panel);border-radius:.25rem;padding:.08em .3em}
.json-name{color:var(--get)}.json-text{color:var(--post)}.json-value{color:var(--put)}
.status{font-family:var(--mono);color:var(--soft);font-size:.9em;margin-right:.5rem}
.cure{font-size:1.15rem}

@media(max-width:56rem){
html{scroll-padding-top:4.5rem}
body{display:block}
.side{position:sticky;z-index:2;height:auto;border-right:0;border-bottom:1px solid var(--line)}
.side header{display:flex;align-items:baseline;padding:.9rem 1.25rem}
.open{display:inline;margin-left:auto;padding:.2rem 0}
nav{display:none}
nav:target{display:block;position:fixed;inset:0;background:var(--panel);padding:1.2rem 1.25rem 4rem;
font-size:1rem}
nav a{padding:.45rem 0}
nav .close{display:block;width:fit-content;margin-left:auto;color:var(--accent);text-decoration:underline}
main{padding-top:2rem}
h1{font-size:2rem}}
@media print{.side{display:none}body{display:block}pre{white-space:pre-wrap}}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
`
