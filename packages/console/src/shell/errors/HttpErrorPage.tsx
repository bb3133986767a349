import { Button, Content } from '@patternfly/react-core'
import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { onRecovery } from '../../api/live/outage'
import { MessagePage } from './MessagePage'

interface HttpErrorPageProps {
  status: string | undefined
  message: string
  /** Id of the request in the gateway's log. */
  request: string | undefined
}

/** For failed calls other than 403 and 404. */
export function HttpErrorPage({ status, message, request }: HttpErrorPageProps) {
  const { revalidate, state } = useRevalidator()
  useEffect(() => onRecovery(() => void revalidate()), [revalidate])
  return (
    <MessagePage
      title="Something went wrong"
      heading="Something went wrong"
      status="danger"
      action={
        <Button isLoading={state === 'loading'} isDisabled={state === 'loading'} onClick={() => void revalidate()}>
          Try again
        </Button>
      }
    >
      {status && <Content component="p">{status}</Content>}
      {message && <Content component="p">{message}</Content>}
      {request && <Content component="small">Request {request}</Content>}
    </MessagePage>
  )
}
