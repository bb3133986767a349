import { ExpandableSection } from '@patternfly/react-core'
import { useState } from 'react'
import { UserText } from './UserText'
import '../page/Details.css'

interface KeyValuesProps {
  /** In the plural, such as `Labels`. */
  label: string
  values: Readonly<Record<string, string>> | undefined
}

/** Labels or annotations of an object, collapsed at first since few users need them. */
export function KeyValues({ label, values }: KeyValuesProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const entries = Object.entries(values ?? {})
  if (entries.length === 0) return '-'
  const nouns = label.toLowerCase()
  const count = entries.length === 1 ? `1 ${nouns.replace(/s$/, '')}` : `${entries.length} ${nouns}`
  return (
    <ExpandableSection
      toggleText={isExpanded ? `Hide ${nouns}` : `Show ${count}`}
      isExpanded={isExpanded}
      onToggle={(_, expanded) => setIsExpanded(expanded)}
    >
      <dl aria-label={label} className="slipway-key-values">
        {entries.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>
              <UserText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </ExpandableSection>
  )
}
