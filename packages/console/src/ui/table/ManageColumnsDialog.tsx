import { Button, Checkbox, Stack, StackItem } from '@patternfly/react-core'
import { useId, useState } from 'react'
import { Dialog } from '../dialogs/Dialog'
import { defaultColumnIds } from './columns'
import type { Column } from './rows'

interface ManageColumnsDialogProps<T, A> {
  columns: readonly Column<T, A>[]
  visible: readonly Column<T, A>[]
  /** @param ids `undefined` for the default ones */
  onSave: (ids: readonly string[] | undefined) => void
  onClose: () => void
}

/** Which columns a table shows. Nothing changes before it is saved. */
export function ManageColumnsDialog<T, A>({ columns, visible, onSave, onClose }: ManageColumnsDialogProps<T, A>) {
  const id = useId()
  const [ids, setIds] = useState(() => visible.map((column) => column.id))
  const defaults = defaultColumnIds(columns)
  const save = () => {
    const isDefault = ids.length === defaults.length && ids.every((id) => defaults.includes(id))
    onSave(isDefault ? undefined : ids)
    onClose()
  }
  return (
    <Dialog
      title="Manage columns"
      description="The columns chosen here are shown in the table."
      onClose={onClose}
      footer={
        <>
          <Button onClick={save}>Save</Button>
          <Button variant="secondary" onClick={() => setIds(defaults)}>
            Reset to default
          </Button>
          <Button variant="link" onClick={onClose}>
            Cancel
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
              description={column.isRowHeader ? 'Names the row, and is always shown.' : undefined}
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
