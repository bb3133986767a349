import { SearchInput, Skeleton, ToolbarFilter, ToolbarItem } from '@patternfly/react-core'
import { useId } from 'react'
import { ChoiceFilterField } from './ChoiceFilterField'
import { countChoices, type Filter, isChoice, type FilterValues } from './rows'

interface TableFilterProps<T> {
  filter: Filter<T>
  /** All of the table's, since the counts of one depend on the others. */
  filters: readonly Filter<T>[]
  rows: readonly T[]
  filterValues: FilterValues
  onChange: (change: FilterValues, options?: { isTyped?: boolean }) => void
}

/** One filter in the toolbar of a table; what is chosen of it is shown below as chips. */
export function TableFilter<T>({ filter, filters, rows, filterValues, onChange }: TableFilterProps<T>) {
  const { id, label } = filter
  const toggleId = useId()
  const value = filterValues[id]
  if (!isChoice(filter)) {
    const text = typeof value === 'string' ? value : ''
    return (
      <ToolbarItem className="slipway-table__filter">
        <SearchInput
          aria-label={`Filter by ${label}`}
          placeholder={`Filter by ${label}...`}
          value={text}
          onChange={(_, typed) => onChange({ [id]: typed }, { isTyped: true })}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onChange({ [id]: text })
          }}
          onClear={() => onChange({ [id]: '' })}
          resetButtonLabel={`Clear filter by ${label}`}
        />
      </ToolbarItem>
    )
  }
  const chosen = typeof value === 'string' ? [] : (value ?? [])
  const giveUp = (given: readonly string[]) => {
    onChange({ [id]: chosen.filter((value) => !given.includes(value)) })
    // Not left with a chip that is gone.
    document.getElementById(toggleId)?.focus()
  }
  return (
    <ToolbarFilter
      categoryName={label}
      labels={[...chosen]}
      deleteLabel={(_, value) => giveUp([String(value)])}
      deleteLabelGroup={() => giveUp(chosen)}
    >
      <ChoiceFilterField
        toggleId={toggleId}
        label={label}
        choicesOf={() => countChoices(rows, filters, filterValues, filter)}
        chosen={chosen}
        onChange={(next) => onChange({ [id]: next })}
      />
    </ToolbarFilter>
  )
}

/** Stands in for a filter while rows are on their way, so that the table does not move when it comes. */
export const LoadingFilter = ({ isNarrow }: { isNarrow: boolean }) => (
  <ToolbarItem>
    <Skeleton width={isNarrow ? '6rem' : '14rem'} height="2.3125rem" />
  </ToolbarItem>
)
