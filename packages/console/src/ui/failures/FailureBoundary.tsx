import { Button } from '@patternfly/react-core'
import { ApiError } from '@slipway/kube/status'
import { Component, type ReactNode } from 'react'
import { asSentence, failureText } from '../../api/messages'
import { MessagePanel } from '../status/MessagePanel'

interface FailureBoundaryProps {
  /** What cannot be shown then: `Unable to show {noun}`. */
  noun: string
  /** Renders the failure where elements of its own are needed, such as in a table. */
  frame?: (failure: ReactNode) => ReactNode
  children: ReactNode
}

interface FailureState {
  failure?: { error: unknown } | undefined
}

/**
 * A part of a page that fails alone: if it throws while it is rendered, it says so and the rest of the page stays. It is
 * rendered again when the page is. What a request failed with is thrown on: the page knows what that means.
 */
export class FailureBoundary extends Component<FailureBoundaryProps, FailureState> {
  override state: FailureState = {}

  static getDerivedStateFromError(error: unknown): FailureState {
    return { failure: { error } }
  }

  override componentDidUpdate(before: FailureBoundaryProps) {
    if (this.state.failure && before.children !== this.props.children) this.#retry()
  }

  override render() {
    const { noun, frame = asIs, children } = this.props
    const { failure } = this.state
    if (!failure) return children
    const { error } = failure
    if (error instanceof ApiError || !(error instanceof Error)) throw error
    return frame(
      <MessagePanel
        variant="sm"
        titleText={`Unable to show ${noun}`}
        status="danger"
        action={
          <Button variant="secondary" onClick={this.#retry}>
            Try again
          </Button>
        }
      >
        {asSentence(failureText(error))} The rest of the page is not affected.
      </MessagePanel>,
    )
  }

  readonly #retry = () => this.setState({ failure: undefined })
}

const asIs = (failure: ReactNode) => failure
