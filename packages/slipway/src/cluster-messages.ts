import type { Credentials } from './credentials'
import type { RunningArchive } from './archive'
import type { Services, ServicesOptions } from './services'

/** What the supervisor says to the process of the cluster. */
export type ToCluster =
  | { type: 'start'; options: ServicesOptions }
  | ({ type: 'begin' } & Parameters<Services['begin']>[0])
  | { type: 'stop' }

/** What the process of the cluster says to its supervisor. */
export type FromCluster =
  | { type: 'listening'; view: ClusterAddresses }
  | { type: 'ready' }
  /** Every second. A process that is silent does not respond to anyone. */
  | { type: 'alive'; readerToken: string | undefined }
  /** @property text for people; the process ends after it */
  | { type: 'failed'; text: string; isStartFailure: boolean }

export interface ClusterAddresses extends Pick<
  Services,
  'apiUrl' | 'privateApiUrl' | 'gitHostUrl' | 'scenario' | 'kubeconfigPath'
> {
  credentials: Pick<Credentials, 'tokens' | 'sessionKey' | 'signIn'>
  /** URLs of the archive's APIs. */
  archive: Partial<Record<keyof RunningArchive['plugins'], string>>
  readerToken: string | undefined
}

export const aliveEveryMs = 1_000
