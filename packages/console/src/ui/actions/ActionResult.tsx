import { Alert, AlertActionCloseButton, Content, Spinner } from '@patternfly/react-core'
import type { KubeObject } from '@slipway/kube/object'
import type { ReactNode } from 'react'
import { writeFailure } from '../../api/writes/write-messages'
import { dismissActions, useActionState } from './object-actions'

export interface ActionMessages {
  pending: string
  done: string
  failed: string
}

interface ActionResultProps {
  object: KubeObject
  /** Of each request that can be made of it, by name. */
  messages: Readonly<Record<string, ActionMessages>>
  /** Requests whose success the object itself shows by now. */
  isSettled?: (name: string) => boolean
  /** What has come of a request that was granted. */
  result?: (name: string, known: readonly string[]) => ReactNode
}

/** What became of a request, beside the object that it was made of. */
export function ActionResult({ object, messages: words, isSettled, result }: ActionResultProps) {
  const asked = useActionState(object)
  const own = asked && words[asked.name]
  if (!own || asked.status === 'idle') return null
  if (asked.status === 'pending') {
    return (
      <Content component="small" role="status">
        <Spinner size="sm" isInline aria-hidden /> {own.pending}
      </Content>
    )
  }
  if (asked.status === 'success' && isSettled?.(asked.name)) return null
  return (
    <Alert
      isInline
      isPlain
      isLiveRegion
      component="p"
      variant={asked.status === 'error' ? 'danger' : 'success'}
      title={asked.status === 'error' ? own.failed : own.done}
      actionClose={<AlertActionCloseButton title="Dismiss" onClose={() => dismissActions(object)} />}
    >
      {asked.error && writeFailure(asked.error).body}
      {asked.status === 'success' && asked.known && result?.(asked.name, asked.known)}
    </Alert>
  )
}
