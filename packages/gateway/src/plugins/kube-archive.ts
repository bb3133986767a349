import { checkKubernetesPath } from '../kubernetes-path'
import { presenceOfLivez, type PluginKind } from './plugin-kind'

const podLogs = { verb: 'get', group: '', version: 'v1', resource: 'pods', subresource: 'log' }

/** The archive mirrors the Kubernetes API. */
export const kubeArchive = {
  name: 'kubearchive',
  setting: 'kubeArchive',
  probePath: '/livez',
  presenceOf: presenceOfLivez,
  /** Source: kubearchive, cmd/api/auth, in current versions. */
  rejectsUsersWith401: true,
  toKubernetesPath: (segments) => segments,
  isServed(target) {
    const [root, ...rest] = target.segments
    if (root === 'livez') return rest.length === 0
    if (root !== 'api' && root !== 'apis') return false
    checkKubernetesPath(target)
    return true
  },
  /** Source: kubearchive, cmd/api/auth: who reads the log of an object needs the object and the logs of pods. */
  permissions({ request: { resource } }) {
    if (!resource) return []
    const { group, version, plural, namespace, below } = resource
    const log = { ...podLogs, namespace }
    const isLog = below.at(-1) === 'log'
    if (isLog && group === '' && plural === 'pods') return [log]
    // `/uid/…` instead of a name addresses an object too.
    const name = resource.name === 'uid' && below.length > 0 ? undefined : resource.name
    const verb = resource.name === undefined ? 'list' : 'get'
    return [{ verb, group, version, resource: plural, namespace, name }, ...(isLog ? [log] : [])]
  },
} as const satisfies PluginKind
