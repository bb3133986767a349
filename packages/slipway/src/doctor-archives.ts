import { readFileSync } from 'node:fs'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import { text } from 'node:stream/consumers'
import { pluginKinds } from '@slipway/gateway/plugins/plugin-kinds'
import { asRecord, parseJson } from '@slipway/kube/parse'
import type { FlagsOf } from './flags'
import { StartError } from './start-error'

export interface ArchiveReport {
  name: string
  state: string
  /** What prevents the gateway from using it. */
  problems: string[]
}

const archiveKinds = pluginKinds.filter((kind) => kind.name !== 'views')

/** As long as the gateway waits for its probe. */
const timeoutMs = 5_000

/**
 * Requests what the gateway probes, without credentials, of each archive whose URL is given. KubeArchive comes first.
 * @throws StartError for a URL or a file that cannot be used
 */
export const examineArchives = (flags: FlagsOf<'doctor'>): Promise<ArchiveReport[]> =>
  Promise.all(
    archiveKinds.flatMap((kind) => {
      const { name } = kind
      const url = flags.text(name)
      if (url === undefined) return []
      if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) throw flags.invalid(name, 'an http or https URL')
      const ca = contentOf(flags.text(`${name}-ca-file`))
      return examine(kind, new URL(`${url.replace(/\/$/, '')}${kind.probePath}`), ca)
    }),
  )

async function examine(
  { name, presenceOf }: (typeof archiveKinds)[number],
  url: URL,
  ca: Buffer | undefined,
): Promise<ArchiveReport> {
  try {
    const response = await request(url, ca)
    const { statusCode = 0 } = response
    const body = await text(response)
    if (presenceOf(statusCode) !== 'present') {
      return { name, state: 'does not answer', problems: [`${url.href} returned ${statusCode}`] }
    }
    return { name, state: `answers, ${versionIn(body)}`, problems: [] }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return { name, state: 'does not answer', problems: [`${url.href}: ${message || code}`] }
  }
}

function request(url: URL, ca: Buffer | undefined): Promise<IncomingMessage> {
  const get = url.protocol === 'https:' ? getSecure : getPlain
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs)
    get(url, { signal, headers: { accept: 'application/json' }, ...(ca && { ca }) }, resolve).on('error', (error) =>
      reject(signal.aborted ? new Error(`no response within ${timeoutMs / 1000} seconds`) : error),
    )
  })
}

/** Neither archive has to report one. */
function versionIn(body: string): string {
  const { version } = asRecord(parseJson(body))
  return typeof version === 'string' && version !== '' ? `version ${version}` : 'without a version'
}

function contentOf(path: string | undefined): Buffer | undefined {
  try {
    return path === undefined ? undefined : readFileSync(path)
  } catch (error) {
    throw new StartError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}
