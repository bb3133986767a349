import { podType } from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { aPipelineRun } from '@slipway/model/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saveHistory, type PastObject } from '../src/history'
import { namesOf } from './objects'
import { kinds, namespace, startWorld, type Answer, type World } from './world'

const runs = `/apis/tekton.dev/v1/namespaces/${namespace}/pipelineruns`
const pods = `/api/v1/namespaces/${namespace}/pods`
const deletedMs = Date.parse('2026-02-01T00:00:00Z')

/** Created a minute apart, from 9:00. */
const run = (name: string, minute: number): PastObject => ({
  object: aPipelineRun({
    metadata: {
      name,
      uid: `run-${minute}`,
      creationTimestamp: `2026-01-31T09:0${minute}:00Z`,
      labels: { app: name.split('-')[0] ?? '', minute: String(minute) },
    },
  }),
  deletedMs,
})

const pod = (name: string, annotations: Record<string, string>, owner?: string): PastObject => ({
  object: {
    apiVersion: apiVersionOf(podType),
    kind: podType.kind,
    metadata: {
      name,
      namespace,
      uid: `uid-of-${name}`,
      creationTimestamp: '2026-01-31T09:00:00Z',
      annotations,
      ...(owner && {
        ownerReferences: [
          { apiVersion: 'tekton.dev/v1', kind: 'PipelineRun', name: 'a', uid: owner, controller: true },
        ],
      }),
    },
    spec: { containers: [{ name: 'one' }, { name: 'two' }] },
  } as PastObject['object'], // A pod.
  deletedMs,
  logs: { two: 'a\nb\nc\n', one: 'first\n' },
})

const annotation = 'kubectl.kubernetes.io/default-container'
let world: World
beforeAll(async () => {
  world = await startWorld()
  saveHistory(world.store, kinds, [
    ...['test-a', 'test-b', 'e2e-job', 'test-a'].map(run),
    pod('plain', {}, 'run-0'),
    pod('annotated', { [annotation]: 'two' }),
    pod('empty', { [annotation]: '' }),
  ])
})
afterAll(() => world.close())

const listed = ({ body }: Answer) => namesOf(body.items)
const uid = ({ body }: Answer) => body.metadata.uid as string
const message = ({ body }: Answer) => Object.keys(body as object)
const source = ({ headers }: Answer) => ['x-pod-name', 'x-pod-uuid', 'x-container-name'].map((key) => headers.get(key))
const text = (answer: Answer) => answer.text
const rfc3339 = (time: string) => encodeURIComponent(time)

type Fact = [fact: string, path: string, code: number, read: (answer: Answer) => unknown, expected: unknown]

// What its documentation says of the API. Source: kubearchive.org, "API reference", of version 1.23.
describe.each<[string, Fact[]]>([
  [
    'a collection',
    [
      [
        'is a list with an empty token after its last page',
        runs,
        200,
        ({ body }) => [body.kind, body.metadata],
        ['List', { continue: '' }],
      ],
      [
        'may be that of all namespaces',
        '/apis/tekton.dev/v1/pipelineruns',
        200,
        listed,
        ['test-a', 'e2e-job', 'test-b', 'test-a'],
      ],
      ['has at most 1,000 objects a page', `${runs}?limit=1000`, 200, (answer) => listed(answer).length, 4],
      ['cannot have more', `${runs}?limit=1001`, 400, message, ['message']],
      ['cannot have a negative number', `${runs}?limit=-1`, 400, message, ['message']],
      ['has labels that exist', `${runs}?labelSelector=app`, 200, (answer) => listed(answer).length, 4],
      ['lacks labels that exist', `${runs}?labelSelector=!app`, 200, listed, []],
      ['has equal labels', `${runs}?labelSelector=app%3De2e`, 200, listed, ['e2e-job']],
      ['has other labels', `${runs}?labelSelector=app!%3Dtest`, 200, listed, ['e2e-job']],
      ['has labels of a set', `${runs}?labelSelector=minute+in+(1,+2)`, 200, listed, ['e2e-job', 'test-b']],
      [
        'has labels outside a set, and others',
        `${runs}?labelSelector=minute+notin+(1,2),+app`,
        200,
        listed,
        ['test-a', 'test-a'],
      ],
      [
        'was created after a time',
        `${runs}?creationTimestampAfter=2026-01-31T09:01:00Z`,
        200,
        listed,
        ['test-a', 'e2e-job'],
      ],
      ['was created before a time', `${runs}?creationTimestampBefore=2026-01-31T09:01:00Z`, 200, listed, ['test-a']],
      [
        'was created between times of any offset, with labels',
        `${runs}?creationTimestampAfter=${rfc3339('2026-01-31T10:00:00+01:00')}&creationTimestampBefore=2026-01-31T09:02:00.5Z&labelSelector=app%3Dtest`,
        200,
        listed,
        ['test-b'],
      ],
      [
        'takes no time without an offset',
        `${runs}?creationTimestampAfter=2026-01-31T09:01:00`,
        400,
        message,
        ['message'],
      ],
      ['has names with a prefix', `${runs}?name=test-*`, 200, listed, ['test-a', 'test-b', 'test-a']],
      ['has names with a suffix', `${runs}?name=*-job`, 200, listed, ['e2e-job']],
      ['has names with a part, in any case', `${runs}?name=*2E-J*`, 200, listed, ['e2e-job']],
      ['is a single object, the newest, for a name without wildcards', `${runs}?name=test-a`, 200, uid, 'run-3'],
      ['is nothing for an unknown name without wildcards', `${runs}?name=test-z`, 404, message, ['message']],
    ],
  ],
  [
    'an object',
    [
      ['has the newest state of its name', `${runs}/test-a`, 200, uid, 'run-3'],
      ['is addressed by its uid, too', `${runs}/uid/run-0`, 200, uid, 'run-0'],
      ['has no name in its query', `${runs}/test-a?name=*a*`, 400, message, ['message']],
      ['has no wildcard in its path', `${runs}/*a*`, 400, message, ['message']],
      ['may not be archived', `${runs}/nothing`, 404, ({ body }) => body as unknown, { message: 'resource not found' }],
    ],
  ],
  [
    'a log',
    [
      ['is that of a container', `${pods}/plain/log?container=two`, 200, text, 'a\nb\nc\n'],
      ['is that of the first container of the pod', `${pods}/plain/log`, 200, text, 'first\n'],
      ['is that of the annotated container', `${pods}/annotated/log`, 200, text, 'a\nb\nc\n'],
      ['ignores an empty annotation', `${pods}/empty/log`, 200, text, 'first\n'],
      ['is addressed by the uid of its pod, too', `${pods}/uid/uid-of-plain/log`, 200, text, 'first\n'],
      ['may be that of a pod which the object owns', `${runs}/uid/run-0/log?container=two`, 200, text, 'a\nb\nc\n'],
      ['may be its last lines', `${pods}/annotated/log?tailLines=2`, 200, text, 'b\nc\n'],
      ['says whose it is', `${pods}/plain/log`, 200, source, ['plain', 'uid-of-plain', 'one']],
      [
        'is reported once if its object is not archived',
        `${pods}/nothing/log`,
        404,
        text,
        '{"message":"resource not found"}',
      ],
    ],
  ],
])('%s', (_, facts) => {
  test.each(facts)('%s', async (_, path, code, read, expected) => {
    const answer = await world.kubeArchive(path, 'admin')
    expect([answer.code, read(answer)]).toEqual([code, expected])
  })
})

// Source: kubearchive.org, "Rate Limiting".
test.each([
  ['requests', runs, 300, 100],
  ['logs', `${pods}/plain/log`, 30, 10],
])('a user may send %s to %s: %i at once, and %i a second', async (_, path, burst, perSecond) => {
  const limited = await startWorld()
  const accepted = async () => {
    for (let count = 0; ; count++) {
      const { code, headers } = await limited.kubeArchive(path, 'admin')
      if (code === 429) return [count, headers.get('retry-after')]
    }
  }
  expect(await accepted()).toEqual([burst, '1'])
  await limited.clock.advance(1_000)
  expect(await accepted()).toEqual([perSecond, '1'])
  await limited.close()
})
