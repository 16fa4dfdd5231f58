/** The styles of the sandbox's pages: the cashier's design tokens in one inline style sheet. */
export const pageStyles = `
:root{color-scheme:light dark;
--font:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
--bg:#f4f6f8;--surface:#fff;--sunken:#eef1f4;--line:#e1e6eb;--edge:#7d8998;--text:#0f151c;--muted:#566273;
--accent:#0a7a5a;--accent-hover:#086a4e;--on-accent:#fff;--accent-soft:#e3f4ee;--warn:#8a4b00;--warn-soft:#fff3e0;--bad:#b3261e;--bad-soft:#fdecea;
--r-s:8px;--r-m:12px;--r-l:16px;--shadow:0 1px 2px rgb(15 21 28/.05),0 6px 20px rgb(15 21 28/.05)}
@media (prefers-color-scheme:dark){:root{
--bg:#0d1117;--surface:#161b22;--sunken:#0f141a;--line:#29313b;--edge:#6d7a8a;--text:#eef2f6;--muted:#9aa7b6;
--accent:#3ccf9c;--accent-hover:#5bdcae;--on-accent:#04261b;--accent-soft:#11302a;--warn:#f3b664;--warn-soft:#2b2113;--bad:#ff8a80;--bad-soft:#321a19;--shadow:none}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--bg);color:var(--text);font:16px/1.45 var(--font)}
.sandbox{margin:0;padding:10px 16px;background:var(--warn-soft);color:var(--warn);font-size:14px;font-weight:600;text-align:center}
main{flex:1;width:100%;max-width:480px;margin:0 auto;padding:16px;display:flex;flex-direction:column;gap:16px}
h1{margin:0;font-size:20px;line-height:1.25;letter-spacing:-.01em}
h2{margin:8px 4px 0;font-size:14px;font-weight:600;color:var(--muted)}
p{margin:0}
.muted{color:var(--muted)}.small{font-size:14px}
.card{background:var(--surface);border:1px solid var(--line);border-radius:var(--r-l);box-shadow:var(--shadow);padding:20px}
.merchant{display:flex;align-items:center;gap:12px}
.merchant>div{min-width:0}
.monogram{flex:none;width:44px;height:44px;border-radius:var(--r-m);background:var(--accent-soft);color:var(--accent);display:grid;place-items:center;font-weight:700;font-size:18px}
.merchant h1{overflow-wrap:anywhere}
.amount{margin-block-start:18px;font-size:clamp(28px,10vw,40px);line-height:1.1;font-weight:700;letter-spacing:-.02em;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
dl{margin:18px 0 0;border-block-start:1px solid var(--line)}
dl>div{display:flex;justify-content:space-between;gap:16px;padding:12px 0;border-block-end:1px solid var(--line)}
dl>div:last-child{border-block-end:0;padding-block-end:0}
dt{flex:none;color:var(--muted);font-size:14px}
dd{margin:0;font-size:14px;font-weight:600;text-align:end;overflow-wrap:anywhere;min-width:0}
.note{background:var(--warn-soft);color:var(--warn);border-radius:var(--r-m);padding:12px 14px;font-size:14px}
form{margin:0;display:grid;gap:10px}
button,.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:48px;padding:10px 16px;border:1px solid var(--edge);border-radius:var(--r-m);background:var(--surface);color:var(--text);font:600 16px/1.2 var(--font);text-align:center;text-decoration:none;cursor:pointer}
button:hover,.button:hover{background:var(--sunken)}
.primary{min-height:56px;border-color:transparent;border-radius:var(--r-l);background:var(--accent);color:var(--on-accent);font-size:17px;font-weight:700}
.primary:hover{background:var(--accent-hover)}
.second{min-height:52px;border-radius:var(--r-l)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
details{border:1px solid var(--line);border-radius:var(--r-l);background:var(--surface)}
summary{min-height:52px;padding:0 20px;display:flex;align-items:center;justify-content:space-between;gap:12px;font-weight:600;cursor:pointer;border-radius:var(--r-l);list-style:none}
summary::-webkit-details-marker{display:none}
summary svg{flex:none;transition:rotate .15s}
details[open] summary svg{rotate:180deg}
.outcomes{padding:4px 20px 20px;display:grid;gap:20px}
.outcomes form{gap:8px}
label{font-size:14px;font-weight:600}
input[type=text]{width:100%;height:52px;padding:0 14px;border:1px solid var(--edge);border-radius:var(--r-m);background:var(--surface);color:var(--text);font:inherit;font-variant-numeric:tabular-nums}
input[aria-invalid=true]{border-color:var(--bad)}
.message{color:var(--bad);font-size:14px;font-weight:600}
.result{display:grid;justify-items:center;gap:12px;padding:32px 20px;text-align:center}
.result h1{font-size:24px}
.result .amount{margin:0;font-size:clamp(24px,8vw,32px)}
.mark{width:64px;height:64px;border-radius:50%;display:grid;place-items:center;background:var(--sunken);color:var(--muted)}
.mark.good{background:var(--accent-soft);color:var(--accent)}.mark.bad{background:var(--bad-soft);color:var(--bad)}.mark.wait{background:var(--warn-soft);color:var(--warn)}
footer{padding:8px 16px 24px;text-align:center;color:var(--muted);font-size:13px}
@media (min-width:840px){
main{max-width:920px;flex:0 1 auto;margin-block:clamp(16px,9vh,96px) auto;padding:24px}
main.result-page{max-width:520px}
main.pay{display:grid;grid-template-columns:1fr 1fr;gap:0;align-items:stretch}
main.pay>*{padding:36px;border:1px solid var(--line);background:var(--surface)}
main.pay>.card{border-inline-end:0;border-start-end-radius:0;border-end-end-radius:0;background:var(--sunken);box-shadow:none}
.choice{display:grid;gap:14px;align-content:start;border-start-end-radius:var(--r-l);border-end-end-radius:var(--r-l)}
.choice h2{margin:0 0 2px;font-size:17px;color:var(--text)}}
@media (max-width:839.98px){.choice{display:flex;flex-direction:column;gap:12px}}
@media (prefers-reduced-motion:reduce){*{transition:none!important}}
@media (forced-colors:active){.mark,.monogram,.card{border:1px solid}}
`;
