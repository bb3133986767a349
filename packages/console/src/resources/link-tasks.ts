import { systemClock, type Clock } from '@slipway/kube/clock'
import { secretType, type Secret } from '@slipway/kube/core-types'
import { nameOf, uidOf } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import {
  formatUnfinishedLinks,
  isFulfilled,
  type LinkRequest,
  type LinkTarget,
} from '@slipway/model/secrets/link-request'
import { asAnnotation, isLinkable, type LinkState, unknownLinkError } from '@slipway/model/secrets/secret'
import { client } from '../api/client'
import { failureText } from '../api/messages'
import { metadataPatch } from '../api/writes/metadata-patch'
import { retrying } from '../api/writes/retrying'
import { updateObject } from '../api/writes/update-object'
import { refresh } from '../api/writes/writes'
import { limitConcurrency } from '../lib/limit-concurrency'
import { isUnderWay, reduceLinkTasks, type LinkTaskEvent } from './link-task-state'
import { linkTasks, type LinkFailure, type LinkTaskProgress } from './link-task-store'
import { changeLinks } from './secret-links'

export type { LinkTarget }

/** How many components are linked at once. */
const concurrency = 10

interface StartOptions {
  /** Names of components to unlink the secret from, such as those that a user has deselected. */
  unlink?: readonly string[]
}

/**
 * Links a secret to components in the background, and records the progress on the secret. Tasks run one after another.
 * With the option `all`, the secret gets the label by which the platform links it to future components; with any other
 * option it loses that label. Nothing is started if there is nothing to change.
 */
export const startLinkTask = (secret: Secret, target: LinkTarget, { unlink = [] }: StartOptions = {}): void =>
  queue.start(secret, { target, unlink })

const queue = createLinkQueue(systemClock)

/** Finishes a task of a closed tab, or one that has failed. */
export const resumeLinkTask = (secret: Secret, request: LinkRequest): void => queue.start(secret, request)

/** Starts a task of this tab again, for what it has not done. */
export const retryLinkTask = ({ secret, request, failures }: LinkTaskProgress): void =>
  queue.start(secret, remainder(request, failures))

export const dismissLinkTask = (id: number): void =>
  linkTasks.set(reduceLinkTasks(linkTasks.get(), { kind: 'dismissed', id }))

/** A queue of link tasks, of which there is one per tab. */
export function createLinkQueue(clock: Clock, tasks = linkTasks) {
  let end = Promise.resolve()
  const dispatch = (event: LinkTaskEvent) => tasks.set(reduceLinkTasks(tasks.get(), event))

  function start(secret: Secret, request: LinkRequest): void {
    if (isFulfilled(request, secret)) return
    const id = ++lastId
    dispatch({ kind: 'queued', id, secret, request })
    addEventListener('beforeunload', confirmLeaving)
    const recorded = record(secret, 'Pending', { request }).catch(() => undefined)
    end = end.then(async () => {
      await recorded
      await run(id, secret, request)
      if (!tasks.get().some(isUnderWay)) removeEventListener('beforeunload', confirmLeaving)
    })
  }

  /** Never rejects: failures are reported in the store and on the secret. */
  async function run(id: number, secret: Secret, request: LinkRequest): Promise<void> {
    const failures: LinkFailure[] = []
    const fail = (error: unknown, component?: string) => {
      const failure = { component, message: failureText(error, unknownLinkError) }
      failures.push(failure)
      dispatch({ kind: 'failed', id, failure })
    }
    dispatch({ kind: 'started', id })
    try {
      if (!isLinkable(secret)) throw new Error(`Secrets of type ${secret.type} cannot be linked.`)
      await record(secret, 'Running', { request, isCommon: request.target.option === 'all' })
      await changeAll(id, secret, request, fail)
    } catch (error) {
      fail(isNotFound(error) ? new Error('The secret has been deleted.') : error)
    }
    try {
      await record(secret, failures.length > 0 ? 'Failed' : 'Succeeded', {
        error: failures.map(({ component, message }) => (component ? `${component}: ${message}` : message)).join('\n'),
        request: failures.length > 0 ? remainder(request, failures) : undefined,
      })
    } catch (error) {
      if (failures.length === 0) fail(error)
    }
    dispatch({ kind: 'finished', id })
  }

  async function changeAll(
    id: number,
    secret: Secret,
    { target, unlink }: LinkRequest,
    fail: (error: unknown, component: string) => void,
  ): Promise<void> {
    const namespace = secret.metadata.namespace ?? ''
    const existing = target.option === 'none' ? [] : await namesOfComponents(namespace)
    // Components that were deleted in the meantime need no links.
    const link = target.option === 'partial' ? existing.filter((name) => target.components.includes(name)) : existing
    const steps = [
      ...link.map((component) => ({ component, changes: { link: [secret] } })),
      ...unlink.map((component) => ({ component, changes: { unlink: [nameOf(secret)] } })),
    ]
    dispatch({ kind: 'counted', id, total: steps.length })
    await limitConcurrency(steps, concurrency, async ({ component, changes }) => {
      await changeLinks(namespace, component, changes, clock).catch((error: unknown) => fail(error, component))
      dispatch({ kind: 'component-done', id })
    })
  }

  async function namesOfComponents(namespace: string): Promise<string[]> {
    const list = () => client.list(componentType, { namespace, mask: ['metadata.name', 'metadata.deletionTimestamp'] })
    const { items } = await retrying(list, { clock })
    return items.filter(({ metadata }) => !metadata.deletionTimestamp).map(nameOf)
  }

  /** Records the state of a task on its secret. @param entry `isCommon`: whether the secret is to have the common label */
  async function record(
    secret: Secret,
    state: LinkState,
    { request, error, isCommon }: { request?: LinkRequest; error?: string; isCommon?: boolean },
  ): Promise<void> {
    const unfinished = request && formatUnfinishedLinks({ request, startedMs: clock.now() })
    const ref = { namespace: secret.metadata.namespace ?? '', name: nameOf(secret) }
    const update = () =>
      updateObject(secretType, ref, (current) => {
        if (uidOf(secret) && uidOf(current) !== uidOf(secret)) throw new Error('The secret has been deleted.')
        return [
          ...metadataPatch(current, 'annotations', {
            [annotations.linkStatus]: state,
            [annotations.linkError]: error ? asAnnotation(error) : undefined,
            [annotations.unfinishedLinks]: unfinished,
          }),
          ...(isCommon === undefined
            ? []
            : metadataPatch(current, 'labels', { [labels.commonSecret]: isCommon ? 'true' : undefined })),
        ]
      })
    const done = await retrying(update, { clock })
    if (done) refresh(done.write, done.result)
  }

  return { start }
}

let lastId = 0

/** What is left of a request after the components that failed. */
function remainder({ target, unlink }: LinkRequest, failures: readonly LinkFailure[]): LinkRequest {
  const failed = new Set(failures.map(({ component }) => component))
  // After any other failure, all of it may be left.
  if (failed.has(undefined)) return { target, unlink }
  return {
    target:
      target.option === 'partial'
        ? { ...target, components: target.components.filter((name) => failed.has(name)) }
        : target,
    unlink: unlink.filter((name) => failed.has(name)),
  }
}

/** Browsers show a message of their own. */
const confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault()
