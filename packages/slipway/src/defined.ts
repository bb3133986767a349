type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Removes undefined properties, so that defaults apply. */
export const defined = <T extends object>(members: T): Defined<T> =>
  // The remaining properties of T have no undefined values.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>
