/** The doctor's page: its findings, and a form to examine more. In English, as its readers are an operator's engineers. */
import { createHash } from 'node:crypto';
import { escapeHtml } from '../pages/plain-page.ts';
import type { Finding, HostFacts, Subject } from './examine-host.ts';

const style = `:root{color-scheme:light dark;--bg:light-dark(#f4f6f8,#0d1117);--card:light-dark(#fff,#161b22);--line:light-dark(#dde3ea,#30363d);--text:light-dark(#0f151c,#eef2f6);--muted:light-dark(#566273,#9aa7b6);--accent:light-dark(#0a7a5a,#3ccf9c);--on:light-dark(#fff,#04261b);--bad:light-dark(#b3261e,#ff8a80)}
*{box-sizing:border-box}body{margin:0;padding:24px 16px;background:var(--bg);color:var(--text);font:400 1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}
main{display:grid;gap:20px;max-width:680px;margin:auto}h1,h2{margin:0;line-height:1.25}h1{font-size:1.5rem}h2{font-size:1.125rem}p{margin:0;color:var(--muted)}
ul,form{display:grid;gap:14px;margin:0;padding:20px;border:1px solid var(--line);border-radius:16px;background:var(--card);list-style:none}
li{display:grid;grid-template-columns:1.5rem 1fr;gap:10px;overflow-wrap:anywhere}li b{display:block}li>span{font-weight:700;color:var(--accent)}li[data-verdict=bad]>span,li[data-verdict=bad] b{color:var(--bad)}li p{color:inherit}li[data-verdict=skipped]{color:var(--muted)}li[data-verdict=skipped]>span{color:inherit}
label{display:grid;gap:6px;font-weight:600}input,textarea{min-height:44px;padding:10px 12px;border:1px solid var(--muted);border-radius:12px;background:var(--bg);color:var(--text);font:inherit;font-weight:400}
button{min-height:52px;border:0;border-radius:14px;background:var(--accent);color:var(--on);font:inherit;font-weight:700;cursor:pointer}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`;

/** Source of the page's own style in its policy. */
export const doctorPageStyle = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

// Only this page can read the headers: it has the cashier's origin, and the browser got them through every proxy.
const script = `(async()=>{
const item=document.querySelector('[data-answer]');
if(!item)return;
const show=(verdict,sign,word,message)=>{
item.dataset.verdict=verdict;
const mark=item.querySelector('span');mark.textContent=sign;mark.setAttribute('aria-label',word);
item.querySelector('p').textContent=message;
const count=document.querySelectorAll('[data-verdict=bad]').length;
if(verdict==='bad')document.querySelector('[role=status]').textContent=count+(count===1?' problem keeps':' problems keep')+' the cashier from working.';
};
if(location.origin!==item.dataset.origin)return show('skipped','–','Not checked','This page was not opened at the cashier’s public address. Open it at '+item.dataset.origin+'/doctor.');
try{
const page=await fetch(item.dataset.answer,{cache:'no-store',credentials:'omit'});
if(!page.ok)return show('skipped','–','Not checked','The page of the cashier returned status '+page.status+'.');
const body=new URLSearchParams({partner:item.dataset.partner,policy:page.headers.get('content-security-policy')??'',frameOptions:page.headers.get('x-frame-options')??''});
const answer=await fetch('/doctor/answer',{method:'POST',body});
if(!answer.ok)return show('skipped','–','Not checked','Too many requests. Wait a minute, then reload this page.');
const{verdict,message}=await answer.json();
show(verdict,...{good:['✓','Good'],bad:['✗','Problem'],advice:['!','Advice']}[verdict],message);
}catch(error){
console.warn(error);
show('skipped','–','Not checked','The page of the cashier could not be loaded. Check that the cashier and the proxy before it answer.');
}
})()`;

/** Source of the page's own script in its policy. */
export const doctorPageScript = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

const titles: Readonly<Record<Subject, string>> = {
  partner: 'Partner',
  origin: 'Page',
  frames: 'Pages that frame your page',
  policy: 'Content-Security-Policy of the page',
  token: 'User token',
  user: 'User',
};
const marks: Readonly<Record<Finding['verdict'], { sign: string; word: string }>> = {
  good: { sign: '✓', word: 'Good' },
  bad: { sign: '✗', word: 'Problem' },
  skipped: { sign: '–', word: 'Not checked' },
};

interface DoctorPage {
  readonly facts: HostFacts;
  readonly findings: readonly Finding[];
  readonly product: string;
}

/** @returns the whole document. The token is not written into it. */
export function doctorPage({ facts, findings, product }: DoctorPage): string {
  const faults = findings.filter(({ verdict }) => verdict === 'bad').length;
  const isAsked = facts.partner !== '';
  const summary = !isAsked
    ? 'Enter your partner key and the origin of your page.'
    : faults === 0
      ? 'No problem was found.'
      : `${faults} ${faults === 1 ? 'problem keeps' : 'problems keep'} the cashier from working.`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Host doctor</title>
<style>${style}</style>
<main>
<h1>Host doctor</h1>
<p role="status">${summary}</p>
${isAsked ? `<ul>${findings.map(findingItem).join('')}${answerItem(facts, product)}</ul>` : ''}
<form method="post" action="doctor">
<h2>Check a page</h2>
<input type="hidden" name="by" value="form">
${input('partner', 'Partner', facts.partner)}
${input('origin', 'Origin of your page, such as https://www.example.com', facts.origin)}
${input('userId', 'userId of the payload, if you set it', facts.userId)}
${input('token', 'User token that getToken returns', '')}
<label>Content-Security-Policy header of your page<textarea name="policy" rows="3" autocomplete="off">${escapeHtml(facts.policy ?? '')}</textarea></label>
<button>Check</button>
</form>
<p>Nothing that you enter is stored. Your page’s policy needs <code>frame-src ${escapeHtml(new URL(facts.publicUrl).origin)}</code>, and your origin must be on the list of your partner.</p>
</main>
${isAsked ? `<script>${script}</script>` : ''}
</html>
`;
}

function findingItem({ subject, verdict, message }: Finding): string {
  const { sign, word } = marks[verdict];
  return `<li data-verdict="${verdict}"><span role="img" aria-label="${word}">${sign}</span><div><b>${titles[subject]}</b>${escapeHtml(message)}</div></li>`;
}

/** The script fills this list. Without the script the page says nothing about the headers. */
function answerItem({ partner, publicUrl }: HostFacts, product: string): string {
  const address = `/${product}/deposit?${new URLSearchParams({ partner })}`;
  return `<li data-verdict="skipped" data-answer="${escapeHtml(address)}" data-partner="${escapeHtml(partner)}" data-origin="${escapeHtml(new URL(publicUrl).origin)}"><span role="img" aria-label="Not checked">–</span><div><b>Headers of the cashier’s page</b><p aria-live="polite">Not checked yet: this needs JavaScript.</p></div></li>`;
}

function input(name: string, label: string, value: string | undefined): string {
  return `<label>${label}<input name="${name}" value="${escapeHtml(value ?? '')}" autocomplete="off" spellcheck="false"></label>`;
}
