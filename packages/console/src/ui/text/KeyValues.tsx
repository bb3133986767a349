import { Label, LabelGroup } from '@patternfly/react-core'

interface KeyValuesProps {
  /** Such as `Labels`. */
  label: string
  values: Readonly<Record<string, string>> | undefined
}

/** How many are shown before somebody asks for the others. */
const firstShown = 3
/** Annotations can hold whole documents: these are read in the YAML. */
const longestValue = 200

/** Labels or annotations of an object. */
export function KeyValues({ label, values }: KeyValuesProps) {
  const entries = Object.entries(values ?? {})
  if (entries.length === 0) return '-'
  return (
    <LabelGroup aria-label={label} numLabels={firstShown} expandedText="Show less" collapsedText={more(entries.length)}>
      {entries.map(([key, value]) => (
        <Label key={key} isCompact variant="outline" textMaxWidth="min(28rem, 70vw)">
          {value === '' ? key : `${key}=${shortened(value)}`}
        </Label>
      ))}
    </LabelGroup>
  )
}

const more = (count: number): string => `Show ${count - firstShown} more`

const shortened = (value: string): string => (value.length > longestValue ? `${value.slice(0, longestValue)}…` : value)
