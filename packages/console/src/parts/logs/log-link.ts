/** A line or a range of lines in the log of a step; lines count from 1. */
export interface LineRange {
  step: string
  from: number
  to: number
}

/** `#Lbuild:12` or `#Lbuild:12-15`. */
export const lineHash = ({ step, from, to }: LineRange): string =>
  `#L${encodeURIComponent(step)}:${from}${to > from ? `-${to}` : ''}`

/** @returns `undefined` for a hash that names no line */
export function rangeOf(hash: string): LineRange | undefined {
  const [, encoded = '', first = '', last = first] = /^#L([^:]+):(\d{1,9})(?:-(\d{1,9}))?$/.exec(hash) ?? []
  const [from, to] = [Number(first), Number(last)].sort((a, b) => a - b)
  if (!encoded || !from || !to) return undefined
  try {
    return { step: decodeURIComponent(encoded), from, to }
  } catch {
    return undefined // A stray percent sign: the console did not build this hash.
  }
}

/**
 * The query and hash of a link to a line in the logs of a run: `?task=build#Lbuild:12`.
 * @param task its name in the pipeline, or that of the task run if the task has several
 */
export function logLink({ task, step, line }: { task?: string; step?: string; line?: number | undefined }): string {
  const query = task ? `?task=${encodeURIComponent(task)}` : ''
  return step && line ? query + lineHash({ step, from: line, to: line }) : query
}
