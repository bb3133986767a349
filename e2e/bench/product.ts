import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectionOf, keyOf } from '@slipway/apiserver/resource'
import { sqliteStorage } from '@slipway/apiserver/storage/sqlite'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { namespaceType, podType, roleBindingType, serviceAccountType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { queryString, resourcePath } from '@slipway/kube/path'
import { isAlreadyExists } from '@slipway/kube/status'
import { applicationType } from '@slipway/model/builds/application'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { anApplication, aNamespace, aPod, aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { runCommand, type Command } from '../command'
import { aLargeRun, aLoggingTask, ended, logLine } from './runs'

export interface BenchProduct {
  url: string
  /** Calls as the cluster administrator. */
  system: KubeClient
  command: Command
  close(): Promise<void>
}

/**
 * Starts the product as `npm start` does, empty and in a separate process.
 * @param flags default: without the simulator
 */
export async function startProduct(...flags: string[]): Promise<BenchProduct> {
  const data = await createDataFolder()
  const product = await startProductOn(data, ...flags)
  return {
    ...product,
    async close() {
      await product.close()
      await rm(data, { recursive: true })
    },
  }
}

export const createDataFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'slipway-bench-'))

/** The same with a data folder that may have content, and stays. */
export async function startProductOn(data: string, ...flags: string[]): Promise<BenchProduct> {
  const ports = ['--port=0', '--api-port=0', '--sign-in-port=0', '--git-port=0', '--plain-http=on']
  const quiet = flags.length > 0 ? flags : ['--simulator=off']
  const command = runCommand(['--scenario=empty', '--archive=none', `--data=${data}`, ...ports, ...quiet])
  const url = await command.ready
  const [, apiUrl = ''] = /^ +Kubernetes API +(\S+)/m.exec(command.output()) ?? []
  // The product's own format.
  const { tokens } = JSON.parse(await readFile(join(data, 'credentials.json'), 'utf8')) as {
    tokens: Record<string, string>
  }
  const system = createKubeClient({
    baseUrl: apiUrl.replace('https:', 'http:'),
    headers: { authorization: `Bearer ${tokens.system}` },
  })
  return {
    url,
    system,
    command,
    async close() {
      command.signal('SIGINT')
      await command.exited
    },
  }
}

/**
 * Writes runs to the store of a product that is not running: tens of thousands take too long through its API.
 * @param isSmall to leave out what no list shows
 */
export async function fillStore(
  data: string,
  at: { namespace: string; application: string; runs: number },
  { isSmall = false } = {},
): Promise<void> {
  const storage = sqliteStorage(join(data, 'store.sqlite'))
  const collection = collectionOf(pipelineRunType)
  for (let first = 0; first < at.runs; first += writtenAtOnce) {
    const count = Math.min(writtenAtOnce, at.runs - first)
    const write = (_: unknown, index: number) => {
      const run = aLargeRun(first + index, at)
      if (isSmall) Reflect.deleteProperty(run, 'spec')
      if (isSmall) Reflect.deleteProperty(run.status ?? {}, 'pipelineSpec')
      const metadata = { ...run.metadata, uid: randomUUID(), creationTimestamp: run.status?.startTime }
      const value = JSON.stringify({ ...run, metadata })
      return storage.write({
        collection,
        key: keyOf(at.namespace, nameOf(run)),
        expected: undefined,
        type: 'put',
        value,
      })
    }
    await Promise.all(Array.from({ length: count }, write))
  }
  storage.close()
}

const writtenAtOnce = 1_000

/** A namespace of the admin. */
export async function putNamespace(system: KubeClient, namespace: string): Promise<void> {
  await system.create(namespaceType, aNamespace({ metadata: { name: namespace } }))
  const role = 'konflux-admin-user-actions'
  await system.create(
    roleBindingType,
    aRoleBinding({
      metadata: { name: `konflux-admin-admin-user-actions`, namespace },
      roleRef: { name: role },
      subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf('admin') }],
    }),
  )
}

export function throwUnlessExists(error: unknown): void {
  if (!isAlreadyExists(error)) throw error
}

export const putApplication = (system: KubeClient, at: { namespace: string; application: string }) =>
  system.create(applicationType, anApplication({ metadata: { name: at.application, namespace: at.namespace } }))

const atOnce = 16

/** Runs work for each index below `count`, with limited concurrency. */
export async function forEachOf(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Creates an application with runs. */
export async function putRuns(system: KubeClient, at: { namespace: string; application: string }, count: number) {
  await putApplication(system, at)
  await forEachOf(count, (index) => putRun(system, aLargeRun(index, at)))
}

export async function putRun(system: KubeClient, run: PipelineRun): Promise<void> {
  // A create request ignores the status.
  const { metadata } = await system.create(pipelineRunType, run)
  await system.replaceStatus(pipelineRunType, { ...run, metadata })
}

/**
 * Creates a task of a run with one step and a log of the given length. Returns its name.
 * @param exitCode of the step; if it has failed, the last line says so
 */
export async function putLog(system: KubeClient, run: PipelineRun, lineCount: number, exitCode = 0): Promise<string> {
  const taskRun = aLoggingTask(run, exitCode)
  const { name = '', namespace = '' } = taskRun.metadata
  const created = await system.create(taskRunType, taskRun)
  await system.replaceStatus(taskRunType, { ...taskRun, metadata: created.metadata })
  const pod = aPod({ metadata: { name: `${name}-pod`, namespace } })
  // A pod is rejected if its service account does not exist.
  const { serviceAccountName } = pod.spec
  await system
    .create(serviceAccountType, { metadata: { name: serviceAccountName, namespace } })
    .catch(throwUnlessExists)
  const { metadata } = await system.create(podType, pod)
  const time = '2026-01-01T00:00:30Z'
  const path = resourcePath(podType, { namespace, name: `${name}-pod`, subresource: 'log' })
  const linesAtOnce = 5_000
  for (let first = 0; first < lineCount; first += linesAtOnce) {
    const count = Math.min(linesAtOnce, lineCount - first)
    const lines = Array.from({ length: count }, (_, index) => logLine(first + index))
    if (exitCode !== 0 && first + count === lineCount) lines.push(`Error: exit status ${exitCode}`)
    await system.request(path + queryString({ container: 'step-build', time }), {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: `${lines.join('\n')}\n`,
    })
  }
  await system.replaceStatus(podType, {
    ...pod,
    metadata,
    status: {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed',
      containerStatuses: [
        {
          name: 'step-build',
          image: '',
          imageID: '',
          ready: false,
          restartCount: 0,
          state: { terminated: ended(time, exitCode) },
        },
      ],
    },
  })
  return name
}
