import type { ReactNode } from 'react'
import { type DiffLine, hunksOf } from '../../lib/line-diff'
import './Diff.css'

/** Can be scrolled by keyboard too. */
export const Code = ({ label, children }: { label: string; children: ReactNode }) => (
  <pre className="slipway-change__code" role="region" aria-label={label} tabIndex={0}>
    {children}
  </pre>
)

const marks = { same: ' ', added: '+', removed: '-' } as const
const spoken = { same: '', added: 'Added: ', removed: 'Removed: ' } as const

/** The lines that change, with some around them. @param title of the change, which names the region */
export function Diff({ title, lines }: { title: string; lines: readonly DiffLine[] }) {
  const { pieces, hidden } = hunksOf(lines)
  if (pieces.length === 0) return <p>Nothing changes.</p>
  return (
    <Code label={`Changes: ${title}`}>
      {pieces.map((piece, index) => (
        <div key={index}>
          <Hidden count={piece.hidden} />
          {piece.lines.map(({ kind, text }, line) => (
            <div key={line} className={`slipway-change__line slipway-change__line--${kind}`}>
              <span aria-hidden>{marks[kind]} </span>
              <span className="pf-v6-screen-reader">{spoken[kind]}</span>
              {text}
            </div>
          ))}
        </div>
      ))}
      <Hidden count={hidden} />
    </Code>
  )
}

const Hidden = ({ count }: { count: number }) =>
  count > 0 && <div className="slipway-change__hidden">{`${count} unchanged ${count === 1 ? 'line' : 'lines'}`}</div>
