import { isRecord } from '@slipway/kube/object'
import { parse, stringify, YAMLParseError } from 'yaml'

/** The data of a release plan as text: YAML, which JSON is too. */

/** @param data as stored; earlier consoles stored any text */
export function releaseDataText(data: unknown): string {
  if (data === undefined || data === null) return ''
  return typeof data === 'string' ? data : stringify(data)
}

/** @returns the object that a text describes, `undefined` for an empty text, or why the cluster would reject it */
export function parseReleaseData(text: string): { data: Record<string, unknown> | undefined } | { error: string } {
  try {
    // Lists of aliases to each other could describe more than fits into memory.
    const data: unknown = parse(text, { maxAliasCount: 100 })
    if (data === undefined || data === null) return { data: undefined }
    return isRecord(data) ? { data } : { error: 'Must be YAML or JSON with keys and values, such as “team: payments”.' }
  } catch (error) {
    const [reason = ''] = error instanceof YAMLParseError ? error.message.split(/ at line |:\n/) : []
    const { line } = (error instanceof YAMLParseError && error.linePos?.[0]) || {}
    return { error: `Not valid YAML or JSON${line ? ` in line ${line}` : ''}${reason ? `: ${reason}` : ''}.` }
  }
}
