import { expect, it } from 'vitest'
import { remembering, type CookieCipher } from './encrypted-cookie'

it('opens a cookie once while it is in use, one that cannot be opened each time, and an old one again', async () => {
  const opened: string[] = []
  const slow: CookieCipher<object> = {
    encrypt: async () => '',
    async decrypt(token) {
      opened.push(token)
      return token === 'forged' ? undefined : { token }
    },
  }
  const cipher = remembering(slow, 2)
  for (const token of ['a', 'a', 'forged', 'b', 'forged', 'a', 'c', 'a', 'b']) {
    expect(await cipher.decrypt(token)).toEqual(token === 'forged' ? undefined : { token })
  }
  expect(opened).toEqual(['a', 'forged', 'b', 'forged', 'c', 'b'])
})
