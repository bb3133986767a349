import { createKubeClient } from '@slipway/kube/client'
import { namespaceType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { aNamespace } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { faultyNetwork } from '../test/faulty-network'
import { aRun, aTask } from '../test/runs'
import { startWorld } from '../test/world'
import { pipelineRuns } from './controllers/pipeline-runs'
import { taskRuns } from './controllers/task-runs'
import { integerBetween, keyedRandom, pick } from './keyed-random'
import { createSimulator } from './simulator'

const namespace = 'team-payments'
const minuteMs = 60_000
const pipeline = {
  tasks: [
    aTask('clone', {}, ['commit']),
    aTask('build', { runAfter: ['clone'] }),
    aTask('scan', { runAfter: ['build'] }),
  ],
}

/** A cluster, and a simulator that is connected to it through an unreliable network. */
async function startRemoteWorld(seed: string) {
  const world = await startWorld({ controllers: [], objects: [[namespaceType, aNamespace()]], seed })
  const { clock, server, client } = world
  const random = keyedRandom(seed, 'network')
  const network = faultyNetwork(server, random)
  const warnings: string[] = []
  const simulator = createSimulator({
    controllers: [pipelineRuns, taskRuns],
    clock,
    seed,
    speed: 2,
    warn: (message) => warnings.push(message),
    client: createKubeClient({
      baseUrl: 'http://cluster.test',
      headers: { authorization: 'Bearer simulator' },
      fetch: network.fetch,
      probeUrl: 'http://cluster.test/livez',
      timeoutMs: 15_000,
      clock,
    }),
  })
  let created = 0
  return {
    clock,
    network,
    random,
    warnings,
    async push() {
      const run = aRun(pipeline)
      await client.create(pipelineRunType, {
        ...run,
        metadata: { ...run.metadata, name: `run-${++created}`, namespace },
      })
    },
    async running() {
      const runs = (await client.list(pipelineRunType)).items
      const all = [...runs, ...(await client.list(taskRunType)).items]
      const running = all.filter(({ status }) => !status?.completionTime)
      return { names: running.map((run) => `${run.kind} ${nameOf(run)}`), runs: runs.length }
    },
    async close() {
      // Let pending requests of the simulator time out.
      const closed = simulator.close()
      await clock.advance(minuteMs)
      await closed
      await world.close()
    },
  }
}

it.each(Array.from({ length: 8 }, (_, seed) => `hour-${seed}`))(
  'all runs of an hour finish although connections fail and the process is suspended: %s',
  async (seed) => {
    const { clock, network, random, push, running, close } = await startRemoteWorld(seed)
    const startMs = clock.now()
    for (let minute = 0; clock.now() - startMs < 55 * minuteMs; minute++) {
      if (minute % 3 === 0) await push()
      const fault = pick(random, ['none', 'none', 'cut', 'mute', 'suspend', 'suspend', 'storm'])
      await clock.advance(integerBetween(random, 1, 30_000))
      if (fault === 'cut') network.cut()
      else if (fault === 'mute') network.mute()
      else if (fault === 'suspend') clock.jump(integerBetween(random, 1_000, 170_000))
      else if (fault === 'storm') {
        network.fail(0.5)
        network.cut()
        await clock.advance(integerBetween(random, 1_000, 90_000))
        network.fail(0)
      }
      await clock.advance(integerBetween(random, 1, 30_000))
    }
    await push()
    network.fail(0.7)
    network.cut()
    await clock.advance(2 * minuteMs)
    network.fail(0)
    // The last run takes about a minute without failures, and may only start now.
    await clock.advance(4 * minuteMs)
    const { names, runs } = await running()
    expect(names).toEqual([])
    expect(runs).toBeGreaterThan(10)
    await close()
  },
)

it('lists again when a watch does not report a write', async () => {
  const { clock, network, push, running, close } = await startRemoteWorld('silent')
  await clock.advance(minuteMs)
  await push()
  await clock.advance(1_000)
  network.mute()
  await clock.advance(2 * minuteMs)
  expect((await running()).names).toEqual([])
  await close()
})

it('reports an outage once when it starts and once when it ends', async () => {
  const { clock, network, warnings, push, close } = await startRemoteWorld('outage')
  await clock.advance(minuteMs)
  for (let run = 0; run < 4; run++) await push()
  await clock.advance(1_000)
  network.fail(1)
  network.cut()
  await clock.advance(30_000)
  network.fail(0)
  await clock.advance(minuteMs)
  expect(warnings).toEqual([
    expect.stringMatching(/^lost connection to \w+, retrying in 2 s$/),
    expect.stringMatching(/^connected again after \d+ s$/),
  ])
  await close()
})
