// `npm run bench`: measures sizes and start times, and runs every `*.bench.*` in packages and e2e, one by one.
// `npm run bench -- builds`: runs only benchmarks with this word in their path.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './lib/build.mjs'
import { ExitError, runMain } from './lib/exit-error.mjs'
import { filesUnder } from './lib/files.mjs'
import { firstLoadSizes } from './lib/first-load.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { commandOf, inRepository } from './lib/repository.mjs'
import { run } from './lib/run.mjs'
import { runPlaywright } from './lib/suites.mjs'
import { provideChromium } from './lib/tools.mjs'

const isBench = /\/bench\/[^/]+\.bench\.m?[jt]sx?$/

await runMain(async () => {
  await ensureInstalled()
  await ensureBuilt()

  const [word] = process.argv.slice(2)
  if (word === undefined) {
    console.log('\nFirst load (gzip)')
    const { js, css } = firstLoadSizes()
    console.table({ JavaScript: sizeOf(js), CSS: sizeOf(css) })

    console.log('\nStart, until ready')
    const data = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
    console.table({ 'empty data folder': await startTime(data), 'same folder again': await startTime(data) })
    await rm(data, { recursive: true })
  }

  const isSelected = (/** @type {string} */ file) => isBench.test(file) && (word === undefined || file.includes(word))
  for (const file of filesUnder('packages').filter(isSelected)) {
    console.log(`\n${file}`)
    const { exitCode } = await run([process.execPath, commandOf('tsx'), inRepository(file)])
    if (exitCode !== 0) process.exitCode = 1
  }

  const journeys = filesUnder('e2e').filter(isSelected)
  if (journeys.length === 0) return
  const chromium = await provideChromium()
  if (!chromium) throw new ExitError('Chromium could not be found or installed. Set CHROMIUM_PATH to an executable.')
  const { failed } = await runPlaywright(chromium, { config: 'e2e/bench/playwright.config.ts', files: journeys })
  if (failed > 0) process.exitCode = 1
})

/** @param {{ files: number, bytes: number }} part */
function sizeOf({ files, bytes }) {
  return { files, KiB: Number((bytes / 1024).toFixed(1)) }
}

/**
 * Starts the product, waits until it is ready, and stops it.
 * @param {string} data
 */
async function startTime(data) {
  const startedMs = performance.now()
  const args = ['scripts/start.mjs', `--data=${data}`, '--port=0', '--api-port=0', '--sign-in-port=0', '--git-port=0']
  const child = spawn(process.execPath, args, { cwd: inRepository(), stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.on('close', resolve))
  let output = ''
  const readyMs = await new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('Slipway is ready')) resolve(performance.now())
    })
    ended.then(() => resolve(undefined))
  })
  if (readyMs === undefined) throw new ExitError('Slipway exited before it was ready.', output)
  child.kill('SIGINT')
  await ended
  return { seconds: Number(((readyMs - startedMs) / 1000).toFixed(2)) }
}
