import type { Frame, Message } from '@slipway/views/frame'

/** A connection to an engine of views, which is a service behind the gateway or a worker of this page. */
export interface ViewLink {
  send(message: Message): void
  /** The computer or the tab may have slept: whatever is waiting goes on now. */
  wake(): void
  /** The network has changed, or rights have: what is open is opened again. @param namespace only what shows it */
  refresh(namespace?: string): void
  /** Nothing is reported afterwards. */
  close(): void
}

export interface LinkHandlers {
  /** Messages can be sent from now on. */
  onOpen(): void
  onFrame(frame: Frame): void
  /** The connection ended or was never established. @param code close code of the websocket */
  onClose(code?: number): void
}

export type OpenLink = (handlers: LinkHandlers) => ViewLink
