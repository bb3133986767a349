/** The part of an object that says when it was created. */
export interface Dated {
  metadata: { name?: string | undefined; creationTimestamp?: string | undefined }
}

/** Text order of code units, which for times of the API is that of time. */
export const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/**
 * Sorts objects by creation, the newest first. Times have seconds: among objects of the same one the last name is the
 * newest, so that the result does not depend on the order in which they were read.
 */
export const newestFirst = (a: Dated, b: Dated): number =>
  compareTexts(createdAt(b), createdAt(a)) || lastNameFirst(a, b)

/** The same for something else than creation, such as the time at which something ended. */
export const lastFirstBy =
  <T extends Dated>(keyOf: (object: T) => string) =>
  (a: T, b: T): number =>
    compareTexts(keyOf(b), keyOf(a)) || lastNameFirst(a, b)

/** The first in an order; `undefined` without objects. */
export const firstOf = <T>(objects: readonly T[], compare: (a: T, b: T) => number): T | undefined =>
  objects.reduce<T | undefined>(
    (first, each) => (first === undefined || compare(each, first) < 0 ? each : first),
    undefined,
  )

export const newestOf = <T extends Dated>(objects: readonly T[]): T | undefined => firstOf(objects, newestFirst)

export const createdAt = ({ metadata }: Dated): string => metadata.creationTimestamp ?? ''
const lastNameFirst = (a: Dated, b: Dated): number => compareTexts(b.metadata.name ?? '', a.metadata.name ?? '')
