import { Content, List, ListItem } from '@patternfly/react-core'
import { type PolicyViolation, violationsIn } from '@slipway/model/policy/policy-violations'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { securityReports } from '../../resources/security-reports'
import { UserText } from '../../ui/text/UserText'
import { ComponentLink, type InApplication } from '../links'

/**
 * The rules of the policy that a verification task has found violated; none until its report is read, or without one.
 * @param taskRun a verification task
 */
export function useViolations(taskRun: TaskRun): PolicyViolation[] {
  const { data: results } = useQuery(securityReports.of(taskRun))
  return violationsIn(results ?? [])
}

/** The most rules, and the most findings of each, that are listed; the report has them all. */
const mostRules = 10
const mostFindings = 5

interface PolicyViolationsProps {
  violations: readonly PolicyViolation[]
  /** The application of the components. */
  at: InApplication
}

export function PolicyViolations({ violations, at }: PolicyViolationsProps) {
  const id = useId()
  return (
    <>
      <Content component="p" id={id}>
        Violated rules:
      </Content>
      <List aria-labelledby={id}>
        {violations.slice(0, mostRules).map(({ rule, code, solution, findings }) => (
          <ListItem key={`${code} ${rule}`}>
            <strong>
              <UserText text={rule} />
            </strong>
            {code && (
              <>
                {' '}
                <code>{code}</code>
              </>
            )}
            <List>
              {findings.slice(0, mostFindings).map(({ component, message }, index) => (
                <ListItem key={index}>
                  <ComponentLink at={at} component={component} />
                  {message && (
                    <>
                      : <UserText text={message} />
                    </>
                  )}
                </ListItem>
              ))}
              {findings.length > mostFindings && <ListItem>{findings.length - mostFindings} more</ListItem>}
            </List>
            {solution && (
              <>
                To do: <UserText text={solution} />
              </>
            )}
          </ListItem>
        ))}
        {violations.length > mostRules && <ListItem>{violations.length - mostRules} more rules</ListItem>}
      </List>
    </>
  )
}
