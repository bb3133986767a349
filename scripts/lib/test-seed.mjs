// A seed decides where a test run takes place: in which time zone, and with which locale. It is taken from `TEST_SEED`;
// without a seed, `npm test` runs far from where most machines are, and other commands where the machine is.
import { randomInt } from 'node:crypto'

/** Half hours and quarters of an hour, both ends of the day, and other days on which clocks change. */
const timeZones = ['UTC', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Auckland', 'America/Los_Angeles']

/** Other digits, calendars, directions, case rules, and orders of day, month and year. */
const locales = ['en-US', 'de-DE', 'ar-EG', 'fa-IR', 'th-TH', 'tr-TR', 'ja-JP']

/** The seeds from 0 to 34 are all pairs. @param {number} seed a whole number from 0 */
export const settingsOf = (seed) => ({
  timeZone: at(timeZones, seed),
  locale: at(locales, Math.floor(seed / timeZones.length)),
})

/** @param {string[]} values @param {number} index */
const at = (values, index) => /** @type {string} */ (values[index % values.length])

/** The seed in `TEST_SEED`, if it is set. */
export function readSeed() {
  const text = process.env.TEST_SEED
  if (!text) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new Error(`TEST_SEED is ${text}, but it must be a whole number below 1000000000.`)
  return Number(text)
}

/**
 * Where most machines are, mistakes about zones, digits and calendars go unnoticed. Here they show: the zone differs from
 * UTC by three quarters of an hour too, and digits, calendar and direction are others.
 */
const farSeed = 17

/**
 * Sets the seed of this process and those that it starts, if it is not set: to that of a far place, or to a drawn one if
 * `TEST_SEED` is `random`.
 * @returns {string} how to repeat the run
 */
export function ensureSeed() {
  if (process.env.TEST_SEED === 'random') process.env.TEST_SEED = String(randomInt(10_000))
  process.env.TEST_SEED ||= String(farSeed)
  const { timeZone, locale } = settingsOf(readSeed() ?? farSeed)
  return `TEST_SEED=${process.env.TEST_SEED} repeats this run's time zone and locale: ${timeZone}, ${locale}.`
}

/**
 * Sets the time zone and locale of the processes that this one starts, and of this one as far as Node allows. A
 * configuration calls it before its runner starts workers.
 * @returns {{ timeZone?: string, locale?: string }} empty without a seed
 */
export function applySeed() {
  const seed = readSeed()
  if (seed === undefined) return {}
  const { timeZone, locale } = settingsOf(seed)
  process.env.TZ = timeZone
  process.env.LC_ALL = `${locale.replace('-', '_')}.UTF-8`
  return { timeZone, locale }
}

/** The order of test files and tests: as they are written, or by the seed if `TEST_ORDER` is `random`. */
export const testOrder = () => ({ shuffle: process.env.TEST_ORDER === 'random', seed: readSeed() })
