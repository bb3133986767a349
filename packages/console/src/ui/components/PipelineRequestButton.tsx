import { Button, Tooltip } from '@patternfly/react-core'
import {
  type BuildPipelineState,
  type PipelineRequest,
  pipelineRequestIn,
} from '@slipway/model/supply-chain/build-pipeline-state'
import { useMutation } from '@tanstack/react-query'
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
  unconfigure: { label: 'Roll back', denied: "You don't have access to roll back a build pipeline" },
}

const reasons: Partial<Record<BuildPipelineState, string>> = {
  configureRequested: 'The pull request is being sent',
  unconfigureRequested: 'The build pipeline is being rolled back',
}

/**
 * Requests what can be requested of the build service for a component. The state follows the response of the build
 * service, which the button stays for, so that it keeps the focus.
 */
export function PipelineRequestButton({ namespace, component, state }: PipelineRequestButtonProps) {
  const mayRequest = useAccess(buildComponentChecks(namespace))
  const block = useWriteBlock()
  const overlayContainer = useOverlayContainer()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: (request: PipelineRequest) => requestPipeline(namespace, component, request),
  })
  const request = pipelineRequestIn(state)
  if (!request) return null
  const { label, denied } = texts[request]
  const reason = disabledReason(mayRequest, denied) || block || reasons[state]
  return (
    <>
      <Tooltip content={reason} trigger={reason ? 'mouseenter focus' : 'manual'} appendTo={overlayContainer}>
        <Button
          variant="secondary"
          size="sm"
          aria-label={`${label}: ${component}`}
          isAriaDisabled={Boolean(reason) || isPending}
          isLoading={isPending}
          onClick={() => mutate(request)}
        >
          {label}
        </Button>
      </Tooltip>
      <span role="status" className="pf-v6-screen-reader">
        {isSuccess && 'Requested'}
      </span>
      {error && <FailureAlert {...writeFailure(error)} />}
    </>
  )
}
