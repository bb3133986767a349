import { Fragment } from 'react'
import type { StepSnippet } from '../../resources/logs'
import './LogSnippetLines.css'

/** A few lines of a log with their numbers; the one with the error is marked by more than its colour. */
export const LogSnippetLines = ({ snippet, label }: { snippet: StepSnippet; label: string }) => (
  <div className="slipway-snippet" role="region" aria-label={label} tabIndex={0}>
    <ol>
      {snippet.lines.map(({ number, text, omittedBefore }) => (
        <Fragment key={number}>
          {omittedBefore && (
            <li data-number="⋯" className="slipway-snippet__gap">
              {omittedBefore.toLocaleString('en-US')} lines not shown
            </li>
          )}
          <li data-number={number} data-error={number === snippet.errorLine || undefined}>
            {number === snippet.errorLine && <span className="pf-v6-screen-reader">First error: </span>}
            {text}
          </li>
        </Fragment>
      ))}
    </ol>
  </div>
)
