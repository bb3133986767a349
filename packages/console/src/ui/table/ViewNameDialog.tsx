import * as z from 'zod/mini'
import { fieldsOf } from '../form/fields'
import { FormDialog } from '../form/FormDialog'
import { useResourceForm } from '../form/resource-form'
import { longestName } from './saved-views'

interface ViewNameDialogProps {
  /** The name of the view to rename; absent for a new one. */
  name: string | undefined
  /** Those that are taken. */
  names: readonly string[]
  onSave: (name: string) => void
  onClose: () => void
}

const schema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter a name.'),
      z.maxLength(longestName, `Must be no more than ${longestName} characters.`),
    ),
})
const { TextField } = fieldsOf<z.input<typeof schema>>()

/** Asks for the name of a view; one that is taken replaces the view that has it. */
export function ViewNameDialog({ name, names, onSave, onClose }: ViewNameDialogProps) {
  const form = useResourceForm({
    schema,
    defaults: { name: name ?? '' },
    // There is nothing to lose but a name.
    isConfirmation: true,
    onDone: (_, values) => onSave(values.name),
    onCancel: onClose,
  })
  const typed = form.fields.watch('name').trim()
  const isTaken = typed !== name && names.includes(typed)
  return (
    <FormDialog
      title={name === undefined ? 'Save view' : 'Rename view'}
      submitLabel={isTaken ? 'Replace' : name === undefined ? 'Save' : 'Rename'}
      form={form}
    >
      <TextField
        name="name"
        label="Name"
        isRequired
        description="Views are stored in this browser. To share one, copy its link."
        warning={isTaken ? 'Another view has this name. It will be replaced.' : undefined}
      />
    </FormDialog>
  )
}
