import { Button, Checkbox, ToolbarGroup, ToolbarItem } from '@patternfly/react-core'
import { useId } from 'react'
import type { Action } from '../action'
import { ActionButton } from '../actions/ActionButton'
import { useBlockedWrites } from '../page/page-actions'

interface SelectAllProps {
  /** Rows that the filters leave. */
  shownCount: number
  /** Those of them that are selected. */
  selectedCount: number
  onSelect: (isSelected: boolean) => void
}

/** Selects every row that is shown, also those that have to be scrolled to. */
export const SelectAll = ({ shownCount, selectedCount, onSelect }: SelectAllProps) => (
  <ToolbarItem className="slipway-table__select-all">
    <Checkbox
      id={useId()}
      aria-label={`Select all ${shownCount.toLocaleString('en-US')} shown`}
      isDisabled={shownCount === 0}
      isChecked={selectedCount === 0 ? false : selectedCount === shownCount ? true : null}
      onChange={() => onSelect(selectedCount < shownCount)}
    />
  </ToolbarItem>
)

interface SelectionActionsProps {
  selectedCount: number
  /** Selected rows that the filters hide: nothing is done to them. */
  hiddenCount: number
  actions: readonly Action[]
  onClear: () => void
}

/** How many rows are selected, and what can be done with them. */
export function SelectionActions({ selectedCount, hiddenCount, actions, onClear }: SelectionActionsProps) {
  const offered = useBlockedWrites(actions)
  return (
    <ToolbarGroup role="group" aria-label="Selected rows" alignItems="center" columnGap={{ default: 'columnGapSm' }}>
      <ToolbarItem role="status" alignSelf="center">
        <strong>{selectedCount.toLocaleString('en-US')} selected</strong>
        {hiddenCount > 0 && ` (${hiddenCount.toLocaleString('en-US')} more hidden by filters)`}
      </ToolbarItem>
      {selectedCount > 0 &&
        offered.map(({ label, disabledReason, isDanger, onSelect }) => (
          <ToolbarItem key={label}>
            <ActionButton
              size="sm"
              variant={isDanger ? 'danger' : 'secondary'}
              disabledReason={disabledReason}
              onClick={onSelect}
            >
              {label}
            </ActionButton>
          </ToolbarItem>
        ))}
      <ToolbarItem>
        <Button size="sm" variant="link" onClick={onClear}>
          Clear selection
        </Button>
      </ToolbarItem>
    </ToolbarGroup>
  )
}
