import { testParams } from '@slipway/model/supply-chain/integration-test-edit'
import type { IntegrationTestScenario } from '@slipway/model/supply-chain/integration-test-scenario'
import { useState } from 'react'
import { FormDialog } from '../../ui/form/FormDialog'
import { useResourceForm } from '../../ui/form/resource-form'
import { ChangedMeanwhile } from './ChangedMeanwhile'
import { paramErrorFields, paramRow, paramsSchema, paramsWrites } from './integration-test-form'
import { ParamsField } from './ParamsField'

interface EditParametersDialogProps {
  test: IntegrationTestScenario
  onClose: () => void
}

export function EditParametersDialog({ test, onClose }: EditParametersDialogProps) {
  const [opened, setOpened] = useState(test)
  const form = useResourceForm({
    schema: paramsSchema,
    defaults: { params: testParams(opened).map(paramRow) },
    toWrites: (values) => paramsWrites(opened, values),
    errorFields: paramErrorFields,
    onDone: onClose,
    onCancel: onClose,
  })
  return (
    <FormDialog title="Edit parameters" submitLabel="Save" variant="medium" form={form}>
      <ChangedMeanwhile
        noun="parameters"
        form={form}
        opened={opened.spec.params}
        current={test.spec.params}
        onReload={() => {
          setOpened(test)
          form.fields.reset({ params: testParams(test).map(paramRow) })
        }}
      />
      <ParamsField />
    </FormDialog>
  )
}
