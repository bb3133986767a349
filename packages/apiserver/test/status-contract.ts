import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type ApiResponse, type Api, type Json, type Target } from './api-client'
import { aNamespace, configMap, widget } from './api-fixtures'

/** Every error, word for word: clients rely on reasons, people on messages. */
export function statusContract(target: () => Target): void {
  let api: Api
  let namespace: string
  let path: string
  let maps: string
  let widgets: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ name: namespace, path, maps, widgets } = await aNamespace(api))
    await api.post(maps, configMap('taken'))
    await api.post(widgets, widget('taken'))
  })

  const failure = (code: number, reason: string, message: string, details?: object): Json => ({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code,
  })
  const asAnn = (method: string, at: string, body?: unknown) =>
    api.call(method, at, { headers: { 'impersonate-user': 'ann' }, ...(body !== undefined && { body }) })
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const ofWidgets = { group: 'contract.test', kind: 'widgets' }
  const serverCannotFind = 'the server could not find the requested resource'

  const cases: Record<string, [() => Promise<ApiResponse>, () => Json]> = {
    'an unknown field under strict validation': [
      () => api.post(`${widgets}?fieldValidation=Strict`, widget('x', { size: 1, b: 1, a: [{ c: 1 }] })),
      () =>
        failure(
          400,
          'BadRequest',
          'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.a", unknown field "spec.b"',
        ),
    ],
    'an unknown token': [
      () => api.call('GET', maps, { headers: { authorization: 'Bearer nonsense' } }),
      () => failure(401, 'Unauthorized', 'Unauthorized'),
    ],
    'no permission for an object': [
      () => asAnn('GET', `${widgets}/x`),
      () =>
        failure(
          403,
          'Forbidden',
          `widgets.contract.test "x" is forbidden: User "ann" cannot get resource "widgets" in API group "contract.test" in the namespace "${namespace}"`,
          { name: 'x', ...ofWidgets },
        ),
    ],
    'no permission for an object without a name': [
      () => asAnn('POST', maps, configMap('x')),
      () =>
        failure(
          403,
          'Forbidden',
          `configmaps is forbidden: User "ann" cannot create resource "configmaps" in API group "" in the namespace "${namespace}"`,
          { kind: 'configmaps' },
        ),
    ],
    'no permission for a dry run': [
      () => asAnn('POST', `${maps}?dryRun=All`, configMap('x')),
      () =>
        failure(
          403,
          'Forbidden',
          `configmaps is forbidden: User "ann" cannot create resource "configmaps" in API group "" in the namespace "${namespace}"`,
          { kind: 'configmaps' },
        ),
    ],
    'no permission in all namespaces': [
      () => asAnn('GET', '/api/v1/secrets'),
      () =>
        failure(
          403,
          'Forbidden',
          'secrets is forbidden: User "ann" cannot list resource "secrets" in API group "" at the cluster scope',
          { kind: 'secrets' },
        ),
    ],
    'no permission for a subresource': [
      () => asAnn('PATCH', `${widgets}/taken/status`, {}),
      () =>
        failure(
          403,
          'Forbidden',
          `widgets.contract.test "taken" is forbidden: User "ann" cannot patch resource "widgets/status" in API group "contract.test" in the namespace "${namespace}"`,
          { name: 'taken', ...ofWidgets },
        ),
    ],
    'no permission for a path': [
      () => asAnn('GET', '/metrics'),
      () => failure(403, 'Forbidden', 'forbidden: User "ann" cannot get path "/metrics"', {}),
    ],
    'a missing object': [
      () => api.get(`${widgets}/x`),
      () => failure(404, 'NotFound', 'widgets.contract.test "x" not found', { name: 'x', ...ofWidgets }),
    ],
    'a missing namespace': [
      () => api.post('/api/v1/namespaces/nowhere/configmaps', configMap('x')),
      () => failure(404, 'NotFound', 'namespaces "nowhere" not found', { name: 'nowhere', kind: 'namespaces' }),
    ],
    'a kind that is not served': [
      () => api.get(`${path}/gadgets`),
      () => failure(404, 'NotFound', serverCannotFind, {}),
    ],
    'a part that is parted by an encoded slash': [
      () => api.get(`${maps}/taken%2Flog`),
      () => failure(404, 'NotFound', serverCannotFind, {}),
    ],
    'a subresource that is not served': [
      () => api.get(`${widgets}/taken/log`),
      () => failure(404, 'NotFound', 'widgets.contract.test "taken" not found', { name: 'taken', ...ofWidgets }),
    ],
    'a verb that the kind does not support': [
      () => api.delete('/api/v1/namespaces'),
      () => failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),
    ],
    'a collection verb on an object': [
      () => api.post(`${maps}/taken`, configMap('taken')),
      () => failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),
    ],
    'a body that is null, which counts as empty': [
      () => api.post(maps, null),
      () =>
        failure(
          422,
          'Invalid',
          'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
          {
            kind: 'ConfigMap',
            causes: [
              {
                reason: 'FieldValueRequired',
                message: 'Required value: name or generateName is required',
                field: 'metadata.name',
              },
            ],
          },
        ),
    ],
    'a replacement that is null': [
      () => api.call('PUT', `${maps}/taken`, { body: null }),
      () =>
        failure(
          400,
          'BadRequest',
          'the name of the object (taken based on URL) was undeterminable: name must be provided',
        ),
    ],
    'a name that already exists': [
      () => api.post(widgets, widget('taken')),
      () =>
        failure(409, 'AlreadyExists', 'widgets.contract.test "taken" already exists', { name: 'taken', ...ofWidgets }),
    ],
    'an outdated version': [
      () => api.patch(`${widgets}/taken`, 'merge', { metadata: { resourceVersion: '1' } }),
      () =>
        failure(
          409,
          'Conflict',
          'Operation cannot be fulfilled on widgets.contract.test "taken": the object has been modified; please apply your changes to the latest version and try again',
          { name: 'taken', ...ofWidgets },
        ),
    ],
    'a body that is too large': [
      () => api.post(maps, configMap('x', { a: 'x'.repeat(3 * 1024 * 1024) })),
      () => failure(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'),
    ],
    'a patch type that custom kinds do not accept': [
      () => api.patch(`${widgets}/taken`, 'strategic', {}),
      () =>
        failure(
          415,
          'UnsupportedMediaType',
          'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
        ),
    ],
    'one error in an object': [
      () => api.post(widgets, widget('x', {})),
      () =>
        failure(422, 'Invalid', 'Widget.contract.test "x" is invalid: spec.size: Required value', {
          name: 'x',
          group: 'contract.test',
          kind: 'Widget',
          causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.size' }],
        }),
    ],
    'several errors': [
      () => api.post(widgets, widget('X', { size: 0 })),
      () => {
        const subdomain = `Invalid value: "X": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`
        const size = 'Invalid value: 0: spec.size in body should be greater than or equal to 1'
        return failure(
          422,
          'Invalid',
          `Widget.contract.test "X" is invalid: [metadata.name: ${subdomain}, spec.size: ${size}]`,
          {
            name: 'X',
            group: 'contract.test',
            kind: 'Widget',
            causes: [
              { reason: 'FieldValueInvalid', message: subdomain, field: 'metadata.name' },
              { reason: 'FieldValueInvalid', message: size, field: 'spec.size' },
            ],
          },
        )
      },
    ],
    'an update of a custom object without a version': [
      () => api.put(`${widgets}/taken`, widget('taken')),
      () =>
        failure(
          422,
          'Invalid',
          'widgets.contract.test "taken" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
          {
            name: 'taken',
            group: 'contract.test',
            kind: 'widgets',
            causes: [
              {
                reason: 'FieldValueInvalid',
                message: 'Invalid value: 0: must be specified for an update',
                field: 'metadata.resourceVersion',
              },
            ],
          },
        ),
    ],
    'a patch that cannot be applied': [
      () => api.patch(`${maps}/taken`, 'json', [{ op: 'test', path: '/data', value: 1 }]),
      () => failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {}),
    ],
    'an invalid dryRun': [
      () => api.post(`${maps}?dryRun=Some`, configMap('x')),
      () =>
        failure(
          422,
          'Invalid',
          'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
          {
            group: 'meta.k8s.io',
            kind: 'CreateOptions',
            causes: [
              {
                reason: 'FieldValueNotSupported',
                message: 'Unsupported value: ["Some"]: supported values: "All"',
                field: 'dryRun',
              },
            ],
          },
        ),
    ],
    'an invalid fieldValidation': [
      () => api.put(`${maps}/taken?fieldValidation=Loose`, configMap('taken')),
      () =>
        failure(
          422,
          'Invalid',
          'UpdateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"',
          {
            group: 'meta.k8s.io',
            kind: 'UpdateOptions',
            causes: [
              {
                reason: 'FieldValueNotSupported',
                message: 'Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"',
                field: 'fieldValidation',
              },
            ],
          },
        ),
    ],
    'an incomplete definition': [
      () => api.post(definitions, { metadata: { name: 'x' }, spec: { group: 'contract.test' } }),
      () =>
        expect.objectContaining({
          code: 422,
          reason: 'Invalid',
          message: expect.stringContaining('CustomResourceDefinition.apiextensions.k8s.io "x" is invalid: ['),
        }),
    ],
  }

  describe.each(Object.entries(cases))('%s', (_, [send, expected]) => {
    it('has the expected Status', async () => {
      const { code, body } = await send()
      const status = expected()
      expect(body).toEqual(status)
      expect(code).toBe(body.code)
    })
  })

  it('creating an object in a namespace that is being deleted', async () => {
    const other = await aNamespace(api)
    await api.post(other.maps, { ...configMap('held'), metadata: { name: 'held', finalizers: ['contract.test/hold'] } })
    await api.delete(other.path)
    const { body } = await api.post(other.maps, configMap('late'))
    expect(body).toEqual(
      failure(
        403,
        'Forbidden',
        `configmaps "late" is forbidden: unable to create new content in namespace ${other.name} because it is being terminated`,
        {
          name: 'late',
          kind: 'configmaps',
          causes: [
            {
              reason: 'NamespaceTerminating',
              message: `namespace ${other.name} is being terminated`,
              field: 'metadata.namespace',
            },
          ],
        },
      ),
    )
    await api.patch(`${other.maps}/held`, 'merge', { metadata: { finalizers: null } })
  })
}
