import { Button } from '@patternfly/react-core'
import type { Secret } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { useState } from 'react'
import './secrets.css'

const firstCount = 3

/** The first labels in one line; all of them, each in its own line, on demand. */
export function SecretLabels({ secret }: { secret: Secret }) {
  const [isExpanded, setIsExpanded] = useState(false)
  const all = Object.entries(secret.metadata.labels ?? {}).map(([key, value]) => (value ? `${key}=${value}` : key))
  if (all.length === 0) return '-'
  const shown = isExpanded ? all : all.slice(0, firstCount)
  const text = isExpanded ? 'Show less' : 'Show more'
  return (
    <span className="slipway-secret-labels" data-expanded={isExpanded || undefined}>
      {/* One line may be cut, and many scroll. */}
      <ul
        aria-label={`Labels of ${nameOf(secret)}`}
        title={isExpanded ? undefined : shown.join(', ')}
        tabIndex={isExpanded ? 0 : undefined}
      >
        {shown.map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
      {all.length > firstCount && (
        <Button
          variant="link"
          isInline
          className="slipway-cell-button"
          aria-label={`${text} labels of ${nameOf(secret)}`}
          aria-expanded={isExpanded}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          {text}
        </Button>
      )}
    </span>
  )
}
