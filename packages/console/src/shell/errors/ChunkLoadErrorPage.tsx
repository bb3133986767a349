import { MessagePage } from './MessagePage'
import { ReloadPageButton } from './ReloadPageButton'

/** A part of the program that did not arrive: the network failed, or a newer version was installed meanwhile. */
export class ChunkLoadError extends Error {
  override name = 'LazyPartError'
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
