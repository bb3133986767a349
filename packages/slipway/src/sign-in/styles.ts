export const styles = `:root {
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
.lead { margin: 0 0 1.5rem; color: var(--subtle); }
ul { display: grid; gap: 0.75rem; margin: 0; padding: 0; list-style: none; }
li button {
  display: grid;
  grid-template-columns: minmax(0, auto) 1fr;
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
li button:hover { border-color: var(--accent); background: var(--accent-wash); }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.name { font-weight: 600; overflow-wrap: anywhere; }
.email { min-width: 0; color: var(--subtle); font-size: 0.875rem; overflow-wrap: anywhere; }
.description { grid-column: 1 / -1; font-size: 0.875rem; }
.description::first-letter { text-transform: uppercase; }
.field { display: grid; gap: 0.25rem; margin-bottom: 1.5rem; }
label { font-weight: 600; }
input {
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--card);
  color: inherit;
  font: inherit;
}
input[aria-invalid] { border-color: var(--danger); }
.problem { margin: 0; color: var(--danger); font-size: 0.875rem; }
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
