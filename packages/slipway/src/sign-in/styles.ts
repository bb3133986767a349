import { documentStyles } from '@slipway/gateway/session/document'

/** Path at which `styles` are served. */
export const styleSheet = '/sign-in.css'

export const styles = `${documentStyles}
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
`
