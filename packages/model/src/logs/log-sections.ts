/** What one container has written. */
export interface LogSection {
  /** Empty for a log that does not say whose it is. */
  container: string
  text: string
}

/** Containers by which Tekton prepares a pod. What they write is of no use to users. */
const initContainers = ['prepare', 'place-scripts', 'working-dir-initializer']

/**
 * What the containers of a task have written, of all that an archive has recorded of the task in one log. Each plugin of
 * Tekton Results writes a form of its own, and so does its watcher (v0.20). What containers of Tekton's own have written
 * is left out.
 * @param containers those of the steps, in order; empty if they are not known
 * @param earlierAttempt which of the attempts that were followed by another, from 1; the last one of all by default
 * @returns `undefined` if the log does not have that attempt
 */
export function sectionsOf(
  log: string,
  containers: readonly string[],
  earlierAttempt?: number,
): LogSection[] | undefined {
  const attempts = markedAttempts(log, containers) ?? [headedSections(log, containers)]
  const sections = earlierAttempt === undefined ? attempts.at(-1) : attempts.slice(0, -1)[earlierAttempt - 1]
  return sections?.filter(({ container }) => !initContainers.includes(container))
}

/** The name of a step or a container, as it precedes each line. */
const lineMark = /^\[([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)\] ?/

/**
 * The attempts of a task in a log in which each line begins with `[{step}] `, and an empty line ends each container, as
 * tkn prints it; `undefined` if the log has another form.
 */
function markedAttempts(log: string, containers: readonly string[]): LogSection[][] | undefined {
  const named = new Map(
    [...initContainers, ...containers].flatMap((container) => [
      [container, container],
      [container.replace(/^step-/, ''), container],
    ]),
  )
  const isKnown = containers.length > 0
  const containerOf = (name: string): string | undefined => {
    const container = named.get(name)
    if (container !== undefined || name.startsWith('sidecar-')) return container ?? name
    return isKnown ? undefined : `step-${name}`
  }
  const lines = log
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const [mark = '', name] = lineMark.exec(line) ?? []
      const container = name === undefined ? undefined : containerOf(name)
      return { container, text: container === undefined ? line : line.slice(mark.length) }
    })
  const written = lines.filter(({ container, text }) => container !== undefined || text !== '')
  const isMarked = isKnown
    ? written[0]?.container !== undefined
    : written.length > 0 && written.every(({ container }) => container !== undefined)
  if (!isMarked) return undefined

  const attempts: Map<string, string>[] = []
  let attempt = new Map<string, string>()
  let current = ''
  let hasEnded = false
  for (const { container, text } of lines) {
    if (container === undefined && text === '') {
      hasEnded = true
      continue
    }
    // Containers are recorded one after the other, so one that comes again is that of the next attempt.
    if (container !== undefined && (container !== current || hasEnded) && attempt.has(container)) {
      attempts.push(attempt)
      attempt = new Map()
    }
    // What begins with something else is a further line of the container before.
    current = container ?? current
    hasEnded = false
    attempt.set(current, `${attempt.get(current) ?? ''}${text}\n`)
  }
  return [...attempts, attempt].map((each) => [...each].map(([container, text]) => ({ container, text })))
}

/** `{container} :-`, by the names that Tekton gives to containers: any other such line is what somebody has written. */
const header = /^((?:step|sidecar)-[a-z0-9.-]*|prepare|place-scripts|working-dir-initializer) ?:-$\n?/m

/**
 * A log in which `{container} :-` on a line of its own begins each container. What stands before the first belongs to
 * none. Some plugins cut the name: they mean to remove `.log`, but remove all of these letters at its end.
 */
function headedSections(log: string, containers: readonly string[]): LogSection[] {
  const [before = '', ...parts] = log.split(header)
  const sections: LogSection[] = before.trim() === '' && parts.length > 0 ? [] : [{ container: '', text: before }]
  const left = [...containers]
  for (let at = 0; at < parts.length; at += 2) {
    const name = parts[at] ?? ''
    const index = left.includes(name)
      ? left.indexOf(name)
      : left.findIndex((each) => each.replace(/[.log]+$/, '') === name)
    const [container = name] = index < 0 ? [] : left.splice(index, 1)
    sections.push({ container, text: (parts[at + 1] ?? '').replace(/\n$/, '') })
  }
  return sections
}
