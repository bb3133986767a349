import { useState } from 'react'
import type { FilterValues } from './rows'
import type { useFiltersInUrl } from './table-url'

/** The filters of a table in a dialog, which ends with the dialog. Like in the URL, `{}` clears them all. */
export function useFilterState(): ReturnType<typeof useFiltersInUrl> {
  const [values, setValues] = useState<FilterValues>({})
  return [
    values,
    (change) => setValues((current) => (Object.keys(change).length === 0 ? {} : { ...current, ...change })),
  ]
}
