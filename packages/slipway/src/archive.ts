import { createArchive, type Archive } from '@slipway/archive/archive'
import { saveHistory } from '@slipway/archive/history'
import { archivedKind, hasEnded, isDecided, type ArchivedKind } from '@slipway/archive/kinds'
import { archiveRules } from '@slipway/archive/permissions'
import type { ArchiveStore } from '@slipway/archive/store/store'
import { listen, type Listener } from '@slipway/apiserver/node/listen'
import type { PluginConfig } from '@slipway/gateway/upstreams/settings'
import type { KubeClient } from '@slipway/kube/client'
import { podType } from '@slipway/kube/core-types'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releaseConditions, releaseType } from '@slipway/model/releases/release'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import type { ArchivedSeeds } from '@slipway/simulator/scenarios/scenario'
import { applyObjects } from './apply'
import { accountObjects } from './account-objects'
import { impersonationRules } from './gateway-access'
import type { ArchiveChoice } from './options'
import { clientWith, serviceAccountToken } from './service-account'
import { partLog } from './terminal-log'

/** Kinds to archive before they are deleted from the cluster. */
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
/** Accounts of the archive itself and of the gateway's requests to it, each with the permissions that it needs. */
const archiveAccount = { namespace, name: 'archive' }
const readerAccount = { namespace, name: 'gateway' }
const dayMs = 24 * 3_600_000
const megabyte = 1024 * 1024

export interface RunningArchive {
  /** Configuration for the gateway. */
  plugins: { kubeArchive?: PluginConfig; tektonResults?: PluginConfig }
  /** The current token with which the gateway calls the archive. */
  readerToken(): string
  /** Archives objects that a scenario deleted from the cluster long ago. */
  store(archived: ArchivedSeeds): Promise<void>
  /** Starts archiving; until then every request fails. */
  begin(): void
  close(): Promise<void>
}

interface Options {
  choice: Exclude<ArchiveChoice, 'none'>
  store: ArchiveStore
  apiUrl: string
  system: KubeClient
  host: string
  /** How long deleted objects are archived. */
  maxDays: number
  /** Beyond this size, the oldest are removed earlier. */
  maxMegabytes: number
  /** Default: any free ports. */
  ports?: Partial<Record<'kubeArchive' | 'tektonResults', number>>
}

/** The gateway checks once whether the archive exists, before it is ready. */
const startingResponse = (request: Request): Response =>
  new URL(request.url).pathname === '/livez'
    ? Response.json({ code: 200, message: 'healthy' })
    : Response.json({ message: 'the archive is starting' }, { status: 503 })

/** Starts the archive as a service next to the cluster, with one port for each of its APIs. */
export async function startArchive({
  choice,
  store,
  apiUrl,
  system,
  host,
  maxDays,
  maxMegabytes,
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
  const serve = async (api: 'kubeArchive' | 'tektonResults'): Promise<PluginConfig> => {
    const fetch = async (request: Request) => (await archive?.[api](request)) ?? startingResponse(request)
    const listener = await listen({ fetch }, { host, port: ports[api] ?? 0 })
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
    async store(archived) {
      keepArchived(store, archived)
    },
    begin: () =>
      void (archive ??= createArchive({
        client: clientWith(apiUrl, token),
        store,
        kinds,
        retentionMs: maxDays * dayMs,
        maxBytes: maxMegabytes * megabyte,
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

/** How long objects stay in the cluster before they are deleted. */
const timeInClusterMs = 3 * 3_600_000

function keepArchived(store: ArchiveStore, { objects, logs }: ArchivedSeeds): void {
  const logsOf = (pod: KubeObject): Record<string, string> =>
    Object.fromEntries(
      logs
        .filter((log) => log.pod === nameOf(pod))
        .map((log) => [log.container, [...log.lines()].map((line) => `${line.text}\n`).join('')]),
    )
  const history = objects.map((object) => ({
    object,
    deletedMs: Date.parse(object.metadata.creationTimestamp ?? '') + timeInClusterMs,
    ...(object.kind === podType.kind && { logs: logsOf(object) }),
  }))
  saveHistory(store, kinds, history)
}
