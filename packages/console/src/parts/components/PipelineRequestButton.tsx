import { Button, Tooltip } from '@patternfly/react-core'
import {
  type BuildPipelineState,
  type PipelineRequest,
  pipelineRequestsIn,
} from '@slipway/model/builds/build-pipeline-state'
import { componentType } from '@slipway/model/builds/component'
import { useMutation } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useDisabledReasons } from '../../api/access/use-access'
import { permission, type Permission } from '../../api/access/permission'
import { useWriteBlock } from '../../api/live/connectivity'
import { writeFailure } from '../../api/writes/write-messages'
import { requestPipeline } from '../../resources/run-requests'
import { FailureAlert } from '../../ui/failures/FailureAlert'
import { useOverlayContainer } from '../../ui/page/overlay-container'

interface PipelineRequestButtonProps {
  namespace: string
  component: string
  state: BuildPipelineState
}

const definitions: Record<PipelineRequest, { label: string; needs: Permission }> = {
  configure: {
    label: 'Send pull request',
    needs: permission("You don't have access to send a pull request", ['patch', componentType]),
  },
  configureInPlace: {
    label: 'Use pipeline in repository',
    needs: permission("You don't have access to change a build pipeline", ['patch', componentType]),
  },
  unconfigure: {
    label: 'Roll back',
    needs: permission("You don't have access to roll back a build pipeline", ['patch', componentType]),
  },
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
  const requests = pipelineRequestsIn(state)
  const denials = useDisabledReasons(
    requests.map((request) => definitions[request].needs),
    namespace,
  )
  const block = useWriteBlock()
  const overlayContainer = useOverlayContainer()
  const { mutate, variables, isPending, isSuccess, error } = useMutation({
    mutationFn: (request: PipelineRequest) => requestPipeline(namespace, component, request),
  })
  if (requests.length === 0) return null
  return (
    <>
      {requests.map((request, index) => {
        const { label } = definitions[request]
        const reason = denials[index] || block || reasons[state]
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
