import type { LocalUser } from '../config'

/** @param returnTo a path that was found safe */
export const signInPage = (users: readonly LocalUser[], returnTo: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sign in · Slipway</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/oauth2/sign_in.css">
</head>
<body>
<main>
<p class="product">${mark}<span>Slipway</span></p>
<h1>Sign in</h1>
<p class="lead">This installation runs on your own machine. Pick who you want to be: there is no password.</p>
<form method="post" action="/oauth2/sign_in">
<input type="hidden" name="rd" value="${escaped(returnTo)}">
<ul>
${users.map(userItem).join('\n')}
</ul>
</form>
</main>
</body>
</html>
`

const userItem = ({ name, email, description }: LocalUser): string =>
  `<li><button name="user" value="${escaped(email)}">
<span class="name">${escaped(name)}</span>
<span class="email">${escaped(email)}</span>
<span class="description">${escaped(description)}</span>
</button></li>`

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

export const signInStyles = `:root {
  color-scheme: light dark;
  --page: #f2f2f2;
  --card: #fff;
  --text: #151515;
  --subtle: #4d4d4d;
  --line: #a3a3a3;
  --accent: #0066cc;
  --accent-wash: #f0f7ff;
  --shadow: 0 1px 2px rgb(0 0 0 / 8%), 0 8px 24px rgb(0 0 0 / 8%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #151515;
    --card: #1f1f1f;
    --text: #fff;
    --subtle: #c7c7c7;
    --line: #707070;
    --accent: #92c5f9;
    --accent-wash: #26323f;
    --shadow: none;
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
  box-shadow: var(--shadow);
}
.product { display: flex; align-items: center; gap: 0.5rem; margin: 0; font-size: 1.125rem; font-weight: 600; }
.hull { fill: var(--accent); }
.slip { fill: none; stroke: var(--subtle); stroke-width: 2.5; stroke-linecap: round; }
h1 { margin: 1.5rem 0 0.25rem; font-size: 1.75rem; font-weight: 600; line-height: 1.3; }
.lead { margin: 0 0 1.5rem; color: var(--subtle); }
ul { display: grid; gap: 0.75rem; margin: 0; padding: 0; list-style: none; }
button {
  display: grid;
  grid-template-columns: auto 1fr;
  column-gap: 0.75rem;
  row-gap: 0.125rem;
  align-items: baseline;
  width: 100%;
  padding: 0.75rem 1rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: transparent;
  color: inherit;
  font: inherit;
  text-align: start;
  cursor: pointer;
}
button:hover { border-color: var(--accent); background: var(--accent-wash); }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.name { font-weight: 600; }
.email { min-width: 0; color: var(--subtle); font-size: 0.875rem; overflow-wrap: anywhere; }
.description { grid-column: 1 / -1; font-size: 0.875rem; }
.description::first-letter { text-transform: uppercase; }
`
