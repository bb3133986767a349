import { nameOf, type KubeList } from '@slipway/kube/object'
import { type Component, componentsOf } from '@slipway/model/builds/component'
import {
  componentContext,
  type ContextChoice,
  disabledNote,
  fixedContexts,
} from '@slipway/model/snapshots/integration-test-edit'
import { useQuery } from '@tanstack/react-query'
import { useFormState, useWatch } from 'react-hook-form'
import { components } from '../../resources/components'
import { fieldsOf } from '../../ui/form/fields'
import type { Option } from '../../ui/form/options'
import type { ContextsInput } from './integration-test-form'

const { MultiSelectField } = fieldsOf<ContextsInput>()

const toOption = ({ name, description }: ContextChoice): Option => ({ value: name, description })
const fixedOptions = fixedContexts.map(toOption)

interface ContextsFieldProps {
  namespace: string
  application: string
  /** The contexts as stored: selecting them again is not a change. */
  stored: readonly string[]
}

/** The snapshots for which a test runs. */
export function ContextsField({ namespace, application, stored }: ContextsFieldProps) {
  const contexts = useWatch<ContextsInput, 'contexts'>({ name: 'contexts' })
  const { errors } = useFormState<ContextsInput>({ name: 'contexts' })
  const options = useQuery({
    ...components.names(namespace),
    select: ({ items }: KubeList<Component>) =>
      componentsOf(items, application)
        .map(nameOf)
        .toSorted()
        .map((name) => toOption(componentContext(name))),
  })
  return (
    <MultiSelectField
      name="contexts"
      label="Contexts"
      description="Must select at least one context but you have option to pick more if needed."
      warning={disabledNote(contexts)}
      placeholder={errors.contexts ? 'You must select at least one context' : 'Select…'}
      options={options}
      fixedOptions={fixedOptions}
      storedOrder={stored}
      isRequired
    />
  )
}
