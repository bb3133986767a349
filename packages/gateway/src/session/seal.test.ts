import { expect, it } from 'vitest'
import { remembering, type Sealer } from './seal'

it('opens a cookie once while it is in use, one that cannot be opened each time, and an old one again', async () => {
  const opened: string[] = []
  const slow: Sealer<object> = {
    seal: async () => '',
    async unseal(token) {
      opened.push(token)
      return token === 'forged' ? undefined : { token }
    },
  }
  const sealer = remembering(slow, 2)
  for (const token of ['a', 'a', 'forged', 'b', 'forged', 'a', 'c', 'a', 'b']) {
    expect(await sealer.unseal(token)).toEqual(token === 'forged' ? undefined : { token })
  }
  expect(opened).toEqual(['a', 'forged', 'b', 'forged', 'c', 'b'])
})
