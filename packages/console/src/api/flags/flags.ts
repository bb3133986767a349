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
import { createStore, useStore } from '../../lib/store'
import { stored } from '../../lib/stored'

export type { FlagName } from '@slipway/model/platform/flag'

/** Which experimental features are on in this browser. */

const storedOverrides = stored<FlagSettings>('__ff_overrides__', parseFlagSettings)
const storedConditions = stored<Conditions>('__ff_conditions__', parseConditions)

/** What URLs have said since the page was loaded: following a link, which says nothing of flags, changes no flag. */
const inUrl = createStore<FlagSettings>({})

let known: { sources: readonly [FlagSettings, FlagSettings, Conditions]; flags: Record<FlagName, boolean> } | undefined

function resolved(): Record<FlagName, boolean> {
  const sources = [inUrl.get(), storedOverrides.get(), storedConditions.get()] as const
  if (!known || sources.some((source, index) => source !== known?.sources[index])) {
    const [url, overrides, conditions] = sources
    known = { sources, flags: resolveFlags({ url, overrides, conditions }) }
  }
  return known.flags
}

/** By what is known now: a guarded flag is off until its condition has been found to hold. */
export const isFlagOn = (name: FlagName): boolean => resolved()[name]

/** Once what the flag depends on is known. */
export async function flagOnceKnown(name: FlagName): Promise<boolean> {
  if ('guard' in flags[name] && areConditionsNeeded()) await findConditions()
  return isFlagOn(name)
}

/** The component is drawn again when the answer changes, also by another tab. */
export const useFlag = (name: FlagName): boolean => useStore({ subscribe, get: () => isFlagOn(name) })

/** All of them at once. */
export const useFlags = (): Record<FlagName, boolean> => useStore({ subscribe, get: resolved })

function subscribe(onChange: () => void): () => void {
  const stops = [inUrl, storedOverrides, storedConditions].map((source) => source.subscribe(onChange))
  return () => {
    for (const stop of stops) stop()
  }
}

/** Sets a flag in this browser. Its URL is the caller's: `withFlag`. */
export function setFlag(name: FlagName, isOn: boolean): void {
  storedOverrides.set({ ...storedOverrides.get(), [name]: isOn })
  setInUrl({ ...inUrl.get(), [name]: isOn })
}

/** Every flag is at its default again. The URL is the caller's: `withoutFlags`. */
export function resetFlags(): void {
  storedOverrides.clear()
  setInUrl({})
}

/**
 * The state of a location whose query tells what was set here. It may arrive when more has been set, and so says
 * nothing.
 */
export const ownChange = 'flags'

/** Takes over the flags of an address that was opened. @param search its query */
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
 * What is true of this platform: asked once per page, and remembered for the start of the next. Never fails: what
 * cannot be found out counts as false.
 */
export async function findConditions(): Promise<Conditions> {
  // Few people have a guarded flag on, so nobody else fetches what finds conditions out.
  const found = await import('./flag-conditions').then(({ conditions }) => conditions()).catch((): Conditions => ({}))
  const before = storedConditions.get()
  if (conditionNames.some((name) => found[name] !== before[name])) storedConditions.set(found)
  return found
}

/**
 * For loaders of pages that a flag guards.
 * @throws ApiError with code 404 when the flag is off, in the URL that is being opened or here
 */
export async function requireFlag(name: FlagName, { url }: Pick<Request, 'url'>): Promise<void> {
  noteFlagsInUrl(new URL(url).search)
  if (await flagOnceKnown(name)) return
  throw new ApiError({ code: 404, reason: 'NotFound', url, message: `The feature ${name} is off.` })
}

/** Begins with the address of the page; answers how to forget it. */
export function startFlags(): () => void {
  inUrl.set({})
  noteFlagsInUrl(globalThis.location.search)
  if (areConditionsNeeded()) void findConditions()
  return () => setInUrl({})
}
