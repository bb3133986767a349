import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { listen, type Listener } from '@slipway/apiserver/node/listen'
import { uidOf } from '@slipway/kube/object'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePipelineRun, makePod, makeTaskRun, succeeded } from '../objects'
import { namespace, startWorld, type World } from '../world'

/** `tkn-results` reads finished runs and their logs from our archive, as it does from Tekton Results. */

let world: World
let listener: Listener
let uid: string

/** Output and, if it fails, the error. */
async function tknResults(token: string, ...args: string[]): Promise<string> {
  const program = process.env['TKN_RESULTS']
  if (!program) throw new Error('TKN_RESULTS is not set. Use npm run test:platform.')
  const connection = ['--host', listener.url, '--token', token, '--namespace', namespace]
  const options = { env: { HOME: '/nonexistent', KUBECONFIG: '/nonexistent' } }
  return (await promisify(execFile)(program, [...args, ...connection], options)).stdout
}

beforeAll(async () => {
  world = await startWorld()
  listener = await listen({ fetch: world.archive.tektonResults }, { host: '127.0.0.1', port: 0 })
  const times = { startTime: '2026-01-31T09:00:00Z', completionTime: '2026-01-31T09:10:00Z' }
  const run = await makePipelineRun(world, 'checkout-1', {}, { ...succeeded(), ...times })
  const task = await makeTaskRun(world, run, 'build', { ...succeeded(), ...times })
  await makePod(world, task, { 'step-compile': 'compiled\n' })
  await makePipelineRun(world, 'cart-2', {}, { ...succeeded('False', 'Failed'), ...times })
  await world.archive.idle()
  uid = uidOf(task)
})
afterAll(async () => {
  await listener.close()
  await world.close()
})

it('tkn-results pipelinerun list shows the archived runs', async () => {
  const text = await tknResults('reader', 'pipelinerun', 'list')
  expect(text).toMatch(/checkout-1 .*Succeeded/)
  expect(text).toMatch(/cart-2 .*Failed/)
})

it('tkn-results pipelinerun list shows the runs whose name contains a text', async () => {
  const text = await tknResults('reader', 'pipelinerun', 'list', 'check')
  expect(text).toContain('checkout-1')
  expect(text).not.toContain('cart-2')
})

it('tkn-results pipelinerun describe shows a run by its name', async () => {
  const text = await tknResults('reader', 'pipelinerun', 'describe', 'checkout-1')
  expect(text).toMatch(/Name: +checkout-1\n/)
  expect(text).toContain('Succeeded')
})

it('tkn-results taskrun logs shows what the steps of a task run wrote', async () => {
  expect(await tknResults('reader', 'taskrun', 'logs', 'checkout-1-build')).toContain('compiled')
  expect(await tknResults('reader', 'taskrun', 'logs', '--uid', uid)).toContain('compiled')
})

it('tkn-results pipelinerun logs shows what the steps of its tasks wrote', async () => {
  expect(await tknResults('reader', 'pipelinerun', 'logs', 'checkout-1')).toContain('compiled')
})

it('tkn-results gets an error for a user who may not read the archive', async () => {
  await expect(tknResults('stranger', 'pipelinerun', 'list')).rejects.toThrow(/client error: .*\(code: 40[13]\)/)
})
