import type { WorkflowNode } from '@slipway/model/graphs/workflow'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths, type ApplicationParams } from '../../paths'
import { RelatedComponents } from '../components/RelatedComponents'
import { ComponentLink, IntegrationTestLink, PipelineRunLink, ReleaseLink, ReleasePlanLink } from '../links'
import { Details } from '../../ui/page/Details'
import { Duration } from '../text/Duration'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { StatusLabel } from '../status/StatusLabel'
import { nodeName, nudgesText } from './node-text'
import './workflow-facts.css'

interface WorkflowFactsProps {
  node: WorkflowNode
  at: ApplicationParams
}

/** The details of a workflow node, with links to its pages. */
export function WorkflowFacts({ node, at }: WorkflowFactsProps) {
  const {
    kind,
    component,
    pipelineRun,
    scenario,
    releasePlan,
    release,
    isOptional,
    detail,
    members,
    nudges,
    nudgedBy,
  } = node
  const { status, startTime, endTime, isEndUnknown } = node
  if (members) return <Members members={members} at={at} />
  const items: [string, ReactNode][] = []
  if (component) items.push(['Component', <ComponentLink at={at} component={component} />])
  if (kind === 'component') {
    items.push(['Branch', detail])
    items.push(['Nudges', nudges && <RelatedComponents namespace={at.namespace} components={nudges} />])
    items.push(['Is nudged by', nudgedBy && <RelatedComponents namespace={at.namespace} components={nudgedBy} />])
  }
  if (scenario) {
    const link = <IntegrationTestLink at={at} integrationTest={scenario} />
    items.push(['Integration test', isOptional ? <>{link} (optional)</> : link])
  }
  if (releasePlan) items.push(['Release plan', <ReleasePlanLink namespace={at.namespace} releasePlan={releasePlan} />])
  if (kind === 'release') {
    const link = release ? <ReleaseLink at={at} release={release} /> : 'None yet'
    items.push([releasePlan ? 'Latest release' : 'Release', link])
  }
  if (kind === 'build' || kind === 'test' || pipelineRun)
    items.push(['Pipeline run', pipelineRun ? <PipelineRunLink at={at} pipelineRun={pipelineRun} /> : 'None yet'])
  if (startTime) {
    items.push(['Started', <DateAndAge time={startTime} />])
    items.push([
      'Duration',
      <Duration from={startTime} to={endTime} isOver={isEndUnknown} isPending={status === 'Pending'} />,
    ])
  }
  return <Details isNarrow label={nodeName(node)} items={items} />
}

/** The members of a stage. */
function Members({ members, at }: { members: WorkflowNode[]; at: ApplicationParams }) {
  if (members.length === 0) return <p>None.</p>
  return (
    <ul className="slipway-members">
      {members.map((member) => {
        const { id, label, kind, component, scenario, pipelineRun, status, verdict, startTime, endTime, isEndUnknown } =
          member
        const to = pipelineRun
          ? paths.pipelineRun({ ...at, pipelineRun })
          : kind === 'test' && scenario
            ? paths.integrationTest({ ...at, integrationTest: scenario })
            : kind === 'component' && component && paths.component({ ...at, component })
        return (
          <li key={id} className="slipway-members__one">
            <span className="slipway-members__name">
              {to ? <Link to={to}>{label}</Link> : label}
              {nudgesText(member) && <span className="slipway-members__relations">{nudgesText(member)}</span>}
            </span>
            {status && <StatusLabel status={status} verdict={verdict} />}
            <span>
              {startTime && status !== 'Pending' && <Duration from={startTime} to={endTime} isOver={isEndUnknown} />}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
