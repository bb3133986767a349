import { randomInt } from 'node:crypto'
import { createGateway } from '@slipway/gateway/app'
import type { GatewayConfig } from '@slipway/gateway/config'
import { normalizePublicUrl } from '@slipway/gateway/origins'
import { randomBytes, signInSecrets } from '../credentials'
import { type FlagsOf, version } from '../flags'
import { jsonLog } from '../json-log'
import { toStartError } from '../start-error'
import { portFailure } from '../port-failure'
import { startSignInProvider } from '../sign-in/provider'
import { terminalLog } from '../terminal-log'
import { gatewayOptions, type GatewayOptions } from './options'
import { ownerOf, type Owner } from './owner'

export interface RunningGateway {
  /** URL in browsers. */
  url: string
  /** Port of `/metrics`, if enabled. */
  metricsPort: number | undefined
  /** The owner and their passcode; absent if users sign in with an identity provider or through a proxy. */
  owner: (Owner & { passcode: string }) | undefined
  /** Closes without failing requests, if it serves more users than its owner. */
  drain(): Promise<void>
  close(): Promise<void>
}

interface Environment {
  env: NodeJS.ProcessEnv
  /** Default folder of the console. */
  builtConsole: string
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
}

/**
 * Runs `slipway gateway`.
 * @throws StartError with a message that says what to change
 */
export async function gatewayCommand(flags: FlagsOf<'gateway'>, environment: Environment): Promise<RunningGateway> {
  const { env, builtConsole, stdout, stderr } = environment
  const options = gatewayOptions(flags, builtConsole)
  const log = options.signIn ? jsonLog(stdout, options.logLevel) : terminalLog(stderr, options.logLevel)
  try {
    const running = await (options.signIn ? startForAll : startForOwner)(options, env, log)
    if (running.owner) stdout.write(readyText(running, running.owner))
    else log.info({ url: running.url, metricsPort: running.metricsPort }, 'the gateway is ready')
    return running
  } catch (error) {
    throw toStartError(error)
  }
}

type Log = NonNullable<GatewayConfig['log']>

async function startForAll(options: GatewayOptions, env: NodeJS.ProcessEnv, log: Log): Promise<RunningGateway> {
  const { config, signIn, drainMs } = options
  if (!signIn) throw new Error('no way to sign in is configured')
  const { app, url } = await listening({ ...config, ...signIn, log }, env)
  return {
    url: config.publicOrigins?.[0] ?? url,
    metricsPort: app.metricsPort(),
    owner: undefined,
    drain: () => app.drain({ graceMs: drainMs }),
    close: () => app.close(),
  }
}

const clientId = 'slipway'

/** Serves one user on one machine. Other users of the machine do not know the passcode. */
async function startForOwner(options: GatewayOptions, env: NodeJS.ProcessEnv, log: Log): Promise<RunningGateway> {
  const { config, signInPort } = options
  const { access } = config.kubernetes
  if (!('kubeconfig' in access)) throw new Error('the owner is only known for a kubeconfig')
  const owner = await ownerOf(access, env, log)
  const passcode = newPasscode()
  const secrets = signInSecrets()
  const publicOrigins = config.publicOrigins?.map(normalizePublicUrl)
  let origins = publicOrigins ?? []
  const provider = await startSignInProvider({
    host: '127.0.0.1',
    port: signInPort,
    users: [
      {
        name: owner.user,
        email: owner.user,
        groups: owner.groups,
        description: `Owner of the context ${owner.context}`,
      },
    ],
    clientId,
    secrets,
    redirectOrigins: () => origins,
    passcode,
  }).catch(portFailure(signInPort, '--sign-in-port'))
  try {
    const { app, url } = await listening(
      {
        ...config,
        log,
        session: { keys: [randomBytes(32)] },
        signIn: {
          oidc: {
            issuer: provider.issuer,
            clientId,
            clientSecret: secrets.clientSecret,
            // As the cluster reports them. They are sent to archives, which do not know the kubeconfig.
            allowedSystemNames: [owner.user, ...owner.groups],
          },
        },
      },
      env,
    )
    origins = publicOrigins ?? [url, url.replace('127.0.0.1', 'localhost')]
    const close = async () => {
      await app.close()
      await provider.close()
    }
    return {
      url: publicOrigins?.[0] ?? url,
      metricsPort: app.metricsPort(),
      owner: { ...owner, passcode },
      drain: close,
      close,
    }
  } catch (error) {
    await provider.close()
    throw error
  }
}

async function listening(config: GatewayConfig, env: NodeJS.ProcessEnv) {
  const { host, port, tls } = config
  const app = await createGateway({ ...config, version: version() }, { env })
  try {
    await Promise.resolve(app.ready()).catch(portFailure(config.metrics?.port ?? 0, '--metrics-port'))
    const url = await app.listen({ host, port }).catch(portFailure(port, '--port'))
    return { app, url: tls ? url.replace(/^http:/, 'https:') : url }
  } catch (error) {
    await app.close()
    throw error
  }
}

/** Easy to type and without ambiguous letters. The sign-in page limits the number of attempts. */
function newPasscode(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const part = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return `${part()}-${part()}`
}

const readyText = ({ url }: RunningGateway, { user, context, server, passcode }: Owner & { passcode: string }) => `
Slipway is ready: ${url}

  Cluster     ${context} (${server})
  Sign in as  ${user}
  Passcode    ${passcode}

  It has the permissions of your kubeconfig and lets anyone sign in who knows the passcode. Press Ctrl-C to stop.
`
