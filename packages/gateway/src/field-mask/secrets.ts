import { HttpError } from '@slipway/connect/http-error'
import { parseResourcePath } from '@slipway/kube/api-request'
import type { Target } from '../target'

/** Whether a target addresses Secrets: one, a list or a watch, of the cluster or of an archive with the same paths. */
export function isForSecrets({ segments }: Pick<Target, 'segments'>): boolean {
  // Kubernetes distinguishes case, and takes every character as part of a name; programs next to it might not.
  const [cut = ''] = segments.join('/').split(/[?#]/)
  return [segments, cut.split('/')].some((each) => {
    const path = parseResourcePath(each.map((segment) => segment.trim().toLowerCase()).filter(Boolean))
    return path?.group === '' && path.plural === 'secrets'
  })
}

/** JSON of any form, such as a table, or types that include JSON. */
const jsonRange = /^(?:application\/json|application\/\*|\*\/\*)((?:\s*;\s*[\w-]+=[\w.-]+)*)$/i

/**
 * Narrows the types that a client accepts to those whose values can be blanked.
 * @throws HttpError 406 if none is left
 */
export function acceptedJson(accept: string | undefined): string {
  if (accept === undefined || accept.trim() === '') return 'application/json'
  const types = accept.split(',').flatMap((range) => {
    const parameters = jsonRange.exec(range.trim())?.[1]
    return parameters === undefined || /;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(parameters)
      ? []
      : [`application/json${parameters}`]
  })
  if (types.length > 0) return types.join(',')
  throw new HttpError(406, 'Secrets are only served as application/json, which the request does not accept.')
}
