import { createPrivateKey, generateKeyPairSync, X509Certificate, type JsonWebKey } from 'node:crypto'
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { selfSignedCertificate, type Certificate } from '@slipway/apiserver/certificate'
import { describeError } from '@slipway/sqlite/describe-error'
import { gatewayIdentity, systemIdentity, users } from './users'

/** Makes secrets: so many random bytes. */
export type RandomBytes = (count: number) => Uint8Array

export interface Credentials {
  /** Bearer token of each built-in user by name, and of `system` and `gateway`. */
  tokens: Record<string, string>
  /** Encrypts the session cookies of the gateway; 32 bytes in base64url. */
  sessionKey: string
  /** Of the API server; kubeconfigs name it, so it stays the same. */
  certificate: Certificate
  signIn: SignInSecrets
}

/** Of the sign-in provider: with the same ones over a restart nobody has to sign in again. */
export interface SignInSecrets {
  /** By which the provider knows the gateway. */
  clientSecret: string
  /** Signs the provider's cookies. */
  cookieKey: string
  /** Signs ID tokens: an elliptic curve key (P-256). */
  signingKey: JsonWebKey
}

export interface Identity {
  name: string
  groups: string[]
}

/** Who is behind each token, by the name of the token. */
const identities: Record<string, Identity> = {
  system: systemIdentity,
  gateway: gatewayIdentity,
  ...Object.fromEntries(users.map(({ name, email, groups }) => [name, { name: email, groups: [...groups] }])),
}

export const randomBytes: RandomBytes = (count) => crypto.getRandomValues(new Uint8Array(count))

/** Credentials with everything that is needed; what is there already is kept. */
export function completed(known: Partial<Credentials>, random: RandomBytes = randomBytes): Credentials {
  const secret = () => Buffer.from(random(32)).toString('base64url')
  const tokens = Object.fromEntries(Object.keys(identities).map((name) => [name, known.tokens?.[name] ?? secret()]))
  const certificate = known.certificate ?? selfSignedCertificate(['127.0.0.1', 'localhost'], new Date())
  return {
    tokens,
    sessionKey: known.sessionKey ?? secret(),
    certificate,
    signIn: known.signIn ?? signInSecrets(random),
  }
}

/** New ones. */
export function signInSecrets(random: RandomBytes = randomBytes): SignInSecrets {
  const secret = () => Buffer.from(random(32)).toString('base64url')
  return { clientSecret: secret(), cookieKey: secret(), signingKey: newSigningKey() }
}

const newSigningKey = (): JsonWebKey =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })

/**
 * Reads the credentials of a data folder and writes back what was missing. A file that makes no sense is replaced:
 * nothing else depends on the old secrets.
 */
export async function storedCredentials(path: string, random?: RandomBytes): Promise<Credentials> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const credentials = completed(parseCredentials(text), random)
  const next = `${JSON.stringify(credentials, null, 2)}\n`
  if (next !== text) await writePrivate(path, next)
  else await chmod(path, 0o600)
  return credentials
}

/** Writes a file that only its owner may read, whole or not at all. @throws StorageFullError */
export async function writePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.new`
  try {
    await writeFile(draft, text, { mode: 0o600 })
    // The mode above is not applied to a draft that an interrupted start has left behind.
    await chmod(draft, 0o600)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}) // The reason below counts.
    throw describeError(path, error)
  }
}

/** Whether a file of credentials has all that is needed; what it has not is made anew at the next start. */
export function areComplete(text: string): boolean {
  const { tokens = {}, sessionKey, certificate, signIn } = parseCredentials(text)
  return Boolean(sessionKey && certificate && signIn && Object.keys(identities).every((name) => tokens[name]))
}

function parseCredentials(text: string): Partial<Credentials> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return {}
  }
  if (typeof value !== 'object' || value === null) return {}
  // Each is checked below.
  const { tokens, sessionKey, certificate, signIn } = value as Partial<Record<keyof Credentials, unknown>>
  const entries = typeof tokens === 'object' && tokens !== null ? Object.entries(tokens) : []
  return {
    tokens: Object.fromEntries(entries.filter((entry): entry is [string, string] => isSecret(entry[1]))),
    sessionKey: isSecret(sessionKey) ? sessionKey : undefined,
    certificate: isCertificate(certificate) ? certificate : undefined,
    signIn: areSignInSecrets(signIn) ? signIn : undefined,
  }
}

const isSecret = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{43}$/.test(value)

function areSignInSecrets(value: unknown): value is SignInSecrets {
  if (typeof value !== 'object' || value === null) return false
  const { clientSecret, cookieKey, signingKey } = value as Record<keyof SignInSecrets, unknown>
  if (!isSecret(clientSecret) || !isSecret(cookieKey) || typeof signingKey !== 'object') return false
  try {
    // What is no private key at all is refused by the import itself.
    const key = createPrivateKey({ format: 'jwk', key: signingKey as JsonWebKey })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

/** A key and its certificate, which is good for another month at least. */
function isCertificate(value: unknown): value is Certificate {
  if (typeof value !== 'object' || value === null) return false
  const { key, cert } = value as Record<keyof Certificate, unknown>
  if (typeof key !== 'string' || typeof cert !== 'string') return false
  try {
    const certificate = new X509Certificate(cert)
    const monthMs = 30 * 24 * 3_600_000
    return certificate.checkPrivateKey(createPrivateKey(key)) && Date.parse(certificate.validTo) > Date.now() + monthMs
  } catch {
    return false
  }
}

/** Who a bearer token belongs to. */
export function authenticator({ tokens }: Credentials): (token: string) => Identity | undefined {
  const byToken = new Map(Object.entries(tokens).map(([name, token]) => [token, identities[name]]))
  return (token) => byToken.get(token)
}
