import { serviceAccountType } from '@slipway/kube/core-types'
import { isRecord, nameOf, specOf, type KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { stopDisabledReason, stopRequests, type StopRequest } from '@slipway/model/runs/run-actions'
import { pipelineRunStatus } from '@slipway/model/runs/run-status'
import { taskRunType } from '@slipway/model/runs/task-run'
import { isFinished, succeededCondition } from '@slipway/model/runs/tekton'
import { aPipelineRun } from '@slipway/model/testing'
import { aServiceAccount } from '@slipway/model/testing/build-services'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { demo } from '../../../simulator/src/scenarios/demo'
import { outcomeAnnotation } from '../../../simulator/src/tekton/outcome'
import { startKubelet } from '../../../simulator/test/platform/kubelet'
import { playKinds, type PlayedKinds } from '../../../simulator/test/platform/play-kinds'
import { startRealTektonWithWebhook, type RealTekton } from '../../../simulator/test/platform/real-tekton'
import { aTask } from '../../../simulator/test/runs'
import { startMs, worldOf } from '../../../simulator/test/tekton'
import { kinds, type Kind } from '../../../simulator/test/tekton-kinds'
import { refusals, refusedRun } from '../../../simulator/test/tekton-refusals'
import { inOrder } from '../../src/api/writes/perform-writes'
import { writeFailure } from '../../src/api/writes/write-messages'
import { create } from '../../src/api/writes/writes'
import { stopRun } from '../../src/resources/run-requests'
import { openRealServer, type TestServer } from '../cluster/servers'

/** What the console writes and reads where Tekton's webhook validates runs and sets defaults. */

let tekton: RealTekton
let server: TestServer
let played: PlayedKinds
let namespace: string

beforeAll(async () => {
  tekton = await startRealTektonWithWebhook()
  const { client, nopImage } = tekton
  server = await openRealServer([pipelineRunType, taskRunType])
  server.connectConsole()
  namespace = await server.newNamespace()
  await client.create(
    serviceAccountType,
    aServiceAccount({ metadata: { name: 'build-pipeline-checkout-api', namespace } }),
  )
  played = playKinds(tekton, acceptedKinds, {
    startKubelet: (isHeld) => startKubelet({ client, nopImage, isHeld, onError: (error) => console.error(error) }),
    change: withoutTimeouts,
  })
})

afterAll(async () => {
  await played.close()
  await server.close()
  await tekton.close()
})

/** Leaves the time limits that the kind does not say to the webhook. */
function withoutTimeouts<T extends KubeObject>(object: T, kind: Kind): T {
  const { timeouts, ...spec } = specOf(object as KubeObject as PipelineRun)
  return timeouts && !kind.spec?.timeouts ? { ...object, spec } : object
}

const acceptedKinds = Object.fromEntries(Object.entries(kinds).filter(([, { isRefused }]) => !isRefused))

const inNamespace = (run: PipelineRun): PipelineRun => ({ ...run, metadata: { ...run.metadata, namespace } })
const read = (name: string) => tekton.client.get(pipelineRunType, name, { namespace })
const shown = (write: Promise<unknown>): Promise<string> =>
  write.then(
    () => 'It was accepted.',
    (error: unknown) => writeFailure(error).body,
  )
/** @param message after the name of the webhook: one sets defaults, the other validates */
const denied = (message: string) => {
  const webhook = message.startsWith('mutation') ? 'webhook' : 'validation.webhook'
  return `admission webhook "${webhook}.pipeline.tekton.dev" denied the request: ${message}`
}

describe('a run that is not valid is refused, and the console shows the words of the webhook', () => {
  it.each(Object.entries(refusals))('%s', async (_name, refusal) => {
    const text = await shown(inOrder([create(pipelineRunType, inNamespace(refusedRun(refusal)))]))
    expect(text).toBe(denied(refusal.refused))
  })
})

/** A run whose task `one` lasts until it is cancelled, and then `tidy`, which lasts as well. */
const hanging = (name: string) =>
  inNamespace(
    aPipelineRun({
      metadata: { name, annotations: { [outcomeAnnotation]: '{"one":"timeout","tidy":"timeout"}' } },
      spec: {
        pipelineSpec: { tasks: [aTask('one'), aTask('two', { runAfter: ['one'] })], finally: [aTask('tidy')] },
      },
    }),
  )

async function startHanging(name: string): Promise<PipelineRun> {
  await tekton.client.create(pipelineRunType, hanging(name))
  await vi.waitFor(async () => {
    const one = await tekton.client.get(taskRunType, `${name}-one`, { namespace })
    expect(succeededCondition(one)?.reason).toBe('Running')
  })
  return read(name)
}

describe('the console ends a run', () => {
  it.each<[name: string, requests: StopRequest[]]>([
    ['cancel', ['cancel', 'cancelAll']],
    ['stop-then-cancel', ['stop', 'cancel', 'cancelAll']],
  ])('%s', async (name, requests) => {
    let run = await startHanging(name)
    for (const request of requests) {
      expect(stopDisabledReason(run, request)).toBeUndefined()
      expect(await shown(stopRun(run, request))).toBe('It was accepted.')
      run = await read(name)
      expect(run.spec.status).toBe(stopRequests[request])
    }
    await expect.poll(async () => pipelineRunStatus(await read(name)), { interval: 500 }).toBe('Cancelled')
  })

  it('and shows why one that has ended meanwhile cannot be ended', async () => {
    const run = await startHanging('ended')
    await stopRun(run, 'cancel')
    await stopRun(run, 'cancelAll')
    await expect.poll(async () => isFinished(await read('ended')), { interval: 500 }).toBe(true)
    // As if its page did not know yet.
    expect(await shown(stopRun(run, 'stop'))).toBe(
      denied('validation failed: invalid value: Once the PipelineRun is complete, no updates are allowed: spec'),
    )
  })
})

/** As a service creates it. What Tekton Chains has signed cannot be created as signed. */
const asCreated = ({ metadata, spec }: PipelineRun): PipelineRun => {
  const { name, labels, annotations = {} } = metadata
  const own = Object.entries(annotations).filter(([key]) => !key.startsWith('chains.tekton.dev/'))
  return inNamespace({ metadata: { name, labels, annotations: Object.fromEntries(own) }, spec })
}

/** Without the empty values that Tekton writes for fields that are not set: `metadata: {}` or `spec: null`. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (!isRecord(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const)
  const isEmpty = (member: unknown) =>
    member === null || member === undefined || (typeof member === 'object' && Object.keys(member).length === 0)
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)))
}

/** The runs that the platform's services create in the demo, one of each shape. */
function demoRuns(): [string, PipelineRun][] {
  const context = {
    nowMs: startMs,
    world: worldOf('demo'),
    users: { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor', outsider: 'outsider' },
    gitHostUrl: 'https://git.slipway.test',
    consoleUrl: 'https://console.slipway.test',
  }
  const runs = [...demo.seeds(context)].flatMap(({ type, object }) =>
    type.kind === pipelineRunType.kind ? [object as PipelineRun] : [],
  )
  const shapeOf = ({ metadata, spec }: PipelineRun) =>
    JSON.stringify([Object.keys(metadata.labels ?? {}).sort(), Object.keys(spec).sort(), spec.pipelineRef, spec.status])
  return [...new Map(runs.map((run) => [shapeOf(run), run])).values()].map((run) => [nameOf(run), run])
}

describe('a run that the simulated platform creates is accepted, with nothing changed but defaults', () => {
  it.each(demoRuns())('%s', async (_name, run) => {
    const sent = asCreated(run)
    const stored = await tekton.client.create(pipelineRunType, sent, { dryRun: true })
    const defaults = { timeouts: { pipeline: '1h0m0s' }, taskRunTemplate: { serviceAccountName: 'default' } }
    expect(withoutEmpty(stored.spec)).toEqual(withoutEmpty({ ...defaults, ...sent.spec }))
    expect(stored.metadata).toMatchObject(withoutEmpty(sent.metadata) as object)
  })
})

it('a run that was created in the old version of the API is read in the new one', async () => {
  const old = defineResource<KubeObject & { spec: object }>({ ...pipelineRunType, version: 'v1beta1' })
  const pipelineSpec = { tasks: [aTask('a')] }
  const metadata = { name: 'old', namespace }
  const spec = { serviceAccountName: 'build-pipeline-checkout-api', timeout: '30m', pipelineSpec }
  await tekton.client.create(old, { metadata, spec })
  await expect.poll(async () => pipelineRunStatus(await read('old')), { interval: 500 }).toBe('Succeeded')
  expect(withoutEmpty((await read('old')).spec)).toEqual({
    pipelineSpec: withoutEmpty(pipelineSpec),
    taskRunTemplate: { serviceAccountName: 'build-pipeline-checkout-api' },
    timeouts: { pipeline: '30m0s' },
  })
})

// Last, since some of them wait for time limits of a minute and more.
describe('a run of a kind, with the defaults of the webhook, ends as without them', () => {
  it.each(Object.entries(acceptedKinds))('%s', async (name, kind) => {
    const facts = await played.factsOf(name)
    await expect.poll(facts, { interval: 500 }).toEqual(kind.expected)
  })
})
