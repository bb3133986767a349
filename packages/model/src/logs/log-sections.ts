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
 * Tekton Results writes a form of its own, and so did its watcher (v0.20). What containers of Tekton's own have written
 * is left out, and so are earlier attempts of the task if the log has them.
 * @param containers those of the steps, in order; empty if they are not known
 */
export const sectionsOf = (log: string, containers: readonly string[]): LogSection[] =>
  (markedSections(log, containers) ?? headedSections(log, containers)).filter(
    ({ container }) => !initContainers.includes(container),
  )

/** The name of a step or a container, as it precedes each line. */
const lineMark = /^\[([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)\] ?/

/** A log in which each line begins with `[{step}] `, as tkn prints it; `undefined` if it has another form. */
function markedSections(log: string, containers: readonly string[]): LogSection[] | undefined {
  const named = new Map(
    [...initContainers, ...containers].flatMap((container) => [
      [container, container],
      [container.replace(/^step-/, ''), container],
    ]),
  )
  const isKnown = containers.length > 0
  const lines = log
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const [mark = '', name = ''] = lineMark.exec(line) ?? []
      const container = named.get(name) ?? (mark && !isKnown ? `step-${name}` : undefined)
      return { container, text: container === undefined ? line : line.slice(mark.length) }
    })
  const isMarked = isKnown ? lines[0]?.container !== undefined : lines.every(({ container }) => container !== undefined)
  if (!isMarked) return undefined

  let attempt = new Map<string, string>()
  let current = ''
  // What begins with something else is a further line of the container before.
  for (const { container = current, text } of lines) {
    // Containers are recorded one after the other, so one that comes again is that of the next attempt.
    if (container !== current && attempt.has(container)) attempt = new Map()
    current = container
    attempt.set(container, `${attempt.get(container) ?? ''}${text}\n`)
  }
  return [...attempt].map(([container, text]) => ({ container, text }))
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
