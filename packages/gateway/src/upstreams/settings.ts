import type { GatewayConfig, KubernetesConfig, PluginConfig, ServiceConfig } from '../config'
import { configError, setting, type SettingName } from '../config-error'

export interface KubernetesSettings {
  name: string
  access: KubernetesConfig['access']
  as: KubernetesConfig['as']
  unavailable?: KubernetesConfig['unavailable']
  /** Empty for all namespaces. */
  namespaceSelector: string
}

export interface UpstreamSettings {
  /** Whether only this machine can reach the gateway, so that otherwise unsafe settings are allowed. */
  isLocal: boolean
  kubernetes: KubernetesSettings
  namespaceLister: ServiceConfig | undefined
  tektonResults: PluginConfig | undefined
  kubeArchive: PluginConfig | undefined
}

type UpstreamConfigs = Pick<
  GatewayConfig,
  'kubernetes' | 'namespaceLister' | 'tektonResults' | 'kubeArchive' | 'signIn'
>

/** @throws ConfigError that says what to change */
export function upstreamSettings(config: UpstreamConfigs, isLocal: boolean): UpstreamSettings {
  const { kubernetes, namespaceLister, tektonResults, kubeArchive, signIn } = config
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
    ['tektonResults', tektonResults],
    ['kubeArchive', kubeArchive],
  ]
  for (const [name, service] of services) if (service) checkService(name, service, isLocal)
  if ('url' in access && access.token !== undefined && access.tokenFile !== undefined) {
    throw configError`${setting('kubernetes.access')} has both a token and a tokenFile. Remove one of them.`
  }
  return {
    isLocal,
    kubernetes: { name, access, as, namespaceSelector, unavailable },
    namespaceLister,
    tektonResults,
    kubeArchive,
  }
}

function checkService(name: SettingName, { url, insecureSkipTlsVerify }: ServiceConfig, isLocal: boolean): void {
  parseServiceUrl(name, url)
  if (insecureSkipTlsVerify) rejectInsecure(name, isLocal)
}

/** @throws ConfigError unless only this machine can reach the gateway */
export function rejectInsecure(name: SettingName, isLocal: boolean): void {
  if (!isLocal) throw configError`${setting(name)} skips the verification of TLS, which is only allowed on loopback.`
}

/** @throws ConfigError that says what to change */
export function parseServiceUrl(name: SettingName, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw configError`The URL of ${setting(name)} must be http or https, without credentials and without a query.`
  }
  return url
}
