import { resolve } from 'node:path'
import { normalizePublicUrl } from '@slipway/gateway/origins'
import { platformVersions, type PlatformVersion } from '@slipway/simulator/platform-version'
import { scenarioNames, type ScenarioName } from '@slipway/simulator/scenario-names'
import type { Flags, FlagsOf } from './flags'
import { defaultRetention, type Retention } from './retention'
import { StartError } from './start-error'

export interface Options {
  port: number
  apiPort: number
  signInPort: number
  gitPort: number
  /** Initial content of the cluster; by default the existing content, or else `demo`. */
  scenario?: ScenarioName
  /** How many times faster than real time to simulate. */
  speed: number
  /** Whether to simulate activity. */
  simulator: boolean
  /** Which state of the platform's services is simulated. */
  platform: PlatformVersion
  archive: ArchiveChoice
  /** Whether to serve list views. */
  views: boolean
  /** How much history is kept. */
  retention: Retention
  /** Whether the port of the Kubernetes API also accepts plain HTTP, including bearer tokens. */
  plainHttp: boolean
  /** Origins of the console in browsers, if it is behind a proxy. */
  publicOrigins?: string[]
  /** How long a page waits for its content; by default it is sent without. */
  renderMs?: number
  /** Absolute path of the data folder. */
  data: string
  fresh: boolean
  /** Whether to open the console in a browser. */
  open: boolean
}

/** Which APIs of the archive to serve. */
const archiveChoices = ['none', 'kubearchive', 'results', 'both'] as const
export type ArchiveChoice = (typeof archiveChoices)[number]
export const defaultArchive: ArchiveChoice = 'kubearchive'

/**
 * The options of `slipway start`. Port 0 means any free port.
 * @throws StartError for invalid options
 */
export function startOptions(flags: FlagsOf<'start'>, folder: string): Options {
  const port = flags.port('port') ?? 8080
  const apiPort = flags.port('api-port') ?? 8081
  const signInPort = flags.port('sign-in-port') ?? 8082
  const gitPort = flags.port('git-port') ?? 8083
  assertDistinctPorts([
    { what: 'The console', flag: '--port', port },
    { what: 'the Kubernetes API', flag: '--api-port', port: apiPort },
    { what: 'the sign-in page', flag: '--sign-in-port', port: signInPort },
    { what: 'the git host', flag: '--git-port', port: gitPort },
  ])
  const data = flags.text('data') ?? '.slipway'
  if (!data) throw new StartError('--data requires a folder.')
  return {
    port,
    apiPort,
    signInPort,
    gitPort,
    scenario: flags.oneOf('scenario', scenarioNames),
    speed: speedOf(flags),
    simulator: flags.oneOf('simulator', ['on', 'off']) !== 'off',
    platform: platformOf(flags),
    archive: flags.oneOf('archive', archiveChoices) ?? defaultArchive,
    views: flags.oneOf('views', ['on', 'off']) !== 'off',
    retention: {
      keepHours: flags.number('keep-hours') ?? defaultRetention.keepHours,
      eventMinutes: flags.number('event-minutes') ?? defaultRetention.eventMinutes,
      archiveDays: flags.number('archive-days') ?? defaultRetention.archiveDays,
      archiveMegabytes: flags.number('archive-megabytes') ?? defaultRetention.archiveMegabytes,
    },
    plainHttp: flags.oneOf('plain-http', ['on', 'off']) === 'on',
    publicOrigins: flags.list('public-origin')?.map(parsePublicOrigin),
    renderMs: flags.number('render-milliseconds'),
    data: resolve(folder, data),
    fresh: flags.isOn('fresh'),
    open: flags.isOn('open'),
  }
}

function assertDistinctPorts(listeners: { what: string; flag: string; port: number }[]) {
  for (const [index, one] of listeners.entries()) {
    const other = listeners.slice(index + 1).find(({ port }) => port === one.port && port !== 0)
    if (!other) continue
    const what = `${one.what.replace(/^t/, 'T')} and ${other.what}`
    throw new StartError(
      `${what} cannot both listen on port ${one.port}. Choose another port with ${one.flag} or ${other.flag}.`,
    )
  }
}

function parsePublicOrigin(text: string): string {
  try {
    return normalizePublicUrl(text)
  } catch {
    throw new StartError(`--public-origin must be an origin such as http://localhost:8080, not "${text}".`)
  }
}

export const platformOf = (flags: Flags<'platform'>): PlatformVersion =>
  flags.oneOf('platform', platformVersions) ?? 'current'

/** At a higher speed, timers would no longer fire in a realistic order. */
const maxSpeed = 1_000

export function speedOf(flags: Flags<'speed'>): number {
  const text = flags.text('speed')
  if (text === undefined) return 1
  const speed = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && speed > 0 && speed <= maxSpeed) return speed
  throw flags.invalid('speed', `a number above 0 and at most ${maxSpeed}`)
}
