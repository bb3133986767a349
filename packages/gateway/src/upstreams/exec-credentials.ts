import { spawn } from 'node:child_process'
import type { FastifyBaseLogger } from 'fastify'
import { steady, type Clock } from '@slipway/kube/clock'
import { HttpError } from '../http-error'
import { checkedToken } from './connection'

/** The `exec` of a kubeconfig's user. Source: client.authentication.k8s.io, ExecCredential. */
export interface ExecConfig {
  apiVersion: string
  command: string
  args: string[]
  env: Record<string, string>
  /** Told to the plugin when it asks for it. */
  cluster?: Record<string, unknown>
}

export interface ExecCredential {
  token?: string
  cert?: string
  key?: string
}

/** Credentials that a program hands out: kept until they expire, and renewed by one run at a time. */
export interface ExecCredentials {
  /** @throws Refusal 502 when the program fails */
  current(): Promise<ExecCredential>
  /** The upstream does not accept them: the next call runs the program again. */
  refused(): void
}

interface ExecParts {
  upstream: string
  config: ExecConfig
  env: NodeJS.ProcessEnv
  clock: Clock
  log: FastifyBaseLogger
}

/** Renewed in the background from this long before they expire. */
const renewBeforeMs = 60_000
/** A program that has just failed, or whose credentials were just refused, is left alone for so long. */
const retryMs = 5_000
const runMs = 60_000
const maxOutputBytes = 1024 * 1024

interface Held {
  credential: ExecCredential
  /** Infinity when the program named no end. */
  expiresAt: number
}

export function execCredentials({ upstream, config, env, clock, log }: ExecParts): ExecCredentials {
  let held: Held | undefined
  let running: Promise<Held> | undefined
  let failure: { error: HttpError; until: number } | undefined
  let ranAt = -Infinity
  const { now: steadyNow } = steady(clock)

  async function run(): Promise<Held> {
    ranAt = steadyNow()
    try {
      held = parsed(await outputOf(config, env, clock), config)
      failure = undefined
      return held
    } catch (error) {
      log.error({ upstream, command: config.command, cause: (error as Error).message }, 'credential plugin failed')
      const refusal = new HttpError(502, `The credential plugin of ${upstream} failed: the gateway's log says why.`)
      failure = { error: refusal, until: steadyNow() + retryMs }
      throw refusal
    } finally {
      running = undefined
    }
  }
  const renewed = () => (running ??= run())

  return {
    async current() {
      const now = clock.now()
      if (held && now < held.expiresAt) {
        const isOld = now >= held.expiresAt - renewBeforeMs
        // What it still has is good; a failure is logged, and told once there is nothing left.
        if (isOld && steadyNow() - ranAt >= retryMs) renewed().catch(() => {})
        return held.credential
      }
      if (failure && steadyNow() < failure.until) throw failure.error
      return (await renewed()).credential
    },
    refused() {
      if (steadyNow() - ranAt >= retryMs) held = undefined
    },
  }
}

/** @throws Error that begins with the first line of what the program complained about */
function outputOf(config: ExecConfig, env: NodeJS.ProcessEnv, clock: Clock): Promise<string> {
  const { apiVersion, command, args, cluster } = config
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false, ...(cluster && { cluster }) } }
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...env, ...config.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The head of a group of processes, so that all of it can be ended.
      detached: true,
    })
    let output = ''
    let complaint = ''
    const stopTimer = clock.after(runMs, () => kill(`it took longer than ${runMs}ms`))
    const fail = (why: string) => {
      stopTimer()
      const [line = ''] = complaint.trim().split('\n')
      reject(new Error([line, why].filter(Boolean).join(' · ')))
    }
    const kill = (why: string) => {
      // With whatever it has started itself, which could keep the pipes open for ever.
      const isRunning = child.exitCode === null && child.signalCode === null
      if (isRunning && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      child.stdout.destroy()
      child.stderr.destroy()
      fail(why)
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.length > maxOutputBytes) kill('it said too much')
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, 2_000)
    })
    child.on('error', (error) => fail(error.message))
    child.on('close', (code) => {
      if (code !== 0) return fail(`exit code ${code}`)
      stopTimer()
      resolve(output)
    })
  })
}

/** @throws Error that tells nothing of the answer, since it holds secrets */
function parsed(output: string, { apiVersion }: ExecConfig): Held {
  let answer: { apiVersion?: unknown; kind?: unknown; status?: Record<string, unknown> } | null
  try {
    answer = JSON.parse(output) as typeof answer
  } catch {
    throw new Error('it answered no JSON')
  }
  if (answer?.kind !== 'ExecCredential' || answer.apiVersion !== apiVersion) {
    throw new Error(`it answered no ExecCredential of ${apiVersion}`)
  }
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = answer.status ?? {}
  const credential: ExecCredential = {}
  if (typeof token === 'string') credential.token = checkedToken(token, 'the credential plugin')
  if (typeof cert === 'string' && typeof key === 'string') Object.assign(credential, { cert, key })
  if (!credential.token && !credential.cert) throw new Error('it answered neither a token nor a certificate')
  const expiresAt = typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : Infinity
  if (Number.isNaN(expiresAt)) throw new Error('its expirationTimestamp is no time')
  return { credential, expiresAt }
}
