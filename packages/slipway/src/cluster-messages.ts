import type { Credentials } from './credentials'
import type { RunningArchive } from './archive'
import type { Services, ServicesOptions } from './services'

/** Messages from the supervisor to the cluster process. */
export type ToCluster =
  | { type: 'start'; options: ServicesOptions }
  | ({ type: 'begin' } & Parameters<Services['begin']>[0])
  | { type: 'stop' }

/** Messages from the cluster process to its supervisor. */
export type FromCluster =
  | { type: 'listening'; view: ClusterAddresses }
  | { type: 'ready' }
  /** Sent every second. A process that stops sending it does not respond to any request either. */
  | { type: 'alive'; readerTokens: ReaderTokens }
  /** @property text human-readable; the process exits afterwards */
  | { type: 'failed'; text: string; isStartFailure: boolean }

export interface ClusterAddresses extends Pick<
  Services,
  'apiUrl' | 'privateApiUrl' | 'gitHostUrl' | 'scenario' | 'kubeconfigPath'
> {
  credentials: Pick<Credentials, 'tokens' | 'sessionKey' | 'signIn'>
  /** URLs of the archive's APIs. */
  archive: Partial<Record<keyof RunningArchive['plugins'], string>>
  /** URL of the service for list views. */
  views: string | undefined
  readerTokens: ReaderTokens
}

/** The current tokens with which the gateway calls the services next to the cluster. */
export type ReaderTokens = Partial<Record<'archive' | 'views', string>>

export const aliveEveryMs = 1_000
