import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { startProgram } from '../../../simulator/test/platform/program'

/** The real oauth2-proxy, running with the configuration that docs/deploying.md shows. */
export interface RealOauth2Proxy {
  close(): Promise<void>
}

/** What takes the place of the addresses and secrets in the document. */
export interface Oauth2ProxyOptions {
  /** Its own port of the loopback interface. */
  port: number
  /** Where browsers reach it. */
  origin: string
  gatewayUrl: string
  issuer: string
  clientSecret: string
  frontProxySecret: string
  /** Rewrites each of the two files, for what the document only describes. */
  adapt?: (file: string) => string
}

export async function startOauth2Proxy(options: Oauth2ProxyOptions): Promise<RealOauth2Proxy> {
  const program = process.env['OAUTH2_PROXY']
  if (!program) throw new Error('OAUTH2_PROXY is not set. Use npm run test:platform.')
  const folder = mkdtempSync(join(tmpdir(), 'oauth2-proxy-'))
  const write = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  const { yaml, toml } = documentedFiles()
  const alphaConfig = replaceAll(yaml, {
    '0.0.0.0:4180': `127.0.0.1:${options.port}`,
    'http://127.0.0.1:8080': options.gatewayUrl,
    'https://id.example.com': options.issuer,
    '/etc/slipway/client-secret': write('client-secret', options.clientSecret),
    '/etc/slipway/front-proxy-secret': write('front-proxy-secret', options.frontProxySecret),
  })
  const config = replaceAll(toml, {
    'https://console.example.com': options.origin,
    '/etc/slipway/cookie-secret': write('cookie-secret', 'c'.repeat(32)),
  })
  const { adapt = (text) => text } = options
  const files = [
    ['--config', write('oauth2-proxy.cfg', adapt(config))],
    ['--alpha-config', write('oauth2-proxy.yaml', adapt(alphaConfig))],
  ].flat()
  const running = startProgram('oauth2-proxy', [program, ...files], { folder, env: {} })
  async function close() {
    await running.close()
    rmSync(folder, { recursive: true })
  }
  const isReady = () => vi.waitFor(() => fetch(`http://127.0.0.1:${options.port}/ping`))
  try {
    await Promise.race([isReady(), running.failed])
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}

/** The two files in the section of docs/deploying.md. */
function documentedFiles(): { yaml: string; toml: string } {
  const document = readFileSync(join(import.meta.dirname, '../../../../docs/deploying.md'), 'utf8')
  const [, section = ''] = /^### Behind an existing oauth2-proxy$(.*?)^### /ms.exec(document) ?? []
  const block = (language: string) => {
    const [only, ...others] = section.matchAll(new RegExp(`^\`\`\`${language}$\n(.*?)^\`\`\`$`, 'gms'))
    if (!only?.[1] || others.length > 0) throw new Error(`The section does not have exactly one block of ${language}.`)
    return only[1]
  }
  return { yaml: block('yaml'), toml: block('toml') }
}

function replaceAll(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((replaced, [from, to]) => {
    if (!replaced.includes(from)) throw new Error(`The document does not have ${from}.`)
    return replaced.replaceAll(from, to)
  }, text)
}
