import { createPrivateKey, generateKeyPairSync, X509Certificate, type JsonWebKey } from 'node:crypto'
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { selfSignedCertificate, type Certificate } from '@slipway/apiserver/certificate'
import { describeError } from '@slipway/sqlite/describe-error'
import { asRecord, parseJson } from '@slipway/kube/parse'
import { gatewayIdentity, systemIdentity, users } from './users'

/** Source of random bytes for secrets. */
export type RandomBytes = (count: number) => Uint8Array

export interface Credentials {
  /** Bearer token of each built-in user by name, and of `system` and `gateway`. */
  tokens: Record<string, string>
  /** Key that encrypts the gateway's session cookies; 32 bytes in base64url. */
  sessionKey: string
  /** Certificate of the API server. It must not change, since kubeconfigs contain it. */
  certificate: Certificate
  signIn: SignInSecrets
}

/** Secrets of the sign-in provider. If they survive a restart, users stay signed in. */
export interface SignInSecrets {
  /** Client secret of the gateway. */
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

/** Identity of each token, by the name of the token. */
const identities: Record<string, Identity> = {
  system: systemIdentity,
  gateway: gatewayIdentity,
  ...Object.fromEntries(users.map(({ name, email, groups }) => [name, { name: email, groups: [...groups] }])),
}

export const randomBytes: RandomBytes = (count) => crypto.getRandomValues(new Uint8Array(count))

/** Adds missing credentials to the known ones. */
export function completeCredentials(known: Partial<Credentials>, random: RandomBytes = randomBytes): Credentials {
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

/** Creates new secrets. */
export function signInSecrets(random: RandomBytes = randomBytes): SignInSecrets {
  const secret = () => Buffer.from(random(32)).toString('base64url')
  return { clientSecret: secret(), cookieKey: secret(), signingKey: newSigningKey() }
}

const newSigningKey = (): JsonWebKey =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })

/**
 * Reads the credentials of a data folder and adds missing ones to the file. An invalid file is replaced: nothing else
 * depends on the old secrets.
 */
export async function storedCredentials(path: string, random?: RandomBytes): Promise<Credentials> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const credentials = completeCredentials(parseCredentials(text), random)
  const next = `${JSON.stringify(credentials, null, 2)}\n`
  if (next !== text) await writePrivate(path, next)
  else await chmod(path, 0o600)
  return credentials
}

/** Atomically writes a file that only its owner can read. @throws StorageFullError */
export async function writePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.new`
  try {
    await writeFile(draft, text, { mode: 0o600 })
    // The mode above does not apply to a draft left behind by an interrupted start.
    await chmod(draft, 0o600)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}) // The original error matters more.
    throw describeError(path, error)
  }
}

/** Whether a credentials file is complete; the next start creates what is missing. */
export function areComplete(text: string): boolean {
  const { tokens = {}, sessionKey, certificate, signIn } = parseCredentials(text)
  return Boolean(sessionKey && certificate && signIn && Object.keys(identities).every((name) => tokens[name]))
}

function parseCredentials(text: string): Partial<Credentials> {
  const { tokens, sessionKey, certificate, signIn } = asRecord(parseJson(text))
  const entries = Object.entries(asRecord(tokens))
  return {
    tokens: Object.fromEntries(entries.filter((entry): entry is [string, string] => isSecret(entry[1]))),
    sessionKey: isSecret(sessionKey) ? sessionKey : undefined,
    certificate: isCertificate(certificate) ? certificate : undefined,
    signIn: areSignInSecrets(signIn) ? signIn : undefined,
  }
}

const isSecret = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{43}$/.test(value)

function areSignInSecrets(value: unknown): value is SignInSecrets {
  const { clientSecret, cookieKey, signingKey } = asRecord(value)
  if (!isSecret(clientSecret) || !isSecret(cookieKey) || typeof signingKey !== 'object') return false
  try {
    // The import itself rejects anything but a private key.
    const key = createPrivateKey({ format: 'jwk', key: signingKey as JsonWebKey })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

/** Whether this is a key with its certificate, valid for at least another month. */
function isCertificate(value: unknown): value is Certificate {
  const { key, cert } = asRecord(value)
  if (typeof key !== 'string' || typeof cert !== 'string') return false
  try {
    const certificate = new X509Certificate(cert)
    const monthMs = 30 * 24 * 3_600_000
    return certificate.checkPrivateKey(createPrivateKey(key)) && Date.parse(certificate.validTo) > Date.now() + monthMs
  } catch {
    return false
  }
}

/** Returns a function that looks up the identity of a bearer token. */
export function authenticator({ tokens }: Credentials): (token: string) => Identity | undefined {
  const byToken = new Map(Object.entries(tokens).map(([name, token]) => [token, identities[name]]))
  return (token) => byToken.get(token)
}
