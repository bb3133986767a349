import type { TaskNode } from '@slipway/model/graphs/pipeline-graph'
import { capitalize } from '../../lib/capitalize'
import { Details, type DetailItem } from '../../ui/page/Details'
import { nodeName, outcomeText, whenTexts } from './node-text'

/** What is known of a task without its task run: its order, its conditions, and why it was skipped. */
export function NodeFacts({ node }: { node: TaskNode }) {
  const { task, instance, description, lostRun, skipReason, hasNotRun, when, runAfter, retries, kind } = node
  const facts: DetailItem[] = []
  if (instance) facts.push(['Matrix instance', `${instance}, of ${task}`])
  if (description) facts.push(['Description', description])
  if (lostRun) facts.push(['Task run', `It has run: ${lostRun}, which is no longer in the cluster or an archive.`])
  if (skipReason) facts.push(['Skipped because', skipReason])
  if (hasNotRun) facts.push(['Did not run because', 'Its pipeline run ended before it could start.'])
  if (when) {
    const outcome = when.outcome && <strong>{capitalize(outcomeText(node))}</strong>
    facts.push([
      'When expressions',
      <>
        {outcome}
        <ul>
          {whenTexts(when).map((text, index) => (
            <li key={index}>{text}</li>
          ))}
        </ul>
      </>,
    ])
  }
  if (retries) facts.push(['Retries', String(retries)])
  facts.push(['Runs after', kind === 'finally' ? 'every other task' : runAfter.join(', ') || 'nothing'])
  return (
    <div className="slipway-node-facts">
      <Details isNarrow label={`Task ${nodeName(node)}`} items={facts} />
    </div>
  )
}
