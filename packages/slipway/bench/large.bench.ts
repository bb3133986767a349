// Measures how long the scenario `large` takes to load and what it costs, and counts its objects through the Kubernetes
// API and both APIs of the archive, as a signed-in user. Linux only, since memory is read from /proc.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { signedIn } from '../src/sign-in/testing'
import { emailOf } from '../src/users'

const namespace = 'team-large'
const counted = { applications: 100, components: 500, snapshots: 2_000, releases: 1_000 }
const aims = { loadSeconds: 60, runs: 10_000, runsInCluster: 5_000 }
/** The archive reads the cluster in the background. */
const archiveSeconds = 120

if (process.platform !== 'linux') {
  console.log('Skipped: there is no /proc to read from.')
  process.exit()
}
const data = await mkdtemp(join(tmpdir(), 'slipway-large-'))
const start = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))
const ports = ['--port=0', '--api-port=0', '--sign-in-port=0', '--git-port=0']
const startedMs = performance.now()
const child = spawn(process.execPath, [start, '--scenario=large', `--data=${data}`, ...ports], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = new Promise((resolve) => child.on('close', resolve))
const url = await new Promise<string>((resolve, reject) => {
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += String(chunk)
    const [, found] = /Slipway is ready: (\S+)/.exec(output) ?? []
    if (found) resolve(found)
  })
  void ended.then(() => reject(new Error(`Slipway ended before it was ready.\n${output}`)))
})
const loadSeconds = (performance.now() - startedMs) / 1_000
const loadCpuSeconds = await cpuSeconds()

const browser = await signedIn(url, emailOf('admin'))
async function page<A>(path: string): Promise<A> {
  const { status, text } = await browser(url + path, undefined, { accept: 'application/json' })
  if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`)
  return JSON.parse(text) as A // Of a list.
}
/** Counts the items of all pages of a list from Kubernetes or KubeArchive. */
async function countOf(path: string): Promise<number> {
  let count = 0
  for (let token: string | undefined = ''; token !== undefined;) {
    const { items, metadata }: { items: unknown[]; metadata: { continue?: string } } = await page(
      `/api/k8s${path}?limit=250&continue=${encodeURIComponent(token)}`,
    )
    count += items.length
    token = metadata.continue || undefined
  }
  return count
}
async function countOfRecords(): Promise<number> {
  const path = `/api/k8s/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents/${namespace}/results/-/records`
  const filter = encodeURIComponent('data_type == "tekton.dev/v1.PipelineRun"')
  const fields = encodeURIComponent('records.name,next_page_token')
  let count = 0
  for (let token: string | undefined = ''; token !== undefined;) {
    const { records, nextPageToken }: { records: unknown[]; nextPageToken?: string } = await page(
      `${path}?page_size=250&filter=${filter}&fields=${fields}&page_token=${encodeURIComponent(token)}`,
    )
    count += records.length
    token = nextPageToken || undefined
  }
  return count
}
const of = (group: string, plural: string) => `/apis/${group}/namespaces/${namespace}/${plural}`
const runs = of('tekton.dev/v1', 'pipelineruns')
const rows: Record<string, { measured: number | string; aim: number | string }> = {
  'to the ready line, s': { measured: loadSeconds.toFixed(1), aim: `< ${aims.loadSeconds}` },
  // Comparable between a busy and a quiet machine.
  '… of CPU, s': { measured: loadCpuSeconds.toFixed(1), aim: '' },
  'peak of memory while loading, MB': { measured: await peakMb(), aim: '' },
}
const firstMs = performance.now()
await page(`/api/k8s${of('appstudio.redhat.com/v1alpha1', 'applications')}?limit=250`)
rows['applications, ms'] = { measured: Math.round(performance.now() - firstMs), aim: '' }
for (const [plural, aim] of Object.entries(counted)) {
  rows[`${plural} in the cluster`] = { measured: await countOf(of('appstudio.redhat.com/v1alpha1', plural)), aim }
}
rows['runs in the cluster'] = { measured: await countOf(runs), aim: aims.runsInCluster }
let inArchive = 0
for (let waited = 0; waited < archiveSeconds && inArchive < aims.runs; waited += 5) {
  await sleep(5_000)
  inArchive = await countOf(`/plugins/kubearchive${runs}`)
}
rows['runs in KubeArchive'] = { measured: inArchive, aim: aims.runs }
rows['runs in Tekton Results'] = { measured: await countOfRecords(), aim: aims.runs }
console.table(rows)
const isWrong = Object.values(rows).some(({ measured, aim }) => typeof aim === 'number' && measured !== aim)
if (isWrong || loadSeconds > aims.loadSeconds) process.exitCode = 1

child.kill('SIGINT')
await ended
await rm(data, { recursive: true })

async function cpuSeconds(): Promise<number> {
  const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8')
  // The program name, which comes second, may contain spaces; times are in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function peakMb(): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1_024)
}
