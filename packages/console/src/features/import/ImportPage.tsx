import { Button, FormSection } from '@patternfly/react-core'
import { secretType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { builtInPipelines } from '@slipway/model/import/build-pipelines'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type LoaderFunctionArgs, useNavigate, useSearchParams } from 'react-router'
import { queryClient } from '../../api/query-client'
import { inSteps, type Step, type StepState } from '../../api/writes/in-steps'
import { refOf, type Write } from '../../api/writes/writes'
import { paths } from '../../paths'
import { applications, importApplicationChecks } from '../../resources/applications'
import { buildPipelines } from '../../resources/build-pipelines'
import { components, importComponentChecks } from '../../resources/components'
import { startLinkTask } from '../../resources/link-tasks'
import { publicInfo } from '../../resources/public-info'
import { addSecretPermission } from '../../resources/secrets'
import { fieldsOf } from '../../ui/form/fields'
import { FormPage } from '../../ui/form/FormPage'
import { useResourceForm } from '../../ui/form/resource-form'
import { loadNeeds } from '../../ui/page/needs'
import { route } from '../../ui/page/route'
import { BuildSecrets } from './BuildSecrets'
import { ComponentFields } from './ComponentFields'
import {
  emptyComponent,
  errorFields,
  type ImportInput,
  importSchema,
  isPrerequisite,
  linksOf,
  takenMessage,
  toWrites,
} from './import-form'
import { ImportProgress } from './ImportProgress'

/** The query parameter with the application that a component is added to. */
const applicationParameter = 'application'

export const page = route(paths.createApplication)

export async function loader({ params, request }: LoaderFunctionArgs) {
  const { namespace } = page.paramsOf(params)
  const application = new URL(request.url).searchParams.get(applicationParameter)
  await loadNeeds({
    require: application ? importComponentChecks(namespace) : importApplicationChecks(namespace),
    check: addSecretPermission.checks(namespace),
    // For early feedback only: the form works without them.
    read: [applications.list(namespace), components.sources(namespace)],
    // The default of the form, and what it writes, depend on them.
    waitFor: [buildPipelines.get(), publicInfo.get()],
  })
  // Without the application there is nothing to add a component to.
  if (application) await queryClient.fetchQuery(applications.get(namespace, application))
  return null
}

export { ImportPage as Component }
function ImportPage() {
  const [searchParams] = useSearchParams()
  const application = searchParams.get(applicationParameter) ?? undefined
  // Another application needs a new form.
  return <ImportForm key={application} application={application} />
}

const { TextField } = fieldsOf<ImportInput>()

/** @param application the one that a component is added to; a new one is created if absent */
function ImportForm({ application }: { application: string | undefined }) {
  const { namespace } = page.useParams()
  const navigate = useNavigate()
  const pipelines = useQuery(buildPipelines.get())
  const info = useQuery(publicInfo.get())
  const applicationNames = useQuery(applications.list(namespace)).data?.items.map(nameOf) ?? []
  const sources = useQuery(components.sources(namespace)).data?.items ?? []
  const [steps, setSteps] = useState<readonly Step[]>([])
  const own = steps.filter(({ state }) => ownStates.has(state)).map(({ write }) => write)
  const hasCreated = { application: own.some(isOf(applicationType)), component: own.some(isOf(componentType)) }
  const isOfOthers = (type: ResourceType) => (name: string) =>
    !own.some((write) => write.type === type && refOf(write).name === name)
  const taken = {
    applications: applicationNames.filter(isOfOthers(applicationType)),
    components: sources.map(nameOf).filter(isOfOthers(componentType)),
  }
  const isNewApplication = application === undefined

  const form = useResourceForm({
    schema: importSchema({ ...taken, isApplicationFixed: !isNewApplication }),
    defaults: {
      application: application ?? '',
      component: {
        ...emptyComponent,
        isIncluded: !isNewApplication,
        pipeline: (pipelines.data ?? builtInPipelines).defaultName,
      },
      secrets: [],
    },
    toWrites: (values) =>
      toWrites(values, { namespace, isNewApplication, notifications: info.data?.imageNotifications ?? [] }),
    // Another tab may take a name that was valid.
    revalidateOn: { application: taken.applications.join(), 'component.name': taken.components.join() },
    perform: inSteps({ isPrerequisite, onProgress: setSteps }),
    errorFields,
    takenMessage,
    isTakenInAlert: true,
    // The service account of a new component appears a moment later, for which each task waits.
    onWritten: (applied, values) => {
      for (const { secret, target } of linksOf(values, namespace, applied)) startLinkTask(secret, target)
    },
    onDone: (_, values) => {
      const at = { namespace, application: values.application }
      return navigate(isNewApplication ? paths.application(at) : paths.components(at))
    },
    onCancel: () =>
      navigate(isNewApplication ? paths.applications({ namespace }) : paths.components({ namespace, application })),
  })
  const { control, setFocus, setValue, trigger } = form.fields
  const isIncluded = useWatch({ control, name: 'component.isIncluded' })
  const [isRevealed, setIsRevealed] = useState(false)
  useEffect(() => {
    // The fields are above the button that reveals them.
    if (isRevealed) setFocus('component.url')
  }, [isRevealed, setFocus])

  const title = isNewApplication ? 'Create an Application' : 'Create a Component'
  return (
    <FormPage
      title={title}
      description={
        isNewApplication
          ? 'An application groups the components that are built, tested and released together. Add a component to import a git repository.'
          : 'A component is built from a git repository.'
      }
      breadcrumbs={[
        { label: 'Applications', to: paths.applications({ namespace }) },
        ...(application ? [{ label: application, to: paths.application({ namespace, application }) }] : []),
        { label: title },
      ]}
      submitLabel={isNewApplication ? 'Create application' : 'Add component'}
      actions={
        isNewApplication &&
        !hasCreated.component && (
          <Button
            variant="secondary"
            isAriaDisabled={form.isSubmitting}
            onClick={() => {
              setValue('component.isIncluded', !isIncluded, { shouldDirty: true })
              setIsRevealed(!isIncluded)
              void trigger('component')
            }}
          >
            {isIncluded ? 'Leave out the component' : 'Add a component'}
          </Button>
        )
      }
      form={form}
    >
      <TextField
        name="application"
        label="Application name"
        description={
          isNewApplication
            ? 'Lowercase letters, numbers and hyphens; at most 45 characters. It cannot be changed later.'
            : undefined
        }
        isReadOnly={!isNewApplication || hasCreated.application}
        isRequired
      />
      {isIncluded && (
        <FormSection title="Component" titleElement="h2">
          <ComponentFields components={sources} isCreated={hasCreated.component} />
          <BuildSecrets
            namespace={namespace}
            created={own.filter(isOf(secretType)).map((write) => refOf(write).name)}
          />
        </FormSection>
      )}
      {steps.length > 0 && <ImportProgress steps={steps} isRunning={form.isSubmitting} />}
    </FormPage>
  )
}

const isOf =
  (type: ResourceType) =>
  (write: Write): boolean =>
    write.type === type

/** States of what exists or may exist because of this form. */
const ownStates = new Set<StepState>(['sending', 'done', 'uncertain'])
