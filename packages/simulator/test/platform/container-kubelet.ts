import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseQuantity } from '@slipway/apiserver/builtin/quantity'
import type { KubeClient } from '@slipway/kube/client'
import { systemClock } from '@slipway/kube/clock'
import {
  configMapType,
  podType,
  secretType,
  type Container,
  type ContainerState,
  type ContainerStatus,
  type Pod,
} from '@slipway/kube/core-types'
import { namespaceOf, nameOf, uidOf } from '@slipway/kube/object'
import { queryString, resourcePath } from '@slipway/kube/path'
import { ApiError, isNotFound } from '@slipway/kube/status'
import { createInformer } from '../../src/informer'
import type { BindMount, ContainerExit, ContainerRuntime, OutputStream, RunningContainer } from './containers'

/**
 * Runs the containers of all pods, and reports their statuses and logs, as the kubelet does. It knows as much of pods as
 * Tekton uses. The pods have no node, so the API server deletes them at once.
 */
export interface ContainerKubelet {
  close(): Promise<void>
}

export interface Image {
  /** Its files, on this machine. */
  root: string
  /** What is run if a container has no command. */
  entrypoint: string[]
}

interface ContainerKubeletOptions {
  client: KubeClient
  runtime: ContainerRuntime
  /** Folder for the volumes of pods. */
  folder: string
  /** Returns `undefined` for an image that cannot be pulled. */
  imageOf(name: string, pod: Pod): Image | undefined
  onError(error: unknown): void
}

export function startContainerKubelet({
  client,
  runtime,
  folder,
  imageOf,
  onError,
}: ContainerKubeletOptions): ContainerKubelet {
  const running = new Map<string, RunningPod>()
  const pods = createInformer({
    client,
    clock: systemClock,
    type: podType,
    onChange({ object, previous }) {
      if (!object) {
        if (previous) running.get(uidOf(previous))?.end()
        return
      }
      const known = running.get(uidOf(object))
      if (known) return known.update(object)
      const tools = { client, runtime, folder: join(folder, uidOf(object)), imageOf }
      running.set(uidOf(object), runPod(object, tools, onError))
    },
    warn: onError,
  })
  return {
    async close() {
      pods.close()
      for (const pod of running.values()) pod.end()
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}

/** What is used of a container, besides what the product knows. Source: Kubernetes API, Container. */
interface FullContainer extends Container {
  env?: {
    name: string
    value?: string
    valueFrom?: { secretKeyRef?: KeyRef; configMapKeyRef?: KeyRef; fieldRef?: FieldRef }
  }[]
  resources?: { limits?: { memory?: string } }
  securityContext?: { runAsUser?: number }
  terminationMessagePath?: string
  volumeMounts?: { name: string; mountPath: string; subPath?: string; readOnly?: boolean }[]
  workingDir?: string
}
interface KeyRef {
  name: string
  key: string
}
interface FieldRef {
  fieldPath: string
}
interface KeysOf {
  items?: { key: string; path: string }[]
}
interface Volume {
  name: string
  emptyDir?: object
  downwardAPI?: { items?: { path: string; fieldRef?: FieldRef }[] }
  secret?: KeysOf & { secretName: string }
  configMap?: KeysOf & { name: string }
  projected?: {
    sources?: (Omit<Volume, 'name' | 'secret'> & {
      secret?: KeysOf & { name: string }
      serviceAccountToken?: { path: string; expirationSeconds?: number }
    })[]
  }
}
type File = [path: string, content: string | Buffer]
type FullPod = Pod & {
  spec: {
    containers: FullContainer[]
    initContainers?: FullContainer[]
    volumes?: Volume[]
    securityContext?: { runAsUser?: number }
  }
}

interface RunningPod {
  update(pod: Pod): void
  /** Ends its containers. */
  end(): void
  ended: Promise<void>
}

type Phase = NonNullable<NonNullable<Pod['status']>['phase']>
type Tools = Pick<ContainerKubeletOptions, 'client' | 'runtime' | 'folder' | 'imageOf'>

/** How often a container is tried again whose image or secret is missing. */
const retryMs = 1_000

function runPod(
  first: Pod,
  { client, runtime, folder, imageOf }: Tools,
  onError: (error: unknown) => void,
): RunningPod {
  let pod = first as FullPod
  let isDeleted = false
  let end: 'Succeeded' | 'Failed' | undefined
  const startTime = now()
  const location = { namespace: namespaceOf(pod), name: nameOf(pod) }
  const statuses = new Map<string, ContainerStatus>()
  const processes = new Map<string, { image: string; process: RunningContainer }>()
  let reporting = Promise.resolve()

  const setState = ({ name, image = '' }: Container, state: ContainerState, restartCount = 0) =>
    statuses.set(name, {
      name,
      image,
      imageID: state.waiting ? '' : `${image}@sha256:${'5'.repeat(64)}`,
      ready: state.running !== undefined,
      restartCount,
      state,
      ...(restartCount > 0 && { lastState: statuses.get(name)?.lastState ?? statuses.get(name)?.state }),
    } as ContainerStatus)

  /** A pod is pending until all of its containers have started. */
  const isWaiting = ({ name }: Container) => statuses.get(name)?.state?.waiting !== undefined

  function report(): Promise<void> {
    reporting = reporting.then(async () => {
      const { containers, initContainers = [] } = pod.spec
      const of = (list: Container[]) => list.flatMap(({ name }) => statuses.get(name) ?? [])
      for (;;) {
        const phase: Phase = end ?? (containers.some(isWaiting) ? 'Pending' : 'Running')
        const status = {
          phase,
          startTime,
          initContainerStatuses: of(initContainers),
          containerStatuses: of(containers),
        }
        try {
          await client.replaceStatus(podType, { ...(await client.get(podType, nameOf(pod), location)), status })
          return
        } catch (error) {
          if (isNotFound(error)) return
          if (!(error instanceof ApiError && error.code === 409)) throw error
        }
      }
    })
    return reporting
  }

  /** The files of a volume are those of a folder, which is changed when the pod changes. */
  async function writeVolume(volume: Volume): Promise<void> {
    const path = join(folder, volume.name)
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o777)
    for (const [name, content] of await filesOf(volume)) {
      const file = join(path, name)
      writeFileSync(`${file}.new`, content)
      renameSync(`${file}.new`, file)
    }
  }

  async function filesOf({ name, emptyDir, projected, ...volume }: Volume): Promise<File[]> {
    if (emptyDir) return []
    const { downwardAPI, secret, configMap } = volume
    if (downwardAPI)
      return downwardAPI.items?.map(({ path, fieldRef }) => [path, fieldOf(pod, fieldRef?.fieldPath)]) ?? []
    if (secret) return itemsOf(await valuesOf('secret', secret.secretName), secret)
    if (configMap) return itemsOf(await valuesOf('configmap', configMap.name), configMap)
    if (!projected) throw new Error(`The kubelet of the tests does not know the kind of volume ${name}.`)
    const parts = (projected.sources ?? []).map(async ({ secret, serviceAccountToken, ...source }): Promise<File[]> => {
      if (serviceAccountToken) {
        const { path, expirationSeconds = 3_600 } = serviceAccountToken
        const account = pod.spec.serviceAccountName ?? 'default'
        return [[path, await client.createToken(location.namespace ?? '', account, expirationSeconds)]]
      }
      return filesOf({ name, ...source, ...(secret && { secret: { ...secret, secretName: secret.name } }) })
    })
    return (await Promise.all(parts)).flat()
  }

  async function valuesOf(kind: 'secret' | 'configmap', name: string): Promise<Record<string, Buffer>> {
    const type = kind === 'secret' ? secretType : configMapType
    const { data = {} } = await client.get(type, name, { namespace: location.namespace }).catch((error: unknown) => {
      throw isNotFound(error) ? new ConfigError(`${kind} "${name}" not found`) : error
    })
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, kind === 'secret' ? 'base64' : 'utf8')]),
    )
  }

  async function environmentOf({ env = [] }: FullContainer): Promise<string[]> {
    const values = await Promise.all(
      env.map(async ({ name, value = '', valueFrom: { secretKeyRef, configMapKeyRef, fieldRef } = {} }) => {
        if (fieldRef) return `${name}=${fieldOf(pod, fieldRef.fieldPath)}`
        const ref = secretKeyRef ?? configMapKeyRef
        if (!ref) return `${name}=${value}`
        const keys = await valuesOf(secretKeyRef ? 'secret' : 'configmap', ref.name)
        const found = keys[ref.key]
        if (!found) throw new ConfigError(`couldn't find key ${ref.key} in ${location.namespace}/${ref.name}`)
        return `${name}=${found.toString()}`
      }),
    )
    return ['PATH=/bin', `HOSTNAME=${nameOf(pod)}`, ...values]
  }

  const mountsOf = ({ volumeMounts = [] }: FullContainer): BindMount[] =>
    volumeMounts.map(({ name, mountPath, subPath = '', readOnly }) => {
      const source = join(folder, name, subPath)
      mkdirSync(source, { recursive: true })
      return { source, destination: mountPath, isReadOnly: readOnly }
    })

  /** Runs a container to its end, and again with another image if it gets one meanwhile. @returns its exit code */
  async function runContainer(name: string): Promise<number> {
    for (let restarts = 0; ; restarts++) {
      const container = containersOf(pod).find((each) => each.name === name)
      if (!container) throw new Error(`${name} is not in the pod.`)
      const { image = '' } = container
      const state = await runOnce(container, restarts)
      const isReplaced = containersOf(pod).find((each) => each.name === name)?.image !== image
      if (isDeleted || !isReplaced) return state
    }
  }

  async function runOnce(container: FullContainer, restarts: number): Promise<number> {
    const { name, image: imageName = '', command, args = [] } = container
    const { image, env } = await whenStartable(container)
    if (!image || !env) return 0
    const messages = join(folder, `${name}-${restarts}`)
    mkdirSync(dirname(messages), { recursive: true })
    writeFileSync(messages, '')
    const startedAt = now()
    setState(container, { running: { startedAt } }, restarts)
    await report()
    const log = createLogWriter(client, location, name)
    const process = runtime.run({
      root: image.root,
      args: [...(command ?? image.entrypoint), ...args],
      env,
      workingDirectory: container.workingDir ?? '/',
      user: container.securityContext?.runAsUser ?? pod.spec.securityContext?.runAsUser,
      memoryLimit: parseQuantity(container.resources?.limits?.memory),
      mounts: [
        ...mountsOf(container),
        { source: messages, destination: container.terminationMessagePath ?? '/dev/termination-log' },
      ],
      onOutput: log.write,
    })
    processes.set(name, { image: imageName, process })
    if (isDeleted) process.kill()
    const exit = await process.exited
    processes.delete(name)
    await log.end()
    const message = (exit.startError ?? readFileSync(messages, 'utf8')).slice(0, longestMessage)
    const terminated = { ...reasonOf(exit), startedAt, finishedAt: now(), ...(message && { message }) }
    setState(container, { terminated }, restarts)
    await report()
    return exit.exitCode
  }

  /** Waits for what is missing: the API server creates a config map for each namespace a moment later. */
  async function retried(work: () => Promise<void>): Promise<void> {
    while (!isDeleted) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  /** Waits for what a container needs; for ever if that does not appear. */
  async function whenStartable(container: FullContainer): Promise<{ image?: Image; env?: string[] }> {
    while (!isDeleted) {
      const image = imageOf(container.image ?? '', pod)
      let waiting = { reason: 'ImagePullBackOff', message: `Back-off pulling image "${container.image}"` }
      if (image) {
        try {
          return { image, env: await environmentOf(container) }
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error
          waiting = { reason: 'CreateContainerConfigError', message: error.message }
        }
      }
      if (statuses.get(container.name)?.state?.waiting?.reason !== waiting.reason) {
        setState(container, { waiting })
        await report()
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
    return {}
  }

  async function run(): Promise<void> {
    const { containers, initContainers = [], volumes = [] } = pod.spec
    for (const volume of volumes) await retried(() => writeVolume(volume))
    for (const each of [...initContainers, ...containers]) setState(each, { waiting: { reason: 'PodInitializing' } })
    let exitCodes: number[] = []
    for (const { name } of initContainers) {
      exitCodes = [await runContainer(name)]
      if (isDeleted || exitCodes.some(Boolean)) break
    }
    if (!exitCodes.some(Boolean) && !isDeleted) {
      exitCodes = await Promise.all(containers.map(({ name }) => runContainer(name)))
    }
    if (isDeleted) return
    end = exitCodes.some(Boolean) ? 'Failed' : 'Succeeded'
    await report()
  }

  return {
    ended: run().catch(onError),
    update(changed) {
      pod = changed as FullPod
      for (const { name, image } of containersOf(pod)) {
        const known = processes.get(name)
        if (known && known.image !== image) known.process.kill()
      }
      for (const volume of pod.spec.volumes ?? []) if (volume.downwardAPI) writeVolume(volume).catch(onError)
    },
    end() {
      isDeleted = true
      for (const { process } of processes.values()) process.kill()
    },
  }
}

/** Why a container cannot be created. */
class ConfigError extends Error {}

/** In bytes. Source: Kubernetes, "Customizing the termination message". */
const longestMessage = 4_096

const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z')
const containersOf = ({ spec }: FullPod): FullContainer[] => [...(spec.initContainers ?? []), ...spec.containers]

function reasonOf({ exitCode, isOutOfMemory, startError }: ContainerExit): { exitCode: number; reason: string } {
  if (startError) return { exitCode, reason: 'StartError' }
  if (isOutOfMemory) return { exitCode, reason: 'OOMKilled' }
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' }
}

/** The files of a volume with these contents: all, or those that it names. */
const itemsOf = (contents: Record<string, Buffer>, { items }: KeysOf): File[] =>
  Object.entries(contents).flatMap(([key, content]): File[] => {
    const paths = items ? items.filter((item) => item.key === key).map(({ path }) => path) : [key]
    return paths.map((path) => [path, content])
  })

/** The value of a field of a pod, such as `metadata.annotations['tekton.dev/ready']`. */
function fieldOf({ metadata, spec }: Pod, path = ''): string {
  const [, member, key = ''] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? []
  if (member === 'labels' || member === 'annotations') return metadata[member]?.[key] ?? ''
  const values: Record<string, string | undefined> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'spec.serviceAccountName': spec.serviceAccountName,
  }
  return values[path] ?? ''
}

interface LogWriter {
  write(stream: OutputStream, bytes: Buffer): void
  /** Writes what is left. */
  end(): Promise<void>
}

const newline = 10

/**
 * Writes the lines of a container in the order in which they arrive; like those of a kubelet, lines of one stream are not
 * cut by those of another. What arrives while a request is under way is written with the next one.
 */
function createLogWriter(client: KubeClient, pod: { namespace?: string; name: string }, container: string): LogWriter {
  const rests: Record<OutputStream, Buffer> = { Stdout: Buffer.alloc(0), Stderr: Buffer.alloc(0) }
  const waiting: { stream: OutputStream; bytes: Buffer; time: string }[] = []
  let writing: Promise<void> | undefined

  async function writeAll() {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { stream, time } = next
      const parts = [next.bytes]
      while (waiting[0]?.stream === stream && waiting[0].time === time)
        parts.push(waiting.shift()?.bytes ?? Buffer.alloc(0))
      const query = queryString({ container, stream, time })
      await client
        .request(`${resourcePath(podType, { ...pod, subresource: 'log' })}${query}`, {
          method: 'POST',
          headers: { 'content-type': 'text/plain' },
          body: new Uint8Array(Buffer.concat(parts)),
        })
        .catch((error: unknown) => {
          // The pod was deleted meanwhile.
          if (!isNotFound(error)) throw error
        })
    }
    writing = undefined
  }

  function add(stream: OutputStream, bytes: Buffer) {
    if (bytes.length === 0) return
    waiting.push({ stream, bytes, time: new Date().toISOString() })
    writing ??= writeAll()
  }

  return {
    write(stream, bytes) {
      const all = Buffer.concat([rests[stream], bytes])
      const end = all.lastIndexOf(newline) + 1
      rests[stream] = all.subarray(end)
      add(stream, all.subarray(0, end))
    },
    async end() {
      for (const stream of ['Stdout', 'Stderr'] as const) add(stream, rests[stream])
      await writing
    },
  }
}
