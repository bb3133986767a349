import { Content } from '@patternfly/react-core'
import { MessagePage } from './MessagePage'
import { ReloadPageButton } from './ReloadPageButton'

/** An error of ours: nothing that a cluster answered. */
export function UnknownErrorPage({ error }: { error: unknown }) {
  const { name, message, stack } = error instanceof Error ? error : thrown(error)
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

/** Anything can be thrown; what has no stack gets none of this page. */
function thrown(value: unknown): Pick<Error, 'name' | 'message' | 'stack'> {
  try {
    return { name: 'Error', message: typeof value === 'object' ? JSON.stringify(value) : String(value) }
  } catch {
    return { name: 'Error', message: 'What was thrown cannot be shown.' }
  }
}
