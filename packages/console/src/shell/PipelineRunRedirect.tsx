import { Bullseye, Content, Spinner } from '@patternfly/react-core'
import MissingIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-route-icon'
import { isForbidden, isNotFound } from '@slipway/kube/status'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, replace, useParams, type LoaderFunctionArgs } from 'react-router'
import { loadFailure } from '../api/messages'
import { paths } from '../paths'
import { pipelineRuns } from '../resources/pipeline-runs'
import { ButtonLink } from '../ui/actions/ButtonLink'
import { loadNeeds } from '../ui/page/needs'
import { route } from '../ui/page/route'
import { MessagePanel } from '../ui/status/MessagePanel'
import { MessagePage } from './errors/MessagePage'

/** Parses the rest of the path, all parts of which are optional: `{run}`, `{run}/logs`, `{run}/logs/{task}`. */
function targetOf(rest = '') {
  const [pipelineRun, ...more] = rest.split('/').filter(Boolean)
  // The path has no run, unless a run is named `logs`.
  if (pipelineRun === 'logs' && more[0] !== 'logs') return {}
  const isLogs = more[0] === 'logs'
  return { pipelineRun, isLogs, task: more[isLogs ? 1 : 0] }
}

export const page = route(paths.anyPipelineRun)

export function loader({ params }: LoaderFunctionArgs) {
  const { namespace } = page.paramsOf(params)
  if (!targetOf(params['*']).pipelineRun) return replace(paths.namespace({ namespace }))
  return loadNeeds({ require: [{ verb: 'get', type: pipelineRunType, namespace }] })
}

export { PipelineRunRedirect as Component }
/** Redirects from a run's URL without its application, which only the run itself contains. */
function PipelineRunRedirect() {
  const { namespace } = page.useParams()
  const { pipelineRun = '', isLogs, task } = targetOf(useParams()['*'])
  const { data: run, error } = useQuery(pipelineRuns.get(namespace, pipelineRun))
  if (run) {
    const application = run.metadata.labels?.[labels.application]
    if (!application) return <NoApplication namespace={namespace} pipelineRun={pipelineRun} />
    const to = (isLogs ? paths.pipelineRunLogs : paths.pipelineRun)({ namespace, application, pipelineRun })
    return <Navigate replace to={task ? `${to}?task=${encodeURIComponent(task)}` : to} />
  }
  if (isForbidden(error)) throw error
  if (error) return <NoPipelineRun namespace={namespace} error={error} />
  return (
    <Bullseye>
      <MessagePanel titleText="Redirecting to pipeline run logs..." headingLevel="h1" icon={Spinner} />
    </Bullseye>
  )
}

function NoPipelineRun({ namespace, error }: { namespace: string; error: Error }) {
  const { title, body } = loadFailure(error, 'pipeline run')
  return (
    <MissingPage
      namespace={namespace}
      title={isNotFound(error) ? 'Pipeline run not found' : title}
      heading={isNotFound(error) ? '404: Pipeline run not found' : title}
    >
      {body}
    </MissingPage>
  )
}

const unableToLoad = 'Unable to load pipeline run'

const NoApplication = ({ namespace, pipelineRun }: { namespace: string; pipelineRun: string }) => (
  <MissingPage namespace={namespace} title={unableToLoad} heading={unableToLoad}>
    The pipeline run {pipelineRun} does not say which application it belongs to, so there is no page for it. Its label{' '}
    {labels.application} is missing.
  </MissingPage>
)

interface MissingPageProps {
  namespace: string
  /** The document title. */
  title: string
  heading: string
  children: ReactNode
}

const MissingPage = ({ namespace, title, heading, children }: MissingPageProps) => (
  <MessagePage
    title={title}
    heading={heading}
    icon={MissingIcon}
    action={<ButtonLink to={paths.applications({ namespace })}>Go to applications list</ButtonLink>}
  >
    <Content component="p">{children}</Content>
  </MessagePage>
)
