/** Experimental features: which exist, how a URL speaks of them, and which are on. Specification 1, section 4. */

/** What is true of a platform; found out once a page is open. */
export const conditionNames = ['isKubearchiveEnabled', 'isStagingCluster'] as const
export type ConditionName = (typeof conditionNames)[number]
/** A condition that is not known, or could not be found out, counts as false. */
export type Conditions = Partial<Record<ConditionName, boolean>>

export interface FlagDefinition {
  description: string
  /** `wip`: may change or go; `ready`: works as it will stay. */
  status: 'wip' | 'ready'
  isOnByDefault: boolean
  guard?: FlagGuard
}

/** What a flag needs to be on, whatever anybody has set. */
export interface FlagGuard {
  condition: ConditionName
  /** Why it cannot be on, for people. */
  failureReason: string
  /** Listed although it cannot be on. */
  staysVisible: boolean
}

const archiveGuard: FlagGuard = {
  condition: 'isKubearchiveEnabled',
  failureReason: 'The archive is not available on this cluster.',
  staysVisible: true,
}

export const flags = {
  'release-monitor': {
    description: 'A board of the releases in all your namespaces',
    status: 'wip',
    isOnByDefault: false,
  },
  'column-management': {
    description: 'Choose which columns of a table are shown',
    status: 'ready',
    isOnByDefault: true,
  },
  'system-notifications': {
    description: 'News from the operators of the platform, behind a bell in the header',
    status: 'wip',
    isOnByDefault: false,
  },
  'kubearchive-logs': {
    description: 'Logs of finished runs from KubeArchive',
    status: 'wip',
    isOnByDefault: false,
    guard: archiveGuard,
  },
  'taskruns-kubearchive': {
    description: 'Finished task runs from KubeArchive',
    status: 'wip',
    isOnByDefault: false,
    guard: archiveGuard,
  },
  'pipelineruns-kubearchive': {
    description: 'Finished pipeline runs from KubeArchive',
    status: 'wip',
    isOnByDefault: false,
    guard: archiveGuard,
  },
} as const satisfies Record<string, FlagDefinition>

export type FlagName = keyof typeof flags
/** What somebody has set; the others are at their defaults. */
export type FlagSettings = Partial<Record<FlagName, boolean>>

// The keys of a constant object are its names.
export const flagNames = Object.keys(flags) as FlagName[]
const definitions: Record<FlagName, FlagDefinition> = flags

const listParameter = 'ff'
const parameterOf = (name: FlagName): string => `${listParameter}_${name}`

/**
 * `?ff=a,b` turns flags on; `?ff_a=true` and `?ff_a=false` win over the list. `?ff_a` alone is on. Flags that do not
 * exist and any other value are ignored.
 */
export function flagsInUrl(search: string): FlagSettings {
  const parameters = new URLSearchParams(search)
  const listed = parameters.getAll(listParameter).flatMap((list) => list.split(',').map((name) => name.trim()))
  const settings: FlagSettings = {}
  for (const name of flagNames) {
    const value = parameters.get(parameterOf(name))
    if (value === 'true' || value === '') settings[name] = true
    else if (value === 'false') settings[name] = false
    else if (listed.includes(name)) settings[name] = true
  }
  return settings
}

/** The query of a URL with one flag set; everything else in it stays. */
export function withFlag(search: string, name: FlagName, isOn: boolean): string {
  const parameters = new URLSearchParams(search)
  parameters.set(parameterOf(name), String(isOn))
  return questionMark(parameters)
}

/** The query of a URL without a word about flags. */
export function withoutFlags(search: string): string {
  const parameters = new URLSearchParams(search)
  for (const key of [...parameters.keys()]) {
    if (key === listParameter || key.startsWith(`${listParameter}_`)) parameters.delete(key)
  }
  return questionMark(parameters)
}

const questionMark = (parameters: URLSearchParams): string => (parameters.size > 0 ? `?${parameters}` : '')

/** Flags that somebody has set, out of anything at all. */
export const parseFlagSettings = (value: unknown): FlagSettings => booleansOf(value, flagNames)

/** Conditions as they were once found, out of anything at all. */
export const parseConditions = (value: unknown): Conditions => booleansOf(value, conditionNames)

function booleansOf<K extends string>(value: unknown, names: readonly K[]): Partial<Record<K, boolean>> {
  const known: Partial<Record<K, boolean>> = {}
  if (typeof value !== 'object' || value === null) return known
  for (const name of names) {
    const found: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    if (typeof found === 'boolean') known[name] = found
  }
  return known
}

export interface FlagSources {
  url: FlagSettings
  overrides: FlagSettings
  conditions: Conditions
}

/** Whether somebody wants it: the URL, else the stored override, else the default. */
const isWanted = (name: FlagName, { url, overrides }: Omit<FlagSources, 'conditions'>): boolean =>
  url[name] ?? overrides[name] ?? definitions[name].isOnByDefault

/** Which flags are on. A guarded one is off while its condition is not known to hold. */
export function resolveFlags(sources: FlagSources): Record<FlagName, boolean> {
  const isOn = (name: FlagName) => {
    const { guard } = definitions[name]
    return (!guard || sources.conditions[guard.condition] === true) && isWanted(name, sources)
  }
  // Every name has got its value.
  return Object.fromEntries(flagNames.map((name) => [name, isOn(name)])) as Record<FlagName, boolean>
}

/** Whether anything depends on the conditions: a guarded flag that somebody wants. */
export const needsConditions = (sources: Omit<FlagSources, 'conditions'>): boolean =>
  flagNames.some((name) => definitions[name].guard && isWanted(name, sources))

export interface ShownFlag<N extends string = FlagName> extends FlagDefinition {
  name: N
  /** Why it cannot be turned on. */
  disabledReason?: string
}

/** The flags to list, of `all`. */
export function shownFlags<N extends string>(all: Record<N, FlagDefinition>, conditions: Conditions): ShownFlag<N>[] {
  return (Object.entries(all) as [N, FlagDefinition][]).flatMap(([name, definition]) => {
    const { guard } = definition
    if (!guard || conditions[guard.condition]) return [{ name, ...definition }]
    return guard.staysVisible ? [{ name, ...definition, disabledReason: guard.failureReason }] : []
  })
}

export const flagStatusLabels: Record<FlagDefinition['status'], string> = { wip: 'Unstable', ready: 'Stable' }
