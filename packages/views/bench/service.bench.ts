import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { componentView } from '@slipway/model/views/components'
import { integrationTestView } from '@slipway/model/views/integration-tests'
import { pipelineRunView } from '@slipway/model/views/pipeline-runs'
import { releaseView } from '@slipway/model/views/releases'
import { snapshotView } from '@slipway/model/views/snapshots'
import { freePort, runCommand } from '../../../e2e/command'
import { loadNow, printTable, type Measured } from '../../../e2e/bench/report'
import { openTabs, type Tab } from '../../../e2e/bench/tabs'
import { startLargeCluster } from './large-cluster'

/** `slipway views` as a process, in front of a cluster with 1,000 runs of 17 kB in each namespace. */

const settleMs = 10_000
const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
const cluster = await startLargeCluster(1_000)
const rows: Measured[] = []

async function startService() {
  const port = await freePort()
  const tokenFile = join(folder, 'token')
  await writeFile(tokenFile, 'views')
  const access = [`--kubernetes-url=${cluster.url}`, `--kubernetes-token-file=${tokenFile}`]
  const command = runCommand(['views', ...access, `--port=${port}`, '--log-level=warn'])
  const url = `http://127.0.0.1:${port}`
  const isServing = () =>
    fetch(`${url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isServing())) {
    const exited = await Promise.race([command.exited.then(() => true), sleep(100)])
    if (exited) throw new Error(`The service ended:\n${command.output()}`)
  }
  return {
    url,
    /** What the process uses, without what it shares with others; NaN where the system does not say. */
    memoryMb: async () => {
      const memory = await readFile(`/proc/${command.pid}/smaps_rollup`, 'utf8').catch(() => '')
      return Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1] ?? NaN) / 1_024
    },
    async stop() {
      command.signal('SIGTERM')
      await command.exited
    },
  }
}

const aTab = (user: number, kind: string, ...namespaces: string[]): Tab => ({
  user: `user-${user}@slipway.test`,
  query: { kind, namespaces, limit: 50 },
})

async function measureMemory() {
  const service = await startService()
  const before = await service.memoryMb()
  const namespaces = Array.from({ length: 200 }, (_, index) => `team-${index}`)
  const startedMs = performance.now()
  const tabs = await openTabs({
    url: service.url,
    token: 'gateway',
    tabs: [aTab(0, pipelineRunView.id, ...namespaces)],
  })
  const readMs = performance.now() - startedMs
  await sleep(settleMs)
  rows.push(
    { figure: 'Memory of the service, no list', unit: 'MB', measured: before },
    {
      figure: 'Memory of the service, 200 namespaces of 1,000 runs',
      unit: 'MB',
      aim: 300,
      measured: await service.memoryMb(),
    },
    { figure: 'Until it has read these 200,000 runs', unit: 'ms', measured: readMs },
  )
  await tabs.close()
  await service.stop()
}

async function measureWatches() {
  const service = await startService()
  const kinds = [pipelineRunView, componentView, snapshotView, releaseView, integrationTestView]
  // A user has five tabs with five lists of a namespace.
  const tabs = Array.from({ length: 1_000 }, (_, index) => {
    const user = Math.floor(index / kinds.length)
    return aTab(user, kinds[index % kinds.length]?.id ?? '', `team-${user % 50}`)
  })
  const open = await openTabs({ url: service.url, token: 'gateway', tabs })
  await sleep(settleMs)
  rows.push({
    figure: 'Watches, 1,000 tabs of 200 users on 50 namespaces',
    unit: 'watches',
    aim: 300,
    measured: cluster.watches(),
  })
  await open.close()
  await service.stop()
}

await measureMemory()
await measureWatches()
await cluster.close()
await rm(folder, { recursive: true })
printTable(rows)
console.log(`Load average ${loadNow().toFixed(1)}`)
