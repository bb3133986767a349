import { Button, EmptyState, EmptyStateActions, EmptyStateFooter } from '@patternfly/react-core'
import { type ReactNode, useId, useState } from 'react'
import { type RowKind, useFixed } from '../../api/source'
import { Field } from '../../ui/form/Field'
import { PickTable } from '../../ui/table/PickTable'
import type { Column, Filter } from '../../ui/table/rows'

export interface EntryDialogProps<Entry> {
  /** The one to change; `undefined` to add one. */
  entry: Entry | undefined
  /** The entries besides that one. */
  others: readonly Entry[]
  onSave: (entry: Entry) => void
  onClose: () => void
}

interface EntriesFieldProps<Entry extends object> {
  /** Label of the section and of its table. */
  label: string
  description: string
  addLabel: string
  emptyText: string
  entries: readonly Entry[]
  onChange: (entries: Entry[]) => void
  kind: RowKind<Entry>
  columns: readonly Column<Entry>[]
  filters: readonly Filter<Entry>[]
  renderDialog: (props: EntryDialogProps<Entry>) => ReactNode
}

/** A value of a form that is a list of entries: shown as a table, and added and changed in a dialog. */
export function EntriesField<Entry extends object>({
  label,
  description,
  addLabel,
  emptyText,
  entries,
  onChange,
  kind,
  columns,
  filters,
  renderDialog,
}: EntriesFieldProps<Entry>) {
  const id = useId()
  const sectionId = useId()
  /** The entry that is being changed, or whether one is being added. */
  const [open, setOpen] = useState<Entry | 'new'>()
  const entry = open === 'new' ? undefined : open
  const without = (removed: Entry | undefined) => entries.filter((each) => each !== removed)
  const change = (next: Entry[]) => {
    onChange(next)
    // What was pressed may disappear with its row, or with the empty state.
    document.getElementById(sectionId)?.focus()
  }
  const add = (
    <Button variant="secondary" onClick={() => setOpen('new')}>
      {addLabel}
    </Button>
  )
  return (
    <Field field={{ id, error: undefined }} role="group" label={label} description={description}>
      <div
        id={sectionId}
        tabIndex={-1}
        // Enter in the filter must not submit the form.
        onKeyDown={(event) =>
          event.key === 'Enter' && event.target instanceof HTMLInputElement && event.preventDefault()
        }
      >
        <PickTable
          label={label}
          source={useFixed(entries, kind)}
          columns={columns}
          filters={filters}
          toolbar={add}
          actions={(row) => [
            { label: 'Edit', onSelect: () => setOpen(row) },
            { label: 'Remove', onSelect: () => change(without(row)) },
          ]}
          empty={
            <EmptyState variant="xs" headingLevel="h2" titleText={emptyText}>
              <EmptyStateFooter>
                <EmptyStateActions>{add}</EmptyStateActions>
              </EmptyStateFooter>
            </EmptyState>
          }
        />
      </div>
      {open &&
        renderDialog({
          entry,
          others: without(entry),
          onSave: (saved) => {
            setOpen(undefined)
            change(entry ? entries.map((each) => (each === entry ? saved : each)) : [...entries, saved])
          },
          onClose: () => setOpen(undefined),
        })}
    </Field>
  )
}
