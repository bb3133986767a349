import { expect, it } from 'vitest'
import { withDecryptionCache, type CookieCipher } from './encrypted-cookie'

it('decrypts a cookie in use once, an invalid one each time, and an evicted one again', async () => {
  const opened: string[] = []
  const slow: CookieCipher<object> = {
    encrypt: async () => '',
    async decrypt(token) {
      opened.push(token)
      return token === 'forged' ? undefined : { token }
    },
  }
  const cipher = withDecryptionCache(slow, 2)
  for (const token of ['a', 'a', 'forged', 'b', 'forged', 'a', 'c', 'a', 'b']) {
    expect(await cipher.decrypt(token)).toEqual(token === 'forged' ? undefined : { token })
  }
  expect(opened).toEqual(['a', 'forged', 'b', 'forged', 'c', 'b'])
})
