import { expect, it, test } from 'vitest'
import { problemReport, redactedPage, redactedPath } from './problem-report'

const group = '/api/k8s/apis/tekton.dev/v1'
test.each([
  ['/api/k8s/api/v1/namespaces/team-a', '/api/k8s/api/v1/namespaces/{name}'],
  ['/api/k8s/api/v1/namespaces', '/api/k8s/api/v1/namespaces'],
  ['/api/k8s/api/v1/namespaces/team-a/secrets/token', '/api/k8s/api/v1/namespaces/{namespace}/secrets/{name}'],
  [`${group}/namespaces/team-a/pipelineruns`, `${group}/namespaces/{namespace}/pipelineruns`],
  [
    `${group}/namespaces/team-a/pipelineruns?labelSelector=app%3Dweb&limit=5&fieldMask=metadata`,
    `${group}/namespaces/{namespace}/pipelineruns?labelSelector&limit&fieldMask`,
  ],
  [
    '/api/k8s/api/v1/namespaces/team-a/pods/web/log?container=step-build',
    '/api/k8s/api/v1/namespaces/{namespace}/pods/{name}/log?container',
  ],
  ['/api/k8s/apis/x.dev/v1/things/web', '/api/k8s/apis/x.dev/v1/things/{name}'],
  [
    '/api/k8s/plugins/kubearchive/apis/x.dev/v1/namespaces/team-a/things/web',
    '/api/k8s/plugins/kubearchive/apis/x.dev/v1/namespaces/{namespace}/things/{name}',
  ],
  [
    '/api/k8s/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents/team-a/results/-/records/uid',
    '/api/k8s/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents/{name}/results/{name}/{name}/{name}',
  ],
  ['/oauth2/userinfo', '/oauth2/userinfo'],
  ['/api/k8s/plugins/views/livez', '/api/k8s/plugins/views/livez'],
  ['/anything/team-a', '/{name}/{name}'],
])('the call %s is reported as %s', (path, redacted) => expect(redactedPath(path)).toBe(redacted))

test.each([
  [
    '/ns/team-a/applications/web',
    { namespace: 'team-a', application: 'web' },
    '/ns/{namespace}/applications/{application}',
  ],
  ['/ns/a%20b/access?name=jane&status=%5B%5D', { namespace: 'a b' }, '/ns/{namespace}/access?name&status'],
  ['/search?q=team-a', {}, '/search?q'],
  ['/ns/%/x', {}, '/ns/%/x'],
])('the page %s of %j is reported as %s', (page, params, redacted) => expect(redactedPage(page, params)).toBe(redacted))

it('reports versions, the page, features and failed requests, and nothing that they name', () => {
  const report = problemReport({
    versions: { console: '0.1.0', gateway: '0.1.0', cluster: undefined },
    page: '/ns/team-a/secrets?name=token',
    params: { namespace: 'team-a' },
    browser: 'Browser 1',
    time: '2026-01-31T09:00:00Z',
    features: ['views', 'release-monitor'],
    failures: [
      {
        path: '/api/k8s/api/v1/namespaces/team-a/secrets?labelSelector=token',
        code: 503,
        requestId: 'req-1',
        time: '2026-01-31T08:59:00Z',
      },
      { path: '/oauth2/userinfo', code: 0, time: '2026-01-31T08:58:00Z' },
    ],
  })
  expect(report.split('\n')).toEqual([
    'console: 0.1.0',
    'gateway: 0.1.0',
    'cluster: unknown',
    'page: /ns/{namespace}/secrets?name',
    'browser: Browser 1',
    'time: 2026-01-31T09:00:00Z',
    'features: views, release-monitor',
    'failed requests, the newest first:',
    '  2026-01-31T08:59:00Z 503 Service Unavailable /api/k8s/api/v1/namespaces/{namespace}/secrets?labelSelector (request req-1)',
    '  2026-01-31T08:58:00Z no response /oauth2/userinfo',
  ])
})
