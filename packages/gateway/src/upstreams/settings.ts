import { configError } from '@slipway/connect/config-error'
import type { KubernetesAccess } from '@slipway/connect/kubernetes-access'
import { parseServiceUrl, rejectInsecure, rejectPlainHttp, type ServiceConfig } from '@slipway/connect/service-config'
import { pluginKinds, type PluginSetting } from '../plugins/plugin-kinds'
import type { SignInConfig } from '../session/settings'
import { setting, type SettingName } from '../setting'

export interface UpstreamsConfig extends Partial<Record<PluginSetting, PluginConfig>> {
  kubernetes: KubernetesConfig
  /** Service that lists namespaces; without one the list is computed with access reviews. */
  namespaceLister?: ServiceConfig
}

export interface KubernetesConfig {
  /** Name in error messages, which never contain its address. Default `kubernetes`. */
  name?: string
  access: KubernetesAccess
  /**
   * Identity of calls: the signed-in user by impersonation, or by forwarding the ID token of the user's session; or the
   * gateway's own credentials, which is rejected unless everything is on loopback.
   */
  as: 'impersonate' | 'id-token' | 'own'
  /**
   * Set by a supervisor of the cluster: returns why the cluster is down, and calls fail with this as a 503 at once instead
   * of waiting for the time limit. Returns `undefined` while the cluster responds.
   */
  unavailable?: () => string | undefined
  /** Label selector of the namespaces that the namespace list may show, such as `example.com/type=tenant`. */
  namespaceSelector?: string
}

/**
 * A service that is called as the signed-in user by impersonation, with its own token; `gateway` explicitly forwards the
 * gateway's own token.
 */
export type PluginConfig = ServiceConfig & { token: 'gateway' | { file: string } | (() => string) }

export interface KubernetesSettings {
  name: string
  access: KubernetesAccess
  as: KubernetesConfig['as']
  unavailable?: KubernetesConfig['unavailable']
  /** Empty for all namespaces. */
  namespaceSelector: string
}

interface PluginSettings {
  kind: (typeof pluginKinds)[number]
  config: PluginConfig
}

export interface UpstreamSettings {
  /** Whether only this machine can reach the gateway, so that otherwise unsafe settings are allowed. */
  isLocal: boolean
  kubernetes: KubernetesSettings
  namespaceLister: ServiceConfig | undefined
  /** Those that are configured. */
  plugins: readonly PluginSettings[]
}

/** @throws ConfigError that says what to change */
export function upstreamSettings(
  config: UpstreamsConfig & { signIn: SignInConfig },
  isLocal: boolean,
): UpstreamSettings {
  const { kubernetes, namespaceLister, signIn } = config
  const plugins = pluginKinds.flatMap((kind): PluginSettings[] => {
    const plugin = config[kind.setting]
    return plugin ? [{ kind, config: plugin }] : []
  })
  const { access, as, name = 'kubernetes', namespaceSelector = '', unavailable } = kubernetes
  if (as === 'own' && !isLocal) {
    throw configError`${setting("kubernetes.as 'own'")} gives every user the gateway's credentials, which is only allowed on loopback.`
  }
  if (as === 'id-token' && 'frontProxy' in signIn) {
    throw configError`${setting("kubernetes.as 'id-token'")} needs ${setting('signIn.oidc')}: a front proxy does not forward an ID token.`
  }
  const services: [SettingName, ServiceConfig | undefined][] = [
    ['kubernetes.access', 'url' in access ? access : undefined],
    ['namespaceLister', namespaceLister],
    ...plugins.map(({ kind, config }): [SettingName, ServiceConfig] => [kind.setting, config]),
  ]
  for (const [name, service] of services) if (service) checkService(name, service, isLocal)
  if ('url' in access && access.token !== undefined && access.tokenFile !== undefined) {
    throw configError`${setting('kubernetes.access')} has both a token and a tokenFile. Remove one of them.`
  }
  return {
    isLocal,
    kubernetes: { name, access, as, namespaceSelector, unavailable },
    namespaceLister,
    plugins,
  }
}

function checkService(name: SettingName, { url, insecureSkipTlsVerify }: ServiceConfig, isLocal: boolean): void {
  rejectPlainHttp(name, parseServiceUrl(name, url), isLocal)
  if (insecureSkipTlsVerify) rejectInsecure(name, isLocal)
}
