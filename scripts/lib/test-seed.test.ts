import { afterEach, expect, test, vi } from 'vitest'
import { inRepository } from './repository.mjs'
import { run } from './run.mjs'
import { ensureSeed, readSeed, settingsOf } from './test-seed.mjs'

afterEach(() => void vi.unstubAllEnvs())

test('seeds give every pair of time zone and locale, all of which Node knows', () => {
  const settings = Array.from({ length: 35 }, (_, seed) => settingsOf(seed))
  expect(new Set(settings.map(({ timeZone, locale }) => `${timeZone} ${locale}`)).size).toBe(35)
  for (const { timeZone, locale } of settings) {
    const resolved = new Intl.DateTimeFormat(locale, { timeZone }).resolvedOptions()
    expect(resolved).toMatchObject({ timeZone: expect.stringMatching(/^(UTC|\w+\/\w+)$/), locale })
  }
  expect(settingsOf(999_999_999)).toEqual(settingsOf(999_999_999 % 35))
})

test('a seed is that of a far place unless one is set, or drawn once', () => {
  vi.stubEnv('TEST_SEED', '')
  expect(readSeed()).toBeUndefined()
  expect(ensureSeed()).toBe("TEST_SEED=17 repeats this run's time zone and locale: Asia/Kathmandu, fa-IR.")
  vi.stubEnv('TEST_SEED', 'random')
  const first = ensureSeed()
  expect(first).toMatch(/^TEST_SEED=\d+ repeats /)
  expect(ensureSeed()).toBe(first)
  vi.stubEnv('TEST_SEED', '0')
  expect(ensureSeed()).toBe("TEST_SEED=0 repeats this run's time zone and locale: UTC, en-US.")
})

test.each(['seven', '-1', '1.5', '1000000000'])('%s is not a seed', (text) => {
  vi.stubEnv('TEST_SEED', text)
  expect(readSeed).toThrow('whole number')
})

test('processes that a runner starts are in the time zone and locale of the seed', async () => {
  const module = inRepository('scripts/lib/test-seed.mjs')
  const child = `console.log(JSON.stringify(new Intl.DateTimeFormat().resolvedOptions()))`
  const script = `const { applySeed } = await import(${JSON.stringify(module)}); applySeed()
    const { execFileSync } = await import('node:child_process')
    execFileSync(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' })`
  const command = [process.execPath, '--input-type=module', '-e', script]
  const { output } = await run(command, { quiet: true, env: { TEST_SEED: '11' } })
  expect(JSON.parse(output)).toMatchObject({ timeZone: 'America/St_Johns', locale: 'ar-EG' })
})
