import { nameOf, namespaceOf } from '@slipway/kube/object'
import { contextNames } from '@slipway/model/snapshots/integration-test-edit'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { useEditForm } from '../../ui/form/edit-form'
import { FormDialog } from '../../ui/form/FormDialog'
import { ContextsField } from './ContextsField'
import { type ContextsInput, contextsSchema, contextsWrites } from './integration-test-form'

interface EditContextsDialogProps {
  test: IntegrationTestScenario
  onClose: () => void
}

export function EditContextsDialog({ test, onClose }: EditContextsDialogProps) {
  const namespace = namespaceOf(test) ?? ''
  const form = useEditForm({
    noun: 'integration test',
    part: 'contexts',
    original: test,
    query: integrationTestScenarios.get(namespace, nameOf(test)),
    schema: contextsSchema,
    defaults: defaultsFor(test),
    toWrites: contextsWrites,
    errorFields: { 'spec.contexts': 'contexts' },
    isSame: hasSameContexts,
    onReload: (current) => {
      form.fields.reset(defaultsFor(current))
    },
    onDone: onClose,
    onCancel: onClose,
  })
  return (
    <FormDialog title="Edit contexts" submitLabel="Save" form={form}>
      <ContextsField
        namespace={namespace}
        application={form.base.spec.application ?? ''}
        stored={contextNames(form.base)}
      />
    </FormDialog>
  )
}

const defaultsFor = (test: IntegrationTestScenario): ContextsInput => ({ contexts: contextNames(test) })

const hasSameContexts = (a: IntegrationTestScenario, b: IntegrationTestScenario): boolean =>
  JSON.stringify(a.spec.contexts ?? []) === JSON.stringify(b.spec.contexts ?? [])
