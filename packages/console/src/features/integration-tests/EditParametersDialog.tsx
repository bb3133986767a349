import { nameOf, namespaceOf } from '@slipway/kube/object'
import { testParams } from '@slipway/model/snapshots/integration-test-edit'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { useEditForm } from '../../ui/form/edit-form'
import { FormDialog } from '../../ui/form/FormDialog'
import { paramErrorFields, paramRow, type ParamsInput, paramsSchema, paramsWrites } from './integration-test-form'
import { ParamsField } from './ParamsField'

interface EditParametersDialogProps {
  test: IntegrationTestScenario
  onClose: () => void
}

export function EditParametersDialog({ test, onClose }: EditParametersDialogProps) {
  const form = useEditForm({
    noun: 'integration test',
    part: 'parameters',
    original: test,
    query: integrationTestScenarios.get(namespaceOf(test) ?? '', nameOf(test)),
    schema: paramsSchema,
    defaults: defaultsFor(test),
    toWrites: paramsWrites,
    errorFields: paramErrorFields,
    isSame: hasSameParams,
    onReload: (current) => {
      form.fields.reset(defaultsFor(current))
    },
    onDone: onClose,
    onCancel: onClose,
  })
  return (
    <FormDialog title="Edit parameters" submitLabel="Save" variant="medium" form={form}>
      <ParamsField />
    </FormDialog>
  )
}

const defaultsFor = (test: IntegrationTestScenario): ParamsInput => ({ params: testParams(test).map(paramRow) })

const hasSameParams = (a: IntegrationTestScenario, b: IntegrationTestScenario): boolean =>
  JSON.stringify(a.spec.params ?? []) === JSON.stringify(b.spec.params ?? [])
