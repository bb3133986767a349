import { Alert, ExpandableSection } from '@patternfly/react-core'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { builtInPipelines } from '@slipway/model/import/build-pipelines'
import { randomSuffix, toComponentName } from '@slipway/model/builds/component-name'
import { sourceKey } from '@slipway/model/git/repository-address'
import type { Component } from '@slipway/model/builds/component'
import { sourceOf } from '@slipway/model/builds/component-source'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { buildPipelines } from '../../resources/build-pipelines'
import { publicInfo } from '../../resources/public-info'
import { fieldsOf } from '../../ui/form/fields'
import { ComponentLink } from '../../parts/links'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { GitUrlField } from './GitUrlField'
import type { ComponentInput, ImportInput } from './import-form'
import '../../ui/form/FieldRows.css'

const { TextField, CheckboxField, SelectField } = fieldsOf<ImportInput>()

interface ComponentFieldsProps {
  /** The components of the namespace, as far as they are known. */
  components: readonly Component[]
  /** Whether an earlier attempt has created the component, whose name and repository then stay. */
  isCreated: boolean
}

export function ComponentFields({ components, isCreated }: ComponentFieldsProps) {
  const [suffix] = useState(() => randomSuffix(Math.random))
  const [isExpanded, setIsExpanded] = useState(false)
  // The form has all of its values from the start.
  const { name, url, context } = useWatch<ImportInput, 'component'>({ name: 'component' })
  const { errors } = useFormState<ImportInput>({ name: ['component.context', 'component.gitProviderUrl'] })
  const hasHiddenErrors = Boolean(errors.component?.context ?? errors.component?.gitProviderUrl)
  const written = toComponentName(name)
  const same = isCreated ? undefined : sameSource(components, { url, context })
  return (
    <>
      <RepositoryAccess />
      <GitUrlField suffix={suffix} isReadOnly={isCreated} onAdvanced={() => setIsExpanded(true)} />
      {same && (
        <Alert
          isInline
          isLiveRegion
          variant="info"
          component="p"
          title={
            <>
              This repository and directory are the source of component{' '}
              <ComponentLink
                at={{ namespace: namespaceOf(same), application: same.spec.application }}
                component={nameOf(same)}
              />{' '}
              already.
            </>
          }
        />
      )}
      <div className="slipway-rows__fields">
        <TextField
          name="component.name"
          label="Component name"
          description={
            name && written !== name
              ? `Must be unique within tenant namespace. It is written as ${written}.`
              : 'Must be unique within tenant namespace'
          }
          isReadOnly={isCreated}
          isRequired
        />
        <PipelineField />
      </div>
      <ExpandableSection
        toggleText="Advanced git options"
        isExpanded={isExpanded || hasHiddenErrors}
        onToggle={(_, next) => setIsExpanded(next)}
        isIndented
      >
        <div className="pf-v6-c-form">
          <TextField name="component.revision" label="Git reference" placeholder="Optional branch." />
          <TextField
            name="component.context"
            label="Context directory"
            description="The directory of the repository to build; its root if blank."
          />
          <SelectField
            name="component.gitProvider"
            label="Git provider annotation"
            options={[
              { value: '', label: 'None' },
              { value: 'github', label: 'GitHub' },
              { value: 'gitlab', label: 'GitLab' },
              { value: 'forgejo', label: 'Forgejo' },
              { value: 'bitbucket', label: 'Bitbucket' },
            ]}
          />
          <TextField name="component.gitProviderUrl" label="Git URL annotation" />
        </div>
      </ExpandableSection>
      <TextField
        name="component.dockerfile"
        label="Docker file path"
        placeholder="Dockerfile"
        description="Relative to the context directory."
      />
      <CheckboxField name="component.isPrivate" label="Should the image produced be private?" />
    </>
  )
}

const sameSource = (components: readonly Component[], source: Pick<ComponentInput, 'url' | 'context'>) => {
  const key = sourceKey(source)
  return (
    (key &&
      components.find((component) => {
        const { address, context } = sourceOf(component)
        return !component.metadata.deletionTimestamp && address && sourceKey({ url: address, context }) === key
      })) ||
    undefined
  )
}

/** What it takes so that the platform may build the repository. */
function RepositoryAccess() {
  const { data } = useQuery(publicInfo.get())
  const app = data?.githubAppUrl
  return (
    <Alert isInline isPlain variant="info" component="p" title="The platform needs access to your repository">
      For a repository on GitHub, install the {app ? <ExternalLink href={app}>GitHub app</ExternalLink> : 'GitHub app'}{' '}
      of the platform. For one on GitLab or Forgejo, add a source secret with an access token.
    </Alert>
  )
}

function PipelineField() {
  const query = useQuery(buildPipelines.get())
  const { data, error, isFetching, refetch } = query
  const pipelines = (data ?? builtInPipelines).pipelines.map(({ name, description }) => ({ value: name, description }))
  return (
    <SelectField
      name="component.pipeline"
      label="Pipeline"
      options={error && !data ? { error, isFetching, refetch } : pipelines}
      fixedOptions={error && !data ? pipelines : undefined}
      description={data?.fallbackFor && fallbackTexts[data.fallbackFor]}
      isRequired
    />
  )
}

const fallbackTexts = {
  invalid: 'The list of pipelines of this platform is not valid. These are the built-in ones.',
  forbidden: 'These are the built-in pipelines. You do not have access to a list of this platform.',
}
