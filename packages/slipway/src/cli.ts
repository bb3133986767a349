import { fileURLToPath } from 'node:url'
import { StartError } from './start-error'
import { limitHeapGrowth } from './memory'
import { helpOf, parseFlags, version, type CommandName, type FlagsOf } from './flags'
import { startOptions } from './options'
import { readyText } from './ready-text'
import { startProgress } from './start-progress'
import { terminalLog } from './terminal-log'

/** The built console. The relative path is the same from `src` and `dist`. */
const assets = fileURLToPath(new URL('../../console/dist', import.meta.url))

const stopWithinMs = 1_500
/** One Ctrl-C can arrive twice: from the terminal and from npm. */
const sameKeystrokeMs = 300

/** The command `slipway`. Exits the process on failure and on a signal to stop. */
export async function main(argv: string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  try {
    const [name, ...args] = argv
    if (name === 'gateway') await run('gateway', args, env, runGateway)
    else if (name === 'views') await run('views', args, env, runViews)
    else if (name === 'simulate') await run('simulate', args, env, runSimulation)
    else if (name === 'doctor') await run('doctor', args, env, runDoctor)
    else if (name === 'completion') await run('completion', args, env, runCompletion)
    else await run('start', name === 'start' ? args : argv, env, runAll)
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`)
    process.exit(1)
  }
}

type Run<C extends CommandName> = (flags: FlagsOf<C>, env: NodeJS.ProcessEnv) => Promise<void>

async function run<C extends CommandName>(command: C, args: string[], env: NodeJS.ProcessEnv, start: Run<C>) {
  const flags = parseFlags(command, args, env)
  if (flags.needsHelp) process.stdout.write(helpOf(command))
  else await start(flags, env)
}

// Each command loads only what it needs: a gateway has no database.

/** Runs everything on one machine: an embedded cluster in a separate process, sign-in, and the gateway in front. */
async function runAll(flags: FlagsOf<'start'>): Promise<void> {
  if (flags.isOn('version')) {
    process.stdout.write(`${version()}\n`)
    return
  }
  const { open, ...options } = startOptions(flags, process.cwd())
  const { startSupervised } = await import('./start-supervised')
  const { stdout, stderr } = process
  const progress = startProgress(stdout)
  const starting = startSupervised({ ...options, assets, log: terminalLog(stderr, 'warn'), stdout, stderr, progress })
  const close = async () => (await starting).close()
  stopOn(['SIGINT', 'SIGTERM'], close, stopWithinMs)
  const running = await starting
  stdout.write(readyText(running, options))
  if (open) {
    const { openBrowser } = await import('./open-browser')
    openBrowser(options.publicOrigins?.[0] ?? running.url, { report: (message) => void stderr.write(`${message}\n`) })
  }
  limitHeapGrowth()
  await running.failed
}

/** Runs only the gateway, in front of an external cluster. */
async function runGateway(flags: FlagsOf<'gateway'>, env: NodeJS.ProcessEnv): Promise<void> {
  const { gatewayCommand } = await import('./gateway/command')
  const { raiseHeapLimit } = await import('@slipway/gateway/operations/heap')
  const { stdout, stderr } = process
  raiseHeapLimit()
  const starting = gatewayCommand(flags, { env, builtConsole: assets, stdout, stderr })
  stopOn(['SIGINT'], async () => (await starting).close(), stopWithinMs)
  // An orchestrator sends SIGTERM and waits: users should not notice.
  stopOn(['SIGTERM'], async () => (await starting).drain())
  await starting
}

/** Runs only the service for list views, for gateways in front of an external cluster. */
async function runViews(flags: FlagsOf<'views'>, env: NodeJS.ProcessEnv): Promise<void> {
  const { viewsCommand } = await import('./views/command')
  const starting = viewsCommand(flags, { env, stdout: process.stdout })
  stopOn(['SIGINT', 'SIGTERM'], async () => (await starting)?.close(), stopWithinMs)
  await starting
}

/** Runs only the simulator, as a client of an external cluster. */
async function runSimulation(flags: FlagsOf<'simulate'>, env: NodeJS.ProcessEnv): Promise<void> {
  const { simulateCommand } = await import('./simulate/command')
  const { stdout, stderr } = process
  const starting = simulateCommand(flags, { env, stdout, stderr })
  stopOn(['SIGINT', 'SIGTERM'], async () => (await starting)?.close(), stopWithinMs)
  await starting
}

async function runDoctor(flags: FlagsOf<'doctor'>, env: NodeJS.ProcessEnv): Promise<void> {
  const { doctorCommand } = await import('./doctor')
  process.exitCode = await doctorCommand(flags, env, process.stdout)
}

async function runCompletion(flags: FlagsOf<'completion'>): Promise<void> {
  const { completionScript } = await import('./completion')
  process.stdout.write(completionScript(flags.positionals))
}

/** @param withinMs exit by then even if closing hangs: every acknowledged write is already on the disk */
function stopOn(signals: NodeJS.Signals[], close: () => Promise<void>, withinMs?: number): void {
  let stoppedAt: number | undefined
  const stop = () => {
    const now = performance.now()
    if (stoppedAt !== undefined) {
      if (now - stoppedAt > sameKeystrokeMs) process.exit(130)
      return
    }
    stoppedAt = now
    if (withinMs !== undefined) setTimeout(() => process.exit(0), withinMs)
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  for (const signal of signals) process.on(signal, stop)
}

const describeError = (error: unknown): string => {
  if (error instanceof StartError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
