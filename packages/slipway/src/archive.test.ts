import { nameOf, uidOf } from '@slipway/kube/object'
import { podType, type Pod } from '@slipway/kube/core-types'
import { resourcePath } from '@slipway/kube/path'
import { labels } from '@slipway/model/labels'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { afterEach, expect, it, vi } from 'vitest'
import { signedIn, type Browser } from './sign-in/testing'
import { startSlipway, type RunningSlipway, type StartOptions } from './start'
import { emailOf } from './users'

let slipway: RunningSlipway | undefined
afterEach(async () => {
  await slipway?.close()
  slipway = undefined
})

/** Starts everything in memory without the simulator, with a user signed in to the console. */
async function startAs(user: 'admin' | 'outsider', options: Partial<StartOptions> = {}) {
  const ports = { port: 0, apiPort: 0, signInPort: 0, gitPort: 0 }
  slipway = await startSlipway({ ...ports, scenario: 'empty', simulator: false, ...options })
  const { url, system } = slipway
  return { url, system, browser: await signedIn(url, emailOf(user)) }
}

const aWhile = { interval: 100 }
const kubeArchive = '/api/k8s/plugins/kubearchive'
const tektonResults = '/api/k8s/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents'

it.each([
  ['both', 200, 200],
  ['kubearchive', 200, 404],
  ['results', 404, 200],
  ['none', 404, 404],
  [undefined, 200, 404],
] as const)('shows %s of the archive from the first look on', async (archive, ofKubeArchive, ofTektonResults) => {
  const { url, browser } = await startAs('admin', { archive })
  const statusOf = async (path: string) => (await browser(url + path)).status
  expect([
    await statusOf(`${kubeArchive}/livez`),
    await statusOf(`${tektonResults}/team-payments/results/-/records`),
  ]).toEqual([ofKubeArchive, ofTektonResults])
})

it('both archive APIs return the same logs, including those of runs with deleted pods', async () => {
  const { url, system, browser } = await startAs('admin', { scenario: 'demo', archive: 'both' })
  const read = async (path: string) => {
    // As KubeArchive does, the archive limits how many logs it sends in a second.
    const { status, text } = await vi.waitFor(async () => {
      const response = await browser(url + path)
      if (response.status === 429) throw new Error(`${path} is limited: ${response.text}`)
      return response
    }, aWhile)
    if (status !== 200 && status !== 404) throw new Error(`${path} returned ${status}: ${text}`)
    return status === 200 ? text : undefined
  }
  for (const namespace of ['team-payments', 'team-platform']) {
    const { items: taskRuns } = await system.list(taskRunType, { namespace })
    const { items: pods } = await system.list(podType, { namespace })
    const there = new Set(pods.map(nameOf))
    const withoutPods = taskRuns.filter(({ status }) => status?.podName && !there.has(status.podName))
    // One run of each task: hundreds of concurrent log requests would be rate limited.
    const ofEachTask = new Map(withoutPods.map((each) => [each.metadata.labels?.[labels.pipelineTask], each])).values()
    const resultOf = ({ metadata }: TaskRun) =>
      `${tektonResults}/${namespace}/results/${metadata.ownerReferences?.[0]?.uid ?? ''}`
    // The archive reads the cluster in the background.
    await vi.waitFor(async () => {
      const last = withoutPods.at(-1)
      expect(last && (await read(`${resultOf(last)}/records/${uidOf(last)}`))).toBeDefined()
    }, aWhile)
    let found = 0
    for (const taskRun of ofEachTask) {
      const whole = await read(`${resultOf(taskRun)}/logs/${uidOf(taskRun)}`)
      // Each attempt had its own pod.
      const podNames = [...(taskRun.status?.retriesStatus ?? []), taskRun.status].flatMap(
        (tried) => tried?.podName ?? [],
      )
      const parts = await Promise.all(
        podNames.map(async (podName) => {
          const pod = await archivedPod(browser, url, namespace, podName)
          const containers = (pod?.spec.containers ?? []).map(async ({ name }) => {
            const path = resourcePath(podType, { namespace, name: podName, subresource: 'log' })
            const text = await read(`${kubeArchive}${path}?container=${name}`)
            const marked = text?.replace(/[^\n]*\n|[^\n]+$/g, (line) => `[${name.replace('step-', '')}] ${line}`)
            return marked === undefined ? '' : `${marked}\n`
          })
          return (await Promise.all(containers)).join('')
        }),
      )
      expect([nameOf(taskRun), whole ?? '']).toEqual([nameOf(taskRun), whole ? `${parts.join('')}\n` : ''])
      if (whole) found++
    }
    expect(found).toBeGreaterThan(15)
  }
})

async function archivedPod(browser: Browser, url: string, namespace: string, name: string): Promise<Pod | undefined> {
  const { status, text } = await browser(`${url}${kubeArchive}${resourcePath(podType, { namespace, name })}`)
  return status === 200 ? (JSON.parse(text) as Pod) : undefined
}
