import { ProgressStep, ProgressStepper, type ProgressStepProps } from '@patternfly/react-core'
import { useEffect, useRef } from 'react'
import type { Step, StepState } from '../../api/writes/in-steps'
import { refOf } from '../../api/writes/writes'
import { Section } from '../../ui/page/Section'
import { kindOf } from './import-form'

interface ImportProgressProps {
  steps: readonly Step[]
  isRunning: boolean
}

/** What an import has checked and created, and what comes next. After a failure: what exists and what does not. */
export function ImportProgress({ steps, isRunning }: ImportProgressProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Absent outside of browsers.
    if (isRunning) element.current?.scrollIntoView?.({ block: 'center' })
  }, [isRunning])
  const current = steps.find(({ state }) => state === 'checking' || state === 'sending')
  return (
    <div ref={element}>
      <Section title="Progress">
        <p role="status" className="pf-v6-screen-reader">
          {current ? `${subjectOf(current)}: ${textOf(current, isRunning)}` : ''}
        </p>
        <ProgressStepper isVertical aria-label="Progress">
          {steps.map((step, index) => (
            <ProgressStep
              key={index}
              id={`import-step-${index}`}
              titleId={`import-step-${index}-title`}
              variant={variants[step.state]}
              isCurrent={step === current}
              aria-label={textOf(step, isRunning)}
              description={textOf(step, isRunning)}
            >
              {subjectOf(step)}
            </ProgressStep>
          ))}
        </ProgressStepper>
      </Section>
    </div>
  )
}

const subjectOf = ({ write }: Step): string => `${kindOf(write)} ${refOf(write).name}`

const variants: Record<StepState, ProgressStepProps['variant']> = {
  waiting: 'pending',
  checking: 'info',
  checked: 'pending',
  sending: 'info',
  done: 'success',
  failed: 'danger',
  uncertain: 'warning',
  removed: 'warning',
}

function textOf({ state, sent }: Step, isRunning: boolean): string {
  const isCreation = sent.verb === 'create'
  switch (state) {
    case 'waiting':
      return isRunning ? 'Not checked yet' : unchanged(isCreation)
    case 'checking':
      return 'Checking…'
    case 'checked':
      return isRunning ? 'Checked' : unchanged(isCreation)
    case 'sending':
      return isCreation ? 'Creating…' : 'Changing…'
    case 'done':
      return isCreation ? 'Created' : 'Changed'
    case 'failed':
      return isCreation ? 'Failed: not created' : 'Failed: not changed'
    case 'uncertain':
      return 'No response: whether it was created is checked when you submit again'
    case 'removed':
      return 'Created for the check of the next step, and removed again'
  }
}

const unchanged = (isCreation: boolean): string => (isCreation ? 'Not created' : 'Not changed')
