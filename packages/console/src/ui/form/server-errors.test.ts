import { ApiError, type StatusCause } from '@slipway/kube/status'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { expect, it, test } from 'vitest'
import { create } from '../../api/writes/writes'
import { sortErrors } from './server-errors'

const write = create(applicationType, anApplication({ metadata: { name: 'shop', namespace: 'team' } }))
const errorFields = {
  'metadata.name': 'name',
  'spec.params': 'params',
  'spec.resolverRef.params': 'git',
  'spec.resolverRef.params.0.value': 'url',
}
const hasField = (path: string) => ['name', 'params', 'params.1.value', 'git'].includes(path)
const sorted = (cause: unknown) => sortErrors([{ write, cause }], errorFields, hasField)

const rejection = (code: number, reason: string, causes?: StatusCause[]) =>
  new ApiError({
    code,
    url: '/x',
    message: 'refused',
    status: { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', reason, code, details: { causes } },
  })
const invalid = (...fields: string[]) =>
  rejection(
    422,
    'Invalid',
    fields.map((field) => ({ field, message: `bad ${field}` })),
  )

test.each<[string, unknown, [string, string][], boolean]>([
  ['a taken name', rejection(409, 'AlreadyExists'), [['name', 'Application shop already exists']], false],
  ['a conflict of versions', rejection(409, 'Conflict'), [], true],
  ['an invalid member', invalid('metadata.name'), [['name', 'bad metadata.name']], false],
  ['a member of a list', invalid('spec.params[1].value'), [['params.1.value', 'bad spec.params[1].value']], false],
  [
    'a member without a field of its own',
    invalid('spec.params[7].type'),
    [['params', 'bad spec.params[7].type']],
    false,
  ],
  [
    'the deeper of two paths',
    invalid('spec.resolverRef.params[0]'),
    [['git', 'bad spec.resolverRef.params[0]']],
    false,
  ],
  [
    'a member of an entry with a field of its own',
    invalid('spec.resolverRef.params[0].value'),
    [['url', 'bad spec.resolverRef.params[0].value']],
    false,
  ],
  ['a member of no field', invalid('spec.other'), [], true],
  ['one of each', invalid('metadata.name', 'spec.other'), [['name', 'bad metadata.name']], true],
  ['an invalid object without causes', rejection(422, 'Invalid'), [], true],
  ['a denial', rejection(403, 'Forbidden'), [], true],
  ['an error that is not from the server', new Error('no'), [], true],
])('%s', (_, cause, atFields, isOther) => {
  const result = sorted(cause)
  expect(result.atFields.map(({ field, message }) => [field, message])).toEqual(atFields)
  expect(result.others.length > 0).toBe(isOther)
})

it('uses the message of the form for a taken name', () => {
  const { atFields } = sortErrors(
    [{ write, cause: rejection(409, 'AlreadyExists') }],
    errorFields,
    hasField,
    () => 'Taken',
  )
  expect(atFields).toEqual([{ field: 'name', message: 'Taken' }])
})
