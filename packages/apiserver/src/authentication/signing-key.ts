import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { importJWK } from 'jose/key/import'
import { exportJWK } from 'jose/key/export'
import { generateKeyPair } from 'jose/key/generate/keypair'
import type { CryptoKey, JWK } from 'jose'
import { WriteConflict, type Storage } from '../storage/storage'

export const algorithm = 'ES256'

/** What signs tokens, and what tells whether they were signed by it. */
export interface SigningKey {
  id: string
  sign: CryptoKey
  verify: CryptoKey
  /** As `/openid/v1/jwks` shows it: nothing secret. */
  published: JWK
}

interface StoredKey {
  metadata: { name: string; uid: string }
  jwk: JWK
}

/** Collections of kinds have a slash in their names: no kind can ever be served from this one. */
const collection = 'token-signing-keys'
const key = 'current'

/** The key of this storage, made when it is first needed: tokens stay good when the server starts again. */
export function signingKeyOf(storage: Storage): () => Promise<SigningKey> {
  let known: Promise<SigningKey> | undefined
  const load = async () => imported(storage.get(collection, key)?.value ?? (await created(storage)))
  return () =>
    (known ??= load().catch((error: unknown) => {
      known = undefined // Tried again with the next token.
      throw error
    }))
}

async function created(storage: Storage): Promise<string> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  // Shaped as an object: whoever goes through all that is stored finds metadata everywhere.
  const stored: StoredKey = { metadata: { name: key, uid: await calculateJwkThumbprint(jwk) }, jwk }
  const value = JSON.stringify(stored)
  try {
    await storage.write({ collection, key, expected: undefined, type: 'put', value })
    return value
  } catch (error) {
    const others = error instanceof WriteConflict && storage.get(collection, key)
    if (others) return others.value
    throw error
  }
}

async function imported(text: string): Promise<SigningKey> {
  const { metadata, jwk: secret } = JSON.parse(text) as StoredKey // Written by `created`.
  const { kty, crv, x, y } = secret
  const open: JWK = { kty, crv, x, y }
  const id = metadata.uid
  const [sign, verify] = await Promise.all([asymmetric(secret), asymmetric(open)])
  return { id, sign, verify, published: { use: 'sig', kid: id, alg: algorithm, ...open } }
}

/** Only symmetric keys come as bytes. */
const asymmetric = async (jwk: JWK): Promise<CryptoKey> => (await importJWK(jwk, algorithm)) as CryptoKey
