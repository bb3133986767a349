import { MessagePage } from './MessagePage'
import { ReloadPageButton } from './ReloadPageButton'

/** A chunk of the console could not be loaded: the network failed, or a newer version was installed meanwhile. */
export class ChunkLoadError extends Error {
  override name = 'ChunkLoadError'
}

export const ChunkLoadErrorPage = () => (
  <MessagePage
    title="Something went wrong"
    heading="An unknown error occurred."
    status="danger"
    action={<ReloadPageButton />}
  >
    This part of the console could not be loaded.
  </MessagePage>
)
