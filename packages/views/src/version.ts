/**
 * Whether a list of this version is no older than another. Source: Kubernetes documentation, "Resource versions", which
 * says since 1.35 that those of one kind are decimal numbers that clients may compare.
 */
export const isAtLeast = (version: string, least: string): boolean =>
  version.length === least.length ? version >= least : version.length > least.length

/** The later one of two versions. */
export const laterVersion = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && isAtLeast(b, a)) ? b : a

/** Whether this can be compared with versions: a positive number without leading zeros. */
export const isVersion = (value: unknown): value is string => typeof value === 'string' && /^[1-9]\d{0,39}$/.test(value)
