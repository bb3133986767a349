import type { FastifyReply } from 'fastify'

/** A page in words, where the console cannot speak: before sign-in, and when sign-in has failed. */
export interface Page {
  code: number
  title: string
  text: string
  /** A local address. */
  link?: { href: string; text: string }
}

/** Nothing but its own style sheet and the logo; nothing may run, be framed, or be sent from it. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const sendPage = (reply: FastifyReply, page: Page): FastifyReply =>
  reply
    .code(page.code)
    .header('content-security-policy', contentSecurityPolicy)
    .type('text/html; charset=utf-8')
    .send(htmlOf(page))

const htmlOf = ({ title, text, link }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Slipway</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/oauth2/page.css">
</head>
<body>
<main>
<p class="product">${mark}<span>Slipway</span></p>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
${link ? `<p><a href="${escaped(link.href)}">${escaped(link.text)}</a></p>\n` : ''}</main>
</body>
</html>
`

/** The console's logo: a hull on its slip. */
const mark = `<svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
<g class="hull" transform="rotate(14 16 16)">
<path d="M3 14h26l-3.2 6.6A6 6 0 0 1 20.4 24H10.2A6 6 0 0 1 5 21z"/>
<path d="M15 3.2 22.6 12H15z"/>
<path d="M13 5.8V12H8.2z" fill-opacity="0.62"/>
</g>
<path class="slip" d="m2.4 24.2 26.4 6"/>
</svg>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

export const pageStyles = `:root {
  color-scheme: light dark;
  --page: #f2f2f2;
  --card: #fff;
  --text: #151515;
  --subtle: #4d4d4d;
  --line: #a3a3a3;
  --accent: #0066cc;
  --on-accent: #fff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #151515;
    --card: #1f1f1f;
    --text: #fff;
    --subtle: #c7c7c7;
    --line: #707070;
    --accent: #92c5f9;
    --on-accent: #151515;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  align-items: start;
  justify-items: center;
  padding: clamp(1rem, 10vh, 7rem) 1rem 2rem;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.5 "Red Hat Text", RedHatText, system-ui, -apple-system, "Segoe UI", sans-serif;
}
main {
  width: 100%;
  max-width: 32rem;
  padding: clamp(1.25rem, 5vw, 2.5rem);
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 1rem;
}
.product { display: flex; align-items: center; gap: 0.5rem; margin: 0; font-size: 1.125rem; font-weight: 600; }
.hull { fill: var(--accent); }
.slip { fill: none; stroke: var(--subtle); stroke-width: 2.5; stroke-linecap: round; }
h1 { margin: 1.5rem 0 0.25rem; font-size: 1.75rem; font-weight: 600; line-height: 1.3; }
p { overflow-wrap: anywhere; }
a {
  display: inline-block;
  padding: 0.5rem 1.25rem;
  border-radius: 999px;
  background: var(--accent);
  color: var(--on-accent);
  text-decoration: none;
}
a:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; }
`
