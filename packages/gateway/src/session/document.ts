interface Document {
  title: string
  /** URL of its icon. */
  icon?: string
  /** URL of its style sheet, which starts with `documentStyles`. */
  styleSheet: string
  /** HTML that follows the title. */
  content: string
}

/** Renders a sign-in page of this gateway or of a provider that ships with it, so that they look like one product. */
export const renderDocument = ({
  title,
  icon = '/favicon.svg',
  styleSheet,
  content,
}: Document): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Slipway</title>
<link rel="icon" href="${escapeHtml(icon)}" type="image/svg+xml">
<link rel="stylesheet" href="${escapeHtml(styleSheet)}">
</head>
<body>
<main>
<p class="product">${mark}<span>Slipway</span></p>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
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
/** Escapes text or a quoted attribute value for HTML. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** Styles of these pages, with the classes `lead` for the first sentence and `action` for the button. */
export const documentStyles = `:root {
  color-scheme: light dark;
  --page: #f2f2f2;
  --card: #fff;
  --text: #151515;
  --subtle: #4d4d4d;
  --line: #a3a3a3;
  --accent: #0066cc;
  --on-accent: #fff;
  --accent-wash: #f0f7ff;
  --danger: #b1380b;
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
    --on-accent: #151515;
    --accent-wash: #26323f;
    --danger: #ffb09c;
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
.lead { margin: 0 0 1.5rem; color: var(--subtle); overflow-wrap: anywhere; }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.actions { margin: 0; }
.action {
  display: inline-block;
  padding: 0.5rem 1.25rem;
  border: 0;
  border-radius: 2rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  text-decoration: none;
  cursor: pointer;
}
.action:hover { text-decoration: underline; }
`
