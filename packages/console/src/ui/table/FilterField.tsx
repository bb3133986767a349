import { SearchInput } from '@patternfly/react-core'
import { useEffect, useRef, useState } from 'react'

/** How long typing has to pause before the rows are filtered. */
const debounceMs = 600

interface FilterFieldProps {
  label: string
  /** What the rows are filtered by now. */
  value: string
  onChange: (value: string) => void
}

export function FilterField({ label, value, onChange }: FilterFieldProps) {
  // What has been typed and not yet applied; `undefined` means that the field shows what is applied.
  const [typed, setTyped] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const apply = (text: string) => {
    clearTimeout(timer.current)
    setTyped(undefined)
    onChange(text)
  }
  const applyLater = (text: string) => {
    clearTimeout(timer.current)
    setTyped(text)
    timer.current = setTimeout(() => apply(text), debounceMs)
  }
  return (
    <SearchInput
      aria-label={`Filter by ${label}`}
      placeholder={`Filter by ${label}...`}
      value={typed ?? value}
      onChange={(_, text) => applyLater(text)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && typed !== undefined) apply(typed)
      }}
      onClear={() => apply('')}
      resetButtonLabel={`Clear filter by ${label}`}
    />
  )
}
