import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { StartFailure } from './failure'

export interface Options {
  port: number
  apiPort: number
  /** Absolute path of the data folder. */
  data: string
  fresh: boolean
  help: boolean
}

export const help = `Usage: npm start -- [options]

  --port <number>       port of the console (SLIPWAY_PORT, 8080)
  --api-port <number>   port of the Kubernetes API (SLIPWAY_API_PORT, 8081)
  --data <folder>       where everything is kept (SLIPWAY_DATA, .slipway)
  --fresh               start with an empty data folder
  --help                show this
`

/**
 * What the command was asked to do. A flag wins over its environment variable; port 0 means any free one.
 * @throws StartFailure for anything it does not understand
 */
export function parseOptions(argv: string[], env: Record<string, string | undefined>, folder: string): Options {
  const flags = flagsOf(argv)
  const port = portOf('--port', flags.port, 'SLIPWAY_PORT', env, 8080)
  const apiPort = portOf('--api-port', flags['api-port'], 'SLIPWAY_API_PORT', env, 8081)
  if (port === apiPort && port !== 0) {
    throw new StartFailure(
      `The console and the Kubernetes API cannot both listen on port ${port}; choose another one with --port or --api-port.`,
    )
  }
  const data = flags.data ?? (env.SLIPWAY_DATA || '.slipway')
  if (!data) throw new StartFailure('--data needs the name of a folder.')
  return {
    port,
    apiPort,
    data: resolve(folder, data),
    fresh: flags.fresh ?? false,
    help: flags.help ?? false,
  }
}

function flagsOf(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: 'string' },
        'api-port': { type: 'string' },
        data: { type: 'string' },
        fresh: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    // The first sentence names the flag; the rest is advice about positional arguments that does not apply here.
    const reason = error instanceof Error ? error.message.split(/\.\s|\n/)[0] : String(error)
    throw new StartFailure(`${reason?.replace(/\.$/, '')}; see --help for the options there are.`)
  }
}

function portOf(
  flag: string,
  given: string | undefined,
  variable: string,
  env: Record<string, string | undefined>,
  fallback: number,
): number {
  const [source, text] = given === undefined ? [variable, env[variable]] : [flag, given]
  if (given === undefined && !text) return fallback
  const port = Number(text)
  if (!/^\d+$/.test(text ?? '') || port > 65_535) {
    throw new StartFailure(`${source} must be a port number from 0 to 65535, not "${text}".`)
  }
  return port
}
