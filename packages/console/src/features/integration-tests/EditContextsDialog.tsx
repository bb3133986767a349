import { namespaceOf } from '@slipway/kube/object'
import { contextNames } from '@slipway/model/supply-chain/integration-test-edit'
import type { IntegrationTestScenario } from '@slipway/model/supply-chain/integration-test-scenario'
import { useState } from 'react'
import { FormDialog } from '../../ui/form/FormDialog'
import { useResourceForm } from '../../ui/form/resource-form'
import { ChangedMeanwhile } from './ChangedMeanwhile'
import { ContextsField } from './ContextsField'
import { contextsSchema, contextsWrites } from './integration-test-form'

interface EditContextsDialogProps {
  test: IntegrationTestScenario
  onClose: () => void
}

export function EditContextsDialog({ test, onClose }: EditContextsDialogProps) {
  const [opened, setOpened] = useState(test)
  const stored = contextNames(opened)
  const form = useResourceForm({
    schema: contextsSchema,
    defaults: { contexts: stored },
    toWrites: (values) => contextsWrites(opened, values),
    errorFields: { 'spec.contexts': 'contexts' },
    onDone: onClose,
    onCancel: onClose,
  })
  return (
    <FormDialog title="Edit contexts" submitLabel="Save" form={form}>
      <ChangedMeanwhile
        noun="contexts"
        form={form}
        opened={opened.spec.contexts}
        current={test.spec.contexts}
        onReload={() => {
          setOpened(test)
          form.fields.reset({ contexts: contextNames(test) })
        }}
      />
      <ContextsField namespace={namespaceOf(test) ?? ''} application={opened.spec.application ?? ''} stored={stored} />
    </FormDialog>
  )
}
