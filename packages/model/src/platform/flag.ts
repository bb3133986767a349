/** Experimental features: their definitions, their URL parameters, and which are on. Specification 1, section 4. */

/** Properties of a platform, determined after a page opens. */
export const conditionNames = ['isKubearchiveEnabled', 'isStagingCluster'] as const
export type ConditionName = (typeof conditionNames)[number]
/** A condition that is unknown or could not be determined counts as false. */
export type Conditions = Partial<Record<ConditionName, boolean>>

export interface FlagDefinition {
  description: string
  /** `wip`: may change or be removed; `ready`: final. */
  status: 'wip' | 'ready'
  isOnByDefault: boolean
  guard?: FlagGuard
}

/** What a flag requires to be on, whatever its setting. */
export interface FlagGuard {
  condition: ConditionName
  /** Human-readable reason why it cannot be on. */
  failureReason: string
  /** Whether it is listed although it cannot be on. */
  staysVisible: boolean
}

const archiveGuard: FlagGuard = {
  condition: 'isKubearchiveEnabled',
  failureReason: 'The archive is not available on this cluster.',
  staysVisible: true,
}

export const flags = {
  'release-monitor': {
    description: 'A board of releases across all your namespaces',
    status: 'wip',
    isOnByDefault: false,
  },
  'column-management': {
    description: 'Choose which columns of a table are shown',
    status: 'ready',
    isOnByDefault: true,
  },
  'system-notifications': {
    description: 'Announcements from platform operators, under a bell icon in the header',
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
/** Flags set explicitly; the others have their defaults. */
export type FlagSettings = Partial<Record<FlagName, boolean>>

// The keys of a constant object are its names.
export const flagNames = Object.keys(flags) as FlagName[]
const definitions: Record<FlagName, FlagDefinition> = flags

const listParameter = 'ff'
const parameterOf = (name: FlagName): string => `${listParameter}_${name}`

/**
 * `?ff=a,b` turns flags on; `?ff_a=true` and `?ff_a=false` override the list. `?ff_a` alone turns a flag on. Unknown
 * flags and any other value are ignored.
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

/** The query of a URL with one flag set; everything else stays. */
export function withFlag(search: string, name: FlagName, isOn: boolean): string {
  const parameters = new URLSearchParams(search)
  parameters.set(parameterOf(name), String(isOn))
  return questionMark(parameters)
}

/** The query of a URL without flag parameters. */
export function withoutFlags(search: string): string {
  const parameters = new URLSearchParams(search)
  for (const key of [...parameters.keys()]) {
    if (key === listParameter || key.startsWith(`${listParameter}_`)) parameters.delete(key)
  }
  return questionMark(parameters)
}

const questionMark = (parameters: URLSearchParams): string => (parameters.size > 0 ? `?${parameters}` : '')

/** Parses stored flag settings from any value. */
export const parseFlagSettings = (value: unknown): FlagSettings => booleansOf(value, flagNames)

/** Parses stored conditions from any value. */
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

/** Whether a flag is requested: by the URL, else by the stored override, else by default. */
const isRequested = (name: FlagName, { url, overrides }: Omit<FlagSources, 'conditions'>): boolean =>
  url[name] ?? overrides[name] ?? definitions[name].isOnByDefault

/** Which flags are on. A guarded flag is off unless its condition is known to hold. */
export function resolveFlags(sources: FlagSources): Record<FlagName, boolean> {
  const isOn = (name: FlagName) => {
    const { guard } = definitions[name]
    return (!guard || sources.conditions[guard.condition] === true) && isRequested(name, sources)
  }
  // Every name has a value.
  return Object.fromEntries(flagNames.map((name) => [name, isOn(name)])) as Record<FlagName, boolean>
}

/** Whether the conditions matter, because a guarded flag is requested. */
export const needsConditions = (sources: Omit<FlagSources, 'conditions'>): boolean =>
  flagNames.some((name) => definitions[name].guard && isRequested(name, sources))

export interface VisibleFlag<N extends string = FlagName> extends FlagDefinition {
  name: N
  /** Why it cannot be turned on. */
  disabledReason?: string
}

/** The flags to list, of `all`. */
export function visibleFlags<N extends string>(
  all: Record<N, FlagDefinition>,
  conditions: Conditions,
): VisibleFlag<N>[] {
  return (Object.entries(all) as [N, FlagDefinition][]).flatMap(([name, definition]) => {
    const { guard } = definition
    if (!guard || conditions[guard.condition]) return [{ name, ...definition }]
    return guard.staysVisible ? [{ name, ...definition, disabledReason: guard.failureReason }] : []
  })
}

export const flagStatusLabels: Record<FlagDefinition['status'], string> = { wip: 'Unstable', ready: 'Stable' }
