import { createArchive, type Archive } from '@slipway/archive/archive'
import { saveHistory } from '@slipway/archive/history'
import { archivedKind, hasEnded, isDecided, type ArchivedKind } from '@slipway/archive/kinds'
import { archiveRules } from '@slipway/archive/permissions'
import type { ArchiveStore } from '@slipway/archive/store/store'
import { listen, type Listener } from '@slipway/apiserver/node'
import type { PluginConfig } from '@slipway/gateway/config'
import type { KubeClient } from '@slipway/kube/client'
import { podType } from '@slipway/kube/core-types'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releaseConditions, releaseType } from '@slipway/model/supply-chain/release'
import { snapshotType } from '@slipway/model/supply-chain/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import type { ArchivedSeeds } from '@slipway/simulator/scenarios/scenario'
import { applyObjects } from './apply'
import { accountObjects } from './account-objects'
import { impersonationRules } from './gateway-access'
import type { ArchiveChoice } from './options'
import { clientWith, serviceAccountToken } from './service-account'
import { partLog } from './terminal-log'

/** What leaves the cluster and is wanted afterwards. */
const kinds: ArchivedKind[] = [
  archivedKind({ type: pipelineRunType, isFinished: isDecided('Succeeded'), isRecord: true }),
  archivedKind({ type: taskRunType, isFinished: isDecided('Succeeded'), isRecord: true }),
  archivedKind({
    type: podType,
    labels: { matchExpressions: [{ key: labels.taskRun, operator: 'Exists' }] },
    isFinished: hasEnded,
    hasLogs: true,
  }),
  archivedKind({ type: snapshotType, isFinished: () => true }),
  archivedKind({ type: releaseType, isFinished: isDecided(releaseConditions.released) }),
]

const namespace = 'slipway-archive'
/** As whom the archive works, and as whom the gateway asks it: each can do what it needs. */
const archiveAccount = { namespace, name: 'archive' }
const readerAccount = { namespace, name: 'gateway' }
const retentionMs = 90 * 24 * 3_600_000

export interface RunningArchive {
  /** For the gateway. */
  plugins: { kubeArchive?: PluginConfig; tektonResults?: PluginConfig }
  /** The token with which the gateway calls the archive, as it is now. */
  readerToken(): string
  /** Keeps what a scenario says has left the cluster long ago. */
  keep(archived: ArchivedSeeds): Promise<void>
  /** Settles once the gateway has had the answer of its first look: a process at work might answer that too late. */
  found(): Promise<void>
  /** From now on what ends in the cluster is kept; until then nothing is answered. */
  begin(): void
  close(): Promise<void>
}

interface Options {
  choice: Exclude<ArchiveChoice, 'none'>
  store: ArchiveStore
  apiUrl: string
  system: KubeClient
  host: string
  /** Any free ones by default. */
  ports?: Partial<Record<'kubeArchive' | 'tektonResults', number>>
}

/** It is there, which the gateway looks for once, but has nothing to say yet. */
const notBegun = (request: Request): Response =>
  new URL(request.url).pathname === '/livez'
    ? Response.json({ code: 200, message: 'healthy' })
    : Response.json({ message: 'the archive is starting' }, { status: 503 })

/** The archive, as a service of its own beside the cluster, on any free port for each of its faces. */
export async function startArchive({
  choice,
  store,
  apiUrl,
  system,
  host,
  ports = {},
}: Options): Promise<RunningArchive> {
  await applyObjects(system, [
    ...accountObjects(archiveAccount, 'slipway-archive', archiveRules(kinds)),
    ...accountObjects(readerAccount, 'slipway-archive-reader', impersonationRules),
  ])
  const token = await serviceAccountToken({ system, ...archiveAccount })
  const readerToken = await serviceAccountToken({ system, ...readerAccount })
  let archive: Archive | undefined
  const listeners: Listener[] = []
  const looks: Promise<void>[] = []
  const serve = async (face: 'kubeArchive' | 'tektonResults'): Promise<PluginConfig> => {
    let markLooked = () => {}
    looks.push(new Promise((resolve) => (markLooked = resolve)))
    const fetch = async (request: Request) => {
      markLooked()
      return (await archive?.[face](request)) ?? notBegun(request)
    }
    const listener = await listen({ fetch }, { host, port: ports[face] ?? 0 })
    listeners.push(listener)
    return { url: listener.url, token: () => readerToken.current() }
  }
  const plugins = {
    kubeArchive: choice === 'results' ? undefined : await serve('kubeArchive'),
    tektonResults: choice === 'kubearchive' ? undefined : await serve('tektonResults'),
  }
  return {
    plugins,
    readerToken: () => readerToken.current(),
    async keep(archived) {
      keepArchived(store, archived)
    },
    async found() {
      await Promise.all(looks)
      // The answer travels to the other end of this very process.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    },
    begin: () =>
      void (archive ??= createArchive({
        client: clientWith(apiUrl, token),
        store,
        kinds,
        retentionMs,
        warn: partLog('archive'),
      })),
    async close() {
      for (const listener of listeners) await listener.close()
      await archive?.close()
      token.close()
      readerToken.close()
      store.close()
    },
  }
}

/** Things are taken out of a cluster a while after they have ended. */
const keptInClusterMs = 3 * 3_600_000

function keepArchived(store: ArchiveStore, { objects, logs }: ArchivedSeeds): void {
  const logsOf = (pod: KubeObject): Record<string, string> =>
    Object.fromEntries(
      logs
        .filter((log) => log.pod === nameOf(pod))
        .map((log) => [log.container, [...log.lines()].map((line) => `${line.text}\n`).join('')]),
    )
  const history = objects.map((object) => ({
    object,
    deletedMs: Date.parse(object.metadata.creationTimestamp ?? '') + keptInClusterMs,
    ...(object.kind === podType.kind && { logs: logsOf(object) }),
  }))
  saveHistory(store, kinds, history)
}
