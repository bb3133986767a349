/** What one container has written. */
export interface LogSection {
  /** Empty for a log that does not say whose it is. */
  container: string
  text: string
}

/** `{container} :-`, by the names that Tekton gives to containers: any other such line is what somebody has written. */
const stepHeader = /^((?:step|sidecar)-[a-z0-9.-]+|prepare|place-scripts|working-dir-initializer) :-$\n?/m

/**
 * The results database has the log of a task whole: `{container} :-` on a line of its own begins each step. What stands
 * before the first belongs to none.
 */
export function sectionsOf(log: string): LogSection[] {
  const [before = '', ...parts] = log.split(stepHeader)
  const sections: LogSection[] = before.trim() === '' && parts.length > 0 ? [] : [{ container: '', text: before }]
  for (let at = 0; at < parts.length; at += 2) {
    sections.push({ container: parts[at] ?? '', text: (parts[at + 1] ?? '').replace(/\n$/, '') })
  }
  return sections
}
