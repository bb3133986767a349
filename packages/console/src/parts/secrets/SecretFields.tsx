import { Alert } from '@patternfly/react-core'
import type { Secret } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { secretPresets } from '@slipway/model/secrets/secret-content'
import { useFormContext, useWatch } from 'react-hook-form'
import { fieldsOf } from '../../ui/form/fields'
import type { Option, OptionSource } from '../../ui/form/options'
import { useNow } from '../../ui/text/now'
import { CredentialsFields } from './CredentialsFields'
import { LabelRows } from './LabelRows'
import { LinkFields, type LinkHelp } from './LinkFields'
import { emptyKeyValue, inputOf, isLinkableInput, presetOf, type SecretInput } from './secret-form'
import { SourceFields } from './SourceFields'
import { expiredContentText } from './token-warning'

const { ComboboxField, RadioField, KeyValuesField, FileField } = fieldsOf<SecretInput>()

interface SecretFieldsProps {
  /** The secrets of the namespace, if they are known: presets with their names are not offered. */
  present: readonly Secret[] | undefined
  /** Existing secrets, whose names may be entered. */
  existing?: readonly Option[]
  /** The components that it can be linked to. */
  components: OptionSource
  linkHelp?: LinkHelp
}

/** The fields of a new secret, on the page and in the dialog. */
export function SecretFields({ present, existing = [], components, linkHelp }: SecretFieldsProps) {
  const { getValues, setValue, trigger } = useFormContext<SecretInput>()
  // The form has all of its values from the start.
  const values = useWatch<SecretInput>() as SecretInput
  const preset = presetOf(values)
  const known = existing.find(({ value }) => value === values.name)

  const resetRows = (keys: readonly string[] = ['']) =>
    setValue(
      'keyValues',
      keys.map((key) => ({ ...emptyKeyValue, key })),
    )
  const onKind = () => {
    if (secretPresets.some(({ name }) => name === getValues('name'))) setValue('name', '')
    resetRows()
    setValue('linkOption', 'none')
    setValue('components', [])
    void trigger(['name', 'keyValues', 'components'])
  }
  const onName = () => {
    const next = presetOf(getValues())
    if (next === preset) return
    resetRows(next?.keys)
    void trigger('keyValues')
  }
  const names = [
    ...existing,
    ...(values.kind === 'opaque' ? secretPresets : [])
      .filter((each) => !present?.some((secret) => nameOf(secret) === each.name))
      .map(({ name, keys }) => ({ value: name, description: `Preset with the key ${keys.join(', ')}` })),
  ]
  return (
    <>
      <RadioField
        name="kind"
        label="Secret type"
        options={[
          { value: 'opaque', label: 'Key/value', description: 'Any values, such as the token of a scanner.' },
          { value: 'image', label: 'Image pull', description: 'Credentials of image registries.' },
          { value: 'source', label: 'Source', description: 'Credentials of a git host.' },
        ]}
        onSelect={onKind}
        isRequired
      />
      <ComboboxField
        name="name"
        label="Secret name"
        placeholder={names.length > 0 ? 'Select existing or create new' : undefined}
        description="Must be unique in the namespace."
        options={names}
        onValue={onName}
        isRequired
      />
      {known ? (
        <Alert isInline variant="info" component="p" title={`${known.value} exists. Its values stay as they are.`} />
      ) : (
        <>
          <ContentFields values={values} isPreset={preset !== undefined} />
          <AudienceFields values={values} components={components} linkHelp={linkHelp} />
          <LabelRows />
        </>
      )}
    </>
  )
}

interface ContentFieldsProps {
  values: SecretInput
  isPreset: boolean
}

/** The values of the secret. */
function ContentFields({ values, isPreset }: ContentFieldsProps) {
  const { kind } = values
  const now = useNow(60_000)
  if (kind === 'opaque') {
    return (
      // Rows of a preset are a list of their own: their keys cannot be edited.
      <KeyValuesField
        key={String(isPreset)}
        name="keyValues"
        label="Keys and values"
        minRows={1}
        areKeysFixed={isPreset}
        isConfidential
      />
    )
  }
  if (kind === 'source') return <SourceFields input={values.sourceInput} />
  return (
    <>
      <RadioField
        name="imageInput"
        label="Authentication type"
        options={[
          { value: 'credentials', label: 'Image registry credentials' },
          { value: 'file', label: 'Upload configuration file' },
        ]}
      />
      {inputOf(values) === 'credentials' ? (
        <CredentialsFields />
      ) : (
        <FileField
          name="configFile"
          label="Configuration file"
          description="A .dockercfg or config.json file with the credentials of the registries."
          warning={expiredContentText(values, now)}
          content="text"
          isConfidential
          isRequired
        />
      )}
    </>
  )
}

interface AudienceFieldsProps {
  values: SecretInput
  components: OptionSource
  linkHelp: LinkHelp | undefined
}

/** What the secret is for, and which builds can use it. */
const AudienceFields = ({ values, components, linkHelp }: AudienceFieldsProps) => (
  <>
    <RadioField
      name="secretFor"
      label="Use it for"
      options={[{ value: 'Build' }, { value: 'Deployment', description: 'It is not linked to builds.' }]}
    />
    {isLinkableInput(values) && <LinkFields option={values.linkOption} components={components} help={linkHelp} />}
  </>
)
