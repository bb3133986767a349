import { spawn } from 'node:child_process'
import { steady, type Clock } from '@slipway/kube/clock'
import { HttpError } from './http-error'
import { parseToken } from './connection'
import type { Log } from './log'

/** The `exec` section of a kubeconfig user. Source: client.authentication.k8s.io, ExecCredential. */
export interface ExecConfig {
  apiVersion: string
  command: string
  args: string[]
  env: Record<string, string>
  /** Passed to the plugin if it requests it. */
  cluster?: Record<string, unknown>
}

export interface ExecCredential {
  token?: string
  cert?: string
  key?: string
}

/** Credentials from a program: cached until they expire, and renewed by one run at a time. */
export interface ExecCredentials {
  /** @throws HttpError 502 if the program fails */
  current(): Promise<ExecCredential>
  /** Called when the service rejects them: the next call runs the program again. */
  invalidate(): void
}

interface ExecParts {
  upstream: string
  config: ExecConfig
  env: NodeJS.ProcessEnv
  clock: Clock
  log: Log
}

/** Credentials are renewed in the background from this long before they expire. */
const renewBeforeMs = 60_000
/** Wait before running a program again that has just failed or whose credentials were just rejected. */
const retryMs = 5_000
const runMs = 60_000
const maxOutputBytes = 1024 * 1024

interface CachedCredential {
  credential: ExecCredential
  /** Infinity if the program gave no expiry. */
  expiresAt: number
}

export function execCredentials({ upstream, config, env, clock, log }: ExecParts): ExecCredentials {
  let cached: CachedCredential | undefined
  let running: Promise<CachedCredential> | undefined
  let failure: { error: HttpError; until: number } | undefined
  let ranAt = -Infinity
  const { now: steadyNow } = steady(clock)

  async function run(): Promise<CachedCredential> {
    ranAt = steadyNow()
    try {
      cached = parseCredential(await runPlugin(config, env, clock), config)
      failure = undefined
      return cached
    } catch (error) {
      log.error({ upstream, command: config.command, cause: (error as Error).message }, 'credential plugin failed')
      const httpError = new HttpError(502, `The credential plugin of ${upstream} failed. See the log for the reason.`)
      failure = { error: httpError, until: steadyNow() + retryMs }
      throw httpError
    } finally {
      running = undefined
    }
  }
  const renew = () => (running ??= run())

  return {
    async current() {
      const now = clock.now()
      if (cached && now < cached.expiresAt) {
        const expiresSoon = now >= cached.expiresAt - renewBeforeMs
        // The cached credential is still valid; a failure is logged, and reported once it has expired.
        if (expiresSoon && steadyNow() - ranAt >= retryMs) renew().catch(() => {})
        return cached.credential
      }
      if (failure && steadyNow() < failure.until) throw failure.error
      return (await renew()).credential
    },
    invalidate() {
      if (steadyNow() - ranAt >= retryMs) cached = undefined
    },
  }
}

/** @throws Error that starts with the first line of the program's error output */
function runPlugin(config: ExecConfig, env: NodeJS.ProcessEnv, clock: Clock): Promise<string> {
  const { apiVersion, command, args, cluster } = config
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false, ...(cluster && { cluster }) } }
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...env, ...config.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
      stdio: ['ignore', 'pipe', 'pipe'],
      // In a process group of its own, so that the whole group can be killed.
      detached: true,
    })
    let output = ''
    let errorOutput = ''
    const stopTimer = clock.after(runMs, () => kill(`it took longer than ${runMs}ms`))
    const fail = (reason: string) => {
      stopTimer()
      const [line = ''] = errorOutput.trim().split('\n')
      reject(new Error([line, reason].filter(Boolean).join(' · ')))
    }
    const kill = (reason: string) => {
      // Including its child processes, which could keep the pipes open forever.
      const isRunning = child.exitCode === null && child.signalCode === null
      if (isRunning && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      child.stdout.destroy()
      child.stderr.destroy()
      fail(reason)
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.length > maxOutputBytes) kill(`it wrote more than ${maxOutputBytes} bytes`)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(0, 2_000)
    })
    child.on('error', (error) => fail(error.message))
    child.on('close', (code) => {
      if (code !== 0) return fail(`exit code ${code}`)
      stopTimer()
      resolve(output)
    })
  })
}

/** @throws Error that does not quote the output, since it contains secrets */
function parseCredential(output: string, { apiVersion }: ExecConfig): CachedCredential {
  let response: { apiVersion?: unknown; kind?: unknown; status?: Record<string, unknown> } | null
  try {
    response = JSON.parse(output) as typeof response
  } catch {
    throw new Error('its output is not valid JSON')
  }
  if (response?.kind !== 'ExecCredential' || response.apiVersion !== apiVersion) {
    throw new Error(`its output is not an ExecCredential of ${apiVersion}`)
  }
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = response.status ?? {}
  const credential: ExecCredential = {}
  if (typeof token === 'string') credential.token = parseToken(token, 'the credential plugin')
  if (typeof cert === 'string' && typeof key === 'string') Object.assign(credential, { cert, key })
  if (!credential.token && !credential.cert) throw new Error('its output has neither a token nor a certificate')
  const expiresAt = typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : Infinity
  if (Number.isNaN(expiresAt)) throw new Error('its expirationTimestamp is not a valid time')
  return { credential, expiresAt }
}
