import { labelKeyError, labelValueError } from '@slipway/model/label-edit'
import * as z from 'zod/mini'

/** The labels that a form adds to an object, as they are entered. Rows without a key are not written. */
export interface LabelRow {
  key: string
  value: string
}

type LabelRowError = [index: number, field: keyof LabelRow, message: string]

/** What is wrong with the rows that are written. */
export function labelRowErrors(rows: readonly LabelRow[]): LabelRowError[] {
  const keys = rows.map(({ key }) => key.trim())
  return rows.flatMap(({ value }, index) => {
    const key = keys[index]
    if (!key) return []
    const keyError = keys.indexOf(key) < index ? 'Each key can be used once.' : labelKeyError(key)
    const valueError = labelValueError(value.trim())
    const errors: LabelRowError[] = []
    if (keyError) errors.push([index, 'key', keyError])
    if (valueError) errors.push([index, 'value', valueError])
    return errors
  })
}

export const labelRows = z.array(z.object({ key: z.string(), value: z.string() })).check(({ value: rows, issues }) => {
  for (const [index, field, message] of labelRowErrors(rows))
    issues.push({ code: 'custom', path: [index, field], message, input: rows[index]?.[field] })
})

export const labelsOf = (rows: readonly LabelRow[]): Record<string, string> =>
  Object.fromEntries(rows.flatMap(({ key, value }) => (key.trim() ? [[key.trim(), value.trim()] as const] : [])))
