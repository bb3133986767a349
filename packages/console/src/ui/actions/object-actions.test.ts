import { anApplication } from '@slipway/model/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { dismissActions, runAction } from './object-actions'

const object = anApplication({ metadata: { name: 'checkout', namespace: 'team', uid: 'u' } })

const messages = { pending: 'Asking…', done: 'Asked', failed: 'Refused' }

it('a second click sends nothing while the first request is pending, and sends again afterwards', async () => {
  onTestFinished(() => dismissActions(object))
  let finish = () => {}
  const perform = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
  runAction(object, 'build', perform, { messages })
  runAction(object, 'build', perform, { messages })
  await vi.waitFor(() => expect(perform).toHaveBeenCalledTimes(1))
  finish()
  await vi.waitFor(() => {
    runAction(object, 'build', perform, { messages })
    expect(perform).toHaveBeenCalledTimes(2)
  })
})
