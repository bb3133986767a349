import { Button, Content, Form, FormSection, Icon, List, ListItem, Stack, StackItem } from '@patternfly/react-core'
import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { isPushBuild } from '@slipway/model/builds/build-pipeline-state'
import type { GitEvent, PipelineDefinition, TriggerTerm, TriggerVerdict } from '@slipway/model/builds/build-trigger'
import type { Component } from '@slipway/model/builds/component'
import { labels } from '@slipway/model/labels'
import { lastFirstBy } from '@slipway/model/newest'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { startKey } from '@slipway/model/runs/tekton'
import { useQueries, useQuery } from '@tanstack/react-query'
import CheckIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-check-circle-fill-icon'
import CrossIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-error-fill-icon'
import UnknownIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-unknown-icon'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { latestBuilds } from '../../resources/latest-builds'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { Dialog } from '../../ui/dialogs/Dialog'
import { StatusBox } from '../../ui/failures/StatusBox'
import { fieldsOf } from '../../ui/form/fields'
import { explainTriggers } from './explain-triggers'

interface BuildTriggerDialogProps {
  component: Component
  onClose: () => void
}

interface TriggerInput {
  event: GitEvent['event']
  targetBranch: string
  sourceBranch: string
  title: string
  files: string
  pipelines: string
}

const { RadioField, TextField, TextAreaField } = fieldsOf<TriggerInput>()

/** For a push or a pull request, the condition that kept it from being built. */
export function BuildTriggerDialog({ component, onClose }: BuildTriggerDialogProps) {
  const branch = specOf(component).source?.git?.revision ?? 'main'
  const fields = useForm<TriggerInput>({
    defaultValues: { event: 'push', targetBranch: branch, sourceBranch: '', title: '', files: '', pipelines: '' },
  })
  const event = useWatch({ control: fields.control, name: 'event' })
  return (
    <Dialog
      title="Why was it not built?"
      description={`Component ${nameOf(component)}`}
      variant="large"
      onClose={onClose}
      footer={
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <FormProvider {...fields}>
        <Form onSubmit={(submission) => submission.preventDefault()}>
          <RadioField
            name="event"
            label="What happened in the repository"
            options={[
              { value: 'push', label: 'A push to a branch' },
              { value: 'pull_request', label: 'A new or changed pull request' },
            ]}
          />
          <TextField name="targetBranch" label={event === 'push' ? 'Branch' : 'Target branch'} isRequired />
          {event === 'pull_request' && <TextField name="sourceBranch" label="Source branch" />}
          <FormSection title="Result" titleElement="h2">
            <Result component={component} />
          </FormSection>
          <FormSection title="More about it" titleElement="h2">
            <TextField
              name="title"
              label={event === 'push' ? 'First line of the commit message' : 'Title of the pull request'}
            />
            <TextAreaField
              name="files"
              label="Changed files"
              description="A path per line. Without any, conditions on files are not decided."
            />
            <TextAreaField
              name="pipelines"
              label="Pipelines of the repository"
              description="Paste files of its folder .tekton. Without any, the pipelines of the newest builds are used."
            />
          </FormSection>
        </Form>
      </FormProvider>
    </Dialog>
  )
}

/** Follows what is typed. */
function Result({ component }: { component: Component }) {
  const values = useWatch<TriggerInput>() as TriggerInput
  const isPasted = values.pipelines.trim() !== ''
  const built = useBuiltPipelines(component, !isPasted)
  const event = eventOf(values)
  const pipelines = isPasted ? values.pipelines : built.definitions
  const { data, error } = useQuery({
    queryKey: ['build-triggers', event, pipelines],
    queryFn: ({ signal }) => explainTriggers({ pipelines: pipelines ?? [], event }, signal),
    enabled: pipelines !== undefined,
    // What was found for another event stays until this one is evaluated.
    placeholderData: (before) => before,
    retry: false,
    // An answer is cheap, and each letter that is typed asks for another.
    gcTime: 0,
  })
  return (
    <StatusBox label="the pipelines" data={data} error={built.error ?? error}>
      {(answer) => (
        <Stack hasGutter role="status">
          {'error' in answer ? (
            <Content component="p">The text cannot be read: {answer.error}</Content>
          ) : answer.verdicts.length === 0 ? (
            <Content component="p">
              {isPasted ? 'The text has no pipeline run.' : 'No build is known. Paste the files of the folder .tekton.'}
            </Content>
          ) : (
            // Two files may have runs of the same name.
            answer.verdicts.map((verdict, index) => <Verdict key={index} verdict={verdict} />)
          )}
        </Stack>
      )}
    </StatusBox>
  )
}

function eventOf({ event, targetBranch, sourceBranch, title, files }: TriggerInput): GitEvent {
  const paths = files.split('\n').flatMap((path) => path.trim() || [])
  const branch = targetBranch.trim().replace(/^refs\/heads\//, '')
  return {
    event,
    targetBranch: branch,
    sourceBranch: event === 'push' ? branch : sourceBranch.trim(),
    title: title.trim() || undefined,
    files: paths.length > 0 ? paths : undefined,
  }
}

/** The pipelines of the newest builds of a push and of a pull request, whose runs have their annotations. */
function useBuiltPipelines(component: Component, enabled: boolean) {
  const namespace = namespaceOf(component) ?? ''
  const builds = useQuery({
    ...latestBuilds.list(namespace, specOf(component).application ?? '', nameOf(component)),
    enabled,
  })
  const all = [...(builds.data?.items ?? [])].sort(lastFirstBy(startKey))
  const newest = [all.find(isPushBuild), all.find((run) => !isPushBuild(run))].flatMap((run) => run ?? [])
  const runs = useQueries({
    queries: newest.map((run) => ({ ...pipelineRuns.get(namespace, nameOf(run)), enabled })),
  })
  const isKnown = builds.data !== undefined && runs.every(({ data }) => data)
  return {
    definitions: isKnown ? runs.flatMap(({ data }) => (data ? definitionOf(data) : [])) : undefined,
    error: enabled ? (builds.error ?? runs.find(({ error }) => error)?.error ?? null) : null,
  }
}

const definitionOf = (run: PipelineRun): PipelineDefinition => ({
  // A label may be cut.
  name: run.metadata.annotations?.[labels.originalPipelineRunName] ?? nameOf(run),
  annotations: run.metadata.annotations ?? {},
})

const outcomeTexts: Record<TriggerVerdict['outcome'], string> = {
  starts: 'is built',
  'does not start': 'is not built',
  unknown: 'may be built: not all that decides it is known',
  invalid: 'is not built',
}

function Verdict({ verdict: { name, outcome, problem, terms } }: { verdict: TriggerVerdict }) {
  const first = terms.find(({ isTrue }) => isTrue === false)
  return (
    <StackItem>
      <Content component="p">
        <strong>{name}</strong> {outcomeTexts[outcome]}
        {first && (
          <>
            , since <code>{first.text}</code> is false{first.because && `: ${first.because}`}
          </>
        )}
        {problem && `. ${problem}`}
      </Content>
      <List isPlain aria-label={`Conditions of ${name}`}>
        {terms.map((term, index) => (
          <Term key={index} term={term} />
        ))}
      </List>
    </StackItem>
  )
}

const met = { Shape: CheckIcon, color: 'success', word: 'true' } as const
const unmet = { Shape: CrossIcon, color: 'danger', word: 'false' } as const
const open = { Shape: UnknownIcon, color: undefined, word: 'not known' } as const

function Term({ term: { text, isTrue, because } }: { term: TriggerTerm }) {
  const { Shape, color, word } = isTrue === undefined ? open : isTrue ? met : unmet
  return (
    <ListItem>
      <Icon isInline status={color}>
        <Shape />
      </Icon>{' '}
      <code>{text}</code> {word}
      {isTrue === undefined && because && `: ${because}`}
    </ListItem>
  )
}
