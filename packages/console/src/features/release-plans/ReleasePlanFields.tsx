import { Alert } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { useQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import { namespaces } from '../../resources/namespaces'
import { fieldsOf } from '../../ui/form/fields'
import { GitSourceFields } from '../../parts/git/GitSourceFields'
import type { ReleasePlanInput } from './release-plan-form'

const { CheckboxField, ComboboxField, FieldRows, RadioField, TextAreaField, TextField } = fieldsOf<ReleasePlanInput>()

interface ReleasePlanFieldsProps {
  namespace: string
  /** The resolver of a pipeline that cannot be edited. */
  resolver?: string | undefined
}

/** What can be changed of every release plan. */
export function ReleasePlanFields({ namespace, resolver }: ReleasePlanFieldsProps) {
  const { trigger, formState } = useFormContext<ReleasePlanInput>()
  const location = useWatch<ReleasePlanInput, 'location'>({ name: 'location' })
  return (
    <>
      <RadioField
        name="location"
        label="Release location"
        options={[
          {
            value: 'current',
            label: 'Current namespace',
            description: `A pipeline in ${namespace} releases the snapshots.`,
          },
          {
            value: 'target',
            label: 'Target namespace',
            description: 'A release plan admission in another namespace says how snapshots are released.',
          },
        ]}
        // What else is required depends on it.
        onSelect={() => formState.isDirty && void trigger(['url', 'revision', 'path', 'serviceAccount', 'target'])}
        isRequired
      />
      {location === 'target' && <TargetField namespace={namespace} />}
      {resolver === undefined ? (
        location !== '' && <PipelineFields isRequired={location === 'current'} />
      ) : (
        <Alert isInline variant="info" component="p" title="The pipeline of this release plan cannot be edited here">
          It uses the {resolver} resolver, and is kept as it is. Only pipelines from a git repository can be edited.
        </Alert>
      )}
      <TextAreaField
        name="data"
        label="Data"
        description="Passed to the pipelines of a release, as YAML or JSON."
        placeholder="releaseNotes:&#10;  references: []"
      />
      <FieldRows name="labels" label="Labels" noun="label" newRow={() => ({ key: '', value: '' })} isOrderFixed>
        {(index) => (
          <>
            <TextField name={`labels.${index}.key`} label="Key" />
            <TextField name={`labels.${index}.value`} label="Value" />
          </>
        )}
      </FieldRows>
      <CheckboxField
        name="isAutomatic"
        label="Auto release"
        description="Every snapshot that passes its required tests is released."
      />
      <CheckboxField
        name="hasStandingAttribution"
        label="Standing attribution"
        description="Automatic releases are attributed to the author of this release plan, and fail without it."
      />
    </>
  )
}

/** The namespace of the admission, which the user may be unable to see. */
function TargetField({ namespace }: { namespace: string }) {
  const others = useQuery(namespaces.list()).data?.items.map(nameOf) ?? []
  return (
    <ComboboxField
      name="target"
      label="Target"
      description="The namespace of the release plan admission."
      options={others.filter((name) => name !== namespace).map((value) => ({ value }))}
      isRequired
    />
  )
}

const PipelineFields = ({ isRequired }: { isRequired: boolean }) => (
  <>
    <GitSourceFields examplePath="pipelines/release.yaml" isRequired={isRequired} />
    <TextField
      name="serviceAccount"
      label="Service account"
      description="The pipeline runs with the permissions of this service account."
      isRequired={isRequired}
    />
    <FieldRows
      name="params"
      label="Parameters"
      description="Further parameters of the git resolver, such as token for a private repository."
      noun="parameter"
      newRow={() => ({ name: '', value: '' })}
    >
      {(index) => (
        <>
          <TextField name={`params.${index}.name`} label="Name" isRequired />
          <TextField name={`params.${index}.value`} label="Value" />
        </>
      )}
    </FieldRows>
  </>
)
