import { Content, List, ListItem } from '@patternfly/react-core'
import { type PolicyViolation, violationsIn } from '@slipway/model/snapshots/enterprise-contract'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { securityReports } from '../../resources/security-reports'

/**
 * The rules of the policy that a verification task has found violated; none until its report is read, or without one.
 * @param taskRun a verification task
 */
export function useViolations(taskRun: TaskRun): PolicyViolation[] {
  const { data: results } = useQuery(securityReports.of(taskRun))
  return violationsIn(results ?? [])
}

/** The most rules that are listed; the report has them all. */
const mostListed = 10

export function PolicyViolations({ violations }: { violations: readonly PolicyViolation[] }) {
  const id = useId()
  return (
    <>
      <Content component="p" id={id}>
        Violated rules:
      </Content>
      <List aria-labelledby={id}>
        {violations.slice(0, mostListed).map(({ rule, components, solution }) => (
          <ListItem key={rule}>
            <strong>{rule}</strong> ({components.join(', ')}){solution && `: ${solution}`}
          </ListItem>
        ))}
        {violations.length > mostListed && <ListItem>{violations.length - mostListed} more</ListItem>}
      </List>
    </>
  )
}
