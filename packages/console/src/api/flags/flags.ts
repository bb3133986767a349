import {
  conditionNames,
  type Conditions,
  type FlagName,
  type FlagSettings,
  flags,
  flagsInUrl,
  needsConditions,
  parseConditions,
  parseFlagSettings,
  resolveFlags,
} from '@slipway/model/platform/flag'
import { ApiError } from '@slipway/kube/status'
import { useStore } from '../../lib/store'
import { stored } from '../../lib/stored'

export type { FlagName } from '@slipway/model/platform/flag'

/** Which experimental features are on in this browser. */

const storedOverrides = stored<FlagSettings>('__ff_overrides__', parseFlagSettings)
const storedConditions = stored<Conditions>('__ff_conditions__', parseConditions)

/**
 * Flags set by URLs that this tab has opened. Following a link, which does not mention flags, changes none, and neither
 * does reloading the page to which it leads.
 */
const inUrl = stored<FlagSettings>('slipway-flags-in-url', parseFlagSettings, { storage: 'session' })

let known: { sources: readonly [FlagSettings, FlagSettings, Conditions]; flags: Record<FlagName, boolean> } | undefined

function resolved(): Record<FlagName, boolean> {
  const sources = [inUrl.get(), storedOverrides.get(), storedConditions.get()] as const
  if (!known || sources.some((source, index) => source !== known?.sources[index])) {
    const [url, overrides, conditions] = sources
    known = { sources, flags: resolveFlags({ url, overrides, conditions }) }
  }
  return known.flags
}

/** By what is known now: a guarded flag is off until its condition is known to hold. */
export const isFlagOn = (name: FlagName): boolean => resolved()[name]

/** Waits until everything the flag depends on is known. */
export async function flagOnceKnown(name: FlagName): Promise<boolean> {
  if ('guard' in flags[name] && areConditionsNeeded()) await findConditions()
  return isFlagOn(name)
}

/** The component re-renders when the flag changes, also in another tab. */
export const useFlag = (name: FlagName): boolean => useStore({ subscribe, get: () => isFlagOn(name) })

/** All flags at once. */
export const useFlags = (): Record<FlagName, boolean> => useStore({ subscribe, get: resolved })

function subscribe(onChange: () => void): () => void {
  const stops = [inUrl, storedOverrides, storedConditions].map((source) => source.subscribe(onChange))
  return () => {
    for (const stop of stops) stop()
  }
}

/** Sets a flag in this browser. Updating the URL is up to the caller (`withFlag`). */
export function setFlag(name: FlagName, isOn: boolean): void {
  storedOverrides.set({ ...storedOverrides.get(), [name]: isOn })
  setInUrl({ ...inUrl.get(), [name]: isOn })
}

/** Resets every flag to its default. Updating the URL is up to the caller (`withoutFlags`). */
export function resetFlags(): void {
  storedOverrides.clear()
  setInUrl({})
}

/**
 * History state of a location whose query this page has set. The query is ignored, since more flags may have been set
 * by the time the location arrives.
 */
export const ownChange = 'flags'

/** Applies the flags in a URL that was opened. @param search its query */
export function noteFlagsInUrl(search: string): void {
  const found = flagsInUrl(search)
  if (Object.keys(found).length > 0) setInUrl({ ...inUrl.get(), ...found })
}

function setInUrl(settings: FlagSettings): void {
  inUrl.set(settings)
  if (areConditionsNeeded()) void findConditions()
}

const areConditionsNeeded = (): boolean => needsConditions({ url: inUrl.get(), overrides: storedOverrides.get() })

/**
 * Which conditions hold on this platform: checked once per page, and stored for the start of the next. Never fails: a
 * condition that cannot be checked counts as false.
 */
export async function findConditions(): Promise<Conditions> {
  // Loaded on demand, since few users turn a guarded flag on.
  const found = await import('./flag-conditions').then(({ conditions }) => conditions()).catch((): Conditions => ({}))
  const before = storedConditions.get()
  if (conditionNames.some((name) => found[name] !== before[name])) storedConditions.set(found)
  return found
}

/**
 * For loaders of pages that a flag guards.
 * @throws ApiError with code 404 when the flag is off, after the flags in the URL being opened have been applied
 */
export async function requireFlag(name: FlagName, { url }: Pick<Request, 'url'>): Promise<void> {
  noteFlagsInUrl(new URL(url).search)
  if (await flagOnceKnown(name)) return
  throw new ApiError({ code: 404, reason: 'NotFound', url, message: `The feature ${name} is off.` })
}

/** Applies the flags in the page's URL. Returns a function that forgets them. */
export function startFlags(): () => void {
  noteFlagsInUrl(globalThis.location.search)
  if (areConditionsNeeded()) void findConditions()
  return () => inUrl.clear()
}
