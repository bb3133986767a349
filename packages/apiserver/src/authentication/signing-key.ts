import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { importJWK } from 'jose/key/import'
import { exportJWK } from 'jose/key/export'
import { generateKeyPair } from 'jose/key/generate/keypair'
import type { CryptoKey, JWK } from 'jose'
import { WriteConflict, type Storage } from '../storage/storage'

export const algorithm = 'ES256'

/** The key pair that signs and verifies tokens. */
export interface SigningKey {
  id: string
  sign: CryptoKey
  verify: CryptoKey
  /** The public key, as shown at `/openid/v1/jwks`. */
  published: JWK
}

interface StoredKey {
  metadata: { name: string; uid: string }
  jwk: JWK
}

/** Collections of kinds have a slash in their names, so no kind can ever be served from this one. */
const collection = 'token-signing-keys'
const key = 'current'

/** The key of this storage, generated on first use. It is stored, so that tokens remain valid after a restart. */
export function signingKeyOf(storage: Storage): () => Promise<SigningKey> {
  let known: Promise<SigningKey> | undefined
  const load = async () => importKey(storage.get(collection, key)?.value ?? (await createKey(storage)))
  return () =>
    (known ??= load().catch((error: unknown) => {
      known = undefined // Retried with the next token.
      throw error
    }))
}

async function createKey(storage: Storage): Promise<string> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  // Shaped like an object, because code that scans the storage expects metadata everywhere.
  const stored: StoredKey = { metadata: { name: key, uid: await calculateJwkThumbprint(jwk) }, jwk }
  const value = JSON.stringify(stored)
  try {
    await storage.write({ collection, key, expected: undefined, type: 'put', value })
    return value
  } catch (error) {
    const existing = error instanceof WriteConflict && storage.get(collection, key)
    if (existing) return existing.value
    throw error
  }
}

async function importKey(text: string): Promise<SigningKey> {
  const { metadata, jwk: secret } = JSON.parse(text) as StoredKey // Written by `createKey`.
  const { kty, crv, x, y } = secret
  const publicKey: JWK = { kty, crv, x, y }
  const id = metadata.uid
  const [sign, verify] = await Promise.all([asymmetric(secret), asymmetric(publicKey)])
  return { id, sign, verify, published: { use: 'sig', kid: id, alg: algorithm, ...publicKey } }
}

/** Only symmetric keys are imported as bytes. */
const asymmetric = async (jwk: JWK): Promise<CryptoKey> => (await importJWK(jwk, algorithm)) as CryptoKey
