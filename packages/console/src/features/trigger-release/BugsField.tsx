import { bugKey } from '@slipway/model/releases/named-fixes'
import { bugStatuses, type FixedBug, toUploadDate } from '@slipway/model/releases/triggered-release'
import type { RowKind } from '../../api/source'
import { fieldsOf } from '../../ui/form/fields'
import { FormDialog } from '../../ui/form/FormDialog'
import { useResourceForm } from '../../ui/form/resource-form'
import { useField } from '../../ui/form/use-field'
import type { Column, Filter } from '../../ui/table/rows'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { EntriesField, type EntryDialogProps } from './EntriesField'
import { bugSchema, repeatsBug, toBug } from './trigger-release-form'

/** The bugs that the release fixes. */
export function BugsField() {
  const { value, onChange } = useField<FixedBug[]>('bugs')
  return (
    <EntriesField
      label="Bugs"
      description="The bugs that this release fixes, for its release notes."
      addLabel="Add a bug"
      emptyText="No Bugs found"
      entries={value}
      onChange={onChange}
      kind={bugRows}
      columns={columns}
      filters={filters}
      renderDialog={(dialog) => <BugDialog {...dialog} />}
    />
  )
}

const bugRows: RowKind<FixedBug> = { idOf: bugKey, nameOf: ({ id }) => id, isBeingDeleted: () => false }

const columns: Column<FixedBug>[] = [
  { id: 'id', label: 'Bug ID', isRowHeader: true, sortBy: ({ id }) => id, cell: ({ id }) => id },
  {
    id: 'source',
    label: 'Source',
    sortBy: ({ source }) => source,
    cell: ({ source }) => <ExternalLink href={source}>{source}</ExternalLink>,
  },
  {
    id: 'summary',
    label: 'Summary',
    visibleFrom: 'lg',
    sortBy: ({ summary }) => summary,
    cell: ({ summary }) => summary || '-',
  },
  {
    id: 'uploadDate',
    label: 'Upload date',
    width: 15,
    visibleFrom: 'lg',
    cell: ({ uploadDate }) => uploadDate || '-',
  },
  { id: 'status', label: 'Status', width: 15, cell: ({ status }) => status },
]

const filters: Filter<FixedBug>[] = [
  { id: 'bug', label: 'id, source or summary', text: ({ id, source, summary }) => [id, source, summary].join('\n') },
  { id: 'status', label: 'Status', choices: ({ status }) => status, values: bugStatuses },
]

const { TextField, RadioField } = fieldsOf<FixedBug>()

const newBug = (): FixedBug => ({
  id: '',
  source: '',
  uploadDate: toUploadDate(new Date()),
  status: 'Unresolved',
  summary: '',
})

function BugDialog({ entry, others, onSave, onClose }: EntryDialogProps<FixedBug>) {
  const form = useResourceForm({
    schema: bugSchema(others),
    defaults: entry ?? newBug(),
    onDone: (_, values) => onSave(toBug(values)),
    onCancel: onClose,
  })
  return (
    <FormDialog
      title={entry ? 'Edit bug' : 'Add a bug'}
      submitLabel={entry ? 'Save' : 'Add bug'}
      invalidReason={repeatsBug(form.fields.watch(), others) ? 'This bug has already been added.' : undefined}
      form={form}
    >
      <TextField name="id" label="Bug ID" isRequired />
      <TextField name="source" label="Source" placeholder="https://" description="URL of the bug" isRequired />
      <TextField name="summary" label="Summary" />
      <TextField name="uploadDate" label="Upload date" placeholder="MM-DD-YYYY" description="MM-DD-YYYY" />
      <RadioField name="status" label="Status" options={bugStatuses.map((value) => ({ value }))} />
    </FormDialog>
  )
}
