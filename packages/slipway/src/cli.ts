import { fileURLToPath } from 'node:url'
import { StartError } from './start-error'
import { tidyAfterStart } from './memory'
import { help, parseOptions } from './options'
import { readyText } from './ready-text'
import { terminalLog } from './terminal-log'

/** The built console. The relative path is the same from `src` and `dist`. */
const assets = fileURLToPath(new URL('../../console/dist', import.meta.url))

const stopWithinMs = 1_500
/** One Ctrl-C can arrive twice: from the terminal and from npm. */
const sameKeystrokeMs = 300

/** The command `slipway`. Exits the process on failure and on a signal to stop. */
export async function main(argv: string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  try {
    if (argv[0] === 'gateway') await runGateway(argv.slice(1), env)
    else if (argv[0] === 'simulate') await runSimulation(argv.slice(1), env)
    else if (argv[0] === 'doctor') {
      const { doctorCommand } = await import('./doctor')
      process.exitCode = await doctorCommand(argv.slice(1), env, process.stdout)
    } else await run(argv, env)
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`)
    process.exit(1)
  }
}

/** Runs everything on one machine: an embedded cluster in a separate process, sign-in, and the gateway in front. */
async function run(argv: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const options = parseOptions(argv, env, process.cwd())
  if (options.help) {
    process.stdout.write(help)
    return
  }
  // Each command loads only what it needs: a gateway has no database.
  const { startSupervised } = await import('./start-supervised')
  const { stdout, stderr } = process
  const starting = startSupervised({ ...options, assets, log: terminalLog(stderr, 'warn'), stdout, stderr })
  const close = async () => (await starting).close()
  stopOn(['SIGINT', 'SIGTERM'], close, stopWithinMs)
  const running = await starting
  stdout.write(readyText(running, options))
  tidyAfterStart()
  await running.failed
}

/** Runs only the gateway, in front of an external cluster. */
async function runGateway(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { gatewayCommand } = await import('./gateway/command')
  const { raiseHeapLimit } = await import('@slipway/gateway/operations/heap')
  const { stdout, stderr } = process
  raiseHeapLimit()
  const starting = gatewayCommand(args, { env, builtConsole: assets, stdout, stderr })
  stopOn(['SIGINT'], async () => (await starting)?.close(), stopWithinMs)
  // An orchestrator sends SIGTERM and waits: users should not notice.
  stopOn(['SIGTERM'], async () => (await starting)?.drain())
  await starting
}

/** Runs only the simulator, as a client of an external cluster. */
async function runSimulation(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { simulateCommand } = await import('./simulate/command')
  const { stdout, stderr } = process
  const starting = simulateCommand(args, { env, stdout, stderr })
  stopOn(['SIGINT', 'SIGTERM'], async () => (await starting)?.close(), stopWithinMs)
  await starting
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
