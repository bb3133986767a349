import { presenceOfLivez, type PluginKind } from './plugin-kind'

/** Our own service for list views (packages/views): one websocket for each tab, and windows that are read once. */
export const views = {
  name: 'views',
  setting: 'views',
  probePath: '/livez',
  presenceOf: presenceOfLivez,
  rejectsUsersWith401: false,
  toKubernetesPath: (segments) => segments,
  isServed: ({ segments: [root, path, ...rest] }) =>
    root === 'livez' ? path === undefined : root === 'v1' && path === 'window' && rest.length === 0,
  isSocket: ({ segments: [version, path, ...rest] }) => version === 'v1' && path === 'socket' && rest.length === 0,
  // The service reviews what each view shows for as long as it is open, and empties it.
  permissions: () => [],
} as const satisfies PluginKind
