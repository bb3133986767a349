import { TextInput } from '@patternfly/react-core'
import { generateComponentName } from '@slipway/model/builds/component-name'
import {
  gitUrlError,
  parseRepositoryAddress,
  parseRepositoryPage,
  repositoryNameOf,
  type RepositoryReference,
} from '@slipway/model/git/repository-address'
import { type ClipboardEvent, useRef, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { Field } from '../../ui/form/Field'
import { pastedText } from '../../ui/form/pasted-text'
import { useField } from '../../ui/form/use-field'
import { type ComponentInput, emptyComponent, type ImportInput, providerOf } from './import-form'

type Derived = 'name' | 'gitProvider' | 'gitProviderUrl' | 'revision' | 'context'

interface GitUrlFieldProps {
  /** Ends the generated name of the component. */
  suffix: string
  isReadOnly: boolean
  /** Called when an address has set one of the advanced options. */
  onAdvanced: () => void
}

/**
 * The URL of the repository. Other fields follow from it until the user edits them: the name of the component and the
 * annotations of its provider, and what an address says besides the repository.
 */
export function GitUrlField({ suffix, isReadOnly, onAdvanced }: GitUrlFieldProps) {
  const { getValues, setValue, trigger } = useFormContext<ImportInput>()
  const field = useField<string>('component.url')
  const [filled, setFilled] = useState<string>()
  /** What was last derived: a field with another value has been edited. */
  const derived = useRef<Pick<ComponentInput, Derived>>(emptyComponent)

  const derive = (values: Partial<Pick<ComponentInput, Derived>>, { isForced = false } = {}) => {
    for (const name of Object.keys(values) as Derived[]) {
      const value = values[name] ?? ''
      if (!isForced && getValues(`component.${name}`) !== derived.current[name]) continue
      setValue(`component.${name}`, value, { shouldDirty: true })
      derived.current = { ...derived.current, [name]: value }
    }
  }
  const change = (url: string) => {
    field.onChange(url)
    const isValid = !gitUrlError(url)
    derive({ ...providerOf(url), name: isValid ? generateComponentName(repositoryNameOf(url), suffix) : '' })
    void trigger('component')
  }
  const apply = ({ url, revision, context }: RepositoryReference, source = 'address') => {
    derive({ revision: '', context: '' })
    derive({ ...(revision && { revision, context: context ?? '' }) }, { isForced: true })
    change(url)
    if (revision) onAdvanced()
    const also = [
      ...(revision ? [`git reference ${revision}`] : []),
      ...(context ? [`context directory ${context}`] : []),
    ]
    setFilled(also.length > 0 ? `${source}: ${also.join(' and ')}` : undefined)
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const address = parseRepositoryAddress(pastedText(event) ?? '')
    if (isReadOnly || !address) return
    event.preventDefault()
    apply(address, 'pasted address')
  }
  // An address may also be typed, or dropped into the field.
  const enter = () => {
    const address = isReadOnly ? undefined : parseRepositoryPage(field.value)
    if (address) apply(address)
  }
  return (
    <Field
      field={field}
      label="Git repository URL"
      description={
        filled
          ? `Also filled in from the ${filled}.`
          : 'You can paste the address of a repository, branch, folder, pull request or commit.'
      }
      isRequired
    >
      <TextInput
        {...field.inputProps}
        value={field.value}
        onChange={(_, text) => {
          setFilled(undefined)
          change(text)
        }}
        onPaste={paste}
        onBlur={() => {
          enter()
          field.onBlur()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') enter()
        }}
        isRequired
        validated={field.error ? 'error' : 'default'}
        placeholder="https://github.com/organization/repository"
        readOnlyVariant={isReadOnly ? 'default' : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </Field>
  )
}
