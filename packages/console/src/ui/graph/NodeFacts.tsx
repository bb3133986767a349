import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core'
import type { TaskNode } from '@slipway/model/graphs/pipeline-graph'
import type { ReactNode } from 'react'
import { outcomeText, whenText } from './node-text'

/** What is known of a task without its task run: its order, its conditions, and why it was skipped. */
export function NodeFacts({ node }: { node: TaskNode }) {
  const { task, instance, lostRun, skipReason, when, runAfter, retries, kind } = node
  const facts: [string, ReactNode][] = []
  if (instance) facts.push(['Matrix instance', `${instance}, of ${task}`])
  if (lostRun) facts.push(['Task run', `It has run: ${lostRun}, which is no longer in the cluster or an archive.`])
  if (skipReason) facts.push(['Skipped because', skipReason])
  if (when) {
    const outcome = when.outcome && <strong>{capitalized(outcomeText(node))}</strong>
    facts.push([
      'When expressions',
      <>
        {outcome}
        <ul>
          {when.expressions.map((expression, index) => (
            <li key={index}>{whenText(expression)}</li>
          ))}
        </ul>
      </>,
    ])
  }
  if (retries) facts.push(['Retries', String(retries)])
  facts.push(['Runs after', kind === 'finally' ? 'every other task' : runAfter.join(', ') || 'nothing'])
  return (
    <DescriptionList isCompact>
      {facts.map(([term, value]) => (
        <DescriptionListGroup key={term}>
          <DescriptionListTerm>{term}</DescriptionListTerm>
          <DescriptionListDescription className="slipway-node-fact">{value}</DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  )
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
