import { Button, Checkbox, Stack, StackItem } from '@patternfly/react-core'
import { useId, useState } from 'react'
import { Dialog } from '../dialogs/Dialog'
import { useNarrowFor, visibleColumns } from './columns'
import type { Column } from './rows'

interface ManageColumnsDialogProps<T, A> {
  columns: readonly Column<T, A>[]
  visible: readonly Column<T, A>[]
  title: string | undefined
  /** @param ids `undefined` for the default ones */
  onSave: (ids: readonly string[] | undefined) => void
  onClose: () => void
}

/** Selects the columns of a table. Nothing changes until it is saved. */
export function ManageColumnsDialog<T, A>({
  columns,
  visible,
  title = 'Manage columns',
  onSave,
  onClose,
}: ManageColumnsDialogProps<T, A>) {
  const id = useId()
  const [ids, setIds] = useState(() => visible.map((column) => column.id))
  // In a narrow window, the default columns are fewer.
  const defaults = visibleColumns(columns, undefined, useNarrowFor()).map((column) => column.id)
  const save = () => {
    const isDefault = ids.length === defaults.length && ids.every((id) => defaults.includes(id))
    onSave(isDefault ? undefined : ids)
    onClose()
  }
  return (
    <Dialog
      title={title}
      description="Choose which columns to show."
      onClose={onClose}
      footer={
        <>
          <Button onClick={save}>Save</Button>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="link" onClick={() => setIds(defaults)}>
            Reset to default
          </Button>
        </>
      }
    >
      <Stack hasGutter role="group" aria-label="Columns">
        {columns.map((column) => (
          <StackItem key={column.id}>
            <Checkbox
              id={`${id}-${column.id}`}
              label={column.label}
              description={column.isRowHeader ? 'Always shown.' : undefined}
              isDisabled={column.isRowHeader}
              isChecked={column.isRowHeader || ids.includes(column.id)}
              onChange={(_, isChecked) =>
                setIds(isChecked ? [...ids, column.id] : ids.filter((other) => other !== column.id))
              }
            />
          </StackItem>
        ))}
      </Stack>
    </Dialog>
  )
}
