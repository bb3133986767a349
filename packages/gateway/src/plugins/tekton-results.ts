import type { PluginKind } from './plugin-kind'

const version = /^v\d+((alpha|beta)\d+)?$/

export const tektonResults = {
  name: 'tekton-results',
  setting: 'tektonResults',
  probePath: '/apis/results.tekton.dev/v1alpha2/parents/-/results?page_size=1',
  presenceOf: () => 'present',
  /** Source: tektoncd/results, pkg/api/server/v1alpha2/auth. */
  rejectsUsersWith401: true,
  // It calls namespaces parents.
  toKubernetesPath: (segments) => (segments[3] === 'parents' ? segments.with(3, 'namespaces') : segments),
  /** `/apis/results.tekton.dev/v1alpha2/parents/…` and nothing else. */
  isServed: ({ segments: [root, group, name = '', parents, parent] }) =>
    root === 'apis' && group === 'results.tekton.dev' && version.test(name) && parents === 'parents' && Boolean(parent),
  /** Source: tektoncd/results, pkg/api/server/v1alpha2/auth: no names, and `-` for all namespaces of a list. */
  permissions({ segments }) {
    const [, group = '', , , parent = '', results, result, collection, name] = segments
    if (results !== 'results') return []
    const verb = name !== undefined || (result !== undefined && collection === undefined) ? 'get' : 'list'
    const namespace = verb === 'list' && parent === '-' ? '' : parent
    return [{ verb, group, resource: collection ?? 'results', namespace }]
  },
} as const satisfies PluginKind
