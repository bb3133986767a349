import { Content } from '@patternfly/react-core'
import { MessagePage } from './MessagePage'
import { ReloadPageButton } from './ReloadPageButton'

/** For errors in the console itself, as opposed to error responses. */
export function UnknownErrorPage({ error }: { error: unknown }) {
  const { name, message, stack } = error instanceof Error ? error : describeThrown(error)
  return (
    <MessagePage
      title="Something went wrong"
      heading="Oh no! Something went wrong."
      status="danger"
      action={<ReloadPageButton />}
    >
      <details>
        <summary>Details</summary>
        <Content className="slipway-error-details">
          <h2>{name}</h2>
          <h3>Description</h3>
          <p>{message}</p>
          {stack && (
            <>
              <h3>Stack trace</h3>
              <pre tabIndex={0} role="region" aria-label="Stack trace">
                {stack}
              </pre>
            </>
          )}
        </Content>
      </details>
    </MessagePage>
  )
}

/** Describes a thrown value that is not an Error, without a stack trace. */
function describeThrown(value: unknown): Pick<Error, 'name' | 'message' | 'stack'> {
  try {
    return { name: 'Error', message: typeof value === 'object' ? JSON.stringify(value) : String(value) }
  } catch {
    return { name: 'Error', message: 'An unknown error occurred.' }
  }
}
