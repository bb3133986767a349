import { fileURLToPath } from 'node:url'
import { StartFailure } from './failure'
import { help, parseOptions, type Options } from './options'
import { startSlipway, type RunningSlipway } from './start'
import { users } from './users'

/** The built console. This file and its bundle, in `src` and in `dist`, are equally far from it. */
const assets = fileURLToPath(new URL('../../console/dist', import.meta.url))

const stopWithinMs = 1_500
/** One Ctrl-C can arrive twice: from the terminal, and passed on by npm. */
const sameKeystrokeMs = 300

/** The command `slipway`. Ends the process when it fails and when it is told to stop. */
export async function main(argv: string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  try {
    const options = parseOptions(argv, env, process.cwd())
    if (options.help) {
      process.stdout.write(help)
      return
    }
    const starting = startSlipway({ ...options, assets })
    stopOnSignals(starting)
    process.stdout.write(readyText(await starting, options))
  } catch (error) {
    process.stderr.write(`${failureText(error)}\n`)
    process.exit(1)
  }
}

function stopOnSignals(starting: Promise<RunningSlipway>): void {
  let stoppedAt: number | undefined
  const stop = () => {
    const now = performance.now()
    if (stoppedAt !== undefined) {
      if (now - stoppedAt > sameKeystrokeMs) process.exit(130)
      return
    }
    stoppedAt = now
    // What does not close by then has nothing left to lose: every answered write is on the disk.
    setTimeout(() => process.exit(0), stopWithinMs)
    starting
      .then((slipway) => slipway.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

const failureText = (error: unknown): string => {
  if (error instanceof StartFailure) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function readyText(running: RunningSlipway, { data, publicOrigins }: Options): string {
  const { url, apiUrl, signInUrl, kubeconfigPath } = running
  const people = users.map(({ name, email, description }) => `    ${name.padEnd(13)}${email.padEnd(27)}${description}`)
  return `
Slipway is ready: ${publicOrigins?.[0] ?? url}

  Sign in as
${people.join('\n')}

  Sign-in          ${signInUrl}
  Kubernetes API   ${apiUrl}
  Kubeconfig       ${kubeconfigPath}
  Data folder      ${data}

  Ctrl-C stops it.
`
}
