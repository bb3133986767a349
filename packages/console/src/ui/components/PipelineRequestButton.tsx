import { Button, Tooltip } from '@patternfly/react-core'
import {
  type BuildPipelineState,
  type PipelineRequest,
  pipelineRequestsIn,
} from '@slipway/model/supply-chain/build-pipeline-state'
import { useMutation } from '@tanstack/react-query'
import { Fragment } from 'react'
import { disabledReason, useAccess } from '../../api/access/access'
import { useWriteBlock } from '../../api/live/connectivity'
import { writeFailure } from '../../api/writes/write-messages'
import { buildComponentChecks } from '../../resources/components'
import { requestPipeline } from '../../resources/run-requests'
import { FailureAlert } from '../failures/FailureAlert'
import { useOverlayContainer } from '../page/overlay-container'

interface PipelineRequestButtonProps {
  namespace: string
  component: string
  state: BuildPipelineState
}

const texts: Record<PipelineRequest, { label: string; denied: string }> = {
  configure: { label: 'Send pull request', denied: "You don't have access to send a pull request" },
  configureInPlace: {
    label: 'Use pipeline in repository',
    denied: "You don't have access to change a build pipeline",
  },
  unconfigure: { label: 'Roll back', denied: "You don't have access to roll back a build pipeline" },
}

const reasons: Partial<Record<BuildPipelineState, string>> = {
  configureRequested: 'The pull request is being sent',
  unconfigureRequested: 'The build pipeline is being rolled back',
}

/**
 * Buttons for what can be requested of the build service for a component. The state follows the response of the build
 * service, which the buttons stay for, so that they keep the focus.
 */
export function PipelineRequestButton({ namespace, component, state }: PipelineRequestButtonProps) {
  const mayRequest = useAccess(buildComponentChecks(namespace))
  const block = useWriteBlock()
  const overlayContainer = useOverlayContainer()
  const { mutate, variables, isPending, isSuccess, error } = useMutation({
    mutationFn: (request: PipelineRequest) => requestPipeline(namespace, component, request),
  })
  const requests = pipelineRequestsIn(state)
  if (requests.length === 0) return null
  return (
    <>
      {requests.map((request, index) => {
        const { label, denied } = texts[request]
        const reason = disabledReason(mayRequest, denied) || block || reasons[state]
        return (
          // By index, so that the first button keeps the focus when the state changes.
          <Fragment key={index}>
            {index > 0 && ' '}
            <Tooltip content={reason} trigger={reason ? 'mouseenter focus' : 'manual'} appendTo={overlayContainer}>
              <Button
                variant={index > 0 ? 'link' : 'secondary'}
                size="sm"
                aria-label={`${label}: ${component}`}
                isAriaDisabled={Boolean(reason) || isPending}
                isLoading={isPending && variables === request}
                onClick={() => mutate(request)}
              >
                {label}
              </Button>
            </Tooltip>
          </Fragment>
        )
      })}
      <span role="status" className="pf-v6-screen-reader">
        {isSuccess && 'Requested'}
      </span>
      {error && <FailureAlert {...writeFailure(error)} />}
    </>
  )
}
