import { hash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { CompactEncrypt, compactDecrypt, errors } from 'jose'
import { lruCache } from '../lru-cache'

/** What the gateway gives a browser to keep: nobody else can read it, change it, or make one. */
export interface CookieCipher<T> {
  encrypt(value: T): Promise<string>
  /** Nothing for what was damaged, forged, or sealed for another purpose or with a key no longer known. */
  decrypt(token: string): Promise<T | undefined>
}

const encryption = { alg: 'dir', enc: 'A256GCM' } as const

/**
 * @param keys 32 bytes each: the first encrypts, all decrypt
 * @param purpose part of what is authenticated, so that one kind of cookie never passes for another
 */
export function createCookieCipher<T extends object>(keys: readonly Uint8Array[], purpose: string): CookieCipher<T> {
  const [sealingKey] = keys
  if (!sealingKey) throw new Error('A session key is needed.')

  async function open(token: string, key: Uint8Array): Promise<T | undefined> {
    try {
      const { plaintext, protectedHeader } = await compactDecrypt(token, key, {
        keyManagementAlgorithms: [encryption.alg],
        contentEncryptionAlgorithms: [encryption.enc],
      })
      if (protectedHeader.typ !== purpose) return undefined
      // What was sealed here for this purpose has this shape.
      return JSON.parse(inflateRawSync(plaintext).toString()) as T
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }

  return {
    // Deflated, since names of groups repeat themselves and browsers limit cookies. Its length tells nothing: no part
    // of the content is chosen by somebody who could see it.
    encrypt: (value) =>
      new CompactEncrypt(deflateRawSync(JSON.stringify(value)))
        .setProtectedHeader({ ...encryption, typ: purpose })
        .encrypt(sealingKey),
    async decrypt(token) {
      for (const key of keys) {
        const value = await open(token, key)
        if (value) return value
      }
      return undefined
    },
  }
}

/**
 * The same sealer, which opens what it has opened lately without decrypting it again: every call of a page carries the
 * same cookie, and decrypting takes two ways to another thread (0.2 ms of CPU of a small call's 0.9).
 *
 * What is remembered is what the token says and nothing else, so that it is no second truth: whether that still holds
 * is asked by the caller each time. What cannot be opened is not remembered, so that nobody can push others out by
 * making tokens up.
 */
export function remembering<T extends object>(cipher: CookieCipher<T>, limit: number): CookieCipher<T> {
  const opened = lruCache<T>(limit)
  return {
    encrypt: (value) => cipher.encrypt(value),
    async decrypt(token) {
      // Not by the token, which is longer, and as a part of a header would keep all of that.
      const key = hash('sha256', token, 'base64')
      const value = opened.get(key) ?? (await cipher.decrypt(token))
      if (value) opened.set(key, value)
      return value
    },
  }
}
