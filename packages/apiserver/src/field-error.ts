import type { StatusCause } from '@slipway/kube/status'

/** Causes of a 422, worded as in the real server. Source: k8s.io/apimachinery, util/validation/field/errors.go. */

const cause = (reason: string, field: string, message: string): StatusCause => ({ reason, message, field })
const withDetail = (text: string, detail: string) => (detail ? `${text}: ${detail}` : text)

/** A value in a message, as JSON; `null` if there is none. */
export const printed = (value: unknown): string => JSON.stringify(value ?? null)

/** Replaces a value that a message must not show. */
export const omitted = Symbol('omitted')

const withValue = (text: string, value: unknown): string => (value === omitted ? text : `${text}: ${printed(value)}`)

export const required = (field: string, detail = ''): StatusCause =>
  cause('FieldValueRequired', field, withDetail('Required value', detail))

export const invalid = (field: string, value: unknown, detail: string): StatusCause =>
  cause('FieldValueInvalid', field, withDetail(withValue('Invalid value', value), detail))

export const typeInvalid = (field: string, value: unknown, detail: string): StatusCause =>
  cause('FieldValueTypeInvalid', field, withDetail(`Invalid value: ${printed(value)}`, detail))

/** @param supported values, each printed in quotation marks */
export const notSupported = (field: string, value: unknown, supported: readonly string[]): StatusCause =>
  cause(
    'FieldValueNotSupported',
    field,
    withDetail(
      `Unsupported value: ${printed(value)}`,
      supported.length ? `supported values: ${supported.map((text) => JSON.stringify(text)).join(', ')}` : '',
    ),
  )

export const duplicate = (field: string, value: unknown): StatusCause =>
  cause('FieldValueDuplicate', field, withValue('Duplicate value', value))

export const forbidden = (field: string, detail: string): StatusCause =>
  cause('FieldValueForbidden', field, withDetail('Forbidden', detail))

/** The path of the whole object, as Go prints a path without a name. */
export const wholeObject = '[]'

export const tooLong = (field: string, maxBytes: number): StatusCause =>
  cause('FieldValueTooLong', field, `Too long: may not be more than ${maxBytes} bytes`)

export const tooMany = (field: string, actual: number, max: number): StatusCause =>
  cause('FieldValueTooMany', field, `Too many: ${actual}: must have at most ${max} items`)

/**
 * The message of a 422: `Component.appstudio.redhat.com "x" is invalid: spec.source: Required value`, with several
 * causes in brackets.
 */
export function invalidMessage(kind: string, group: string, name: string, causes: readonly StatusCause[]): string {
  const texts = [...new Set(causes.map(({ field, message }) => (field ? `${field}: ${message}` : (message ?? ''))))]
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  return `${group ? `${kind}.${group}` : kind} ${JSON.stringify(name)} is invalid: ${list}`
}
