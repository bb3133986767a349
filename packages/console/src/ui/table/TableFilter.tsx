import { SearchInput, Skeleton, Switch, ToolbarFilter, ToolbarItem } from '@patternfly/react-core'
import { useId } from 'react'
import { originOf } from '../../api/archive/origin'
import type { RowWindow } from '../../api/source'
import { ChoiceFilterField } from './ChoiceFilterField'
import { fieldOf } from './view-query'
import { countChoices, type Filter, isChoice, isHiding, type FilterValues, switchedOn } from './rows'

interface TableFilterProps<T extends object> {
  filter: Filter<T>
  /** All filters of the table, since the counts of one depend on the others. */
  filters: readonly Filter<T>[]
  rows: readonly T[]
  /** Has counted the rows, except for those of an archive. */
  window: RowWindow | undefined
  filterValues: FilterValues
  onChange: (change: FilterValues, options?: { isTyped?: boolean }) => void
}

/** One filter in the toolbar of a table; its selected values are shown below as chips. */
export function TableFilter<T extends object>({
  filter,
  filters,
  rows,
  window,
  filterValues,
  onChange,
}: TableFilterProps<T>) {
  const { id, label } = filter
  const toggleId = useId()
  const value = filterValues[id]
  if (isHiding(filter)) {
    return (
      <ToolbarItem alignSelf="center">
        <Switch
          id={toggleId}
          label={label}
          isChecked={value === switchedOn}
          onChange={(_, isOn) => onChange({ [id]: isOn ? switchedOn : null })}
        />
      </ToolbarItem>
    )
  }
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
  const removeChips = (removed: readonly string[]) => {
    onChange({ [id]: chosen.filter((value) => !removed.includes(value)) })
    // The focus must not stay on a removed chip.
    document.getElementById(toggleId)?.focus()
  }
  return (
    <ToolbarFilter
      categoryName={label}
      labels={[...chosen]}
      deleteLabel={(_, value) => removeChips([String(value)])}
      deleteLabelGroup={() => removeChips(chosen)}
    >
      <ChoiceFilterField
        toggleId={toggleId}
        label={label}
        choicesOf={() =>
          countChoices(
            window ? rows.filter(originOf) : rows,
            filters,
            filterValues,
            filter,
            window?.counts[fieldOf(filter)],
          )
        }
        chosen={chosen}
        onChange={(next) => onChange({ [id]: next })}
      />
    </ToolbarFilter>
  )
}

/** Stands in for a filter while rows are loading, so that the table does not move when it appears. */
export const LoadingFilter = ({ isNarrow }: { isNarrow: boolean }) => (
  <ToolbarItem>
    <Skeleton width={isNarrow ? '6rem' : '14rem'} height="2.3125rem" />
  </ToolbarItem>
)
