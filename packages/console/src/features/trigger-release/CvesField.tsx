import { cveKey } from '@slipway/model/releases/named-fixes'
import type { FixedCve } from '@slipway/model/releases/triggered-release'
import type { RowKind } from '../../api/source'
import { fieldsOf } from '../../ui/form/fields'
import { FormDialog } from '../../ui/form/FormDialog'
import { useResourceForm } from '../../ui/form/resource-form'
import { useField } from '../../ui/form/use-field'
import type { Column, Filter } from '../../ui/table/rows'
import { EntriesField, type EntryDialogProps } from './EntriesField'
import { type CveInput, cveInput, cveSchema, repeatsCve, toCve } from './trigger-release-form'

interface Suggestions {
  /** Names of the components of the selected snapshot. */
  components: readonly string[]
}

/** The vulnerabilities that the release fixes. */
export function CvesField({ components }: Suggestions) {
  const { value, onChange } = useField<FixedCve[]>('cves')
  return (
    <EntriesField
      label="CVEs"
      description="The vulnerabilities that this release fixes."
      addLabel="Add a CVE"
      emptyText="No CVEs found"
      entries={value}
      onChange={onChange}
      kind={cveRows}
      columns={columns}
      filters={filters}
      renderDialog={(dialog) => <CveDialog {...dialog} components={components} />}
    />
  )
}

const cveRows: RowKind<FixedCve> = { idOf: cveKey, nameOf: ({ key }) => key, isBeingDeleted: () => false }

const columns: Column<FixedCve>[] = [
  { id: 'key', label: 'CVE key', isRowHeader: true, sortBy: ({ key }) => key, cell: ({ key }) => key },
  {
    id: 'component',
    label: 'Component',
    sortBy: ({ component }) => component || undefined,
    cell: ({ component }) => component || '-',
  },
  {
    id: 'packages',
    label: 'Packages',
    sortBy: ({ packages }) => packages.join(', ') || undefined,
    cell: ({ packages }) => packages.join(', ') || '-',
  },
]

const filters: Filter<FixedCve>[] = [
  {
    id: 'cve',
    label: 'key, component or package',
    text: ({ key, component, packages }) => [key, component, ...packages].join('\n'),
  },
]

const { TextField, ComboboxField, FieldRows } = fieldsOf<CveInput>()

function CveDialog({ entry, others, onSave, onClose, components }: EntryDialogProps<FixedCve> & Suggestions) {
  const form = useResourceForm({
    schema: cveSchema(others),
    defaults: entry ? cveInput(entry) : { key: '', component: '', packages: [] },
    onDone: (_, values) => onSave(toCve(values)),
    onCancel: onClose,
  })
  return (
    <FormDialog
      title={entry ? 'Edit CVE' : 'Add a CVE'}
      submitLabel={entry ? 'Save' : 'Add CVE'}
      invalidReason={
        repeatsCve(form.fields.watch(), others) ? 'This CVE has already been added for the same component.' : undefined
      }
      form={form}
    >
      <TextField name="key" label="CVE key" placeholder="CVE-2026-1234" isRequired />
      <ComboboxField
        name="component"
        label="Component"
        description="Written in lower case, with dashes for spaces and dots."
        options={components.map((value) => ({ value }))}
      />
      <FieldRows name="packages" label="Packages" noun="package" newRow={() => ({ name: '' })} isOrderFixed>
        {(index) => <TextField name={`packages.${index}.name`} label="Name" />}
      </FieldRows>
    </FormDialog>
  )
}
